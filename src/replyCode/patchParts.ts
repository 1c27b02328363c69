/**
 * Parses diffs, and divides a block by the files of its diff. Formats: Git's diff-generate-patch
 * documentation, the apply_patch tool of OpenAI's cookbook ("*** Update File"), and edit blocks of Aider.
 */
import { lineAt } from "./lines";
import { namesIn } from "./namedBlocks";
import {
  endsPatch,
  isPatch,
  isSearchMarker,
  type Change,
  type Operation,
  type PatchSection,
} from "./patch";
import { isLeftOut, isStub } from "./placeholders";

export interface BlockPart {
  /** For a diff, the change that its headers name; an edit may also make a file without lines. */
  readonly kind: "edit" | "create" | "delete";
  readonly path: string | undefined;
  readonly to?: string;
  /** Changes of a diff; undefined for code. */
  readonly sections?: readonly PatchSection[];
  readonly lines: readonly string[];
}

const MIDDLE = /^={5,9}\s*$/;
/** Position below the first marker, as Roo Code has it, or the rule between position and text. */
const POSITION = /^:(?:start|end)_line:|^-{5,9}$/;

/** Line among changes that is none. */
const NOTE = /^(?:\\ No newline|\*\*\* (?:End Patch|End of File))/;

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

const TAGS = ["+", "-", " "] as const;

/** Returns the parts of a block, in order; a block without headers is a single part. */
export function partsOf(lines: readonly string[]): readonly BlockPart[] {
  return isPatch(lines) ? diffParts(lines) : [{ kind: "edit", path: undefined, lines }];
}

function diffParts(lines: readonly string[]): readonly BlockPart[] {
  const isSearch = lines.some(isSearchMarker);
  const starts = isSearch ? searchStarts(lines) : headerStarts(lines);
  const isChange = (line: string) => /^(?:@@|[-+])/.test(line) || isSearchMarker(line);
  const isInFront = lines.slice(0, starts[0]).some(isChange);
  const bounds = starts.length === 0 || isInFront ? [0, ...starts] : starts;
  const partOf = isSearch ? searchPart : diffPart;
  return bounds.map((start, at) => partOf(lines.slice(start, bounds[at + 1])));
}

/** Returns the changes of a diff: those of a file, or each of a SEARCH/REPLACE block. */
export function sectionsOf(lines: readonly string[]): readonly PatchSection[] {
  return lines.some(isSearchMarker)
    ? searchesIn(lines)
    : diffParts(lines).flatMap(({ sections = [] }) => sections);
}

/** Returns the lines that a diff keeps or adds. */
export function newLines(lines: readonly string[]): readonly string[] {
  const operations = sectionsOf(lines).flat(2);
  return operations.flatMap(({ tag, text }) => (tag === "-" ? [] : [text]));
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

function searchPart(lines: readonly string[]): BlockPart {
  const [name] = namesIn(lines.slice(0, lines.findIndex(isSearchMarker)));
  return { kind: "edit", path: name?.whole ?? name?.path, sections: searchesIn(lines), lines };
}

/** Returns the changes of SEARCH/REPLACE blocks; none if one of them has no end. */
function searchesIn(lines: readonly string[]): readonly PatchSection[] {
  const sections: PatchSection[] = [];
  let tag: "-" | "+" | undefined;
  let change: Operation[] = [];
  for (const line of lines) {
    if (tag === undefined) {
      if (!isSearchMarker(line)) continue;
      tag = "-";
      change = [];
    } else if (tag === "-" && MIDDLE.test(line)) tag = "+";
    else if (tag === "+" && endsPatch(line)) {
      sections.push([change]);
      tag = undefined;
    } else if (tag === "+" || change.length > 0 || !POSITION.test(line))
      change.push({ tag, text: line });
  }
  return tag === undefined ? sections : [];
}

function headerStarts(lines: readonly string[]): number[] {
  // A header of Git without "---" yet, to which the next "---" belongs.
  let isOpen = false;
  return lines.flatMap((line, at) => {
    const isPair = line.startsWith("--- ") && lineAt(lines, at + 1).startsWith("+++ ");
    const isGit = line.startsWith("diff --git ");
    const isStart =
      isGit || /^\*\*\* (?:Update|Add|Delete) File:/.test(line) || (isPair && !isOpen);
    if (isGit || isPair) isOpen = isGit;
    return isStart ? [at] : [];
  });
}

function diffPart(lines: readonly string[]): BlockPart {
  const hunk = lines.findIndex((_, at) => isHunk(lines, at));
  const body = hunk === -1 ? lines.length : hunk;
  const headers: Partial<Record<keyof typeof HEADERS, string>> = {};
  for (const line of lines.slice(0, body)) {
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
  // Without a header, the lines above the first tag are the file's.
  const changes = changesIn(lines.slice(Object.keys(headers).length === 0 ? 0 : body));
  return {
    kind: isNew ? "create" : isGone ? "delete" : "edit",
    path: from ?? update ?? add ?? remove ?? after ?? before ?? secondHalf(git),
    ...(to === undefined ? {} : { to }),
    sections: changes.length > 0 ? [changes] : [],
    lines,
  };
}

/** Returns true for the first line of changes, which is no header. */
function isHunk(lines: readonly string[], at: number): boolean {
  const [above, line, below] = [lineAt(lines, at - 1), lineAt(lines, at), lineAt(lines, at + 1)];
  const isHeader =
    (HEADERS.old.test(line) && HEADERS.new.test(below)) ||
    (HEADERS.new.test(line) && HEADERS.old.test(above));
  return /^(?:@@|[-+ ])/.test(line) && !isHeader;
}

/** Returns the path of "a/path b/path"; both are the same where other headers name none. */
function secondHalf(paths: string | undefined): string | undefined {
  return paths?.slice((paths.length + 1) / 2 + 2);
}

function changesIn(lines: readonly string[]): readonly Change[] {
  const changes: Change[] = [];
  let change: Operation[] = [];
  /** Length of the change up to its last line with a tag; text may follow. */
  let length = 0;
  const endChange = () => {
    if (change.some(({ tag }) => tag !== " ")) changes.push(change.slice(0, length));
    [change, length] = [[], 0];
  };
  for (const line of lines) {
    const tag = TAGS.find((one) => line.startsWith(one));
    const text = tag === undefined ? line : line.slice(1);
    const isGap = isLeftOut(text) && !isStub(text, change.at(-1)?.text);
    if (line.startsWith("@@") || isGap) endChange();
    else if (!NOTE.test(line)) {
      change.push({ tag: tag ?? " ", text });
      if (tag !== undefined) length = change.length;
    }
  }
  endChange();
  return changes;
}
