/** Finds the project's files by pattern, so that no list needs maintenance. */
import { readdirSync } from "node:fs";
import { join, sep } from "node:path";

/**
 * Returns matching files below `folder`, relative to the project's root, with `/` between names.
 */
export function filesBelow(folder: string, matches: RegExp): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)).split(sep).join("/"))
    .filter((name) => matches.test(name))
    .sort();
}
