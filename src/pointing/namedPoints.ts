/** Replaces coordinates in the text of a reply by names, for users who hear the text. */
import { keyOf, placePoints, type PlacingOptions } from "./placePointing";
import type { SeenPicture } from "./pictureArea";
import { PointingReader, writtenPoints } from "./readPointing";

/** Name of a position: the number of the box or point that the panel shows. */
export type NamePoint = (kind: "box" | "point", number: number) => string;

/**
 * Returns the text with names in place of coordinates, after the label inside their notation.
 * Coordinates that fit no picture stay as they are.
 */
export function withNamedPoints(
  text: string,
  pictures: readonly SeenPicture[],
  nameOf: NamePoint,
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
      return number === undefined ? [] : [nameOf(list.length === 2 ? "point" : "box", number)];
    });
    if (names.length === 0 || names.length < lists.length) continue;
    const before = label === "" ? "" : `${label}: `;
    textWithNames += text.slice(from, start) + before + names.join(", ");
    from = end;
  }
  return textWithNames + text.slice(from);
}
