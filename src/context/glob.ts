/**
 * Matches paths with globs as VS Code writes them: `*`, `**`, `?`, `{a,b}` and `[a-z]`. Case is
 * ignored. Paths have `/` between names and no `/` at the start.
 */

/** Upper limit of a glob, in UTF-16 units; a longer glob matches nothing. */
const MAX_LENGTH = 500;

/** Splits a list of globs at its commas; a comma in braces belongs to its glob. */
export function splitGlobs(list: string): string[] {
  const globs: string[] = [];
  let depth = 0;
  let glob = "";
  for (const character of list) {
    if (character === "{") depth++;
    if (character === "}") depth--;
    if (character === "," && depth <= 0) {
      globs.push(glob);
      glob = "";
    } else glob += character;
  }
  return [...globs, glob].map((one) => one.trim()).filter((one) => one !== "");
}

/** Returns true for a glob of all files, which applies to questions without a file too. */
export function matchesEverything(glob: string): boolean {
  return glob === "**" || glob === "**/*" || glob === "*";
}

/**
 * Returns a matcher for paths relative to the workspace folder. A glob with `/` at its start is
 * relative to that folder; any other glob matches in each folder.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  if (glob.length > MAX_LENGTH) return () => false;
  const anchored = glob.startsWith("/") ? glob.slice(1) : `**/${glob.replace(/^\*\*\//, "")}`;
  try {
    const pattern = new RegExp(`^${patternOf(anchored)}$`, "iu");
    return (path) => pattern.test(path);
  } catch {
    // A glob that is not valid, as with an open bracket, matches nothing.
    return () => false;
  }
}

/** Returns the source of a regular expression for a glob. */
function patternOf(glob: string): string {
  let pattern = "";
  let depth = 0;
  for (let at = 0; at < glob.length; at++) {
    const character = glob.charAt(at);
    if (glob.startsWith("**/", at)) {
      pattern += "(?:[^/]+/)*";
      at += 2;
    } else if (glob.startsWith("**", at)) {
      pattern += ".*";
      at += 1;
    } else if (character === "*") pattern += "[^/]*";
    else if (character === "?") pattern += "[^/]";
    else if (character === "{") {
      pattern += "(?:";
      depth++;
    } else if (character === "}" && depth > 0) {
      pattern += ")";
      depth--;
    } else if (character === "," && depth > 0) pattern += "|";
    else if (character === "[") {
      const end = glob.indexOf("]", at + 1);
      if (end === -1) throw new Error("open bracket");
      const set = glob.slice(at + 1, end).replace(/^!/, "^");
      pattern += `[${set.replaceAll(/[\\[\]&~|]/g, "\\$&")}]`;
      at = end;
    } else pattern += character.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
  }
  return pattern;
}
