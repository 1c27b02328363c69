/** Finds the path of a file in the first line of a code block, as models write it. */
import { findMentions, isPathWithBlanks } from "../markdown/fileMentions";
import { isFileName, languageOfName } from "./labels";
import { commentText } from "./placeholders";

export interface FileName {
  readonly path: string;
  /** True for a path that may be of a new file; any other name counts only if the file exists. */
  readonly isPath: boolean;
  readonly isTitle: boolean;
  /** Text around the path that is a path with blanks, if a file has that name. */
  readonly whole?: string | undefined;
}

/** Text of a comment that holds only a path in a frame, or a path after a word with a colon. */
const PATH =
  /^(?:[=~-]{1,9}\s{1,9})?(?:(\p{L}{2,20})\s?[:：]\s{0,4})?(.{1,300}?)(?:\s{1,9}[=~-]{1,9})?$/u;

/** Words for a path, which may then have blanks. */
export const LABEL = /^(?:file|filename|filepath|path|文件|文件名|路径|文件路径)$/i;

/** Returns the file of a first line that is only a comment with a path. */
export function nameInComment(line = ""): FileName | undefined {
  // An item of a list is no comment, and "#a/b.py" may be a path.
  const { label, path } = commentedPath(/^\s*(?:\* |#+[^#\s])/.test(line) ? "" : line);
  if (!namesFile(path)) return undefined;
  const isPath = label === "" ? isMention(path) || isFileName(path) : LABEL.test(label);
  if (!isPath && (label !== "" || !isPathWithBlanks(path))) return undefined;
  return pathName(path, isPath);
}

export function pathName(path: string, isPath = true): FileName {
  return { path, isPath, isTitle: true };
}

/** Returns true for a text that is a path as a whole, relative to a folder. */
export function isMention(text: string): boolean {
  return findMentions(text)[0]?.text === text;
}

/** Returns true if the last name of a path has an ending or is known, as Makefile. */
export function namesFile(path: string): boolean {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  return (
    /[^.\s]\.\p{L}[\p{L}\p{N}_-]{0,15}(?:(?::\d+)*|#L\d+)$|^\.\p{L}/u.test(name) || isFileName(name)
  );
}

/**
 * Removes a first line that is only the path of the block's file, or a comment with that path.
 * @param existing lines of the file; such a line of the file itself stays
 */
export function withoutPath(
  block: readonly string[],
  existing: readonly string[],
  path: string,
): readonly string[] {
  const first = block.findIndex((line) => line.trim() !== "");
  const line = block[first]?.trim() ?? "";
  if (line !== path && !isSameFile(commentedPath(line).path, path)) return block;
  if (existing.some((one) => one.trim() === line)) return block;
  const below = block.slice(first + 1);
  return below[0]?.trim() === "" ? below.slice(1) : below;
}

function commentedPath(line: string): { readonly label: string; readonly path: string } {
  // The header of a diff is no comment.
  const text = line.startsWith("--- ") ? undefined : commentText(line.trim());
  const [, label = "", path = ""] = PATH.exec(text ?? "") ?? [];
  return { label, path };
}

/** Returns true for a line of text that ends with the path of another file and a colon; "Node.js:" is none. */
export function namesOtherFile(text: string, path: string): boolean {
  const [, mark, name = ""] =
    /(?:^|[\s*])(`?)([^\s`*]{1,300})`?\*{0,2}\s?[:：]\*{0,2}$/.exec(text.trim()) ?? [];
  const isPath = (mark === "`" || name.includes("/")) && namesFile(name);
  return isPath && languageOfName(name) !== "" && path !== "" && !isSameFile(name, path);
}

/** Returns true for a line that is only a comment with the path of another file. */
export function isOtherPath(line: string, path: string): boolean {
  const name = nameInComment(line)?.path;
  return name !== undefined && !isSameFile(name, path);
}

/** Returns true for a statement that imports a file of this name from its own folder. */
export function importsFile(line: string, path: string): boolean {
  const [, name] = /^(?:import|export)\b.{0,500}["']\.\/([^"'/]{1,100})["'];?$/.exec(line) ?? [];
  const stemOf = (file: string) => file.slice(file.lastIndexOf("/") + 1).replace(/\.\w{1,10}$/, "");
  return name !== undefined && stemOf(name) === stemOf(path);
}

function isSameFile(named: string, path: string): boolean {
  if (named === "" || path === "") return false;
  const plain = (text: string) => `/${text.replaceAll("\\", "/").replace(/^(?:\.?\/)+/, "")}`;
  return plain(named).endsWith(plain(path)) || plain(path).endsWith(plain(named));
}
