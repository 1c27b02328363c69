/**
 * Removes from Markdown what its rendering does not show: HTML comments, processing instructions,
 * declarations, CDATA, definitions of links that no link uses, and hidden characters as entities. The
 * parser decides what is markup and what is code: https://spec.commonmark.org/0.31.2/#html-blocks
 */
import createMarkdownIt, { type Token } from "markdown-it";
import { findHiddenCharacters } from "./hiddenCharacters";

/** Beginnings of HTML without text. */
const OPENING = /<!--|<\?|<!\[CDATA\[|<![A-Za-z]/g;

/** Upper limit of openings that are parsed; a text with more of them loses those in code too. */
const MAX_OPENINGS = 500;

/** Number of an opening, which `htmlOpenings` adds after it. */
const NUMBER = /\ue000(\d{1,3})\ue000/g;

/** First line of a link's definition, in any list or quotation. */
const DEFINITION = /^[\s>*+\d.)-]{0,80}\[([^\]]{1,999})\]:/;

/** Attributes that hide no text; elements with others may be invisible. */
const PLAIN_TAG =
  /^<\/?(?!script|style|template|title|noscript|iframe|textarea)[\w-]{1,60}(?:\s{1,20}(?:href|src|align|width|height|open|id)=?(?:"[^"<>]{0,2000}"|'[^'<>]{0,2000}'|[\w.%-]{0,80})){0,20}\s{0,20}\/?>/i;

/** Returns the text that a rendering shows. A comment that is not closed ends with the text. */
export function shownText(text: string): string {
  const shown = withoutDefinitions(withoutOpenings(text));
  return shown.replace(
    /&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi,
    (entity, hex?: string, decimal = "") => {
      const codePoint = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      const isHidden =
        codePoint <= 0x10ffff && findHiddenCharacters(String.fromCodePoint(codePoint)).length > 0;
      return isHidden ? "" : entity;
    },
  );
}

/** Returns true if the text has HTML elements whose text may be invisible, or whose attributes have text. */
export function mayHideText(text: string): boolean {
  return htmlOf(text).some((html) =>
    [...html.matchAll(/<\/?[a-z]/gi)].some(
      ({ index }) => !PLAIN_TAG.test(html.slice(index, index + 4_000)),
    ),
  );
}

function withoutOpenings(text: string): string {
  const openings = [...text.matchAll(OPENING)];
  if (openings.length === 0) return text;
  const numbers = openings.length > MAX_OPENINGS ? undefined : htmlOpenings(text);
  let shown = "";
  let from = 0;
  for (const [number, { 0: opening, index: start }] of openings.entries()) {
    if (start < from || numbers?.has(number) === false) continue;
    shown += text.slice(from, start);
    const closing = CLOSINGS[opening] ?? ">";
    // Also `<!-->` is a comment.
    const end = text.indexOf(closing, start + 2);
    from = end === -1 ? text.length : end + closing.length;
  }
  return shown + text.slice(from);
}

const CLOSINGS: Readonly<Record<string, string>> = {
  "<!--": "-->",
  "<?": "?>",
  "<![CDATA[": "]]>",
};

function htmlOpenings(text: string): Set<number> {
  let count = 0;
  const numbered = text.replace(OPENING, (opening) => `${opening}\ue000${count++}\ue000`);
  const numbers = htmlOf(numbered).flatMap((html) => [...html.matchAll(NUMBER)]);
  return new Set(numbers.map(([, number]) => Number(number)));
}

function htmlOf(text: string): string[] {
  return flatTokens(parse(text)).flatMap(({ type, content }) =>
    type === "html_block" || type === "html_inline" ? [content] : [],
  );
}

type References = Record<string, { readonly href: string; readonly title: string }>;

/** Removes definitions, as in `[//]: # (text)`, whose address and title no link has. */
function withoutDefinitions(text: string): string {
  const lines = text.split("\n");
  if (!lines.some((line) => DEFINITION.test(line))) return text;
  const env: { [key: string]: unknown; references?: References } = {};
  const tokens = flatTokens(parse(text, env));
  const used = new Set(
    tokens.map(
      (token) => `${token.attrGet("href") ?? token.attrGet("src")} ${token.attrGet("title") ?? ""}`,
    ),
  );
  // Only definitions, and marks of empty lists and quotations, are in no block with content.
  const shown = new Set<number>();
  for (const { type, map, nesting } of tokens) {
    const isLeaf = nesting === 0 || /^(?:paragraph|heading|table)_open$/.test(type);
    for (let line = map?.[0] ?? 0; isLeaf && line < (map?.[1] ?? 0); line++) shown.add(line);
  }
  const { utils } = createMarkdownIt();
  let isUsed = true;
  return lines
    .map((line, index) => {
      if (shown.has(index) || line.trim() === "") {
        isUsed = true;
        return line;
      }
      const label = DEFINITION.exec(line)?.[1];
      const reference = env.references?.[utils.normalizeReference(label ?? "")];
      if (label !== undefined)
        isUsed = reference !== undefined && used.has(`${reference.href} ${reference.title}`);
      return isUsed ? line : "";
    })
    .join("\n");
}

function parse(text: string, env: Record<string, unknown> = {}): Token[] {
  return createMarkdownIt({ html: true }).parse(text, env);
}

function flatTokens(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token) => [token, ...flatTokens(token.children ?? [])]);
}
