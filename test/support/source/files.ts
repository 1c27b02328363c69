/**
 * Finds the project's files by pattern, so that nothing has to be listed by hand.
 */
import { readdirSync } from "node:fs";
import { join, sep } from "node:path";

/** Files below `folder` (relative to the project's root) that match, with `/` between names. */
export function filesBelow(folder: string, matches: RegExp): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)).split(sep).join("/"))
    .filter((name) => matches.test(name))
    .sort();
}
