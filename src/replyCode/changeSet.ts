/**
 * Turns a reply into the changes of files that it makes, and the parts of blocks that make none,
 * each with the reason. Reads files by a function and writes nothing.
 */
import type { TimeSlice } from "../base/timeSlice";
import { CandidateReader } from "./candidates";
import { withoutPath, type FileName } from "./filePath";
import { findTargets } from "./findTarget";
import { unitOf } from "./indentation";
import type { LineRange } from "./furtherBlocks";
import { hunksBetween, type Hunk } from "./hunks";
import { isImport, splitImports, withImports } from "./imports";
import { declarationOf } from "./items";
import { labelKind, languageOfName } from "./labels";
import { indentOf, isBlank, withoutBlankEnds } from "./lines";
import { namedBlocks, type NamedBlock } from "./namedBlocks";
import { applyPatch, isPatch, type PatchSection } from "./patch";
import { partsOf, sectionsOf, type BlockPart } from "./patchParts";
import { newPlaceholder } from "./placeholders";

export interface NamedFile {
  readonly path: string;
  readonly lines?: readonly string[] | undefined;
  readonly hasFolder?: boolean;
}

/** Returns the file of a name; the reason if there is none that may be changed. */
export type FindFile = (name: string) => Promise<NamedFile | UnusedReason>;

/** Change of a file; its lines are those after the change. */
export interface FileChange {
  readonly kind: "edit" | "create" | "delete" | "move";
  readonly path: string;
  readonly from?: string;
  readonly lines: readonly string[];
  /**
   * Number of lines that go because a block lacks them, if no other file of the reply gets them. Such
   * a block can also be a quotation, so the user is asked.
   */
  readonly lacking?: number;
}

export type UnusedReason =
  /** The block names no file, or several, or one of which the workspace has several. */
  | "no-file"
  | "several-files"
  | "several-matches"
  /** The file cannot be changed. */
  | "outside"
  | "unreadable"
  | "misread"
  | "not-found"
  | "exists"
  /** The code cannot be used. */
  | "other-language"
  | "cut-off"
  | "left-out"
  | "diff"
  | "several-positions"
  | "unclear"
  | "same";

/** Block, or the part of a block for a single file, that changes nothing. */
export interface UnusedPart {
  readonly lines: readonly string[];
  readonly info: string;
  readonly path: string | undefined;
  readonly why: UnusedReason;
}

export interface ChangeSet {
  readonly changes: readonly FileChange[];
  readonly unused: readonly UnusedPart[];
  readonly usedParts: number;
}

/** Minimum share of a file's lines that a block must have to replace the whole file. */
const WHOLE_FILE_SHARE = 0.5;

interface FileState {
  readonly path: string;
  readonly original: readonly string[] | undefined;
  lines: readonly string[] | undefined;
  from?: string | undefined;
  /** True for the earlier path of a file that was moved. */
  isMoved?: boolean;
  lacking?: number;
}

/** Lines after a change; `isPlaced` if an existing file has their position exactly once. */
interface Applied {
  readonly lines: readonly string[] | undefined;
  readonly isPlaced: boolean;
  readonly lacking?: number;
}

/**
 * Returns the changes of a whole reply. Every part of a block is used or listed once. Pauses between
 * parts, because finding the position of one in a long file takes long.
 * @param only text of the only block to use; all blocks if undefined
 */
export async function changeSetOf(
  reply: string,
  findFile: FindFile,
  slice: TimeSlice,
  only?: string,
): Promise<ChangeSet> {
  const files = new Files(findFile);
  const unused: UnusedPart[] = [];
  /** Parts that have only lines of their file, in one piece and most of them. */
  const shorter: UnusedPart[] = [];
  let usedParts = 0;
  let before: string | undefined;
  for (const block of namedBlocks(reply)) {
    if (only !== undefined && block.lines.join("\n").trim() !== only.trim()) continue;
    for (const part of partsOf(block.lines)) {
      await slice.pause();
      const { path, why } = await files.use(part, block, before);
      if (why === undefined || why === "same" || why === "shorter") before = path;
      if (why === undefined) usedParts++;
      else if (why !== "shorter") {
        unused.push({ lines: part.lines, info: block.info, path, why });
      } else shorter.push({ lines: part.lines, info: block.info, path, why: "same" });
    }
  }
  for (const part of shorter) {
    const isOnly = shorter.filter(({ path }) => path === part.path).length === 1;
    if (isOnly && files.shorten(part)) usedParts++;
    else unused.push(part);
  }
  return { changes: files.changes, unused, usedParts };
}

/**
 * File that a part belongs to, and the reason why the part changes nothing; "shorter" until all other
 * parts of the reply are used.
 */
interface UsedPart {
  readonly path: string | undefined;
  readonly why?: UnusedReason | "shorter";
}

class Files {
  private readonly states = new Map<string, FileState>();
  private readonly names = new Map<string, NamedFile | UnusedReason>();

  constructor(private readonly findFile: FindFile) {}

  get changes(): readonly FileChange[] {
    const all = [...this.states.values()];
    return all.flatMap<FileChange>(({ path, original, lines, from, isMoved, lacking = 0 }) => {
      if (lines === undefined) {
        return original === undefined || isMoved ? [] : [{ kind: "delete", path, lines: [] }];
      }
      if (from !== undefined) return [{ kind: "move", path, from, lines }];
      if (original === undefined) return [{ kind: "create", path, lines }];
      return isSame(original, lines) ? [] : [{ kind: "edit", path, lines, lacking }];
    });
  }

  /**
   * Removes the lines that a part lacks, from a file that the reply does not change otherwise.
   * @returns false if nothing was removed
   */
  shorten({ lines: block, path = "" }: UnusedPart): boolean {
    const state = this.states.get(path);
    if (state?.lines === undefined || state.lines !== state.original) return false;
    const lacking = lackingLines(block, path, state.lines) ?? [];
    const added = new Set(
      this.changes.flatMap(({ path: other, lines }) => {
        const before = new Set(this.states.get(other)?.original);
        return lines.filter((line) => !before.has(line)).map((line) => line.trim());
      }),
    );
    state.lines = [...ownLines(block, path, state.lines), ""];
    state.lacking = lacking.filter((line) => !added.has(line.trim())).length;
    return true;
  }

  /** Applies a part to its file; returns the file, or the reason why nothing was changed. */
  async use(part: BlockPart, block: NamedBlock, before: string | undefined): Promise<UsedPart> {
    const { ownName, namesAbove, isBelowHeading } = block;
    const stated = part.path ?? (ownName && (await this.meantBy(ownName, part, block)));
    if (!block.isClosed) return { path: stated, why: "cut-off" };
    if (stated !== undefined) return this.useFor(part, block, stated);
    const files: FileName[] = [];
    for (const name of namesAbove) {
      const path = await this.meantBy(name, part, block);
      if (path !== undefined) files.push({ ...name, path });
    }
    if (files.length === 0) {
      // A block without a name may go on with the file of the block before.
      const applied =
        before === undefined || isBelowHeading || (await this.appliedTo(before, part, block));
      const isContinued = applied === "same" || applied === "shorter" || isPlaced(applied);
      return isContinued && before !== undefined
        ? this.useFor(part, block, before)
        : { path: undefined, why: "no-file" };
    }
    let likely = files;
    if (files.length > 1) {
      const placed: FileName[] = [];
      for (const name of files) {
        if (isPlaced(await this.appliedTo(name.path, part, block))) placed.push(name);
      }
      likely = placed.length > 0 ? placed : files.filter(({ isTitle }) => isTitle);
    }
    return likely.length === 1 && likely[0] !== undefined
      ? this.useFor(part, block, likely[0].path, true)
      : { path: undefined, why: "several-files" };
  }

  /** Returns the path that a name means; undefined for none, or if that is not certain. */
  private async meantBy(
    { path, isPath, whole }: FileName,
    part: BlockPart,
    block: NamedBlock,
  ): Promise<string | undefined> {
    if (whole !== undefined && (await this.exists(whole))) return whole;
    if (!(await this.exists(path))) {
      const file = this.names.get(path);
      const isCertain = whole === undefined || (typeof file === "object" && file.hasFolder);
      return isPath && isCertain === true ? path : undefined;
    }
    if (whole === undefined) return path;
    // "Update src/a.ts" and "my src/a.ts" differ only in their words: the code must have its place.
    const isExact = this.states.has(path);
    return isExact && isPlaced(await this.appliedTo(path, part, block)) ? path : undefined;
  }

  private async exists(name: string): Promise<boolean> {
    const state = await this.stateOf(name);
    return typeof state === "object" && state.lines !== undefined;
  }

  private async useFor(
    part: BlockPart,
    block: NamedBlock,
    name: string,
    isAbove = false,
  ): Promise<UsedPart> {
    const state = await this.stateOf(name);
    if (typeof state === "string") return { path: name, why: state };
    const { path } = state;
    if (isAbove && !isFor(path, block, part)) return { path, why: "other-language" };
    if (state.isMoved === true) return { path, why: "not-found" };
    if (part.to !== undefined) return this.move(state, part, part.to);
    const applied = apply(part, state);
    if (typeof applied === "string") return { path, why: applied };
    state.lines = applied.lines;
    if (applied.lacking !== undefined) state.lacking = applied.lacking;
    return { path };
  }

  private async move(state: FileState, part: BlockPart, to: string): Promise<UsedPart> {
    const { path } = state;
    const target = await this.stateOf(to);
    if (typeof target === "string") return { path: to, why: target };
    if (target.lines !== undefined) return { path: to, why: "exists" };
    const applied = part.sections?.length === 0 ? state : apply(part, state);
    if (typeof applied === "string") return { path, why: applied };
    if (applied.lines === undefined) return { path, why: "not-found" };
    target.lines = applied.lines;
    // A file that the same reply made is only made at its new path.
    target.from = state.from ?? (state.original === undefined ? undefined : path);
    state.from = undefined;
    state.lines = undefined;
    state.isMoved = true;
    return { path: target.path };
  }

  private async appliedTo(name: string, part: BlockPart, block: NamedBlock) {
    const state = await this.stateOf(name);
    if (typeof state === "string") return state;
    return isFor(state.path, block, part) ? apply(part, state) : "other-language";
  }

  private async stateOf(name: string): Promise<FileState | UnusedReason> {
    const file = this.names.get(name) ?? (await this.findFile(name));
    this.names.set(name, file);
    if (typeof file === "string") return file;
    const { path, lines } = file;
    const state = this.states.get(path) ?? { path, original: lines, lines };
    this.states.set(path, state);
    return state;
  }
}

/** Returns true if the label of a block, which only the text above names, fits the file. */
function isFor(path: string, { info }: NamedBlock, { sections }: BlockPart): boolean {
  const label = /^[\w+#-]*/.exec(info)?.[0] ?? "";
  const language = languageOfName(path);
  const kind = labelKind(label, language);
  if (sections || kind === "own" || kind === "near") return true;
  if (labelKind(label, "typescript") === "side") {
    return language === "plaintext" && labelKind(label, "shellscript") !== "own";
  }
  return kind !== "foreign";
}

/**
 * Returns a file's lines after a block that may be for it; the reason if the block has no position
 * of its own there.
 */
export function linesAfterBlock(
  lines: readonly string[],
  path: string,
  file: readonly string[],
): readonly string[] | UnusedReason {
  const sections = isPatch(lines) ? sectionsOf(lines) : undefined;
  const part = { kind: "edit", path, lines, ...(sections && { sections }) } as const;
  const applied = apply(part, { path, original: file, lines: file });
  if (applied === "shorter") return [...ownLines(lines, path, file), ""];
  if (typeof applied === "string") return applied;
  return isPlaced(applied) && applied.lines !== undefined ? applied.lines : "unclear";
}

function isPlaced(applied: Applied | UnusedReason | "shorter" | true): boolean {
  return typeof applied === "object" && applied.isPlaced;
}

function apply(part: BlockPart, { path, lines }: FileState): Applied | UnusedReason | "shorter" {
  const { kind, sections } = part;
  const applied = sections
    ? applyDiff(kind, sections, path, lines)
    : applyBlock(part.lines, path, lines);
  if (typeof applied === "string" || applied.lines === undefined) return applied;
  if (newPlaceholder(applied.lines, lines) !== undefined) return "left-out";
  if (lines === undefined || !isSame(lines, applied.lines)) return applied;
  return !sections && lackingLines(part.lines, path, lines) ? "shorter" : "same";
}

function applyDiff(
  kind: BlockPart["kind"],
  sections: readonly PatchSection[],
  path: string,
  lines: readonly string[] | undefined,
): Applied | UnusedReason {
  if (lines === undefined) {
    // Lines of a new file are only added.
    const isNew = sections.flat(2).every(({ tag, text }) => tag === "+" || isBlank(text));
    const added = isNew && kind !== "delete" ? applyPatch(sections, [""])?.lines : undefined;
    if (added === undefined) return "not-found";
    return { lines: [...withoutBlankEnds(added), ""], isPlaced: false };
  }
  if (kind === "create" && !lines.every(isBlank)) return "exists";
  if (kind === "delete" && sections.length === 0) return { lines: undefined, isPlaced: true };
  const reader = readerOf(path, lines);
  const patched = reader.patched(sections);
  if (patched === undefined || patched.isPartial) return "diff";
  if (kind !== "delete" && reader.reasonsAgainst(patched).length > 0) return "unclear";
  if (kind !== "delete") return { lines: patched.lines, isPlaced: true };
  return patched.lines.every(isBlank) ? { lines: undefined, isPlaced: true } : "diff";
}

function applyBlock(
  block: readonly string[],
  path: string,
  existing: readonly string[] | undefined,
): Applied | UnusedReason {
  const file = existing ?? [];
  const blockLines = ownLines(block, path, file);
  const whole = { lines: [...blockLines, ""], isPlaced: false };
  if (file.every(isBlank)) return newPlaceholder(blockLines) === undefined ? whole : "left-out";
  const differences = wholeFileDifferences(blockLines, file);
  const isOmitting = newPlaceholder(blockLines, file) !== undefined;
  const reader = readerOf(path, file);
  if (differences?.isWhole && !isOmitting) {
    const reasons = reader.reasonsAgainst(reader.literal(blockLines));
    const lacking = reasons.length > 0 ? differences.gone.length : 0;
    return { ...whole, isPlaced: true, lacking };
  }
  const { imports, rest } = splitImports(blockLines);
  const isSplit = imports.length > 0 && rest.length > 0;
  const code = isSplit ? rest : blockLines;
  const targets = findTargets(file, code, styleOf(file));
  const range = isOmitting || reader.lines.isCopy(code) ? undefined : declarationOf(file, code);
  const declared = range && readerOf(path, file, range).fileAfter(code);
  const changed = typeof declared === "object" ? declared : reader.fileAfter(code);
  if (typeof changed !== "string") {
    const lines = isSplit ? withImports(changed, imports) : changed;
    if (lines === undefined) return "unclear";
    const hasEnd = file.at(-1) !== "" || lines.at(-1) === "";
    return { lines: hasEnd ? lines : [...lines, ""], isPlaced: true };
  }
  if (changed !== "doubtful" && changed !== "no-code") return changed;
  if (targets.length > 1) return "several-positions";
  if (isOmitting) return "left-out";
  const isWhole = targets.length === 0 && differences !== undefined;
  return isWhole ? { ...whole, lacking: differences.gone.length } : "unclear";
}

/** Returns the lines of a block without a path in the first one. */
function ownLines(block: readonly string[], path: string, file: readonly string[]) {
  return withoutBlankEnds(withoutPath(withoutBlankEnds(block), file, path));
}

function filledLines(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.trimEnd()).filter((line) => line !== "");
}

/**
 * Returns what a block that may be a whole file changes in it: the lines that go, and if both ends are
 * the file's or a single other line. Undefined for a block at another depth or with less than half of
 * the lines.
 */
function wholeFileDifferences(block: readonly string[], file: readonly string[]) {
  const [code, all] = [filledLines(block), filledLines(file)];
  const hunks = hunksBetween(all, code);
  const gone = hunks.flatMap(({ originalLines }) => originalLines);
  if (indentOf(code) !== indentOf(all) || gone.length > all.length * (1 - WHOLE_FILE_SHARE))
    return undefined;
  const isEnd = ({ originalStart, originalLines }: Hunk) =>
    originalStart === 0 || originalStart + originalLines.length === all.length;
  const isRewritten = ({ originalLines: [line, ...others], proposedLines: [first] }: Hunk) =>
    line === undefined ||
    (others.length === 0 && first !== undefined && isImport(line) === isImport(first));
  const ends = hunks.filter(isEnd);
  return {
    gone,
    isWhole: ends.every(isRewritten),
    isShorter:
      hunks.length > 0 && hunks.every((hunk) => isEnd(hunk) && hunk.proposedLines.length === 0),
  };
}

/** Returns the lines that a block lacks which can be a whole file and only lacks lines of it. */
function lackingLines(block: readonly string[], path: string, file: readonly string[]) {
  const code = ownLines(block, path, file);
  const differences = wholeFileDifferences(code, file);
  const reader = readerOf(path, file);
  const reasons = reader.reasonsAgainst(reader.literal(code));
  const isClosed = !reasons.some(({ kind }) => kind === "structure");
  return differences?.isShorter && isClosed ? differences.gone : undefined;
}

/** @param range the declaration that a block replaces; undefined for lines anywhere in the file */
function readerOf(path: string, file: readonly string[], range?: LineRange): CandidateReader {
  const { startLine = 0, endLine = file.length } = range ?? {};
  const target = file.slice(startLine, endLine);
  return new CandidateReader({
    before: file.slice(0, startLine),
    target,
    after: file.slice(endLine),
    isWider: range === undefined,
    path,
    languageId: languageOfName(path) || "plaintext",
    style: { ...styleOf(file), base: indentOf(target) },
  });
}

function styleOf(lines: readonly string[]) {
  const usesTabs = lines.some((line) => line.startsWith("\t"));
  return { base: "", usesTabs, size: unitOf(lines) ?? 4 };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.join("\n") === other.join("\n");
}
