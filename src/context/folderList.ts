/**
 * The files of a folder as the model reads them: their paths, sorted, bounded by a budget.
 */
import { estimateTextTokens } from "./tokens";

/** What such a list may cost, in estimated tokens. */
const MAX_LIST_TOKENS = 4_000;

/** One path a line; how many did not fit is said at the end. */
export function listedPaths(paths: readonly string[]): string {
  return boundedPaths(paths, MAX_LIST_TOKENS);
}

/** The same within another budget, in estimated tokens. */
export function boundedPaths(paths: readonly string[], maxTokens: number): string {
  const sorted = paths.toSorted((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
  const kept: string[] = [];
  let left = maxTokens;
  for (const path of sorted) {
    left -= estimateTextTokens(path) + 1;
    if (left < 0) break;
    kept.push(path);
  }
  const more = sorted.length - kept.length;
  return [...kept.toSorted(), ...(more > 0 ? [`[… ${more} more files …]`] : [])].join("\n");
}

/** Files that are deep inside are the first to be left out. */
function depthOf(path: string): number {
  return path.split("/").length;
}
