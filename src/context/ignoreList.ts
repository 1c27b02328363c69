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

/**
 * Returns the list of these lines for absolute paths; undefined if a line is neither a rule nor a comment.
 * Each rule holds below every folder, whichever folder is opened.
 */
export function ignoreListAnywhere(lines: readonly string[]): IgnoreList | undefined {
  const globs = new GlobList();
  const rules = lines.flatMap((line) => (/^\s*(?:#|$)/.test(line) ? [] : [ruleOf(line, true)]));
  const validRules = rules.flatMap((rule) => (rule && globs.add(rule.glob) ? [rule] : []));
  return validRules.length < rules.length ? undefined : listOf(validRules, globs);
}

/** Returns the list of these lines; lines that are not valid have no effect. */
export function ignoreListOf(lines: readonly string[]): IgnoreList {
  const globs = new GlobList();
  const rules = lines.flatMap((line) => ruleOf(line, false) ?? []);
  return listOf(
    rules.filter(({ glob }) => globs.add(glob)),
    globs,
  );
}

function listOf(rules: readonly Rule[], globs: GlobList): IgnoreList {
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

/** Reads a line. A slash at the start or in the middle binds it to the list's folder, unless `isAnywhere`. */
function ruleOf(line: string, isAnywhere: boolean): Rule | undefined {
  const end = line.trimEnd();
  // A backslash keeps the blank after it.
  const trimmed = end.endsWith("\\") && end.length < line.length ? `${end} ` : end;
  if (trimmed === "" || trimmed.startsWith("#")) return undefined;
  const isNegated = trimmed.startsWith("!");
  const pattern = isNegated ? trimmed.slice(1) : trimmed;
  const isFolderOnly = pattern.endsWith("/");
  const path = isFolderOnly ? pattern.slice(0, -1) : pattern;
  if (path === "") return undefined;
  const start = path.includes("/") && !isAnywhere ? "/" : "";
  return { isNegated, isFolderOnly, glob: globOf(`${start}${path.replace(/^\//, "")}`) };
}

/** Braces are no syntax of these lists, and a backslash makes the next character literal. */
function globOf(pattern: string): string {
  return pattern.replace(/\\([^])|[{}]/g, (written, escaped?: string) => {
    const literal = escaped ?? written;
    return /[*?[{}]/.test(literal) ? `[${literal}]` : literal;
  });
}
