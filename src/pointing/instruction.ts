/** Instructions that ask a vision model for coordinates in the form that the model knows. */
import type { CoordinateScale } from "./coordinates";

/**
 * Returns the instruction of "Show where"; sent with a question, in English.
 * @param scale scale of the model's coordinates; undefined to leave the scale to the model
 */
export function pointingInstruction(scale: CoordinateScale | undefined): string {
  const isYFirst = scale === "thousandYFirst";
  const key = isYFirst ? "box_2d" : "bbox_2d";
  const order = isYFirst ? "[ymin, xmin, ymax, xmax]" : "[x1, y1, x2, y2]";
  return [
    "Show where each thing is that you mention in a picture: after your answer, add a JSON code block with one entry for each of them:",
    "```json",
    `[{"${key}": ${order}, "label": "a few words", "picture": 1}]`,
    "```",
    `${unitSentence(scale)}"picture" is the number of the picture; if the picture is a tile, add "tile" with the number of the tile. The coordinates refer to that picture or tile alone.`,
  ].join("\n");
}

function unitSentence(scale: CoordinateScale | undefined): string {
  switch (scale) {
    case undefined:
      return "";
    case "thousand":
    case "thousandYFirst":
      return "Coordinates go from 0 to 1000 across the width and the height. ";
    case "one":
      return "Coordinates go from 0 to 1 across the width and the height. ";
    case "pixels":
    case "pixels28x1280":
    case "pixels28x16384":
    case "pixels32x1280":
    case "pixels32x16384":
      return "Coordinates are pixels. ";
    default:
      return scale satisfies never;
  }
}
