/**
 * Divides a block by the files of its diff. Formats: Git's diff-generate-patch documentation, the
 * apply_patch tool of OpenAI's cookbook ("*** Update File"), and edit blocks of Aider.
 */
import { namesIn, type NamedBlock } from "./namedBlocks";
import { endsPatch, findPatch, isSearchMarker } from "./patch";

export interface BlockPart {
  /** For a diff, the change that its headers name; an edit may also make a file without lines. */
  readonly kind: "edit" | "create" | "delete";
  readonly isPatch: boolean;
  readonly path: string | undefined;
  readonly to?: string;
  readonly lines: readonly string[];
  readonly shown: readonly string[];
}

/** Returns the parts of a block, in order; a block without headers is a single part. */
export function partsOf({ lines }: NamedBlock): readonly BlockPart[] {
  if (findPatch(lines) === undefined) {
    return [{ kind: "edit", isPatch: false, path: undefined, lines, shown: lines }];
  }
  const starts = lines.some(isSearchMarker) ? searchStarts(lines) : headerStarts(lines);
  const [first = 0] = starts;
  const bounds = lines
    .slice(0, first)
    .some((line) => /^(?:@@|[-+])/.test(line) || isSearchMarker(line))
    ? [0, ...starts]
    : starts;
  if (bounds.length === 0) bounds.push(0);
  return bounds.map((start, at) => partOf(lines.slice(start, bounds[at + 1])));
}

/** Returns the lines with a name between edit blocks. */
function searchStarts(lines: readonly string[]): number[] {
  let isInside = false;
  return lines.flatMap((line, at) => {
    if (isSearchMarker(line)) isInside = true;
    const isName = !isInside && namesIn([line]).length === 1;
    if (endsPatch(line)) isInside = false;
    return isName ? [at] : [];
  });
}

function headerStarts(lines: readonly string[]): number[] {
  // A header of Git without "---" yet, to which the next "---" belongs.
  let isOpen = false;
  return lines.flatMap((line, at) => {
    const isPair = line.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ") === true;
    const isGit = line.startsWith("diff --git ");
    const isStart =
      isGit || /^\*\*\* (?:Update|Add|Delete) File:/.test(line) || (isPair && !isOpen);
    if (isGit || isPair) isOpen = isGit;
    return isStart ? [at] : [];
  });
}

const HEADERS = {
  git: /^diff --git (a\/.+)$/,
  old: /^--- ([^\t]+)/,
  new: /^\+\+\+ ([^\t]+)/,
  from: /^rename from (.+)$/,
  to: /^(?:rename to |\*\*\* Move to: ?)(.+)$/,
  update: /^\*\*\* Update File: ?(.+)$/,
  add: /^\*\*\* Add File: ?(.+)$/,
  remove: /^\*\*\* Delete File: ?(.+)$/,
  isNew: /^(new) file mode/,
  isDeleted: /^(deleted) file mode/,
} as const;

/** Name that diffs have in place of a file that does not exist. */
const NO_FILE = "/dev/null";

function partOf(shown: readonly string[]): BlockPart {
  const search = shown.findIndex(isSearchMarker);
  if (search !== -1) {
    const [name] = namesIn(shown.slice(0, search));
    const path = name?.whole ?? name?.path;
    return { kind: "edit", isPatch: true, path, lines: shown.slice(search), shown };
  }
  const hunk = shown.findIndex((_, at) => isHunk(shown, at));
  const body = hunk === -1 ? shown.length : hunk;
  const headers: Partial<Record<keyof typeof HEADERS, string>> = {};
  for (const line of shown.slice(0, body)) {
    for (const [name, pattern] of Object.entries(HEADERS)) {
      const value = pattern.exec(line)?.[1]?.trim();
      if (value !== undefined) headers[name as keyof typeof HEADERS] ??= value;
    }
  }
  const { old, new: later, from, to, update, add, remove, git } = headers;
  const isGit = old?.startsWith("a/") === true || later?.startsWith("b/") === true;
  const [before, after] = [old, later].map((path) => {
    if (path === NO_FILE) return undefined;
    return isGit ? path?.replace(/^[ab]\//, "") : path;
  });
  const isNew = add !== undefined || headers.isNew !== undefined || old === NO_FILE;
  const isGone = remove !== undefined || headers.isDeleted !== undefined || later === NO_FILE;
  const end = shown.findIndex((line) => line.startsWith("*** End Patch"));
  return {
    kind: isNew ? "create" : isGone ? "delete" : "edit",
    isPatch: true,
    path: from ?? update ?? add ?? remove ?? after ?? before ?? secondHalf(git),
    ...(to === undefined ? {} : { to }),
    lines: shown.slice(body, end === -1 ? undefined : end),
    shown,
  };
}

/** Returns true for the first line of changes, which is no header. */
function isHunk(lines: readonly string[], at: number): boolean {
  const [above = "", line = "", below = ""] = [lines[at - 1], lines[at], lines[at + 1]];
  const isHeader =
    (HEADERS.old.test(line) && HEADERS.new.test(below)) ||
    (HEADERS.new.test(line) && HEADERS.old.test(above));
  return /^(?:@@|[-+ ])/.test(line) && !isHeader;
}

/** Returns the path of "a/path b/path"; both are the same where other headers name none. */
function secondHalf(paths: string | undefined): string | undefined {
  return paths?.slice((paths.length + 1) / 2 + 2);
}
