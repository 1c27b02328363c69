/**
 * The part of VS Code's built-in git extension that is used here, by its own API, version 1.
 * Source: https://github.com/microsoft/vscode/blob/main/extensions/git/src/api/git.d.ts
 */
import * as vscode from "vscode";

/** One changed file. */
export interface GitChange {
  readonly uri: vscode.Uri;
  /** As the API's `Status`; 7 is a file git does not know yet. */
  readonly status: number;
}

/** A repository that is open in this window. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: {
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    readonly untrackedChanges?: readonly GitChange[];
  };
  readonly ui?: { readonly selected: boolean };
  /** The changes of the index, or of the working tree. */
  diff(isCached: boolean): Promise<string>;
  /** The changes of one file against the last commit. */
  diffWithHEAD(path: string): Promise<string>;
  log(options: { readonly maxEntries: number }): Promise<readonly { readonly message: string }[]>;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): { readonly repositories: readonly GitRepository[] };
}

/** The API's `Status.UNTRACKED`. */
export const UNTRACKED = 7;

/** The open repositories; none when git is not there or switched off. */
export async function gitRepositories(): Promise<readonly GitRepository[]> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  if (extension === undefined) return [];
  const git = extension.isActive ? extension.exports : await extension.activate();
  return git.enabled ? git.getAPI(1).repositories : [];
}
