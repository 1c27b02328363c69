/**
 * Types of VS Code's built-in git extension, API version 1, as far as they are used here.
 * Source: https://github.com/microsoft/vscode/blob/main/extensions/git/src/api/git.d.ts
 */
import * as vscode from "vscode";

export interface GitChange {
  readonly uri: vscode.Uri;
  /** The paths before and after a rename; otherwise the same as `uri`, or missing. */
  readonly originalUri?: vscode.Uri;
  readonly renameUri?: vscode.Uri | undefined;
  /** `Status` of the API; 7 is an untracked file. */
  readonly status: number;
}

export interface GitCommit {
  readonly message: string;
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
  /** The changes of the index, or of the working tree. */
  diff(isCached: boolean): Promise<string>;
  /** The changes of a file against the last commit. */
  diffWithHEAD(path: string): Promise<string>;
  log(options: { readonly maxEntries: number }): Promise<readonly GitCommit[]>;
  /** Returns those of the paths that Git ignores; missing in old versions. */
  checkIgnore?(paths: string[]): Promise<Set<string>>;
}

interface GitApi {
  readonly repositories: readonly GitRepository[];
  getRepository(uri: vscode.Uri): GitRepository | null;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/** The API's `Status.UNTRACKED`. */
export const UNTRACKED = 7;

/** Returns Git's API; undefined if git is missing or switched off. */
export async function gitApi(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  if (extension === undefined) return undefined;
  const git = extension.isActive ? extension.exports : await extension.activate();
  return git.enabled ? git.getAPI(1) : undefined;
}

export async function gitRepositories(): Promise<readonly GitRepository[]> {
  return (await gitApi())?.repositories ?? [];
}
