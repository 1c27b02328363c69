/**
 * Writes replies that point into the last picture of the request, in each notation in which vision
 * models give coordinates. `/point SHAPE` selects a notation. The boxes have fixed relative
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

interface PointShape {
  readonly summary: string;
  write(size: Size): string;
}

/** Returns the corners of the box in the given scale, x first. */
function scaled({ left, top, right, bottom }: Box, { widthPx, heightPx }: Size): number[] {
  return [left * widthPx, top * heightPx, right * widthPx, bottom * heightPx].map(Math.round);
}

const square = (sidePx: number): Size => ({ widthPx: sidePx, heightPx: sidePx });

function json(summary: string, key: string, numbersOf: (box: Box, size: Size) => number[]) {
  return {
    summary,
    write: (size: Size) => {
      const entries = BOXES.map(
        (box) => `  {"${key}": [${numbersOf(box, size).join(", ")}], "label": "${box.label}"}`,
      );
      return `\`\`\`json\n[\n${entries.join(",\n")}\n]\n\`\`\``;
    },
  };
}

function lines(summary: string, write: (box: Box, size: Size) => string): PointShape {
  return { summary, write: (size) => BOXES.map((box) => `- ${write(box, size)}`).join("\n") };
}

const yFirst = ([x1, y1, x2, y2]: readonly number[]) => [y1!, x1!, y2!, x2!];
const thousand = (box: Box) => scaled(box, square(1000));
const loc = (numbers: readonly number[]) =>
  numbers.map((number) => `<loc${String(number).padStart(4, "0")}>`).join("");

/** Notations by the word after `/point`; the first is the default. */
export const POINT_SHAPES: Readonly<Record<string, PointShape>> = {
  thousand: json("gives `bbox_2d` from 0 to 1000, as Qwen3-VL does", "bbox_2d", thousand),
  pixels: json("gives `bbox_2d` in pixels, as Qwen2.5-VL does", "bbox_2d", scaled),
  yfirst: json("gives `box_2d` from 0 to 1000, y first, as Gemini does", "box_2d", (box) =>
    yFirst(thousand(box)),
  ),
  points: {
    summary: "gives `point_2d`",
    write: () =>
      `\`\`\`json\n[${BOXES.map(
        ({ label, left, top }) =>
          `{"point_2d": [${left * 1000}, ${top * 1000}], "label": "${label}"}`,
      ).join(", ")}]\n\`\`\``,
  },
  box: lines(
    "gives `<ref>` and `<box>`, as InternVL does",
    (box) => `<ref>${box.label}</ref><box>[[${thousand(box).join(", ")}]]</box>`,
  ),
  det: lines(
    "gives `<|ref|>` and `<|det|>` from 0 to 999, as DeepSeek does",
    (box) => `<|ref|>${box.label}<|/ref|><|det|>[[${scaled(box, square(999)).join(", ")}]]<|/det|>`,
  ),
  bbox: lines(
    "gives `<bbox>`, as Doubao does",
    (box) => `${box.label} <bbox>${thousand(box).join(" ")}</bbox>`,
  ),
  glm: lines(
    "gives `<|begin_of_box|>`, as GLM does",
    (box) => `${box.label} <|begin_of_box|>[[${thousand(box).join(",")}]]<|end_of_box|>`,
  ),
  loc: lines(
    "gives `<loc0123>` marks, as PaliGemma does",
    (box) => `${loc(yFirst(scaled(box, square(1024))))} ${box.label}`,
  ),
  molmo: lines(
    "gives `<point x y>` in percent, as Molmo does",
    ({ label, left, top }) => `<point x="${left * 100}" y="${top * 100}">${label}</point>`,
  ),
  plain: lines(
    "gives lists behind the word bbox",
    (box) => `**${box.label}**: bbox [${thousand(box).join(", ")}]`,
  ),
  outside: lines(
    "gives boxes that fit no picture, which stay text",
    (box, { widthPx, heightPx }) =>
      `${box.label}: bbox [${widthPx * 4}, ${heightPx * 4}, ${widthPx * 5}, ${heightPx * 5}]`,
  ),
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
  return `There is no model in this service, so these boxes are at fixed places:\n\n${found.write(picture)}\n`;
}

/** Returns the text for `/point list`. */
export function describePointing(): string {
  const list = Object.entries(POINT_SHAPES).map(
    ([name, { summary }]) => `- \`/point ${name}\` ${summary}`,
  );
  return `Shapes of a reply that points into the last picture of the request:\n\n${list.join("\n")}\n`;
}
