/** Instructions that ask a vision model for coordinates in the form that the model knows. */
import type { CoordinateScale } from "./coordinates";

/** Scale that is asked for while the scale of the model is not known. */
export const ASKED_SCALE: CoordinateScale = "thousand";

/**
 * Returns the instruction of "Mark in picture"; sent with a question, in English.
 * @param scale scale of the model's coordinates, if known
 */
export function pointingInstruction(scale: CoordinateScale = ASKED_SCALE): string {
  return [
    "Show where each thing is that you mention in a picture: after your answer, add a JSON code block with one entry for each of them:",
    ...entryForm(scale, "a few words"),
  ].join("\n");
}

/** Returns the lines that show and explain the entry of a JSON code block. */
function entryForm(scale: CoordinateScale, label: string): string[] {
  const isYFirst = scale.endsWith("YFirst");
  const key = isYFirst ? "box_2d" : "bbox_2d";
  const order = isYFirst ? "[ymin, xmin, ymax, xmax]" : "[x1, y1, x2, y2]";
  return [
    "```json",
    `[{"${key}": ${order}, "label": "${label}", "picture": 1}]`,
    "```",
    `${unitSentence(scale)}"picture" is the number of the picture; if the picture is a tile, add "tile" with the number of the tile. The coordinates refer to that picture or tile alone.`,
  ];
}

/** Labels of private areas in a reply, with what each is; sent in English. */
const PRIVATE_LABELS = {
  name: "the name of a person",
  email: "an e-mail address",
  key: "a key, token or password",
  face: "the face of a person",
} as const;
export type PrivateLabel = keyof typeof PRIVATE_LABELS;

export function isPrivateLabel(label: string): label is PrivateLabel {
  return Object.hasOwn(PRIVATE_LABELS, label);
}

/** Returns the question for the areas of a picture that should not be shown to others; sent in English. */
export function privateAreasQuestion(scale: CoordinateScale = ASKED_SCALE): string {
  const labels = Object.entries(PRIVATE_LABELS).map(([label, what]) => `"${label}" is ${what}`);
  return [
    "Find each place in the picture that should be blacked out before the picture is shown to others.",
    `The label names the kind and never repeats the text: ${labels.join(", ")}.`,
    "Each line of text has an entry of its own, whose box covers all of it. Black areas are blacked out already.",
    "Reply with a JSON code block and nothing else; the list is empty if there is no such place:",
    ...entryForm(scale, "email"),
  ].join("\n");
}

/** Returns a sentence about the numbers of a scale, with a space at its end; sent in English. */
export function unitSentence(scale: CoordinateScale): string {
  const range = /^(thousand|one|percent)/.exec(scale)?.[1];
  if (range === undefined) return "Coordinates are pixels. ";
  const edge = range === "one" ? 1 : range === "percent" ? 100 : 1000;
  return `Coordinates go from 0 to ${edge} across the width and the height. `;
}
