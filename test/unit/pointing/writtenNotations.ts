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
const TARS = "bytedance/UI-TARS README_coordinates.md";
const BARE = "models without a grounding format, asked for boxes";

export const WRITTEN_NOTATIONS: readonly WrittenNotation[] = [
  { name: "Qwen3-VL box", source: QWEN, scale: "thousand", write: json("bbox_2d") },
  {
    name: "Qwen3-VL point",
    source: QWEN,
    scale: "thousand",
    isPoint: true,
    write: json("point_2d"),
  },
  { name: "Qwen2.5-VL box", source: QWEN, scale: "resized", write: json("bbox_2d") },
  {
    name: "Qwen2.5-VL point",
    source: QWEN,
    scale: "resized",
    isPoint: true,
    write: json("point_2d"),
  },
  {
    name: "Qwen2-VL",
    source: "arXiv 2409.12191",
    scale: "thousand",
    write: ([a, b, c, d]) =>
      `<|object_ref_start|>Save<|object_ref_end|><|box_start|>(${a},${b}),(${c},${d})<|box_end|>`,
  },
  {
    name: "Qwen2-VL without special tokens",
    source: "QwenLM/Qwen3-VL issue 486",
    scale: "thousand",
    write: ([a, b, c, d]) => `Save(${a},${b}),(${c},${d})`,
  },
  {
    name: "InternVL",
    source: "internvl.readthedocs.io",
    scale: "thousand",
    write: (n) => `<ref>Save</ref><box>[${list(n)}]</box>`,
  },
  {
    name: "MiniCPM-V",
    source: "OpenBMB/MiniCPM-V",
    scale: "thousand",
    write: (n) => `<ref>Save</ref><box>${n.join(" ")}</box>`,
  },
  {
    name: "DeepSeek-VL2",
    source: "deepseek-ai/DeepSeek-VL2 README",
    scale: "thousandLess1",
    write: (n) => `<|ref|>Save<|/ref|><|det|>[${list(n)}]<|/det|>`,
  },
  {
    name: "Doubao box",
    source: "BytePlus ModelArk, grounding",
    scale: "thousandLess1",
    write: (n) => `<bbox>${n.join(" ")}</bbox>`,
  },
  {
    name: "Doubao point",
    source: "BytePlus ModelArk, grounding",
    scale: "thousandLess1",
    isPoint: true,
    write: (n) => `<point>${n.join(" ")}</point>`,
  },
  {
    name: "GLM-4.5V",
    source: "zai-org/GLM-V README",
    scale: "thousand",
    write: (n) => `Save is at <|begin_of_box|>[${list(n)}]<|end_of_box|>.`,
  },
  { name: "GLM-4.5V JSON", source: "zai-org/GLM-V", scale: "thousand", write: json("bbox_2d") },
  {
    name: "Gemini box",
    source: "ai.google.dev image-understanding",
    scale: "thousandYFirst",
    write: json("box_2d"),
  },
  {
    name: "Gemini point",
    source: "ai.google.dev robotics-overview",
    scale: "thousandYFirst",
    isPoint: true,
    write: json("point"),
  },
  {
    name: "Gemini bare",
    source: "ai.google.dev, y first",
    scale: "thousandYFirst",
    write: (n) => `Save: ${list(n)}`,
  },
  {
    name: "PaliGemma",
    source: "huggingface.co/blog/paligemma",
    scale: "loc1024YFirst",
    write: (n) => `${n.map((one) => `<loc${padded(4)(one)}>`).join("")} Save`,
  },
  {
    name: "Florence-2",
    source: "microsoft/Florence-2-large processing_florence2.py",
    scale: "bins",
    write: (n) => `Save${n.map((one) => `<loc_${one}>`).join("")}`,
  },
  {
    name: "Molmo point",
    source: "arXiv 2409.17146",
    scale: "percent",
    isPoint: true,
    digits: 1,
    write: ([x, y]) => `<point x="${x}" y="${y}" alt="Save">Save</point>`,
  },
  {
    name: "Molmo points",
    source: "arXiv 2409.17146",
    scale: "percent",
    isPoint: true,
    digits: 1,
    write: ([x, y]) => `<points x1="${x}" y1="${y}" alt="Save">Save</points>`,
  },
  {
    name: "Molmo2",
    source: "allenai/molmo2 COORD_REGEX",
    scale: "thousand",
    isPoint: true,
    write: ([x, y]) => `<points coords="1 1 ${padded(3)(x)} ${padded(3)(y)}">Save</points>`,
  },
  {
    name: "UI-TARS 1.0",
    source: TARS,
    scale: "thousand",
    isPoint: true,
    write: ([x, y]) => `Action: click(start_box='<|box_start|>(${x},${y})<|box_end|>')`,
  },
  {
    name: "UI-TARS 1.5",
    source: TARS,
    scale: "resized",
    isPoint: true,
    write: ([x, y]) => `Thought: Save.\nAction: click(start_box='(${x},${y})')`,
  },
  {
    name: "UI-TARS box",
    source: "httprunner uixt/ai/prompt-ui-tars.go",
    scale: "thousand",
    write: (n) => `Action: click(start_box='${list(n)}')`,
  },
  {
    name: "UI-TARS 1.5 of Doubao",
    source: "bytedance/UI-TARS",
    scale: "thousandLess1",
    isPoint: true,
    write: ([x, y]) => `Action: click(point='<point>${x} ${y}</point>')`,
  },
  {
    name: "CogAgent-9B",
    source: "THUDM/CogAgent README",
    scale: "thousandLess1",
    write: (n) =>
      `Grounded Operation: CLICK(box=[[${n.map(padded(3)).join(",")}]], element='Save')`,
  },
  {
    name: "CogVLM",
    source: "arXiv 2311.03079",
    scale: "thousandLess1",
    write: (n) => `Save [[${n.map(padded(3)).join(",")}]]`,
  },
  {
    name: "Shikra",
    source: "arXiv 2306.15195",
    scale: "one",
    digits: 3,
    write: (n) => `Save${list(n).replaceAll(" ", "")} is blue.`,
  },
  {
    name: "bare shares, y first",
    source: BARE,
    scale: "oneYFirst",
    digits: 2,
    write: (n) => `Save: ${list(n)}`,
  },
  {
    name: "Kosmos-2",
    source: "huggingface.co/docs/transformers kosmos-2",
    scale: "one",
    digits: 6,
    unit: 1 / 32,
    write: (n) => {
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = n.map((one) => Math.min(31, Math.floor(+one * 32)));
      const cell = (x: number, y: number) => `<patch_index_${padded(4)(String(y * 32 + x))}>`;
      return `<phrase>Save</phrase><object>${cell(x1, y1)}${cell(x2, y2)}</object>`;
    },
  },
  {
    name: "Claude",
    source: "docs.claude.com vision, pixels as sent",
    scale: "pixels",
    write: (n) => `The Save button has the bounding box ${list(n)}.`,
  },
  {
    name: "point in prose",
    source: "docs.claude.com computer use",
    scale: "pixels",
    isPoint: true,
    write: ([x, y]) => `Click Save at coordinates (${x}, ${y}).`,
  },
  {
    name: "point after at",
    source: BARE,
    scale: "thousand",
    isPoint: true,
    write: ([x, y]) => `- **Save** at (${x}, ${y})`,
  },
  {
    name: "two corners",
    source: BARE,
    scale: "pixels",
    write: ([a, b, c, d]) => `Save spans (${a}, ${b}) to (${c}, ${d}).`,
  },
  { name: "JSON corners", source: BARE, scale: "pixels", write: named(["x1", "y1", "x2", "y2"]) },
  {
    name: "JSON limits",
    source: "Pascal VOC names",
    scale: "thousand",
    write: named(["xmin", "ymin", "xmax", "ymax"]),
  },
  {
    name: "JSON size",
    source: BARE,
    scale: "pixels",
    write: (n) => {
      const [x, y, width, height] = sized(n);
      return `\`\`\`json\n{"label": "Save", "bbox": {"x": ${x}, "y": ${y}, "width": ${width}, "height": ${height}}}\n\`\`\``;
    },
  },
  {
    name: "JSON plain size",
    source: BARE,
    scale: "thousand",
    write: (n) => named(["x", "y", "w", "h"])(sized(n).map(String)),
  },
  { name: "JSON coordinates", source: BARE, scale: "thousand", write: json("coordinates") },
  {
    name: "table with lists",
    source: BARE,
    scale: "thousand",
    write: (n) => `| element | bbox |\n| --- | --- |\n| Save | ${list(n)} |\n`,
  },
  {
    name: "table with columns",
    source: BARE,
    scale: "pixels",
    write: (n) =>
      `| element | x | y | w | h |\n|---|---|---|---|---|\n| Save | ${sized(n).join(" | ")} |\n`,
  },
];
