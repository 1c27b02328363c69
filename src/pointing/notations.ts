/**
 * The notations in which vision models write coordinates, a row each, with its source. The groups of a
 * pattern are `at`, the coordinates, and `label`, if the notation has a label.
 */
import type { CoordinateScale } from "./coordinates";

/**
 * Strength of a notation. A declared notation is used for positions only and always counts. The others
 * mean other things too: they count if the question asked for positions, the strongest alone.
 */
export const RANKS = { declared: 4, keyed: 3, table: 2, box: 1, point: 0 } as const;

/**
 * Order of the axes: fixed by the names of the numbers, x first unless the model is known to write y
 * first, or not known.
 */
export type AxisOrder = "fixed" | "usual" | "unknown";

export interface Convention {
  readonly rank: number;
  /** Scale that the notation defines; missing if models use it with several scales. */
  readonly scale?: CoordinateScale;
  /** True if a setting of the user does not change the scale. */
  readonly isScaleFixed?: boolean;
  readonly order: AxisOrder;
}

interface TextNotation extends Convention {
  readonly pattern: string;
  /** Reads the group `at`; by default lists of two or four numbers. */
  readonly read?: (at: string) => number[][];
}

export const NUMBER = String.raw`-?\d{1,7}(?:\.\d{1,9})?`;
const FOUR = String.raw`${NUMBER}(?:\s{0,9},\s{0,9}${NUMBER}){3}`;
const PAIR = String.raw`\(\s{0,3}${NUMBER}\s{0,3},\s{0,3}${NUMBER}\s{0,3}\)`;
const REF = String.raw`(?:<\|?(?:ref|object_ref_start)\|?>(?<label>[^<]{0,200})<\|?\/?(?:ref|object_ref_end)\|?>\s{0,9})?`;
const IN_TAG = String.raw`(?<at>[^<>]{3,2000})`;

/** Notations in prose; of two that begin at the same character the first counts. */
export const TEXT_NOTATIONS: readonly TextNotation[] = [
  // UI-TARS 1.0 gives 0 to 1000, 1.5 pixels of the resized picture.
  // Source: https://github.com/bytedance/UI-TARS, README_coordinates.md and action_parser.py
  {
    pattern: String.raw`\b(?:start|end)_(?:box|point)\s{0,3}=\s{0,3}(?<at>'[^'\n]{3,200}'|"[^"\n]{3,200}")`,
    rank: RANKS.declared,
    order: "fixed",
    read: (at) => listsIn(at.replace(/<[^<>]{0,40}>|['"]/g, "")),
  },
  // CogAgent-9B, 000 to 999. Source: https://github.com/THUDM/CogAgent, README, "box=[[x1,y1,x2,y2]]"
  {
    pattern: String.raw`\bbox=(?<at>\[\[${FOUR}\]\])`,
    rank: RANKS.declared,
    scale: "thousandLess1",
    order: "fixed",
  },
  // Qwen2-VL. Source: https://huggingface.co/Qwen/Qwen2-VL-7B-Instruct, special tokens; arXiv 2409.12191
  {
    pattern: String.raw`${REF}<\|box_start\|>${IN_TAG}<\|box_end\|>`,
    rank: RANKS.declared,
    scale: "thousand",
    order: "fixed",
  },
  // InternVL and MiniCPM-V. Source: https://internvl.readthedocs.io, "Grounding data"; OpenBMB/MiniCPM-V
  {
    pattern: String.raw`${REF}<box>${IN_TAG}<\/box>`,
    rank: RANKS.declared,
    scale: "thousand",
    order: "fixed",
  },
  // DeepSeek-VL2 and DeepSeek-OCR. Source: https://github.com/deepseek-ai/DeepSeek-VL2, README
  {
    pattern: String.raw`${REF}<\|det\|>${IN_TAG}<\|\/det\|>`,
    rank: RANKS.declared,
    scale: "thousandLess1",
    order: "fixed",
  },
  // Doubao and Seed-VL, 0 to 999. Source: https://docs.byteplus.com/en/docs/ModelArk, "Grounding"
  {
    pattern: String.raw`<(?:bbox|point)>${IN_TAG}<\/(?:bbox|point)>`,
    rank: RANKS.declared,
    scale: "thousandLess1",
    order: "fixed",
  },
  // GLM-4.1V and later mark every final answer in this way.
  // Source: https://github.com/zai-org/GLM-V, README, "Grounding"
  {
    pattern: String.raw`<\|begin_of_box\|>${IN_TAG}<\|end_of_box\|>`,
    rank: RANKS.keyed,
    scale: "thousand",
    order: "fixed",
  },
  // Molmo2: an index of the picture, then number, x and y of each point, 0 to 1000.
  // Source: https://huggingface.co/allenai/Molmo2-8B, "COORD_REGEX"
  {
    pattern: String.raw`<(?:points|tracks)\s{1,9}coords="(?<at>[\d\s.,:;]{5,2000})"[^<>]{0,200}>(?:(?<label>[^<]{0,200})<\/(?:points|tracks)>)?`,
    rank: RANKS.declared,
    scale: "thousand",
    isScaleFixed: true,
    order: "fixed",
    read: triplesIn,
  },
  // Molmo, percent. Source: https://huggingface.co/allenai/Molmo-7B-D-0924; arXiv 2409.17146
  {
    pattern: String.raw`<points?\s(?<at>[^<>]{5,2000})>(?<label>[^<]{0,200})<\/points?>`,
    rank: RANKS.declared,
    scale: "percent",
    isScaleFixed: true,
    order: "fixed",
    read: pairsOf,
  },
  // PaliGemma, y first. Source: https://huggingface.co/blog/paligemma, "Detection"
  {
    pattern: String.raw`(?<at>(?:<loc\d{4}>){4})\s?(?<label>[^<;\n]{0,100})`,
    rank: RANKS.declared,
    scale: "loc1024YFirst",
    isScaleFixed: true,
    order: "fixed",
    read: (at) => inFours(digitsIn(at)),
  },
  // Qwen2.5-VL: pixels of the resized picture; Qwen3-VL: 0 to 1000.
  // Source: https://github.com/QwenLM/Qwen3-VL, cookbooks/2d_grounding.ipynb
  {
    pattern: String.raw`"(?:bbox_2d|point_2d)"\s{0,9}:\s{0,9}(?<at>\[\s{0,9}${NUMBER}(?:\s{0,9},\s{0,9}${NUMBER}){1,3}\s{0,9}\])`,
    rank: RANKS.declared,
    order: "usual",
  },
  // Gemini, y first. Source: https://ai.google.dev/gemini-api/docs/image-understanding
  {
    pattern: String.raw`"box_2d"\s{0,9}:\s{0,9}(?<at>\[\s{0,9}${FOUR}\s{0,9}\])`,
    rank: RANKS.declared,
    scale: "thousandYFirst",
    order: "usual",
  },
  // Two corners, e.g. of Qwen2-VL without its special tokens.
  {
    pattern: String.raw`(?<at>${PAIR}\s{0,3}(?:,|-|–|—|→|~|to|至|到)\s{0,3}${PAIR})`,
    rank: RANKS.box,
    order: "fixed",
  },
  // CogVLM, 000 to 999, and Shikra, 0 to 1, have nothing but the list, as many others.
  // Source: https://github.com/THUDM/CogVLM, README; https://github.com/shikras/shikra, arXiv 2306.15195
  {
    pattern: String.raw`(?<at>\[\[\s{0,3}${FOUR}\s{0,3}\]\]|\[\s{0,3}${FOUR}\s{0,3}\])(?!\()`,
    rank: RANKS.box,
    order: "unknown",
  },
  { pattern: String.raw`(?<at>${PAIR})`, rank: RANKS.point, order: "fixed" },
];

/** Keys of JSON objects with coordinates; compared without case, "_" and "-". */
const KEYS: Readonly<Record<string, Convention>> = {
  bbox2d: { rank: RANKS.declared, order: "usual" },
  point2d: { rank: RANKS.declared, order: "usual" },
  // Gemini writes boxes and, as "point", points with y first.
  box2d: { rank: RANKS.declared, scale: "thousandYFirst", order: "usual" },
  ...Object.fromEntries(
    [
      ...["bbox", "bboxes", "box", "boxes", "boundingbox", "boundingboxes", "rect", "region"],
      ...["coordinates", "coordinate", "coords", "position", "location", "point", "points"],
    ].map((key) => [key, { rank: RANKS.keyed, order: "unknown" }] as const),
  ),
};

/** Names of the four numbers of a box, or the two of a point; `isSize` if the last two are a size. */
const NAMED_CORNERS: readonly { readonly names: readonly string[]; readonly isSize?: boolean }[] = [
  { names: ["x1", "y1", "x2", "y2"] },
  { names: ["x0", "y0", "x1", "y1"] },
  { names: ["xmin", "ymin", "xmax", "ymax"] },
  { names: ["left", "top", "right", "bottom"] },
  { names: ["x", "y", "width", "height"], isSize: true },
  { names: ["x", "y", "w", "h"], isSize: true },
  { names: ["left", "top", "width", "height"], isSize: true },
  { names: ["x", "y"] },
];

export const NAMED: Convention = { rank: RANKS.keyed, order: "fixed" };

export function plainName(name: string): string {
  return name.replace(/[^a-z\d]/gi, "").toLowerCase();
}

export function conventionOfKey(key: string): Convention | undefined {
  const name = plainName(key);
  return Object.hasOwn(KEYS, name) ? KEYS[name] : undefined;
}

/** Returns the box or point whose numbers have names, e.g. `x1`; undefined without one. */
export function namedCorners(valueOf: (name: string) => unknown): number[] | undefined {
  for (const { names, isSize = false } of NAMED_CORNERS) {
    const values = names.map(valueOf);
    if (!values.every((value) => typeof value === "number")) continue;
    const [x = 0, y = 0, third = 0, fourth = 0] = values;
    return isSize ? [x, y, x + third, y + fourth] : values;
  }
  return undefined;
}

/** Returns the numbers of a text that holds only numbers and brackets, in twos or fours. */
export function listsIn(text: string): number[][] {
  if (!/^[\d\s.,;()[\]–—→~to至到-]{3,2000}$/.test(text)) return [];
  // A dash between two brackets is no sign.
  const numbers = [...text.replace(/\)[^()\d]{0,9}\(/g, ",").matchAll(new RegExp(NUMBER, "g"))].map(
    ([number]) => Number(number),
  );
  if (numbers.length === 2) return [numbers];
  return numbers.length % 4 === 0 ? inFours(numbers) : [];
}

function digitsIn(text: string): number[] {
  return [...text.matchAll(/(\d{1,4})>/g)].map(([, number]) => Number(number));
}

function inFours(numbers: readonly number[]): number[][] {
  return Array.from({ length: Math.floor(numbers.length / 4) }, (_, index) =>
    numbers.slice(index * 4, index * 4 + 4),
  );
}

/** Reads `x="1" y="2"`, or `x1="1" y1="2" x2="3" y2="4"` for several points. */
function pairsOf(attributes: string): number[][] {
  const values = new Map(
    [
      ...attributes.matchAll(
        new RegExp(String.raw`\b([xy]\d{0,4})\s{0,3}=\s{0,3}"\s{0,3}(${NUMBER})\s{0,3}"`, "g"),
      ),
    ].map(([, name = "", value]) => [name, Number(value)]),
  );
  return [...values].flatMap(([name, x]) => {
    const y = name.startsWith("x") ? values.get(`y${name.slice(1)}`) : undefined;
    return y === undefined ? [] : [[x, y]];
  });
}

/** Reads groups of an index and triples of number, x and y; numbers have leading zeros. */
function triplesIn(coords: string): number[][] {
  return coords.split(/[;:\t]/).flatMap((group) => {
    const numbers = (group.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
    const triples = numbers.slice(numbers.length % 3);
    return Array.from({ length: triples.length / 3 }, (_, index) =>
      triples.slice(index * 3 + 1, index * 3 + 3),
    );
  });
}
