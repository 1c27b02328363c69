/**
 * Writes a text into the composer without moving the caret away from what is being typed.
 */

/** Does nothing when the text is already there; else the caret keeps its distance to the end. */
export function putText(area: HTMLTextAreaElement, text: string): void {
  if (area.value === text) return;
  const fromEnd = area.value.length - area.selectionEnd;
  area.value = text;
  const caret = Math.max(0, text.length - fromEnd);
  area.setSelectionRange(caret, caret);
}
