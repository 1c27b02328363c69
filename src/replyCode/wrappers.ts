/** Text that models put around code in a block: line numbers, tags, JSON, the first line of a file. */

/** Languages in which tags are code. */
const TAG_LANGUAGES =
  /html|xml|xsl|svg|vue|svelte|astro|php|react|javascript|handlebars|razor|erb|blade|jsx|tsx|markdown|mdx|plaintext/;

/** Text in a pair of tags. */
export const TAGGED = /^<([a-zA-Z][\w-]{0,40})(?: [^<>\n]{0,200})?>([^]*)<\/\1>$/;

export function hasTags(languageId: string): boolean {
  return TAG_LANGUAGES.test(languageId);
}

export function isMarkup(line: string): boolean {
  const isTag = /^\s*<\/?[a-zA-Z][\w-]{0,40}(?:[ =][^<>]{0,200})?>\s*$/.test(line);
  return isTag || /&[lg]t;/.test(line.replaceAll(/"[^"]*"|'[^']*'/g, ""));
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

export function withEnd(line: string, comma: string): string {
  return line.replace(/,?[ \t]{0,9}$/, "") + comma;
}

const LINE_NUMBER = /^\s*(\d{1,6})(?:→| ?[|│] ?|:(?: |$)|\t)/;

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
