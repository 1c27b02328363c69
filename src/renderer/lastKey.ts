/** Time of the last key press in a document, so that rendering leaves the keys' frames free. */

interface KeyTime {
  ms: number;
}

/** https://wicg.github.io/is-input-pending/ (Chromium). */
interface SchedulingNavigator {
  readonly scheduling?: { isInputPending?(): boolean };
}

const documents = new WeakMap<Document, KeyTime>();

/**
 * Returns the time of the last key press or input in a document, as of `performance.now()`; the current
 * time if the browser has input that the page has not received yet.
 */
export function lastKeyMs(document: Document): number {
  const { scheduling } = (document.defaultView?.navigator ?? {}) as SchedulingNavigator;
  return scheduling?.isInputPending?.() === true ? performance.now() : keyTimeOf(document).ms;
}

function keyTimeOf(document: Document): KeyTime {
  const keyTime = documents.get(document);
  if (keyTime !== undefined) return keyTime;
  const made = { ms: -Infinity };
  documents.set(document, made);
  // The text of an input method arrives as `input` without a key press.
  for (const type of ["keydown", "input"]) {
    document.addEventListener(type, () => (made.ms = performance.now()), { capture: true });
  }
  return made;
}
