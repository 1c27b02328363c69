/** Finds brackets and tags without a counterpart, without knowing the language. */

/** Start of a line that goes on with an expression. */
export const CONTINUES = /^\s*(?:\??\.[\w$]+[(<]|&&\s|\|\|\s|\|>)/;

/** End of a line below which lines are deeper. */
export const OPENER = /[{([:]\s*$/;

/** Start of a line that closes what lines above it opened. */
export const CLOSER =
  /^\s*(?:[})\]]|\{\/|<\/|\\?end(?:if|for(?:each)?|while|function|macro|case|fun|try)?\b)/i;

/** Pattern of a branch of a shell script's `case`. */
const CASE = /^\s*[^\s()]{1,100}(?:\s\|\s[^\s()]{1,100}){0,9}\)(?=\s|$)/;

/** A search for the end of a string from each escaped quotation mark would take quadratic time. */
const STRING = /(?<!\\)"(?:[^"\\]|\\.){0,500}"|(?<!\\)'(?:[^'\\]|\\.){0,500}'|`[^`]{0,500}`/g;

const TAG = /(?:(?<![\w)\]])<|<(?=\/))(\/?)([a-zA-Z][\w.-]{0,40})(?:\s[^<>]{0,500}?)?(\/?)>/g;

/** Elements without a closing tag. Source: https://html.spec.whatwg.org/#void-elements */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

/**
 * Counts brackets and tags without a counterpart: of `)(` one closer and one opener, of `()` none. The
 * attributes of a tag may be on lines of their own.
 */
export function unpaired(lines: readonly string[], withTags: boolean) {
  const open = { brackets: 0, tags: 0 };
  let closers = 0;
  const count = (kind: "brackets" | "tags", isOpener: boolean) => {
    if (isOpener) open[kind]++;
    else if (open[kind] > 0) open[kind]--;
    else closers++;
  };
  const hasCases = lines.some((line) => line.trim() === "esac");
  for (const line of lines) {
    const code = withoutStrings(hasCases ? line.replace(CASE, "") : line);
    for (const sign of code.match(/[{}()[\]]/g) ?? []) count("brackets", "{([".includes(sign));
  }
  if (withTags)
    for (const [, close, name = "", empty] of lines.join("\n").matchAll(TAG))
      if (empty !== "/" && !VOID.test(name)) count("tags", close === "");
  return { openers: open.brackets + open.tags, closers };
}

export function withoutStrings(line: string): string {
  return line.replaceAll(STRING, "");
}
