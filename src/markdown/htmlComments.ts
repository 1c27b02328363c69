/**
 * Removes HTML comments from Markdown, which its preview does not show. The parser decides what is a
 * comment and what is code: https://spec.commonmark.org/0.31.2/#html-blocks
 */
import createMarkdownIt from "markdown-it";
import type { Token } from "markdown-it";

const OPENING = "<!--";
const CLOSING = "-->";

/** Upper limit of openings that are parsed; a text with more of them loses those in code too. */
const MAX_OPENINGS = 500;

/** Number of an opening, which `numbered` adds after it. */
const NUMBER = /<!--\ue000(\d{1,3})\ue000/g;

/** Returns the text without its comments. A comment that is not closed ends with the text. */
export function withoutHtmlComments(text: string): string {
  const openings: number[] = [];
  for (let at = text.indexOf(OPENING); at !== -1; at = text.indexOf(OPENING, at + 2)) {
    openings.push(at);
  }
  if (openings.length === 0) return text;
  const comments = openings.length > MAX_OPENINGS ? undefined : commentsIn(text);
  let kept = "";
  let from = 0;
  for (const [number, start] of openings.entries()) {
    if (start < from || comments?.has(number) === false) continue;
    kept += text.slice(from, start);
    // Also `<!-->` is a comment.
    const end = text.indexOf(CLOSING, start + 2);
    from = end === -1 ? text.length : end + CLOSING.length;
  }
  return kept + text.slice(from);
}

/** Returns the numbers of the openings that the parser reads as HTML. */
function commentsIn(text: string): Set<number> {
  let count = 0;
  const numbered = text.replaceAll(OPENING, () => `${OPENING}\ue000${count++}\ue000`);
  const found = new Set<number>();
  const visit = ({ type, content, children }: Token): void => {
    if (type === "html_block" || type === "html_inline") {
      for (const [, number] of content.matchAll(NUMBER)) found.add(Number(number));
    }
    children?.forEach(visit);
  };
  createMarkdownIt({ html: true }).parse(numbered, {}).forEach(visit);
  return found;
}
