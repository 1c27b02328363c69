/**
 * Describes the changes of a repository as text within a budget: the staged changes, or else all.
 * Asks no question about single files: of files that may hold secrets, are links or are outside the
 * workspace, only the names are included.
 */
import type * as vscode from "vscode";
import { systemClock } from "../../base/clock";
import { TimeSlice } from "../../base/timeSlice";
import { boundedDiff } from "../../context/diffExcerpt";
import { excerptOf } from "../../context/excerpt";
import { listedPaths } from "../../context/folderList";
import { guardedDiff, isCopyOf, type GuardedDiff } from "../../secrets/guardedDiff";
import { mayHoldSecrets } from "../../secrets/secretNames";
import { locate } from "../access/location";
import { readChecked, readText } from "../access/readAccess";
import { UNTRACKED, type GitChange, type GitRepository } from "../access/git";
import { uniqueUris } from "../platform/files";
import { escapedPath, sourceOf } from "../platform/sourceText";

/** Upper limit of a diff, in estimated tokens. */
const MAX_DIFF_TOKENS = 6_000;

/** Upper limits: number of new files with text, and estimated tokens of the text of a file. */
const MAX_NEW_FILES = 10;
const MAX_NEW_FILE_TOKENS = 400;

/** Upper limit of files whose changes against a branch are read; further files are named. */
const MAX_DIFFED = 150;

/** Upper limit of new files that are read to find some that are text. */
const MAX_READ = 40;

/** Upper limit of the names of all other new files, in estimated tokens. */
const MAX_NAME_TOKENS = 1_000;

export interface RepositoryChanges {
  readonly diff: string;
  readonly newFiles: string;
  readonly isStaged: boolean;
  /** Changed files of which only the name is included, relative to the repository. */
  readonly leftOut: readonly string[];
}

/** Returns the staged changes, or all where nothing is staged; undefined when there are none. */
export async function changesOf(repository: GitRepository): Promise<RepositoryChanges | undefined> {
  const { indexChanges, workingTreeChanges, untrackedChanges = [] } = repository.state;
  if (indexChanges.length > 0) {
    const { text, leftOut } = await guarded(repository, await repository.diff(true), indexChanges);
    const diff = boundedDiff(text, MAX_DIFF_TOKENS);
    return { diff, newFiles: "", isStaged: true, leftOut };
  }
  const changed = [...workingTreeChanges, ...untrackedChanges];
  const untracked = changed.filter(({ status }) => status === UNTRACKED);
  const tracked = await guarded(repository, await repository.diff(false), changed);
  const diff = boundedDiff(tracked.text, MAX_DIFF_TOKENS);
  if (diff.trim() === "" && untracked.length === 0) return undefined;
  const { text, leftOut } = await newFilesText(repository, untracked, tracked);
  return { diff, newFiles: text, isStaged: false, leftOut: [...tracked.leftOut, ...leftOut] };
}

/** Returns the changes of some files, staged or not; empty for files of other repositories. */
export async function changesIn(
  repository: GitRepository,
  uris: readonly vscode.Uri[],
): Promise<Pick<RepositoryChanges, "diff" | "leftOut">> {
  const { indexChanges, workingTreeChanges, untrackedChanges = [] } = repository.state;
  const wantedUris = new Set(uris.map(String));
  const changed = [...indexChanges, ...workingTreeChanges, ...untrackedChanges];
  const changeByUri = new Map(changed.map((change) => [change.uri.toString(), change]));
  const chosen = [...changeByUri].flatMap(([uri, change]) => (wantedUris.has(uri) ? [change] : []));
  const untracked = chosen.filter(({ status }) => status === UNTRACKED);
  const tracked = chosen.filter((change) => !untracked.includes(change));
  const diffs: string[] = [];
  for (const { uri } of tracked) diffs.push(await repository.diffWithHEAD(uri.fsPath));
  // The diff of a file that was not chosen shows which text is of a secret file.
  const deleted = changed.filter((change) => mayBeSecret(repository, change));
  const gone = await Promise.all(deleted.map(({ uri }) => repository.diffWithHEAD(uri.fsPath)));
  const { secretLines } = await guarded(repository, gone.join("\n"), deleted);
  const chosenDiff = await guarded(repository, diffs.join("\n"), tracked, secretLines);
  const { text, leftOut } = await newFilesText(repository, untracked, chosenDiff);
  const diff = boundedDiff(chosenDiff.text, MAX_DIFF_TOKENS);
  return {
    diff: [text, diff].filter(Boolean).join("\n"),
    leftOut: [...chosenDiff.leftOut, ...leftOut],
  };
}

/** Returns a diff of the repository without the changes that must not be sent. */
async function guarded(
  repository: GitRepository,
  diff: string,
  changes: readonly GitChange[],
  knownLines?: ReadonlySet<string>,
): Promise<GuardedDiff> {
  const pathOf = pathsBelow(repository);
  const files = changes.map((change) => urisOf(change).map(pathOf));
  const texts = new Map<string, string>();
  const excluded = new Set<string>();
  for (const uri of changes.flatMap(urisOf))
    if ((await locate(uri)).exclusion !== undefined) excluded.add(pathOf(uri));
  // The texts are compared here and sent nowhere.
  for (const { uri } of changes.slice(0, MAX_DIFFED)) {
    const checked = await readChecked(uri);
    if (typeof checked !== "string" && checked.concern.secret !== undefined) {
      texts.set(pathOf(uri), sourceOf(checked.source).lines.join("\n"));
    }
  }
  const root = repository.rootUri.path;
  const slice = new TimeSlice(systemClock, new AbortController().signal);
  const context = { root, texts, excluded, ...(knownLines && { knownLines }) };
  return guardedDiff(diff, files, slice, context);
}

/** Returns the path of a changed file now, and its path before a rename. */
function urisOf({ uri, originalUri, renameUri }: GitChange): vscode.Uri[] {
  return uniqueUris([uri, originalUri, renameUri].filter((one) => one !== undefined));
}

function mayBeSecret(repository: GitRepository, change: GitChange): boolean {
  const pathOf = pathsBelow(repository);
  return urisOf(change).some((uri) => mayHoldSecrets(uri.path) || mayHoldSecrets(pathOf(uri)));
}

/** Returns the first new files with the start of their text, and the names of the others. */
async function newFilesText(
  repository: GitRepository,
  untracked: readonly GitChange[],
  { secretLines }: GuardedDiff,
): Promise<{ text: string; leftOut: string[] }> {
  const pathOf = pathsBelow(repository);
  const texts: string[] = [];
  const leftOut: string[] = [];
  const names: string[] = [];
  let filesRead = 0;
  for (const change of untracked) {
    const path = escapedPath(pathOf(change.uri));
    if (mayHoldSecrets(path)) leftOut.push(path);
    if (texts.length >= MAX_NEW_FILES || filesRead >= MAX_READ || mayHoldSecrets(path)) {
      names.push(path);
      continue;
    }
    filesRead++;
    const access = await readText(change.uri, "unasked");
    const lines = access.kind === "text" ? sourceOf(access.source).lines : [];
    // A secret file that was renamed or copied.
    const isCopy = isCopyOf(lines, secretLines);
    if (access.kind === "left-out" || isCopy) leftOut.push(path);
    if (access.kind !== "text" || isCopy) {
      names.push(path);
      continue;
    }
    const { source } = access;
    const span = { startLine: 1, endLine: source.lineCount };
    const { part } = excerptOf(sourceOf(source), span, MAX_NEW_FILE_TOKENS);
    texts.push(`${path}:\n${part.text}\n`);
  }
  const shownNames = names.length === 0 ? "" : listedPaths(names, MAX_NAME_TOKENS);
  return { text: [...texts, shownNames].filter(Boolean).join("\n"), leftOut };
}

/** Returns paths relative to the repository: its path on this machine is not sent. */
function pathsBelow({ rootUri }: GitRepository): (uri: vscode.Uri) => string {
  const start = `${rootUri.path.replace(/\/$/, "")}/`;
  return ({ path }) =>
    path.startsWith(start) ? path.slice(start.length) : path.slice(path.lastIndexOf("/") + 1);
}
