/**
 * Reads the coordinates in a reply while the reply arrives, in the notations of notations.ts. Reads each
 * part of the text once; decides neither scale nor picture, see placePointing.ts.
 */
import { codePlaceOf, isPlaceKey, type CodePlace } from "./codePlace";
import {
  conventionOfKey,
  listsIn,
  NAMED,
  namedCorners,
  NUMBER,
  plainName,
  RANKS,
  TEXT_NOTATIONS,
  type Convention,
} from "./notations";

/** Coordinates as written, two for a point or four for a box. */
export interface ReadPoint {
  readonly numbers: readonly number[];
  readonly convention: Convention;
  readonly label: string;
  /** 1-based numbers of the picture and the tile that the reply names. */
  readonly picture: number | undefined;
  readonly tile: number | undefined;
  /** Text before the coordinates in their line, where a picture may be named by its file. */
  readonly before: string;
  /** Line of code that causes what is marked. */
  readonly codePlace?: CodePlace | undefined;
}

/** Longest JSON value that is waited for, in UTF-16 units. */
const MAX_JSON_LENGTH = 100_000;

/** Longest line that is read, in UTF-16 units. */
const MAX_LINE_LENGTH = 20_000;

/** Longest text of a line that names a label or picture, in UTF-16 units. */
const MAX_BEFORE_LENGTH = 200;
const MAX_LABEL_LENGTH = 80;

/** The notations in prose. Made of the constant rows of a table. */
const NOTATIONS = TEXT_NOTATIONS.map((row) => ({ ...row, regex: new RegExp(row.pattern, "g") }));

/** Languages of code blocks that may hold coordinates; empty for none. */
const DATA_LANGUAGES = new Set(["", "json", "jsonc", "json5"]);

/** Beginning of JSON that is not in a code block; GLM has a tag in front of its final answer. */
const JSON_START = /^\s*(?:<\|begin_of_box\|>\s*)?(?:(?:\[\s*)?\{|\[\s*$)/;

/** Names of a picture and of a tile in prose; group 1 is the number. */
const PICTURE_NUMBER = /(?:\b(?:picture|image|screenshot)\s*#?|图片?\s*)(\d{1,4})\b/gi;
const TILE_NUMBER = /\btile\s*#?(\d{1,3})\b/gi;

type Mode =
  | { readonly kind: "prose" }
  | { readonly kind: "fence"; readonly mark: string; readonly isData: boolean }
  /** JSON outside a code block. */
  | { readonly kind: "json" };

export class PointingReader {
  private mode: Mode = { kind: "prose" };
  /** Line that has no end yet. */
  private line = "";
  private json = new JsonObjects();
  /** Plain names of the columns of a table. */
  private columns: readonly string[] = [];
  private picture: number | undefined;
  private tile: number | undefined;

  /** Adds text; returns the coordinates that it completes: those of JSON at once, others with their line. */
  append(text: string): ReadPoint[] {
    const points: ReadPoint[][] = [];
    const pieces = text.split("\n");
    for (const [index, piece] of pieces.entries()) {
      const isComplete = index < pieces.length - 1;
      const isJson = this.isInJson();
      if (isJson && !this.isFenceStart(this.line + piece)) {
        points.push(this.readJson(this.json.append(piece)));
      }
      this.line = (this.line + piece).slice(0, MAX_LINE_LENGTH);
      if (!isComplete) continue;
      if (isJson) this.endJsonLine();
      else points.push(this.readLine());
      this.line = "";
    }
    return points.flat();
  }

  /** Reads the last line; call once, after all text. */
  end(): ReadPoint[] {
    const points = this.isInJson() ? [] : this.readLine();
    this.line = "";
    return points;
  }

  private isInJson(): boolean {
    return this.mode.kind === "json" || (this.mode.kind === "fence" && this.mode.isData);
  }

  private isFenceStart(line: string): boolean {
    return this.mode.kind === "fence" && /^[\s>]*[`~]/.test(line);
  }

  private endJsonLine(): void {
    const { mode, line } = this;
    const isEnd =
      mode.kind === "fence"
        ? fenceOf(line)?.[1]?.startsWith(mode.mark) === true
        : line.trim() === "";
    if (isEnd) this.mode = { kind: "prose" };
  }

  /** Reads a complete line outside JSON. */
  private readLine(): ReadPoint[] {
    const { mode, line } = this;
    if (line === "" && mode.kind === "prose") {
      this.columns = [];
      return [];
    }
    const fence = fenceOf(line);
    if (mode.kind === "fence") {
      if (fence?.[1]?.startsWith(mode.mark) === true && fence[2] === "") {
        this.mode = { kind: "prose" };
      }
      return [];
    }
    if (fence !== null) {
      const [, mark = "", language = ""] = fence;
      this.mode = { kind: "fence", mark, isData: DATA_LANGUAGES.has(language.toLowerCase()) };
      this.json = new JsonObjects();
      return [];
    }
    if (JSON_START.test(line)) {
      this.mode = { kind: "json" };
      this.json = new JsonObjects();
      return this.readJson(this.json.append(line));
    }
    if (/^\s*\|/.test(line)) return this.readRow();
    this.columns = [];
    return this.readProse();
  }

  private readJson(values: readonly unknown[]): ReadPoint[] {
    return values.flatMap((value) => this.readValue(value, { ...this.named(), label: "" }));
  }

  private named(): Pick<ReadPoint, "picture" | "tile" | "before"> {
    return { picture: this.picture, tile: this.tile, before: "" };
  }

  /** @param inherited names that the object around the value gives */
  private readValue(
    value: unknown,
    inherited: Omit<ReadPoint, "numbers" | "convention">,
  ): ReadPoint[] {
    if (Array.isArray(value)) return value.flatMap((one) => this.readValue(one, inherited));
    if (typeof value !== "object" || value === null) return [];
    const entries = Object.entries(value);
    const pointFields = {
      ...inherited,
      picture: positive(valueAt(entries, "picture", "image")) ?? inherited.picture,
      tile: positive(valueAt(entries, "tile")) ?? inherited.tile,
      label: labelOf(entries) ?? inherited.label,
      codePlace: codePlaceOf(entries, inherited.codePlace),
    };
    const corners = namedCorners((name) => valueAt(entries, name));
    return [
      ...(corners ? [{ ...pointFields, numbers: corners, convention: NAMED }] : []),
      ...entries.flatMap(([key, inner]) => {
        const convention = conventionOfKey(key);
        const lists = convention ? numberLists(inner) : [];
        if (convention === undefined || lists.length === 0)
          return this.readValue(inner, pointFields);
        return lists.map((numbers) => ({ ...pointFields, numbers, convention }));
      }),
    ];
  }

  /** Reads a row of a table: a cell that holds a list, or columns named as numbers of a box. */
  private readRow(): ReadPoint[] {
    const cells = this.line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim());
    if (cells.every((cell) => /^:?-+:?$/.test(cell))) return [];
    if (this.columns.length === 0) {
      this.columns = cells.map(plainName);
      return [];
    }
    const bare = cells.map((cell) => cell.replace(/[`*]/g, ""));
    const corners = namedCorners((name) => {
      const cell = bare[this.columns.indexOf(name)] ?? "";
      return ONE_NUMBER.test(cell) ? Number(cell) : undefined;
    });
    const lists = bare.flatMap((cell, column) => {
      const isKeyed = conventionOfKey(this.columns[column] ?? "") !== undefined;
      const rank = isKeyed ? RANKS.table : RANKS.box;
      return (/^[[(]/.test(cell) ? listsIn(cell) : []).map((numbers) => ({ numbers, rank }));
    });
    const label = cleanLabel(bare.find((cell) => /\p{L}/u.test(cell)) ?? "");
    const pointFields = { ...this.named(), label };
    if (lists.length === 0) this.noteNames(this.line);
    return [
      ...(corners
        ? [{ ...pointFields, numbers: corners, convention: { ...NAMED, rank: RANKS.table } }]
        : []),
      ...lists.map(({ numbers, rank }) => ({
        ...pointFields,
        numbers,
        convention: { rank, order: "unknown" as const },
      })),
    ];
  }

  private readProse(): ReadPoint[] {
    const { line } = this;
    // Each notation and each name of a picture has a digit; most lines have none.
    if (!/\d/.test(line)) return [];
    const spans = [...line.matchAll(/(`{1,9})[^`]{1,2000}\1/g)];
    const points: ReadPoint[] = [];
    let from = 0;
    for (const { start, end, lists, label, convention } of notationsIn(line)) {
      this.noteNames(line.slice(from, start));
      from = end;
      const isCode = spans.some(
        ({ index, 0: span }) => index <= start && end <= index + span.length,
      );
      // A notation that is quoted is explained, unless positions were asked for.
      const rank = isCode ? Math.min(convention.rank, RANKS.keyed) : convention.rank;
      const pointFields = {
        ...this.named(),
        before: line.slice(0, start).slice(-MAX_BEFORE_LENGTH),
        label,
      };
      for (const numbers of lists) {
        points.push({ ...pointFields, numbers, convention: { ...convention, rank } });
      }
    }
    this.noteNames(line.slice(from));
    return points;
  }

  /** Stores the picture and tile that the text names; they apply until others are named. */
  private noteNames(text: string): void {
    const picture = [...text.matchAll(PICTURE_NUMBER)].at(-1);
    if (picture !== undefined) {
      this.picture = Number(picture[1]);
      this.tile = undefined;
    }
    const tile = [...text.matchAll(TILE_NUMBER)].at(-1);
    if (tile !== undefined) this.tile = Number(tile[1]);
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
  readonly convention: Convention;
}

/**
 * Returns all notations in a text, also numbers that are no coordinates. The caller knows which
 * coordinates the reader accepted.
 */
export function writtenPoints(text: string): WrittenPoints[] {
  return notationsIn(text).map((written) => {
    const { start, at, label } = written;
    const isKey = text[start] === '"';
    // The key of JSON stays; the label is in the text around it.
    return isKey && label === "" ? { ...written, start: written.end - at.length } : written;
  });
}

function notationsIn(text: string): (WrittenPoints & { readonly at: string })[] {
  const all = NOTATIONS.flatMap(({ regex, read = listsIn, ...convention }) =>
    [...text.matchAll(regex)].flatMap(({ groups = {}, index, 0: whole }) => {
      const { at = "" } = groups;
      const lists = read(at);
      if (lists.length === 0) return [];
      const label = cleanLabel(groups["label"] ?? "");
      return [{ start: index, end: index + whole.length, at, lists, label, convention }];
    }),
  );
  let end = 0;
  // The sort is stable: of two that begin at the same character the first row counts.
  return all
    .sort((one, other) => one.start - other.start)
    .filter((written) => {
      if (written.start < end) return false;
      ({ end } = written);
      return true;
    });
}

/** Objects of JSON text that arrives in parts. Takes linear time. */
class JsonObjects {
  private text = "";
  private depth = 0;
  private isInString = false;
  private isEscaped = false;

  /** Returns the outermost objects that are complete now. */
  append(part: string): unknown[] {
    const values: unknown[] = [];
    let from = this.depth > 0 ? 0 : -1;
    for (let at = 0; at < part.length; at++) {
      const char = part[at];
      if (this.isInString) {
        if (this.isEscaped) this.isEscaped = false;
        else if (char === "\\") this.isEscaped = true;
        else if (char === '"') this.isInString = false;
      } else if (char === '"') this.isInString = this.depth > 0;
      else if (char === "{") {
        if (this.depth === 0) from = at;
        this.depth++;
      } else if (char === "}" && this.depth > 0) {
        this.depth--;
        if (this.depth > 0) continue;
        values.push(parsed(this.text + part.slice(from, at + 1)));
        this.text = "";
        from = -1;
      }
    }
    if (from >= 0 && this.text.length < MAX_JSON_LENGTH) this.text += part.slice(from);
    return values;
  }
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source.replace(/,(\s{0,99}[}\]])/g, "$1"));
  } catch {
    return undefined;
  }
}

function fenceOf(line: string): RegExpExecArray | null {
  return /^\s{0,3}(?:[-*+>]\s+|\d+[.)]\s+)*(`{3,}|~{3,})\s*([\w+-]*)/.exec(line);
}

const ONE_NUMBER = new RegExp(`^${NUMBER}$`);

/** Returns the lists of two or four numbers in a JSON value. */
function numberLists(value: unknown): number[][] {
  if (typeof value === "string") return listsIn(value);
  if (!Array.isArray(value)) return [];
  if (value.every((one) => typeof one === "number")) {
    return value.length === 2 || value.length === 4 ? [value] : [];
  }
  return value.flatMap(numberLists);
}

function valueAt(entries: readonly (readonly [string, unknown])[], ...names: string[]): unknown {
  return entries.find(([key]) => names.includes(plainName(key)))?.[1];
}

function positive(value: unknown): number | undefined {
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number > 0 ? number : undefined;
}

/** Returns the first text of an object that is neither a list of numbers nor a place in code. */
function labelOf(entries: readonly (readonly [string, unknown])[]): string | undefined {
  const label = valueAt(entries, "label");
  const texts = [label, ...entries.map(([key, value]) => (isPlaceKey(key) ? "" : value))];
  const text = texts.find(
    (value) => typeof value === "string" && value !== "" && listsIn(value).length === 0,
  );
  return typeof text === "string" ? cleanLabel(text) : undefined;
}

function cleanLabel(text: string): string {
  const plain = text.slice(0, MAX_BEFORE_LENGTH).replace(/[*`]|\b_{1,2}|_{1,2}\b/g, "");
  return plain.replace(/\s+/g, " ").trim().slice(0, MAX_LABEL_LENGTH);
}
