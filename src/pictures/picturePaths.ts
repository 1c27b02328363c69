/** Finds the pictures that a program names in its output, such as the screenshot of a failed test. */
import { PICTURE_EXTENSIONS } from "./fileSignatures";

/** Upper limit of returned paths. */
const MAX_PATHS = 40;

/** Longest line that is read, in UTF-16 units. */
const MAX_LINE = 2_000;

const EXTENSION = new RegExp(`\\.(?:${PICTURE_EXTENSIONS.join("|")})(?![\\w-])`, "gi");

/**
 * Characters that end a path without quotation marks when it is read backwards from its extension.
 */
const BEFORE_PATH = /[\s"'`()[\]<>|=,;*?]/;

/** Bullet or label before a path that contains spaces, as in "  -  /tests/my test (failed).png". */
const LINE_START = /^\s*(?:[-*•>]\s+|[\w ]{1,30}:\s+)?/;

/**
 * Returns possible paths, the last in the output first. A path with spaces is returned both whole
 * and from its last space on, so the caller must check which file exists.
 *
 * @param output plain text, without escape sequences
 */
export function picturePathsIn(output: string): string[] {
  const paths = new Set<string>();
  for (const line of output.split("\n").reverse()) {
    if (line.length > MAX_LINE) continue;
    const start = LINE_START.exec(line)?.[0].length ?? 0;
    for (const { 0: extension, index } of line.matchAll(EXTENSION)) {
      const end = index + extension.length;
      if (/^\s?$/.test(line.charAt(index - 1))) continue; // An extension without a name.
      let begin = index;
      while (begin > 0 && !BEFORE_PATH.test(line.charAt(begin - 1))) begin -= 1;
      if (begin < index) paths.add(line.slice(begin, end));
      if (start < begin) paths.add(line.slice(start, end));
    }
    if (paths.size >= MAX_PATHS) break;
  }
  return [...paths].slice(0, MAX_PATHS);
}
