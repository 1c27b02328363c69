import type { ComponentChild } from "preact";

interface MarkedTextProps {
  readonly text: string;
  /** Sorted ranges in UTF-16 units; ranges that overlap or exceed the text are ignored. */
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
