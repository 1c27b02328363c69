/**
 * Finds links to pictures in a line of Markdown, HTML, CSS or code: `![](…)`, `[name]: …`, `src="…"`,
 * `url(…)` and `import … from "…"` whose target has a picture's file extension.
 */
import { PICTURE_EXTENSIONS } from "../../pictures/fileSignatures";

/** A link; `start` and `end` are UTF-16 units in the line, the end not included. */
export interface ImageLink {
  readonly start: number;
  readonly end: number;
  /** Target as written in the document. */
  readonly target: string;
}

const LINK =
  /!\[(?:[^[\]]|\[[^[\]]*\])*\]\(\s*(?:<([^<>]+)>|((?:[^\s()]|\([^\s()]*\))+))|\b(?:src|href)\s*=\s*(?:"([^"]+)"|'([^']+)')|\burl\(\s*["']?([^"')\s]+)|^\s{0,3}\[[^[\]]+\]:\s+(?:<([^<>]+)>|(\S+))|\bimport\b[^"']{0,200}["']([^"']+)["']/gi;

/** Length limit of a line; longer lines are usually generated. */
const MAX_LINE_LENGTH = 10_000;

export function imageLinks(line: string): ImageLink[] {
  if (line.length > MAX_LINE_LENGTH) return [];
  const links: ImageLink[] = [];
  for (const match of line.matchAll(LINK)) {
    const target = match.slice(1).find(Boolean) ?? "";
    const ending = /\.(\w+)(?:[?#][^]*)?$/.exec(target)?.[1]?.toLowerCase();
    if (ending === undefined || !PICTURE_EXTENSIONS.includes(ending)) continue;
    const start = match.index + match[0].lastIndexOf(target);
    links.push({ start, end: start + target.length, target });
  }
  return links;
}
