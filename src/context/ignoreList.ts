/**
 * Reads lists in the syntax of .gitignore: the last matching line decides, and nothing in an ignored
 * folder is included again. Case is ignored, so a list never excludes less than Git would.
 * Syntax: https://git-scm.com/docs/gitignore
 */
import { MAX_PATH, validGlob } from "./glob";

/** Upper limits of a list, in UTF-16 units and in lines; lines beyond them are ignored. */
export const MAX_LIST_CHARS = 256 * 1024;
const MAX_LINES = 2_000;

/** Returns true for a path with `/` between names and none at the start. */
export type IgnoreList = (path: string) => boolean;

interface Rule {
  readonly isNegated: boolean;
  readonly isFolderOnly: boolean;
  readonly matches: (path: string) => boolean;
}

/** Returns true if all lines are rules, comments or empty, so that none of them is ignored. */
export function areAllRules(lines: readonly string[]): boolean {
  const isRule = (line: string) => /^\s*(?:#|$)/.test(line) || ruleOf(line) !== undefined;
  return lines.length <= MAX_LINES && lines.every(isRule);
}

/** Returns the list of these lines. */
export function ignoreListOf(lines: readonly string[]): IgnoreList {
  const rules = lines.slice(0, MAX_LINES).flatMap((line) => ruleOf(line) ?? []);
  if (rules.length === 0) return () => false;
  return (path) => {
    // No file has such a path; a name that nobody can check is excluded.
    if (path.length > MAX_PATH) return true;
    const names = path.split("/");
    return names.some((_, index) => {
      const isFolder = index < names.length - 1;
      const part = names.slice(0, index + 1).join("/");
      const last = rules.findLast((one) => (isFolder || !one.isFolderOnly) && one.matches(part));
      return last !== undefined && !last.isNegated;
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
  const matches = validGlob(globOf(anchored));
  return matches && { isNegated, isFolderOnly, matches };
}

/** Braces are no syntax of these lists, and a backslash makes the next character literal. */
function globOf(pattern: string): string {
  return pattern.replace(/\\([^])|[{}]/g, (written, escaped?: string) => {
    const literal = escaped ?? written;
    return /[*?[{}]/.test(literal) ? `[${literal}]` : literal;
  });
}
