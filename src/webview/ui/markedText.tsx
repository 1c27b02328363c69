/**
 * A text with the words that were found in it marked.
 */
import type { ComponentChild } from "preact";

interface MarkedTextProps {
  readonly text: string;
  /** In UTF-16 units, in order and apart from each other; what does not fit the text is ignored. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
}

export function MarkedText({ text, ranges }: MarkedTextProps) {
  const pieces: ComponentChild[] = [];
  let done = 0;
  for (const { start, end } of ranges) {
    if (start < done || end <= start || end > text.length) continue;
    pieces.push(text.slice(done, start), <mark key={start}>{text.slice(start, end)}</mark>);
    done = end;
  }
  return (
    <>
      {pieces}
      {text.slice(done)}
    </>
  );
}
