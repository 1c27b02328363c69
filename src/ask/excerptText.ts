/** Formats excerpts for the model: path and lines, fenced text, problems. */
import { fenceFor } from "../base/backticks";
import type { ExcerptPart, RelatedPart } from "../conversation/message";

const HEADINGS: Readonly<Record<RelatedPart["relation"], string>> = {
  definitions: "Declarations that this code uses, shortened:",
  callers: "Code that calls this code:",
  tests: "Existing tests:",
};

export function excerptText(part: ExcerptPart): string {
  const fence = fenceFor(part.text);
  const problems = part.problems === undefined ? "" : `\nProblems in it:\n${part.problems}`;
  const title = excerptTitle(part);
  return `${title}:\n${fence}${part.languageId}\n${part.text}\n${fence}${problems}`;
}

/** Formats declarations, callers or tests under a heading. */
export function relatedText({ relation, items }: RelatedPart): string {
  return [HEADINGS[relation], ...items.map(excerptText)].join("\n\n");
}

/** "src/cart.ts (lines 19-25), asked about line 22" */
export function excerptTitle({ path, startLine, endLine, focus }: ExcerptPart): string {
  if (startLine === undefined || endLine === undefined) return path;
  const asked = focus ? `, asked about ${linesOf(focus.startLine, focus.endLine)}` : "";
  return `${path} (${linesOf(startLine, endLine)})${asked}`;
}

function linesOf(startLine: number, endLine: number): string {
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
}
