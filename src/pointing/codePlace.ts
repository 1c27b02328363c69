/**
 * Reads the line of code that an entry of a reply gives for a mark, and proves the line with the text of
 * the file. Models count lines wrong, so a number alone proves nothing.
 */
import { plainName } from "./notations";

/** Line of a file as a reply gives it. */
export interface CodePlace {
  readonly file: string;
  /** 1-based. */
  readonly line: number | undefined;
  /** Text of the line or a part of it; may be empty. */
  readonly code: string;
}

type Entries = readonly (readonly [string, unknown])[];

/** Keys of an entry, without case, "_" and "-"; in Chinese as GLM gives them, read 2026-11-28. */
const FILE_KEYS = [
  ...["file", "path", "filename", "filepath", "sourcefile", "source", "location"],
  ...["文件", "文件名", "文件路径"],
];
const LINE_KEYS = ["line", "lines", "linenumber", "lineno", "startline", "linerange", "行", "行号"];
const CODE_KEYS = ["code", "snippet", "codesnippet", "sourcecode", "linetext", "代码"];

/** "shop/cart.ts", "C:\shop\cart.ts:11", "cart.ts#L11-L13", "cart.ts (line 11)". */
const FILE =
  /^`?(?<path>(?:[A-Za-z]:(?=[\\/]))?[^\n:*?"<>|`]{1,300}?\.\w{1,10})`?(?:(?::|#L|[,，]? ?[（(]?(?:lines?|L|第) ?)(?<line>\d{1,7})(?:[^\d\n].{0,30})?)?$/i;

/** "11", "L11-L13", "lines 11 to 13", "第 11 行". */
const LINE = /^(?:lines?|L|第)?\s?(?<line>\d{1,7})(?:\D{1,5}\d{1,7})?\D{0,3}$/i;

/** Names that are shaped like code, and text in code spans. */
const NAME =
  /`(?<span>[^`\n]{3,200})`|(?<![\p{L}\p{N}_$])(?<name>[\p{L}_$][\p{L}\p{N}_$]{0,60}(?:[\p{Ll}\d]\p{Lu}|_)[\p{L}\p{N}_$]{0,60}|[\p{L}_$][\p{L}\p{N}_$]{2,60}(?=\())/gu;

const TOKEN = /[\p{L}\p{N}_$]{1,200}|[^\s\p{L}\p{N}_$]/gu;
const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]{2}/u;

/** Limits: the part of a line that is compared, in UTF-16 units; the tokens of text that needs no number. */
const MAX_LENGTH = 1_000;
const MIN_TOKENS = 4;

/** Distance in lines at which the same text makes a line unsure. */
const NEAR = 2;

export function isPlaceKey(key: string): boolean {
  return [...FILE_KEYS, ...LINE_KEYS, ...CODE_KEYS].includes(plainName(key) || key);
}

/** @param outer place of the object around the entry */
export function codePlaceOf(entries: Entries, outer: CodePlace | undefined): CodePlace | undefined {
  const inner = entries.flatMap(([, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value as Record<string, unknown>)
      : [],
  );
  const fields = new Map(
    [...inner, ...entries].map(([key, value]) => [plainName(key) || key, value]),
  );
  const valuesAt = (keys: readonly string[]) =>
    keys.flatMap((key) => {
      const value = fields.get(key);
      const [first] = Array.isArray(value) ? (value as unknown[]) : [value];
      return typeof first === "string" || typeof first === "number" ? [String(first).trim()] : [];
    });
  const file = valuesAt(FILE_KEYS)
    .map((text) => FILE.exec(text)?.groups)
    .find(Boolean);
  const path = file?.["path"] ?? outer?.file;
  if (path === undefined) return undefined;
  const lines = valuesAt(LINE_KEYS);
  const [number] = lines.flatMap((text) => LINE.exec(text)?.groups?.["line"] ?? []);
  const line = Number(number ?? file?.["line"] ?? outer?.line ?? 0);
  const [code = outer?.code ?? ""] = [
    ...valuesAt(CODE_KEYS),
    ...lines.filter((text) => !LINE.test(text)),
  ];
  return { file: path, line: line === 0 ? undefined : line, code };
}

/**
 * Returns the 1-based line that a place proves: the line with its code, or the line of its number if that
 * has code which the reply names for the mark, and no line near has the same. Else undefined.
 * @param reply text of the whole reply
 */
export function provenLine(
  lines: readonly string[],
  { file, line, code }: CodePlace,
  label: string,
  reply: string,
): number | undefined {
  const fileName = file.split(/[\\/]/).at(-1) ?? "";
  const names = textsAbout(label, reply).flatMap(namesIn);
  const proofs = code === "" ? names.filter((name) => !name.includes(fileName)) : [code];
  const tokenLines = lines.map((text) => ` ${tokensOf(text).join(" ")} `);
  for (const proof of proofs) {
    // Models shorten code by "...".
    const pieces = firstCodeLine(proof)
      .split(/\.{3}|…/)
      .map(tokensOf)
      .filter(({ length }) => length > 0);
    if (!IDENTIFIER.test(pieces.flat().join(" "))) continue;
    const matching = tokenLines.flatMap((text, at) =>
      pieces.every((piece) => text.includes(` ${piece.join(" ")} `)) ? [at + 1] : [],
    );
    if (code !== "" && matching.length === 1 && pieces.flat().length >= MIN_TOKENS) {
      return matching[0];
    }
    const near = matching.filter((one) => Math.abs(one - (line ?? NaN)) <= NEAR);
    if (near.length === 1 && near[0] === line) return line;
  }
  return undefined;
}

/** Returns the label, and the lines of the reply's text that have the label. */
export function textsAbout(label: string, reply: string): readonly string[] {
  const ofLabel = reply.split("\n").filter((text) => {
    const isProse = !text.includes(JSON.stringify(label));
    return label.length > 3 && isProse && text.toLowerCase().includes(label.toLowerCase());
  });
  return [label, ...ofLabel].map((text) => text.slice(0, MAX_LENGTH));
}

/** Returns the names of code in a text. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(NAME)].map(({ groups = {} }) => groups["span"] ?? groups["name"] ?? "");
}

/** Returns the first line with a name; without the number that some models write before code. */
function firstCodeLine(code: string): string {
  const first = code.split("\n").find((text) => IDENTIFIER.test(text)) ?? "";
  return first.replace(/^\s{0,9}\d{1,7}\s{0,3}[:|]/, "");
}

function tokensOf(text: string): readonly string[] {
  return text.slice(0, MAX_LENGTH).match(TOKEN) ?? [];
}
