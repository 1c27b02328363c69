/** Lists the files of a folder for the model: sorted paths within a token budget. */
import { estimateTextTokens } from "../base/tokens";

/** Default budget, in estimated tokens. */
const MAX_LIST_TOKENS = 4_000;

/** Returns a path per line and, at the end, the number of paths that did not fit the budget. */
export function listedPaths(paths: readonly string[], maxTokens = MAX_LIST_TOKENS): string {
  const sorted = paths.toSorted((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
  const shownPaths: string[] = [];
  let left = maxTokens;
  for (const path of sorted) {
    left -= estimateTextTokens(path) + 1;
    if (left < 0) break;
    shownPaths.push(path);
  }
  const more = sorted.length - shownPaths.length;
  return [...shownPaths.toSorted(), ...(more > 0 ? [`[… ${more} more files …]`] : [])].join("\n");
}

/** Depth of a path; the deepest files are left out first. */
function depthOf(path: string): number {
  return path.split("/").length;
}
