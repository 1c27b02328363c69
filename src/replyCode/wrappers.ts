/** Text that models put around code in a block: line numbers, tags, JSON, the first line of a file. */
import { withoutStrings } from "./flaws";

const TAG_LANGUAGES =
  /html|xml|xsl|svg|vue|svelte|astro|php|react|javascript|handlebars|razor|erb|blade|jsx|tsx|markdown|mdx|plaintext/;

export const TAGGED = /^<([a-zA-Z][\w-]{0,40})(?: [^<>\n]{0,200})?>([^]*)<\/\1>$/;

export function hasTags(languageId: string): boolean {
  return TAG_LANGUAGES.test(languageId);
}

export function isTag(line: string): boolean {
  return /^\s*<\/?[a-zA-Z][\w-]{0,40}(?:[ =][^<>]{0,200})?>\s*$/.test(line);
}

/** Returns true for code that is escaped for HTML, in a file without tags. */
export function hasEntities(line: string): boolean {
  return /&[lg]t;/.test(line.replaceAll(/"[^"]*"|'[^']*'/g, ""));
}

/**
 * Returns true for a tag that is escaped for HTML, and for lines that are escaped as a string.
 * Source of the latter: https://github.com/google-gemini/gemini-cli/pull/20416
 */
export function isEscaped(line: string): boolean {
  return /^\s*&lt;.*&gt;\s*$/.test(line) || /(?:\\n {2,9}\S.{0,500}){2}/.test(withoutStrings(line));
}

/** Returns the texts of a JSON object, also inside other objects; undefined for any other text. */
export function stringsIn(json: string): readonly string[] | undefined {
  try {
    const values: string[] = [];
    JSON.parse(json, (_, value: unknown) => {
      if (typeof value === "string") values.push(value);
      return value;
    });
    return values;
  } catch {
    return undefined;
  }
}

export function withoutComments(json: string): string {
  const text = json.replaceAll(
    /((?<!\\)"(?:[^"\\\n]|\\.){0,500}")|\/\/.*|\/\*[^*]{0,500}\*\//g,
    "$1",
  );
  return text.replaceAll(/,(\s*[}\]])/g, "$1");
}

export function withEnd(line: string, comma: string): string {
  return line.replace(/,?[ \t]{0,9}$/, "") + comma;
}

/**
 * Number of a line, with a hash of the line where tools edit by such numbers. Sources of the hashes:
 * https://github.com/gsd-build/gsd-2/pull/215, https://github.com/vstorm-co/pydantic-ai-backend/pull/14
 */
const LINE_NUMBER = /^\s*(\d{1,6})(?:→| ?[|│] ?|:(?: |$)|\t|#[A-Z]{2}:|:[0-9a-f]{2}\|)/;

/** Lines that can only begin a file. Sources: https://yaml.org/spec/1.2.2/#912-document-markers and https://www.php.net/manual/en/language.basic-syntax.phptags.php */
export const FIRST_LINES: Readonly<Record<string, string>> = { yaml: "---", php: "<?php" };

/** Returns lines without line numbers, which count up from the first line to the last. */
export function withoutLineNumbers(
  lines: readonly string[],
  target: readonly string[],
): readonly string[] {
  const numbers = lines.map((line) => Number(LINE_NUMBER.exec(line)?.[1] ?? NaN));
  const isCounted =
    lines.length > 1 && numbers.every((number, at) => number === at + (numbers[0] ?? NaN));
  if (!isCounted || target.some((line) => LINE_NUMBER.test(line))) return lines;
  return lines.map((line) => line.replace(LINE_NUMBER, ""));
}

export function hasLineNumber(line: string): boolean {
  return LINE_NUMBER.test(line);
}
