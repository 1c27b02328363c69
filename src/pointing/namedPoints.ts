/** Replaces coordinates in the text of a reply by names, for users who hear the text. */
import { keyOf, placePoints, type PlacingOptions } from "./placePointing";
import type { SeenPicture } from "./pictureArea";
import { PointingReader, writtenPoints } from "./readPointing";

/** Returns the letter of a mark, as in columns of a spreadsheet; the user's own notes have numbers. */
export function pointLetter(number: number): string {
  const round = Math.floor((number - 1) / 26);
  const letter = String.fromCharCode("A".charCodeAt(0) + ((number - 1) % 26));
  return round === 0 ? letter : pointLetter(round) + letter;
}

/**
 * Returns the text with names in place of coordinates, after the label inside their notation.
 * Coordinates that fit no picture stay as they are.
 */
export function withNamedPoints(
  text: string,
  pictures: readonly SeenPicture[],
  nameOf: (letter: string) => string,
  options: PlacingOptions = {},
): string {
  const reader = new PointingReader();
  const { numbers } = placePoints([...reader.append(text), ...reader.end()], pictures, options);
  if (numbers.size === 0) return text;
  let textWithNames = "";
  let from = 0;
  for (const { start, end, lists, label } of writtenPoints(text)) {
    const names = lists.flatMap((list) => {
      const number = numbers.get(keyOf(list));
      return number === undefined ? [] : [nameOf(pointLetter(number))];
    });
    if (names.length === 0 || names.length < lists.length) continue;
    const before = label === "" ? "" : `${label}: `;
    textWithNames += text.slice(from, start) + before + names.join(", ");
    from = end;
  }
  return textWithNames + text.slice(from);
}
