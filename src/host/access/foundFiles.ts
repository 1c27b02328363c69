/**
 * Reads files that a feature found for a question and that the user did not name: definitions, tests,
 * project files. The only way to their text. Nothing is asked; a file is left out if it is outside the
 * workspace, a link, linked elsewhere, may hold secrets, is large, is no text, or is ignored by Git.
 */
import type * as vscode from "vscode";
import type { TextSource } from "../platform/sourceText";
import { gitApi, type GitRepository } from "./git";
import { readText } from "./readAccess";

/** Upper limit of lines; longer files are usually generated. */
const MAX_LINES = 20_000;

/** Declarations of installed libraries. Git ignores their folders, but they are public. */
const LIBRARY =
  /^(?=[^]*\/node_modules\/)[^]*\.d\.[cm]?ts$|^(?=[^]*\/(?:site|dist)-packages\/)[^]*\.pyi?$/;

export const INSTALLED = /\/(?:node_modules|\.venv|venv|site-packages|dist-packages)\//;

/** Returns true for a declaration file of an installed library. */
export function isLibrary({ path }: vscode.Uri): boolean {
  return LIBRARY.test(path);
}

/** Reads files; undefined for each that may not be sent. */
export async function readFound(uris: readonly vscode.Uri[]): Promise<(TextSource | undefined)[]> {
  const texts = await Promise.all(uris.map(readFoundFile));
  // Git fails for all paths if one is behind a link; those have no text.
  const projectFiles = uris.filter((uri, index) => texts[index] !== undefined && !isLibrary(uri));
  const ignored = await ignoredUris(projectFiles);
  return texts.map((text, index) => {
    const uri = uris[index];
    return uri === undefined || ignored.has(uri.toString()) ? undefined : text;
  });
}

async function readFoundFile(uri: vscode.Uri): Promise<TextSource | undefined> {
  if (INSTALLED.test(uri.path) && !isLibrary(uri)) return undefined;
  const access = await readText(uri, "unasked");
  if (access.kind !== "text" || access.source.lineCount > MAX_LINES) return undefined;
  return access.source;
}

/** Returns the files that Git ignores; none without Git or a repository. */
async function ignoredUris(uris: readonly vscode.Uri[]): Promise<ReadonlySet<string>> {
  const onDisk = uris.filter(({ scheme }) => scheme === "file");
  const git = onDisk.length === 0 ? undefined : await gitApi();
  const ignored = new Set<string>();
  const repositories = new Map<GitRepository, vscode.Uri[]>();
  for (const uri of onDisk) {
    const repository = git?.getRepository(uri);
    if (!repository) continue;
    repositories.set(repository, [...(repositories.get(repository) ?? []), uri]);
  }
  for (const [repository, files] of repositories) {
    const paths = await repository.checkIgnore?.(files.map(({ fsPath }) => fsPath));
    for (const uri of files) if (paths?.has(uri.fsPath)) ignored.add(uri.toString());
  }
  return ignored;
}
