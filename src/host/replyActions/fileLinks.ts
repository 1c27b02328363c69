/**
 * Files of the workspace that replies name: finds out which exist, gives them numbers, and opens them by
 * number. Never looks outside of the workspace's folders. What was found, or was not, is remembered until
 * files come or go.
 */
import * as vscode from "vscode";
import { Disposables, type Disposable } from "../../base/disposables";
import { parseMention } from "../../markdown/fileMentions";
import { searchExclude } from "../context/fileList";

/** Numbers that are kept; links of replies read long ago stop working first. */
const MAX_LINKS = 5_000;

/** Paths that are remembered, found or not. */
const MAX_KNOWN = 5_000;

/** Files looked for at one time. */
const AT_ONCE = 8;

/** Files of the names of one reply that are looked at; with more of them none is the one meant. */
const MAX_OF_NAMES = 2_000;

/** Names that can stand in a glob as they are. */
const PLAIN_PATH = /^[\p{L}\p{N}_@.+\-/]+$/u;

interface FilePlace {
  readonly uri: vscode.Uri;
  /** 0-based. */
  readonly position: vscode.Position;
}

type FoundFiles = ReadonlyMap<string, vscode.Uri | undefined>;

/** One for all pages. */
export class FileLinks implements Disposable {
  private readonly owned = new Disposables();
  private readonly places = new Map<number, FilePlace>();
  private readonly numbers = new Map<string, number>();
  private nextNumber = 1;
  /** By the path that was named; undefined for what is not there. */
  private known = new Map<string, vscode.Uri | undefined>();

  constructor() {
    const forget = () => (this.known = new Map());
    const watcher = this.owned.add(
      vscode.workspace.createFileSystemWatcher("**/*", false, true, false),
    );
    this.owned.add(watcher.onDidCreate(forget));
    this.owned.add(watcher.onDidDelete(forget));
    this.owned.add(vscode.workspace.onDidChangeWorkspaceFolders(forget));
  }

  /** For each mention the number of its file; null where the workspace has no such file. */
  async find(mentions: readonly string[]): Promise<(number | null)[]> {
    const read = mentions.map(parseMention);
    const paths = new Set(read.flatMap((place) => place?.path ?? []));
    const files = await this.filesOf([...paths]);
    return read.map((place) => {
      const uri = place && files.get(place.path);
      if (uri === undefined) return null;
      const { line = 1, column = 1 } = place ?? {};
      return this.keep({ uri, position: new vscode.Position(line - 1, column - 1) });
    });
  }

  /** Shows the file of this number at the line that was named. */
  async open(number: number): Promise<void> {
    const place = this.places.get(number);
    if (place === undefined) return;
    const { uri, position } = place;
    try {
      // Whatever editor the file has; pictures open too.
      await vscode.commands.executeCommand("vscode.open", uri, {
        selection: new vscode.Range(position, position),
      });
    } catch {
      void vscode.window.showErrorMessage(
        vscode.l10n.t(
          "{0} could not be opened. Check whether it is still there.",
          vscode.workspace.asRelativePath(uri),
        ),
      );
    }
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async filesOf(paths: readonly string[]): Promise<FoundFiles> {
    const { known } = this;
    const unknown = paths.filter((path) => !known.has(path));
    const found = new Map(paths.map((path) => [path, known.get(path)]));
    let next = 0;
    const work = async () => {
      for (let path = unknown[next++]; path !== undefined; path = unknown[next++]) {
        found.set(path, await fileAt(path));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const missing = unknown.filter((path) => found.get(path) === undefined);
    for (const [path, uri] of await onlyFilesOf(missing)) found.set(path, uri);
    if (known.size > MAX_KNOWN) known.clear();
    // When files came or went meanwhile, this is remembered by nobody.
    for (const path of unknown) known.set(path, found.get(path));
    return found;
  }

  private keep(place: FilePlace): number {
    const { line, character } = place.position;
    const key = `${place.uri.toString()}#${line},${character}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.nextNumber++;
    this.numbers.set(key, number);
    this.places.set(number, place);
    for (const [oldestKey, oldest] of this.numbers) {
      if (this.numbers.size <= MAX_LINKS) break;
      this.numbers.delete(oldestKey);
      this.places.delete(oldest);
    }
    return number;
  }
}

/** The file of this path from a folder of the workspace. */
async function fileAt(path: string): Promise<vscode.Uri | undefined> {
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const uri = await fileIn(folder, path);
    if (uri !== undefined) return uri;
  }
  return undefined;
}

/** Files whose path ends so, anywhere in the workspace, as far as there is only one: one search for all. */
async function onlyFilesOf(paths: readonly string[]): Promise<FoundFiles> {
  const wanted = paths.filter((path) => PLAIN_PATH.test(path));
  if (wanted.length === 0) return new Map();
  const glob = wanted.length === 1 ? `**/${wanted[0]}` : `**/{${wanted.join(",")}}`;
  const none: readonly vscode.Uri[] = [];
  const uris = await vscode.workspace
    .findFiles(glob, searchExclude(), MAX_OF_NAMES)
    // Without a search the names stay words.
    .then(undefined, () => none);
  if (uris.length >= MAX_OF_NAMES) return new Map();
  return new Map(
    wanted.map((path) => {
      const same = uris.filter((uri) => uri.path.endsWith(`/${path}`));
      return [path, same.length === 1 ? same[0] : undefined];
    }),
  );
}

/** A file below a folder of the workspace; in a workspace of several, its name may come first. */
async function fileIn(
  folder: vscode.WorkspaceFolder,
  path: string,
): Promise<vscode.Uri | undefined> {
  const several = (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
  const own = `${folder.name}/`;
  const relative = several && path.startsWith(own) ? path.slice(own.length) : path;
  const uri = vscode.Uri.joinPath(folder.uri, relative);
  if (!uri.path.startsWith(`${folder.uri.path.replace(/\/$/, "")}/`)) return undefined;
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    return (type & vscode.FileType.File) === 0 ? undefined : uri;
  } catch {
    // There is none: most mentions are of something else.
    return undefined;
  }
}
