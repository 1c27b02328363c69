/**
 * Finds links to pictures in a line of Markdown, HTML, CSS or code: in `![](…)`, `[name]: …`, `src="…"`,
 * `url(…)` and `import … from "…"`, where the target ends like a picture.
 */
import { PICTURE_ENDINGS } from "./pictureEndings";

/** One link; `start` and `end` are UTF-16 units in the line, the end not included. */
export interface ImageLink {
  readonly start: number;
  readonly end: number;
  /** As it stands there. */
  readonly target: string;
}

const LINK =
  /!\[(?:[^[\]]|\[[^[\]]*\])*\]\(\s*(?:<([^<>]+)>|((?:[^\s()]|\([^\s()]*\))+))|\b(?:src|href)\s*=\s*(?:"([^"]+)"|'([^']+)')|\burl\(\s*["']?([^"')\s]+)|^\s{0,3}\[[^[\]]+\]:\s+(?:<([^<>]+)>|(\S+))|\bimport\b[^"']{0,200}["']([^"']+)["']/gi;

/** Longest line that is looked at; what is longer was not written by a person. */
const MAX_LINE_LENGTH = 10_000;

/** The links of a line, in their order. */
export function imageLinks(line: string): ImageLink[] {
  if (line.length > MAX_LINE_LENGTH) return [];
  const links: ImageLink[] = [];
  for (const match of line.matchAll(LINK)) {
    const target = match.slice(1).find(Boolean) ?? "";
    const ending = /\.(\w+)(?:[?#].*)?$/.exec(target)?.[1]?.toLowerCase();
    if (ending === undefined || !PICTURE_ENDINGS.includes(ending)) continue;
    const start = match.index + match[0].lastIndexOf(target);
    links.push({ start, end: start + target.length, target });
  }
  return links;
}
