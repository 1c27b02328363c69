import type { Disposable } from "../../base/disposables";

/**
 * Moves the focus between messages with Alt+Up and Alt+Down. Up from the composer goes to the last
 * message, down from the last message to the composer.
 */
export function followMessageKeys(log: HTMLElement, toComposer: () => void): Disposable {
  function onKeyDown(event: KeyboardEvent): void {
    const step = stepOf(event);
    const { target } = event;
    if (step === 0 || !(target instanceof Element) || event.defaultPrevented) return;
    if (target.closest("dialog, [inert]") !== null || log.closest("[inert]") !== null) return;
    if (target instanceof HTMLTextAreaElement && !isInFirstLine(target)) return;
    const articles = [...log.querySelectorAll<HTMLElement>("article")];
    const current = target.closest<HTMLElement>("article");
    // From outside a message, up goes to the last one.
    const from = current === null ? articles.length : articles.indexOf(current);
    // Up inside a message goes to its start first.
    const isInside = current !== null && current !== target;
    const next = articles[isInside && step === -1 ? from : from + step];
    if (next !== undefined) {
      next.focus({ preventScroll: true });
      next.scrollIntoView({ block: "start" });
    } else if (step === 1) toComposer();
    else return;
    event.preventDefault();
  }
  document.addEventListener("keydown", onKeyDown);
  return { dispose: () => document.removeEventListener("keydown", onKeyDown) };
}

function stepOf({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): -1 | 0 | 1 {
  if (!altKey || ctrlKey || metaKey || shiftKey) return 0;
  return key === "ArrowUp" ? -1 : key === "ArrowDown" ? 1 : 0;
}

/** Keeps Option+Up of macOS, which goes to the start of a paragraph, in a text of several lines. */
function isInFirstLine({ value, selectionStart }: HTMLTextAreaElement): boolean {
  return !value.slice(0, selectionStart).includes("\n");
}
