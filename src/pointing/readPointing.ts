/**
 * Recognizes the coordinates in a reply while the reply arrives, in the notations of common vision
 * models. Reads each part of the text once; decides neither scale nor picture, see placePointing.ts.
 * Notations: Qwen2-VL, Qwen2.5-VL and Qwen3-VL, InternVL, DeepSeek-VL2, Doubao, GLM-V, Gemini,
 * PaliGemma, Florence-2, Molmo, and lists of four numbers after "box" or "bbox".
 */
import type { FormScale } from "./coordinates";

/** Coordinates as written, two for a point or four for a box. */
export interface ReadPoint {
  readonly numbers: readonly number[];
  /** Scale that the notation implies: always, unless a setting says otherwise, or by default. */
  readonly scale: FormScale | undefined;
  readonly certainty: "always" | "usual" | "default";
  readonly label: string;
  /** 1-based numbers of the picture and the tile that the reply names. */
  readonly picture: number | undefined;
  readonly tile: number | undefined;
  /** Text before the coordinates in their line, where a picture may be named by its file. */
  readonly before: string;
}

/** Longest notation that is waited for, in UTF-16 units. */
const MAX_OPEN_LENGTH = 4_000;

/** Longest text of a line that names a label or picture, in UTF-16 units. */
const MAX_BEFORE_LENGTH = 200;
const MAX_LABEL_LENGTH = 80;

const NUMBER = String.raw`-?\d+(?:\.\d+)?`;
const REF = String.raw`(?:<\|?(?:ref|object_ref_start)\|?>([^<]{0,200})<\|?\/?(?:ref|object_ref_end)\|?>\s*)?`;

/** All notations in prose; the groups are read in `readMatch`. */
const NOTATIONS = new RegExp(
  [
    // 1 label, 2 name, 3 coordinates
    String.raw`${REF}<\|?(box|det|bbox|begin_of_box|box_start)\|?>([^<>]{3,2000})<\|?\/?(?:box|det|bbox|end_of_box|box_end)\|?>`,
    // 4 coordinates
    String.raw`<point>([^<>]{3,200})<\/point>`,
    // 5 attributes, 6 label
    String.raw`<points?\s([^>]{5,2000})>([^<]{0,200})<\/points?>`,
    // 7 coordinates, 8 label
    String.raw`((?:<loc\d{4}>){4})([^<;\n]{0,100})`,
    // 9 coordinates
    String.raw`((?:<loc_\d{1,4}>){4,80})`,
    // 10 key, 11 coordinates
    String.raw`"(bbox_2d|point_2d|box_2d|bbox|box|point)"\s*:\s*(\[\s*${NUMBER}(?:\s*,\s*${NUMBER}){1,3}\s*\])`,
    // 12 coordinates
    String.raw`(\[\s*${NUMBER}(?:\s*,\s*${NUMBER}){3}\s*\])(?!\()`,
  ].join("|"),
  "g",
);

/** Tag of coordinates that is not closed. */
const OPEN_TAG = /<\|?(?:box|det|bbox|begin_of_box|box_start)\|?>[^<>]*$/;

/** Word after which four numbers in brackets are a box, and the distance in UTF-16 units. */
const BOX_WORD = /(?:\b(?:bounding[ _-]?box(?:es)?|b?box(?:es)?)(?:_2d)?(?![a-z])|框)/i;
const MAX_WORD_DISTANCE = 40;

/** Languages of code blocks that may hold coordinates; empty for none. */
const DATA_LANGUAGES = new Set(["", "json", "jsonc", "json5"]);

/** Beginning of JSON that is not in a code block. */
const JSON_START = /^\s*(?:\[\s*)?\{|^\s*\[\s*$/;

const KEYS = ["bbox_2d", "point_2d", "box_2d", "bbox", "box", "point"] as const;

type Mode =
  | { readonly kind: "prose" }
  /** Block whose fence has this mark. */
  | { readonly kind: "fence"; readonly mark: string; readonly isData: boolean }
  /** JSON outside a code block. */
  | { readonly kind: "json" };

export class PointingReader {
  private mode: Mode = { kind: "prose" };
  /** Line that has no end yet. */
  private line = "";
  /** Part of `line` that holds no further coordinates. */
  private readInLine = 0;
  /** Text of JSON that is not read yet. */
  private json = "";
  private picture: number | undefined;
  private tile: number | undefined;

  /** Adds text; returns the coordinates that it completes. */
  append(text: string): ReadPoint[] {
    const found: ReadPoint[] = [];
    const pieces = text.split("\n");
    for (const [index, piece] of pieces.entries()) {
      this.line += piece;
      const isComplete = index < pieces.length - 1;
      if (isComplete) {
        this.readLine(found, true);
        this.line = "";
        this.readInLine = 0;
      } else if (/[>\])}]/.test(piece)) this.readLine(found, false);
    }
    return found;
  }

  /** Reads the last line; call once, after all text. */
  end(): ReadPoint[] {
    const found: ReadPoint[] = [];
    if (this.line !== "") this.readLine(found, true);
    this.line = "";
    this.readInLine = 0;
    return found;
  }

  private readLine(found: ReadPoint[], isComplete: boolean): void {
    const { mode, line } = this;
    const fence = /^\s{0,3}(?:[-*+>]\s+|\d+[.)]\s+)*(`{3,}|~{3,})\s*([\w+-]*)/.exec(line);
    if (mode.kind === "fence") {
      const isEnd = fence?.[1]?.startsWith(mode.mark) === true && fence[2] === "";
      if (isEnd && isComplete) this.leaveJson();
      else if (mode.isData && !isEnd) this.readJson(found, isComplete);
      return;
    }
    if (fence !== null) {
      const [, mark = "", language = ""] = fence;
      if (isComplete) {
        this.mode = { kind: "fence", mark, isData: DATA_LANGUAGES.has(language.toLowerCase()) };
        this.json = "";
      }
      return;
    }
    if (mode.kind === "prose" && JSON_START.test(line)) {
      this.mode = { kind: "json" };
      this.json = "";
    }
    if (this.mode.kind === "json") {
      if (line.trim() === "" && isComplete) this.leaveJson();
      else this.readJson(found, isComplete);
    } else this.readProse(found, isComplete);
  }

  private leaveJson(): void {
    this.mode = { kind: "prose" };
    this.json = "";
  }

  /** Reads the objects that are complete; `line` is consumed. */
  private readJson(found: ReadPoint[], isComplete: boolean): void {
    this.json += this.line.slice(this.readInLine) + (isComplete ? "\n" : "");
    this.readInLine = this.line.length;
    let end = 0;
    for (const match of this.json.matchAll(/\{[^{}]*\}/g)) {
      found.push(...this.readObject(match[0]));
      end = match.index + match[0].length;
    }
    this.json = this.json.slice(end);
    if (this.json.length > MAX_OPEN_LENGTH) this.json = this.json.slice(-MAX_OPEN_LENGTH);
  }

  private readObject(source: string): ReadPoint[] {
    let value: Record<string, unknown>;
    try {
      value = JSON.parse(source.replace(/,\s*\}$/, "}")) as Record<string, unknown>;
    } catch {
      return [];
    }
    const label = textOf(value["label"] ?? value["name"] ?? value["text_content"] ?? "");
    return KEYS.flatMap((key) => {
      const lists = numberLists(value[key]);
      const named = {
        picture: positive(value["picture"] ?? value["image"]) ?? this.picture,
        tile: positive(value["tile"]) ?? this.tile,
      };
      return lists.map((numbers) => ({ numbers, ...scaleOfKey(key), label, ...named, before: "" }));
    });
  }

  private readProse(found: ReadPoint[], isComplete: boolean): void {
    const { line } = this;
    const isTable = /^\s*\|/.test(line);
    NOTATIONS.lastIndex = this.readInLine;
    let from = this.readInLine;
    for (let match = NOTATIONS.exec(line); match !== null; match = NOTATIONS.exec(line)) {
      const end = match.index + match[0].length;
      // A label or an address may still follow.
      const isOpenEnded =
        match[7] !== undefined || match[9] !== undefined || match[12] !== undefined;
      if (!isComplete && isOpenEnded && end === line.length) break;
      const isInOpenTag = match[12] !== undefined && OPEN_TAG.test(line.slice(from, match.index));
      if (!isComplete && isInOpenTag) break;
      const before = line.slice(Math.max(0, match.index - MAX_BEFORE_LENGTH), match.index);
      this.noteNames(line.slice(from, match.index));
      found.push(...this.readMatch(match, before, line.slice(from, match.index), isTable));
      from = end;
    }
    this.readInLine = Math.max(from, line.length - MAX_OPEN_LENGTH);
    if (isComplete) this.noteNames(line.slice(from));
  }

  /** Stores the picture and tile that the text names; they apply until others are named. */
  private noteNames(text: string): void {
    const picture =
      /(?:\b(?:picture|image|screenshot)\s*#?|图片?\s*)(\d{1,4})\b(?!.*(?:picture|image)\s*#?\d)/i.exec(
        text,
      );
    if (picture !== null) {
      this.picture = Number(picture[1]);
      this.tile = undefined;
    }
    const tile = /\btile\s*#?(\d{1,3})\b(?!.*\btile\s*#?\d)/i.exec(text);
    if (tile !== null) this.tile = Number(tile[1]);
  }

  private readMatch(
    match: RegExpExecArray,
    before: string,
    own: string,
    isTable: boolean,
  ): ReadPoint[] {
    const [, ref, tag, inTag, inPoint, attributes, molmo, locs, locLabel] = match;
    const [florence, key, inKey, list] = match.slice(9);
    const { picture, tile } = this;
    const made = (
      lists: readonly (readonly number[])[],
      scale: Pick<ReadPoint, "scale" | "certainty">,
      label: string | undefined,
    ) =>
      lists.map((numbers) => ({
        ...{ numbers, ...scale, picture, tile, before },
        label: cleanLabel(label ?? labelBefore(own)),
      }));
    if (tag !== undefined && inTag !== undefined) {
      const scale = tag === "det" ? "thousandLess1" : "thousand";
      return made(listsIn(inTag), { scale, certainty: "default" }, ref);
    }
    if (inPoint !== undefined) {
      const pairs = listsIn(inPoint).filter(({ length }) => length === 2);
      return made(pairs, { scale: "thousand", certainty: "default" }, undefined);
    }
    if (attributes !== undefined) {
      return made(pairsOf(attributes), { scale: "percent", certainty: "always" }, molmo);
    }
    if (locs !== undefined) {
      const numbers = [...locs.matchAll(/\d{4}/g)].map(Number);
      return made([numbers], { scale: "loc1024YFirst", certainty: "always" }, locLabel);
    }
    if (florence !== undefined) {
      const numbers = [...florence.matchAll(/\d+/g)].map(Number);
      return made(inFours(numbers), { scale: "thousand", certainty: "always" }, undefined);
    }
    if (key !== undefined && inKey !== undefined) return made(listsIn(inKey), scaleOfKey(key), "");
    if (list === undefined || isTable || OPEN_TAG.test(own)) return [];
    const sentence =
      before
        .replace(/<[^<>]*>/g, "")
        .split(/[.!?。！？]\s/)
        .at(-1) ?? "";
    if (!BOX_WORD.test(sentence.slice(-MAX_WORD_DISTANCE))) return [];
    return made(listsIn(list), { scale: undefined, certainty: "default" }, undefined);
  }
}

/** Coordinates of a text, before they are scaled to a picture. */
export interface WrittenPoints {
  /** Offsets in UTF-16 units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly lists: readonly (readonly number[])[];
  /** Label inside the notation. */
  readonly label: string;
}

/**
 * Returns all notations in a text, also lists of four numbers that follow no word. The caller knows which
 * coordinates the reader accepted.
 */
export function writtenPoints(text: string): WrittenPoints[] {
  return [...text.matchAll(NOTATIONS)].map((match) => {
    const [whole, ref, , inTag, inPoint, attributes, molmo, locs, locLabel] = match;
    const [florence, , inKey, list] = match.slice(9);
    const listText = inKey ?? list;
    const start = match.index + (listText === undefined ? 0 : whole.lastIndexOf(listText));
    return {
      start,
      end: listText === undefined ? match.index + whole.length : start + listText.length,
      label: (ref ?? molmo ?? locLabel ?? "").trim(),
      lists:
        attributes !== undefined
          ? pairsOf(attributes)
          : locs !== undefined || florence !== undefined
            ? inFours([...(locs ?? florence ?? "").matchAll(/\d+/g)].map(Number))
            : listsIn(inTag ?? inPoint ?? listText ?? ""),
    };
  });
}

function scaleOfKey(key: string): Pick<ReadPoint, "scale" | "certainty"> {
  const isYFirst = key === "box_2d" || key === "point";
  return isYFirst
    ? { scale: "thousandYFirst", certainty: "usual" }
    : { scale: undefined, certainty: "default" };
}

/** Returns the numbers of a text that holds only numbers and brackets, in twos or fours. */
function listsIn(text: string): number[][] {
  if (!/^[\d\s.,;()[\]-]+$/.test(text)) return [];
  const numbers = [...text.matchAll(new RegExp(NUMBER, "g"))].map(Number);
  if (numbers.length === 2) return [numbers];
  return numbers.length % 4 === 0 ? inFours(numbers) : [];
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
      ...attributes.matchAll(new RegExp(String.raw`\b([xy]\d*)\s*=\s*"\s*(${NUMBER})\s*"`, "g")),
    ].map(([, name = "", value]) => [name, Number(value)]),
  );
  return [...values].flatMap(([name, x]) => {
    const y = name.startsWith("x") ? values.get(`y${name.slice(1)}`) : undefined;
    return y === undefined ? [] : [[x, y]];
  });
}

/** Returns the lists of two or four numbers in a JSON value. */
function numberLists(value: unknown): number[][] {
  if (!Array.isArray(value)) return [];
  if (value.every((one) => typeof one === "number")) {
    return value.length === 2 || value.length === 4 ? [value] : [];
  }
  return value.flatMap(numberLists);
}

function positive(value: unknown): number | undefined {
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number > 0 ? number : undefined;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? cleanLabel(value) : "";
}

/** Marks that lead to coordinates and belong to no label. */
const EDGE_MARKS = " \t\r\n,:：，、([=-";

/** Words that are no label. */
const NO_LABEL = /^(?:the|a|an|its?|this|that|here|and|it is at|at|in)$/i;

/** Returns the text that leads to coordinates, e.g. "Save button" of "- **Save button**: bbox". */
function labelBefore(text: string): string {
  const word = BOX_WORD.exec(text.slice(-MAX_WORD_DISTANCE));
  const lead = word
    ? text.slice(0, Math.max(0, text.length - MAX_WORD_DISTANCE) + word.index)
    : text;
  const sentence = lead.split(/[.;!?。；！？]\s|\n/).at(-1) ?? "";
  const label = cleanLabel(sentence.replace(/^\s*(?:[-*+>#]+|\d+[.)])\s*/, ""));
  return label.length > 60 || NO_LABEL.test(label) ? "" : label;
}

function cleanLabel(text: string): string {
  const plain = text.slice(-MAX_BEFORE_LENGTH).replace(/[*`_]/g, "");
  const isEdge = (at: number) => EDGE_MARKS.includes(plain.charAt(at));
  let start = 0;
  let end = plain.length;
  while (start < end && isEdge(start)) start++;
  while (end > start && isEdge(end - 1)) end--;
  return plain.slice(start, end).replace(/\s+/g, " ").slice(0, MAX_LABEL_LENGTH);
}
