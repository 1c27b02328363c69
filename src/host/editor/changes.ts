/**
 * What has changed in a repository, as text within a budget: what is staged, or else everything.
 */
import type * as vscode from "vscode";
import { boundedDiff } from "../../context/diffExcerpt";
import { excerptOf } from "../../context/excerpt";
import { readTextFile } from "./textFiles";
import { UNTRACKED, type GitRepository } from "./git";
import { pathOf, sourceOf } from "./sourceText";

/** What goes with a question about changes, in estimated tokens. */
const MAX_DIFF_TOKENS = 6_000;

/** New files that are shown with their start, and what one may cost. */
const MAX_NEW_FILES = 10;
const MAX_NEW_FILE_TOKENS = 400;

/** The changes of a repository. */
export interface RepositoryChanges {
  readonly diff: string;
  readonly newFiles: string;
  readonly isStaged: boolean;
}

/** The staged changes, or all where nothing is staged; undefined when there are none. */
export async function changesOf(repository: GitRepository): Promise<RepositoryChanges | undefined> {
  const { indexChanges, workingTreeChanges, untrackedChanges = [] } = repository.state;
  if (indexChanges.length > 0) {
    const diff = boundedDiff(await repository.diff(true), MAX_DIFF_TOKENS).text;
    return { diff, newFiles: "", isStaged: true };
  }
  const untracked = [...workingTreeChanges, ...untrackedChanges].filter(
    ({ status }) => status === UNTRACKED,
  );
  const diff = boundedDiff(await repository.diff(false), MAX_DIFF_TOKENS).text;
  if (diff.trim() === "" && untracked.length === 0) return undefined;
  const newFiles = await Promise.all(untracked.map(({ uri }, at) => newFileText(uri, at)));
  return { diff, newFiles: newFiles.join("\n"), isStaged: false };
}

/** The changes of some files, staged or not; empty where this repository knows none of them. */
export async function changesIn(
  repository: GitRepository,
  uris: readonly vscode.Uri[],
): Promise<string> {
  const { indexChanges, workingTreeChanges, untrackedChanges = [] } = repository.state;
  const wanted = new Set(uris.map(String));
  const changed = [...indexChanges, ...workingTreeChanges, ...untrackedChanges];
  const known = new Map(changed.map((change) => [change.uri.toString(), change]));
  const chosen = [...known].flatMap(([uri, change]) => (wanted.has(uri) ? [change] : []));
  const texts = await Promise.all(
    chosen.map(({ uri, status }, at) =>
      status === UNTRACKED ? newFileText(uri, at) : repository.diffWithHEAD(uri.fsPath),
    ),
  );
  return boundedDiff(texts.join("\n"), MAX_DIFF_TOKENS).text;
}

async function newFileText(uri: vscode.Uri, position: number): Promise<string> {
  const path = pathOf(uri);
  if (position >= MAX_NEW_FILES) return path;
  const reading = await readTextFile(uri);
  if (!reading.ok) return path;
  const span = { startLine: 1, endLine: reading.document.lineCount };
  const { part } = excerptOf(sourceOf(reading.document), span, MAX_NEW_FILE_TOKENS);
  return `${path}:\n${part.text}\n`;
}
