/**
 * Script of a frame whose page becomes a picture: posts the document as the page's scripts made it, with
 * what its markup does not have (drawings, typed values, rules that scripts added). The page can forge the
 * post, so it is only drawn.
 */

/** Time without a change after which a page is complete, and the longest wait for it, in milliseconds. */
const QUIET_MS = 400;
const MAX_CHANGING_MS = 4_000;

/** Returns the text of the script. */
export function captureScript(): string {
  return `(${capture.toString()})(${QUIET_MS}, ${MAX_CHANGING_MS})`;
}

/** Runs in the frame, so it uses nothing from this file. */
function capture(quietMs: number, maxMs: number): void {
  let changedMs = performance.now();
  const observer = new MutationObserver(() => (changedMs = performance.now()));
  const all = { attributes: true, characterData: true, childList: true, subtree: true };
  observer.observe(document, all);

  const fill = (element: Element, twin: Element) => {
    if (element instanceof HTMLCanvasElement) {
      const { display, width, height } = getComputedStyle(element);
      const image = document.createElement("img");
      for (const { name, value } of element.attributes) image.setAttribute(name, value);
      Object.assign(image.style, { display, width, height });
      image.src = element.toDataURL();
      twin.replaceWith(image);
    } else if (element instanceof HTMLInputElement) {
      if (/^(?:checkbox|radio)$/.test(element.type)) {
        twin.toggleAttribute("checked", element.checked);
      } else {
        twin.setAttribute("value", element.value);
      }
    } else if (element instanceof HTMLTextAreaElement) {
      twin.textContent = element.value;
    } else if (element instanceof HTMLOptionElement) {
      twin.toggleAttribute("selected", element.selected);
    } else if (element instanceof HTMLStyleElement && element.textContent === "") {
      twin.textContent = textOf(element.sheet);
    }
  };
  const textOf = (sheet: CSSStyleSheet | null) =>
    [...(sheet?.cssRules ?? [])].map(({ cssText }) => cssText).join("\n");

  const html = () => {
    const root = document.documentElement;
    const copy = root.cloneNode(true) as HTMLElement;
    const twins = [...copy.querySelectorAll("*")];
    for (const [index, element] of [...root.querySelectorAll("*")].entries()) {
      const twin = twins[index];
      if (twin) fill(element, twin);
    }
    const adopted = document.createElement("style");
    adopted.textContent = document.adoptedStyleSheets.map(textOf).join("\n");
    copy.append(adopted);
    return `${document.compatMode === "BackCompat" ? "" : "<!doctype html>"}${copy.outerHTML}`;
  };

  addEventListener("load", () => {
    const startMs = performance.now();
    const look = () => {
      const nowMs = performance.now();
      if (nowMs - changedMs < quietMs && nowMs - startMs < maxMs) setTimeout(look, 50);
      else parent.postMessage({ coreChatCaptured: html() }, "*");
    };
    look();
  });
}
