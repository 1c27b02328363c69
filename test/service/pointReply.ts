/**
 * Writes replies that point into the last picture of the request, in notations of vision models. `/point SHAPE` selects a notation. The boxes have fixed relative
 * positions.
 */
import type { RecordedPicture } from "./pictures";

/** Box in fractions of the picture. */
interface Box {
  readonly label: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const BOXES: readonly Box[] = [
  { label: "Save button", left: 0.1, top: 0.2, right: 0.3, bottom: 0.4 },
  { label: "Menu", left: 0.5, top: 0.5, right: 0.9, bottom: 0.6 },
];

interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

type Corners = (box: Box, size: Size) => number[];

/** Returns the corners of the box in pixels, x first. */
const pixels: Corners = ({ left, top, right, bottom }, { widthPx, heightPx }) =>
  [left * widthPx, top * heightPx, right * widthPx, bottom * heightPx].map(Math.round);

const thousand: Corners = (box) => pixels(box, { widthPx: 1000, heightPx: 1000 });

const yFirst: Corners = (box, size) => {
  const [x1, y1, x2, y2] = thousand(box, size);
  return [y1!, x1!, y2!, x2!];
};

function json(key: string, cornersOf: Corners) {
  return (size: Size) => {
    const entries = BOXES.map(
      (box) => `  {"${key}": [${cornersOf(box, size).join(", ")}], "label": "${box.label}"}`,
    );
    return `\`\`\`json\n[\n${entries.join(",\n")}\n]\n\`\`\``;
  };
}

/** Notations by the word after `/point`; the first is the default. */
const POINT_SHAPES: Readonly<Record<string, (size: Size) => string>> = {
  /** As Qwen3-VL. */
  thousand: json("bbox_2d", thousand),
  /** As Qwen2.5-VL. */
  pixels: json("bbox_2d", pixels),
  /** As Gemini. */
  yfirst: json("box_2d", yFirst),
  /** As InternVL. */
  box: (size) =>
    BOXES.map(
      (box) => `- <ref>${box.label}</ref><box>[[${thousand(box, size).join(", ")}]]</box>`,
    ).join("\n"),
};

/** The most useful notations, by the name after "/" in the composer of `npm start`. */
export const POINT_PROMPTS: Readonly<Record<string, string>> = {
  point: "/point",
  "point-tags": "/point box",
};

/** Returns Markdown, or undefined for an unknown shape or a request without a picture. */
export function pointReply(
  shape: string,
  pictures: readonly RecordedPicture[],
): string | undefined {
  const picture = pictures.findLast(({ widthPx }) => widthPx > 0);
  const found = Object.hasOwn(POINT_SHAPES, shape) ? POINT_SHAPES[shape] : undefined;
  if (picture === undefined || found === undefined) return undefined;
  return `There is no model in this service, so these boxes are at fixed places:\n\n${found(picture)}\n`;
}
