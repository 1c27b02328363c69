import type { Disposable } from "../../base/disposables";

/** Position of a control, to find its counterpart after a change. */
interface FocusSpot {
  readonly control: HTMLElement;
  readonly label: string;
  readonly articleIndex: number;
  /** Index among the controls with this label in the article. */
  readonly labelIndex: number;
}

/**
 * Keeps the keyboard focus when the focused control in `log` is removed or disabled, as by Continue or
 * Regenerate. Browsers would move the focus to the body, and the next Tab to the top of the page.
 * @param toComposer focuses the composer, for controls that have no counterpart
 */
export function keepFocus(log: HTMLElement, toComposer: () => void): Disposable {
  let spot: FocusSpot | undefined;

  function onFocusIn({ target }: FocusEvent): void {
    spot = target instanceof HTMLElement ? spotOf(log, target) : undefined;
  }

  function onFocusOut(): void {
    const left = spot;
    // Only after the event is a removed control disconnected.
    queueMicrotask(() => {
      if (spot === left && left !== undefined && !isLost(left.control)) spot = undefined;
    });
  }

  function restore(): void {
    if (spot === undefined || !isLost(spot.control) || !document.hasFocus()) return;
    const { activeElement } = document;
    if (activeElement !== document.body && activeElement !== spot.control) return;
    const next = counterpartOf(log, spot);
    spot = undefined;
    if (next === undefined) toComposer();
    else next.focus({ preventScroll: true });
  }

  const observer = new MutationObserver(restore);
  const watched = { subtree: true, childList: true, attributeFilter: ["disabled"] };
  observer.observe(log, watched);
  log.addEventListener("focusin", onFocusIn);
  log.addEventListener("focusout", onFocusOut);
  return {
    dispose: () => {
      observer.disconnect();
      log.removeEventListener("focusin", onFocusIn);
      log.removeEventListener("focusout", onFocusOut);
    },
  };
}

function isLost(control: HTMLElement): boolean {
  return !control.isConnected || control.matches(":disabled");
}

function spotOf(log: HTMLElement, control: HTMLElement): FocusSpot | undefined {
  const article = control.closest("article");
  if (article === null) return undefined;
  const label = labelOf(control);
  const articleIndex = articlesIn(log).indexOf(article);
  return { control, label, articleIndex, labelIndex: labelled(article, label).indexOf(control) };
}

/** Returns the same control of the message at that position, or the other of a version stepper. */
function counterpartOf(log: HTMLElement, spot: FocusSpot): HTMLElement | undefined {
  const article = articlesIn(log)[spot.articleIndex];
  const same = article && labelled(article, spot.label)[spot.labelIndex];
  if (same === undefined) return undefined;
  if (!same.matches(":disabled")) return same;
  const stepper = same.closest(".version-stepper");
  return stepper?.querySelector<HTMLElement>("button:not(:disabled)") ?? undefined;
}

function articlesIn(log: HTMLElement): readonly HTMLElement[] {
  return [...log.querySelectorAll<HTMLElement>("article")];
}

function labelled(article: HTMLElement, label: string): readonly HTMLElement[] {
  const controls = article.querySelectorAll<HTMLElement>("button, a, summary, [tabindex]");
  return [...controls].filter((control) => labelOf(control) === label);
}

function labelOf(control: HTMLElement): string {
  return control.ariaLabel ?? (control.title || control.textContent);
}
