/**
 * Where a path really leads, links followed; a browser's twin gives the path back.
 */
import { realpath } from "node:fs/promises";

/** The absolute path without links. Throws when there is nothing. */
export function realPath(path: string): Promise<string> {
  return realpath(path);
}
