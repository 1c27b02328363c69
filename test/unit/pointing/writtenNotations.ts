/**
 * The notations in which vision models write positions, each as its model writes it, with the source of
 * its form and scale.
 */
import type { CoordinateScale } from "../../../src/pointing/coordinates";

export interface WrittenNotation {
  readonly name: string;
  readonly source: string;
  /** Scale of the numbers; `resized` for pixels of the picture that the service made smaller. */
  readonly scale: CoordinateScale;
  /** True for a point, which has two numbers. */
  readonly isPoint?: boolean;
  /** Digits after the decimal point. */
  readonly digits?: number;
  /** Notation that the reader changes to another scale: unit in shares of a side. */
  readonly unit?: number;
  readonly write: (numbers: readonly string[]) => string;
}

const list = (n: readonly string[]) => `[${n.join(", ")}]`;
const json = (key: string) => (n: readonly string[]) =>
  `\`\`\`json\n[\n  {"${key}": ${list(n)}, "label": "Save"}\n]\n\`\`\`\n`;
const named = (names: readonly string[]) => (n: readonly string[]) =>
  `[{"label": "Save", ${names.map((name, at) => `"${name}": ${n[at]}`).join(", ")}}]`;
const sized = ([x1, y1, x2, y2]: readonly string[]) => {
  const [x = 0, y = 0, right = 0, bottom = 0] = [x1, y1, x2, y2].map(Number);
  return [x, y, right - x, bottom - y];
};
const padded = (digits: number) => (n: string | undefined) => (n ?? "").padStart(digits, "0");
const QWEN = "QwenLM/Qwen3-VL cookbooks/2d_grounding.ipynb";
const INTERN = "internvl.readthedocs.io";
const DEEPSEEK = "deepseek-ai/DeepSeek-VL2 README";
const DOUBAO = "BytePlus ModelArk, grounding";
const GEMINI = "ai.google.dev image-understanding, robotics-overview";
const CLAUDE = "docs.claude.com vision and computer use, pixels as sent";
const TARS = "bytedance/UI-TARS README_coordinates.md";
const BARE = "models without a grounding format, asked for boxes";
const LESS = "thousandLess1";

/** Writers of notations that several models share. */
const spaced = (n: readonly string[]) => n.join(" ");
const atStart = ([x, y]: readonly string[]) => `Action: click(start_box='(${x},${y})')`;

type Row = readonly [
  name: string,
  source: string,
  scale: CoordinateScale,
  write: WrittenNotation["write"],
  more?: Partial<WrittenNotation>,
];

const POINT = { isPoint: true };
const PERCENT_POINT = { isPoint: true, digits: 1 };

const ROWS: readonly Row[] = [
  ["Qwen3-VL box", QWEN, "thousand", json("bbox_2d")],
  ["Qwen3-VL point", QWEN, "thousand", json("point_2d"), POINT],
  ["Qwen2.5-VL box", QWEN, "resized", json("bbox_2d")],
  ["Qwen2.5-VL point", QWEN, "resized", json("point_2d"), POINT],
  [
    "Qwen2-VL",
    "arXiv 2409.12191",
    "thousand",
    ([a, b, c, d]) =>
      `<|object_ref_start|>Save<|object_ref_end|><|box_start|>(${a},${b}),(${c},${d})<|box_end|>`,
  ],
  [
    "Qwen2-VL without special tokens",
    "QwenLM/Qwen3-VL issue 486",
    "thousand",
    ([a, b, c, d]) => `Save(${a},${b}),(${c},${d})`,
  ],
  ["InternVL", INTERN, "thousand", (n) => `<ref>Save</ref><box>[${list(n)}]</box>`],
  ["MiniCPM-V", "OpenBMB", "thousand", (n) => `<ref>Save</ref><box>${spaced(n)}</box>`],
  ["DeepSeek-VL2", DEEPSEEK, LESS, (n) => `<|ref|>Save<|/ref|><|det|>[${list(n)}]<|/det|>`],
  ["Doubao box", DOUBAO, LESS, (n) => `<bbox>${spaced(n)}</bbox>`],
  ["Doubao point", DOUBAO, LESS, (n) => `<point>${spaced(n)}</point>`, POINT],
  [
    "GLM-4.5V",
    "zai-org/GLM-V README",
    "thousand",
    (n) => `Save is at <|begin_of_box|>[${list(n)}]<|end_of_box|>.`,
  ],
  ["Gemini box", GEMINI, "thousandYFirst", json("box_2d")],
  ["Gemini point", GEMINI, "thousandYFirst", json("point"), POINT],
  ["Gemini bare", GEMINI, "thousandYFirst", (n) => `Save: ${list(n)}`],
  [
    "PaliGemma",
    "huggingface.co/blog/paligemma",
    "loc1024YFirst",
    (n) => `${n.map((one) => `<loc${padded(4)(one)}>`).join("")} Save`,
  ],
  [
    "Molmo point",
    "arXiv 2409.17146",
    "percent",
    ([x, y]) => `<point x="${x}" y="${y}" alt="Save">Save</point>`,
    PERCENT_POINT,
  ],
  [
    "Molmo points",
    "arXiv 2409.17146",
    "percent",
    ([x, y]) => `<points x1="${x}" y1="${y}" alt="Save">Save</points>`,
    PERCENT_POINT,
  ],
  [
    "Molmo2",
    "allenai/molmo2 COORD_REGEX",
    "thousand",
    ([x, y]) => `<points coords="1 1 ${padded(3)(x)} ${padded(3)(y)}">Save</points>`,
    POINT,
  ],
  [
    "UI-TARS 1.0",
    TARS,
    "thousand",
    ([x, y]) => `Action: click(start_box='<|box_start|>(${x},${y})<|box_end|>')`,
    POINT,
  ],
  ["UI-TARS 1.5", TARS, "resized", (n) => `Thought: Save.\n${atStart(n)}`, POINT],
  ["UI-TARS box", TARS, "thousand", (n) => `Action: click(start_box='${list(n)}')`],
  [
    "UI-TARS 1.5 of Doubao",
    TARS,
    LESS,
    (n) => `Action: click(point='<point>${spaced(n)}</point>')`,
    POINT,
  ],
  [
    "CogAgent-9B",
    "THUDM/CogAgent README",
    LESS,
    (n) => `Grounded Operation: CLICK(box=[[${n.map(padded(3)).join(",")}]], element='Save')`,
  ],
  ["CogVLM", "arXiv 2311.03079", LESS, (n) => `Save [[${n.map(padded(3)).join(",")}]]`],
  [
    "Shikra",
    "arXiv 2306.15195",
    "one",
    (n) => `Save${list(n).replaceAll(" ", "")} is blue.`,
    { digits: 3 },
  ],
  ["bare shares, y first", BARE, "oneYFirst", (n) => `Save: ${list(n)}`, { digits: 2 }],
  ["Claude", CLAUDE, "pixels", (n) => `The Save button has the bounding box ${list(n)}.`],
  [
    "point in prose",
    CLAUDE,
    "pixels",
    ([x, y]) => `Click Save at coordinates (${x}, ${y}).`,
    POINT,
  ],
  ["point after at", BARE, "thousand", ([x, y]) => `- **Save** at (${x}, ${y})`, POINT],
  ["two corners", BARE, "pixels", ([a, b, c, d]) => `Save spans (${a}, ${b}) to (${c}, ${d}).`],
  ["JSON corners", BARE, "pixels", named(["x1", "y1", "x2", "y2"])],
  ["JSON limits", "Pascal VOC", "thousand", named(["xmin", "ymin", "xmax", "ymax"])],
  [
    "JSON size",
    BARE,
    "pixels",
    (n) => {
      const [x, y, width, height] = sized(n);
      const bbox = JSON.stringify({ x, y, width, height });
      return `\`\`\`json\n{"label": "Save", "bbox": ${bbox}}\n\`\`\``;
    },
  ],
  ["JSON plain size", BARE, "thousand", (n) => named(["x", "y", "w", "h"])(sized(n).map(String))],
  ["JSON coordinates", BARE, "thousand", json("coordinates")],
  [
    "table with lists",
    BARE,
    "thousand",
    (n) => `| element | bbox |\n| --- | --- |\n| Save | ${list(n)} |\n`,
  ],
  [
    "table with columns",
    BARE,
    "pixels",
    (n) =>
      `| element | x | y | w | h |\n|---|---|---|---|---|\n| Save | ${sized(n).join(" | ")} |\n`,
  ],
];

export const WRITTEN_NOTATIONS = ROWS.map(
  ([name, source, scale, write, more]): WrittenNotation => ({
    name,
    source,
    scale,
    write,
    ...more,
  }),
);
