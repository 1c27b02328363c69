import type { TextRange } from "../../search/matches";

/** Excerpt of a message with the ranges of its matches. */
interface Excerpt {
  readonly text: string;
  readonly ranges: readonly TextRange[];
}

/**
 * Markdown syntax in a text whose line ends are blanks. The groups are removed, the rest of a match
 * stays. Characters that prose or code also uses on their own, as `>`, `-` and `|`, stay.
 */
const SYNTAX: readonly RegExp[] = [
  /(`)/dg,
  /(?<![^\s…])(#{1,6} )/dg,
  /(?<!\|)(\|(?: *:?-+:? *\|)+)/dg,
  /(!?\[)[^[\]]*(\]\([^()\s]*\))/dg,
  /(?<![\w*])(\*{1,3})(?![\s*])[^*]*(?<![\s*])(\*{1,3})(?!\*)/dg,
  /(?<!\w)(__)(?![\s_])[^_]*(?<![\s_])(__)(?!\w)/dg,
];

/** Removes Markdown syntax and repeated blanks from an excerpt, and moves the ranges accordingly. */
export function plainSnippet({ text, ranges }: Excerpt): Excerpt {
  const isRemoved = new Uint8Array(text.length);
  for (const syntax of SYNTAX) {
    for (const { indices = [] } of text.matchAll(syntax)) {
      for (const span of indices.slice(1)) if (span) isRemoved.fill(1, ...span);
    }
  }
  /** Offset in the plain text for each offset in `text`. */
  const offsets = new Uint32Array(text.length + 1);
  let plain = "";
  for (let at = 0; at < text.length; at++) {
    offsets[at] = plain.length;
    const unit = text.charAt(at);
    const isRepeated = unit === " " && /^…?$| $/.test(plain);
    if (isRemoved[at] !== 1 && !isRepeated) plain += unit;
  }
  offsets[text.length] = plain.length;
  const moved = ranges.map(([start, end]): TextRange => [offsets[start] ?? 0, offsets[end] ?? 0]);
  return { text: plain, ranges: moved.filter(([start, end]) => start < end) };
}
