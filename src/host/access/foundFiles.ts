/**
 * Reads files that a feature found for a question and that the user did not name: definitions, tests,
 * project files. The only way to their text. Nothing is asked; a file is left out if it is outside the
 * workspace, a link, linked elsewhere, may hold secrets, is large, is no text, or is ignored by Git.
 */
import * as vscode from "vscode";
import type { TextSource } from "../platform/sourceText";
import { readText } from "./readAccess";

/** Upper limit of lines; longer files are usually generated. */
const MAX_LINES = 20_000;

/** Declarations of installed libraries. Git ignores their folders, but they are public. */
const LIBRARY =
  /^(?=[^]*\/node_modules\/)[^]*\.d\.[cm]?ts$|^(?=[^]*\/(?:site|dist)-packages\/)[^]*\.pyi?$/;

/** Files of installed libraries. */
export const INSTALLED = /\/(?:node_modules|\.venv|venv|site-packages|dist-packages)\//;

/** Part of the Git extension's API: https://github.com/microsoft/vscode/blob/main/extensions/git/src/api/git.d.ts */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

interface GitApi {
  getRepository(uri: vscode.Uri): IgnoringRepository | null;
}

interface IgnoringRepository {
  readonly rootUri: vscode.Uri;
  /** Returns those of the paths that Git ignores; missing in old versions. */
  checkIgnore?(paths: string[]): Promise<Set<string>>;
}

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
  const repositories = new Map<IgnoringRepository, vscode.Uri[]>();
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

async function gitApi(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  if (extension === undefined) return undefined;
  const git = extension.isActive ? extension.exports : await extension.activate();
  return git.enabled ? git.getAPI(1) : undefined;
}
