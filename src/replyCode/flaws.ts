/** Finds brackets and tags without a counterpart, without knowing the language. */

/** End of a line below which lines are deeper. */
export const OPENER = /[{([:]\s*$/;

/** Start of a line that closes what lines above it opened. */
export const CLOSER = /^\s*(?:[})\]]|<\/|\\?end\b)/;

/** A search for the end of a string from each escaped quotation mark would take quadratic time. */
const STRING = /(?<!\\)"(?:[^"\\]|\\.){0,500}"|(?<!\\)'(?:[^'\\]|\\.){0,500}'|`[^`]{0,500}`/g;

const TAG = /(?:(?<![\w)\]])<|<(?=\/))(\/?)([a-zA-Z][\w.-]{0,40})(?:\s[^<>]{0,500}?)?(\/?)>/g;

/** Elements without a closing tag. Source: https://html.spec.whatwg.org/#void-elements */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

/** Counts brackets and tags without a counterpart: of `)(` two, of `()` none. */
export class Pairs {
  private readonly open = { brackets: 0, tags: 0 };
  private unopened = 0;

  get closers(): number {
    return this.unopened;
  }

  get openers(): number {
    return this.open.brackets + this.open.tags;
  }

  add(line: string): void {
    for (const sign of bracketsIn(line)) this.count("brackets", "{([".includes(sign));
  }

  /** @param text all lines, because the attributes of a tag may be on lines of their own */
  addTags(text: string): void {
    for (const [, close, name = "", empty] of text.matchAll(TAG)) {
      if (empty !== "/" && !VOID.test(name)) this.count("tags", close === "");
    }
  }

  private count(kind: "brackets" | "tags", isOpener: boolean): void {
    if (isOpener) this.open[kind]++;
    else if (this.open[kind] > 0) this.open[kind]--;
    else this.unopened++;
  }
}

export function unpaired(lines: readonly string[], withTags: boolean): Pairs {
  const pairs = new Pairs();
  for (const line of lines) pairs.add(line);
  if (withTags) pairs.addTags(lines.join("\n"));
  return pairs;
}

export function withoutStrings(line: string): string {
  return line.replaceAll(STRING, "");
}

function bracketsIn(line: string): readonly string[] {
  return withoutStrings(line).match(/[{}()[\]]/g) ?? [];
}
