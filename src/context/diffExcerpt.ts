/**
 * Shortens a git diff to a budget of estimated tokens. Every file is named; small changes stay whole
 * and large ones lose their end. Of generated and binary files only the name is kept.
 */
import { listedPaths } from "./folderList";
import { estimateTextTokens } from "../base/tokens";

/** Paths of files that tools generate. */
const GENERATED =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|[^/]+\.lock|go\.sum|[^/]+\.min\.(js|css)|[^/]+\.map)$/;

/** Limit of files shown with their changes; further files are only named, within the budget. */
const MAX_FILES = 150;
const MAX_NAME_TOKENS = 1_000;

/** @param diff output of `git diff` */
export function boundedDiff(diff: string, maxTokens: number): string {
  const all = diff.split(/^(?=diff --(?:git|cc|combined) )/m).filter((file) => file.trim() !== "");
  const files = all.slice(0, MAX_FILES);
  const more = all.slice(MAX_FILES);
  const bodies = files.map((file) => (isGenerated(file) ? headOf(file) : file));
  const costs = bodies.map(estimateTextTokens);
  const share = fairShare(costs, maxTokens);
  const shownBodies = bodies.map((body, index) =>
    (costs[index] ?? 0) <= share ? body : cutTo(body, share),
  );
  if (more.length > 0)
    shownBodies.push(`Also changed:\n${listedPaths(more.map(nameOf), MAX_NAME_TOKENS)}\n`);
  return shownBodies.join("");
}

function nameOf(file: string): string {
  return (/^diff --\w+ (.*)/.exec(file)?.[1] ?? "").replace(/^.* b\//, "");
}

/** Returns the tokens that each file may cost so that all files stay within the budget. */
function fairShare(costs: readonly number[], maxTokens: number): number {
  let left = maxTokens;
  const sorted = costs.toSorted((a, b) => a - b);
  for (const [index, cost] of sorted.entries()) {
    const share = left / (sorted.length - index);
    if (cost > share) return share;
    left -= cost;
  }
  return Infinity;
}

function cutTo(file: string, maxTokens: number): string {
  const lines = file.split("\n");
  const shownLines: string[] = [];
  let left = maxTokens;
  for (const line of lines) {
    const tokens = estimateTextTokens(line) + 1;
    if (tokens > left && shownLines.length > 0) break;
    left -= tokens;
    shownLines.push(line.slice(0, 500));
  }
  return `${shownLines.join("\n")}\n[… ${lines.length - shownLines.length} more lines of this file …]\n`;
}

/** Returns the text before the first hunk. */
function headOf(file: string): string {
  const at = file.search(/^@@ /m);
  return at === -1 ? file : `${file.slice(0, at)}[… written by a tool …]\n`;
}

function isGenerated(file: string): boolean {
  const path = /^diff --git a\/(.*?) b\//.exec(file)?.[1] ?? "";
  return GENERATED.test(path);
}
