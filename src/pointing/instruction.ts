import type { CoordinateScale } from "./coordinates";

/** Scale that is asked for while the scale of the model is not known. */
export const ASKED_SCALE: CoordinateScale = "thousand";
/** Number of the right and the lower edge in this scale. */
export const ASKED_EDGE = 1000;

/**
 * Returns the instruction of "Mark in picture"; sent with a question, in English.
 * @param hasCode true if the model can know code that causes what a picture shows
 * @param scale scale of the model's coordinates, if known
 */
export function pointingInstruction(hasCode: boolean, scale = ASKED_SCALE): string {
  const isYFirst = scale.endsWith("YFirst");
  const key = isYFirst ? "box_2d" : "bbox_2d";
  const order = isYFirst ? "[ymin, xmin, ymax, xmax]" : "[x1, y1, x2, y2]";
  return [
    "Show where each thing is that you mention in a picture: after your answer, add a JSON code block with one entry for each of them:",
    "```json",
    `[{"${key}": ${order}, "label": "a few words", "picture": 1}]`,
    "```",
    `${unitSentence(scale)}"picture" is the number of the picture; if the picture is a tile, add "tile" with the number of the tile. The coordinates refer to that picture or tile alone.`,
    ...(hasCode
      ? [
          'If a line of the code that you were given causes it, add "file" with its path, "line" with its number and "code" with the text of that line.',
        ]
      : []),
  ].join("\n");
}

/** Returns a sentence about the numbers of a scale, with a space at its end; sent in English. */
export function unitSentence(scale: CoordinateScale): string {
  const range = /^(thousand|one|percent)/.exec(scale)?.[1];
  if (range === undefined) return "Coordinates are pixels. ";
  const edge = range === "one" ? 1 : range === "percent" ? 100 : ASKED_EDGE;
  return `Coordinates go from 0 to ${edge} across the width and the height. `;
}
