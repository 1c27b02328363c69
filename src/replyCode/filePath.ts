/** Finds the path of a file in the first line of a code block, as models write it. */
import { findMentions } from "../markdown/fileMentions";
import { isFileName } from "./labels";

/**
 * A comment that holds only a path, as the first line of a block; after "filepath:" with blanks. The
 * header of a diff is no comment.
 */
const PATH_COMMENT =
  /^(?!--- )(?:\/\/|#|--|;|%|\/\*|<!--|\(\*)[ \t=~-]{0,9}(?:(?:file|filename|filepath|path)[ \t]?:[ \t]{0,4}([^*>]{1,300}?)|([^\s*>]{1,300}?))[ \t=~-]{0,9}(?:\*\/|-->|\*\))?$/i;

/** Returns the path of a first line that is only a comment with a path. */
export function pathInComment(line = ""): string | undefined {
  const [, labelled, path = labelled] = PATH_COMMENT.exec(line.trim()) ?? [];
  if (path === undefined || !namesFile(path)) return undefined;
  return labelled ?? (isMention(path) || isFileName(path) ? path : undefined);
}

/** Returns true for a text that is a path as a whole, relative to a folder. */
export function isMention(text: string): boolean {
  return findMentions(text)[0]?.text === text;
}

/** Returns true if the last name of a path has an ending or is known, as Makefile. */
export function namesFile(path: string): boolean {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  return /[^.\s]\.\p{L}[\p{L}\p{N}_-]{0,15}(?::\d+)*$|^\.\p{L}/u.test(name) || isFileName(name);
}

/**
 * Removes a first line that is only a comment with the path of the block's file.
 * @param existing lines of the file; such a line of the file itself stays
 * @param path path of the file; undefined if the reply names the file and so any path is its own
 */
export function withoutPath(
  block: readonly string[],
  existing: readonly string[],
  path?: string,
): readonly string[] {
  const first = block.findIndex((line) => line.trim() !== "");
  const line = block[first]?.trim();
  const named = path === undefined ? pathInComment(line) : commentedWord(line);
  if (named === undefined || existing.some((one) => one.trim() === line)) return block;
  if (path !== undefined && !isSameFile(named, path)) return block;
  const rest = block.slice(first + 1);
  return rest[0]?.trim() === "" ? rest.slice(1) : rest;
}

function commentedWord(line = ""): string | undefined {
  const [, labelled, path = labelled] = PATH_COMMENT.exec(line.trim()) ?? [];
  return path;
}

/** Returns true if the shorter path is the end of the longer one. */
function isSameFile(named: string, path: string): boolean {
  const [one, other] = [named, path].map(
    (each) => `/${each.replaceAll("\\", "/").replace(/^(?:\.?\/)+/, "")}`,
  );
  return one !== undefined && other !== undefined && (one.endsWith(other) || other.endsWith(one));
}
