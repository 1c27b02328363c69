/**
 * Replaces the composer's text; the caret keeps its distance to the end. While the user is in the
 * composer only the changed part is replaced, as an edit that Ctrl+Z undoes.
 */
export function putText(area: HTMLTextAreaElement, text: string): void {
  if (area.value === text) return;
  const fromEnd = area.value.length - area.selectionEnd;
  if (text === "" || document.activeElement !== area || !insertChange(area, text)) {
    area.value = text; // Clears the undo stack.
  }
  const caret = Math.max(0, text.length - fromEnd);
  area.setSelectionRange(caret, caret);
}

/** Replaces what differs from `text` through the browser's editing; false where that is refused. */
function insertChange(area: HTMLTextAreaElement, text: string): boolean {
  const before = area.value;
  const shorter = Math.min(before.length, text.length);
  let start = 0;
  while (start < shorter && before[start] === text[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === text.at(-1 - tail)) tail += 1;
  // The halves of a surrogate pair stay together.
  if (/[\uD800-\uDBFF]/.test(before[start - 1] ?? "")) start -= 1;
  if (tail > 0 && /[\uDC00-\uDFFF]/.test(before.at(-tail) ?? "")) tail -= 1;
  area.setSelectionRange(start, before.length - tail);
  const inserted = text.slice(start, text.length - tail);
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- no other API keeps the undo stack
  return document.execCommand(inserted === "" ? "delete" : "insertText", false, inserted);
}
