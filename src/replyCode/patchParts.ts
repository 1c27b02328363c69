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
  if (lines.some(isSearchMarker)) return searchParts(lines);
  const starts = headerStarts(lines);
  const isInFront = lines.slice(0, starts[0]).some((line) => /^(?:@@|[-+])/.test(line));
  const bounds = starts.length === 0 || isInFront ? [0, ...starts] : starts;
  return bounds.map((start, at) => diffPart(lines.slice(start, bounds[at + 1])));
}

/** Returns the changes of a diff: those of a file, or each of a SEARCH/REPLACE block. */
export function sectionsOf(lines: readonly string[]): readonly PatchSection[] {
  return diffParts(lines).flatMap(({ sections = [] }) => sections);
}

/** Returns the lines that a diff keeps or adds. */
export function newLines(lines: readonly string[]): readonly string[] {
  const operations = sectionsOf(lines).flat(2);
  return operations.flatMap(({ tag, text }) => (tag === "-" ? [] : [text]));
}

/** Returns SEARCH/REPLACE blocks, by the names between them; without changes if a block has no end. */
function searchParts(lines: readonly string[]): readonly BlockPart[] {
  const parts: (BlockPart & { lines: string[]; sections: PatchSection[] })[] = [];
  let tag: "-" | "+" | undefined;
  let change: Operation[] = [];
  for (const line of lines) {
    const [name, ...others] = tag === undefined ? namesIn([line]) : [];
    const isName = name !== undefined && others.length === 0;
    if (isName || (parts.length === 0 && isSearchMarker(line)))
      parts.push({ kind: "edit", path: name?.whole ?? name?.path, sections: [], lines: [] });
    parts.at(-1)?.lines.push(line);
    if (tag === undefined) {
      if (isSearchMarker(line)) [tag, change] = ["-", []];
    } else if (tag === "-" && MIDDLE.test(line)) tag = "+";
    else if (tag === "+" && endsPatch(line)) {
      parts.at(-1)?.sections.push([change]);
      tag = undefined;
    } else if (tag === "+" || change.length > 0 || !POSITION.test(line))
      change.push({ tag, text: line });
  }
  return tag === undefined ? parts : parts.map((part) => ({ ...part, sections: [] }));
}

/** Returns true for the first of two headers that name a file. */
function isPair(lines: readonly string[], at: number): boolean {
  return lineAt(lines, at).startsWith("--- ") && lineAt(lines, at + 1).startsWith("+++ ");
}

function headerStarts(lines: readonly string[]): number[] {
  // A header of Git without "---" yet, to which the next "---" belongs.
  let isOpen = false;
  return lines.flatMap((line, at) => {
    const isGit = line.startsWith("diff --git ");
    const isStart =
      isGit || /^\*\*\* (?:Update|Add|Delete) File:/.test(line) || (isPair(lines, at) && !isOpen);
    if (isGit || isPair(lines, at)) isOpen = isGit;
    return isStart ? [at] : [];
  });
}

function diffPart(lines: readonly string[]): BlockPart {
  const isHeader = (at: number) => isPair(lines, at) || isPair(lines, at - 1);
  const hunk = lines.findIndex((line, at) => /^(?:@@|[-+ ])/.test(line) && !isHeader(at));
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
  // "a/path b/path" has the same path twice where other headers name none.
  const half = git?.slice((git.length + 1) / 2 + 2);
  // Without a header, the lines above the first tag are the file's.
  const changes = changesIn(lines.slice(Object.keys(headers).length === 0 ? 0 : body));
  return {
    kind: isNew ? "create" : isGone ? "delete" : "edit",
    path: from ?? update ?? add ?? remove ?? after ?? before ?? half,
    ...(to === undefined ? {} : { to }),
    sections: changes.length > 0 ? [changes] : [],
    lines,
  };
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
