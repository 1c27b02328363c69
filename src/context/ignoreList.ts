/**
 * Reads lists in the syntax of .gitignore: the last matching line decides, and nothing in an ignored
 * folder is included again. Case is ignored, so a list never excludes less than Git would.
 * Syntax: https://git-scm.com/docs/gitignore
 */
import { GlobList, MAX_PATH } from "./glob";

/** Upper limit of the text of a list, in UTF-16 units. */
export const MAX_LIST_CHARS = 256 * 1024;

/** Returns true for a path with `/` between names and none at the start. */
export type IgnoreList = (path: string) => boolean;

interface Rule {
  readonly isNegated: boolean;
  readonly isFolderOnly: boolean;
  readonly glob: string;
}

/** Returns true if all lines are rules, comments or empty, so that none of them is ignored. */
export function areAllRules(lines: readonly string[]): boolean {
  const globs = new GlobList();
  return lines.every((line) => {
    const rule = ruleOf(line);
    return rule === undefined ? /^\s*(?:#|$)/.test(line) : globs.add(rule.glob);
  });
}

/** Returns the list of these lines. */
export function ignoreListOf(lines: readonly string[]): IgnoreList {
  const globs = new GlobList();
  const rules = lines.flatMap((line) => ruleOf(line) ?? []).filter(({ glob }) => globs.add(glob));
  if (rules.length === 0) return () => false;
  return (path) => {
    // No file has such a path; a name that nobody can check is excluded.
    if (path.length > MAX_PATH) return true;
    const matches = globs.matchesOf(path);
    return matches.some((numbers, index) => {
      const isFolder = index < matches.length - 1;
      const last = numbers.findLast((number) => isFolder || rules[number]?.isFolderOnly === false);
      return last !== undefined && rules[last]?.isNegated === false;
    });
  };
}

function ruleOf(line: string): Rule | undefined {
  const end = line.trimEnd();
  // A backslash keeps the blank after it.
  const trimmed = end.endsWith("\\") && end.length < line.length ? `${end} ` : end;
  if (trimmed === "" || trimmed.startsWith("#")) return undefined;
  const isNegated = trimmed.startsWith("!");
  const pattern = isNegated ? trimmed.slice(1) : trimmed;
  const isFolderOnly = pattern.endsWith("/");
  const path = isFolderOnly ? pattern.slice(0, -1) : pattern;
  if (path === "") return undefined;
  // A slash at the start or in the middle binds the pattern to the list's folder.
  const anchored = path.includes("/") ? `/${path.replace(/^\//, "")}` : path;
  return { isNegated, isFolderOnly, glob: globOf(anchored) };
}

/** Braces are no syntax of these lists, and a backslash makes the next character literal. */
function globOf(pattern: string): string {
  return pattern.replace(/\\([^])|[{}]/g, (written, escaped?: string) => {
    const literal = escaped ?? written;
    return /[*?[{}]/.test(literal) ? `[${literal}]` : literal;
  });
}
