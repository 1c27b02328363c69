/**
 * Links to workspace files in replies: finds existing files, numbers them and opens files by
 * number. Never searches outside the workspace folders. Caches results until files are created or
 * deleted.
 */
import * as vscode from "vscode";
import { DisposableOwner } from "../../base/disposables";
import { mentionBelow, parseMention, type MentionedLocation } from "../../markdown/fileMentions";
import { isFile } from "../platform/files";
import { filesEndingWith } from "../context/fileList";

/** Upper limit of links; the oldest links stop working first. */
const MAX_LINKS = 5_000;

/** Upper limit of cached paths, found or not. */
const MAX_KNOWN = 5_000;

/** Number of parallel lookups. */
const AT_ONCE = 8;

interface LinkTarget {
  readonly uri: vscode.Uri;
  /** 0-based. */
  readonly position: vscode.Position;
}

type FoundFiles = ReadonlyMap<string, vscode.Uri | undefined>;

/** Links of all pages of the window. */
export class FileLinks extends DisposableOwner {
  private readonly targets = new Map<number, LinkTarget>();
  private readonly numbers = new Map<string, number>();
  private nextNumber = 1;
  /** Results by named path; undefined for a missing file. */
  private known = new Map<string, vscode.Uri | undefined>();

  constructor() {
    super();
    const clearCache = () => (this.known = new Map());
    const watcher = this.owned.add(
      vscode.workspace.createFileSystemWatcher("**/*", false, true, false),
    );
    this.owned.add(watcher.onDidCreate(clearCache));
    this.owned.add(watcher.onDidDelete(clearCache));
    this.owned.add(vscode.workspace.onDidChangeWorkspaceFolders(clearCache));
  }

  /** Returns the number of the file for each mention; null if the workspace has no such file. */
  async find(mentions: readonly string[]): Promise<(number | null)[]> {
    const locations = mentions.map(parseMention);
    const paths = new Set(locations.flatMap((mention) => mention?.path ?? []));
    const files = await this.filesOf([...paths]);
    const numberAt = async (location: MentionedLocation | undefined, at: number) => {
      const absolute = location === undefined ? await absoluteFile(mentions[at] ?? "") : undefined;
      const { path, line = 1, column = 1 } = location ?? absolute?.location ?? { path: "" };
      const uri = absolute?.uri ?? files.get(path);
      if (uri === undefined) return null;
      return this.numberOf({ uri, position: new vscode.Position(line - 1, column - 1) });
    };
    return Promise.all(locations.map(numberAt));
  }

  /** Opens the file of this number at the named line. */
  async open(number: number): Promise<void> {
    const target = this.targets.get(number);
    if (target === undefined) return;
    const { uri, position } = target;
    try {
      // Opens any kind of editor, because the file may be a picture.
      await vscode.commands.executeCommand("vscode.open", uri, {
        selection: new vscode.Range(position, position),
      });
    } catch {
      void vscode.window.showErrorMessage(
        vscode.l10n.t(
          "{0} could not be opened. Check whether it still exists.",
          vscode.workspace.asRelativePath(uri),
        ),
      );
    }
  }

  private async filesOf(paths: readonly string[]): Promise<FoundFiles> {
    const { known } = this;
    const unknown = paths.filter((path) => !known.has(path));
    const links = new Map(paths.map((path) => [path, known.get(path)]));
    let next = 0;
    const worker = async () => {
      for (let path = unknown[next++]; path !== undefined; path = unknown[next++]) {
        links.set(path, (await filesAt(path))[0]);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const missing = unknown.filter((path) => links.get(path) === undefined);
    for (const [path, uri] of await onlyFilesOf(missing)) links.set(path, uri);
    if (known.size > MAX_KNOWN) known.clear();
    // If files were created or deleted during the search, `this.known` is a new map by now.
    for (const path of unknown) known.set(path, links.get(path));
    return links;
  }

  private numberOf(target: LinkTarget): number {
    const { line, character } = target.position;
    const key = `${target.uri.toString()}#${line},${character}`;
    const numberOfFile = this.numbers.get(key);
    if (numberOfFile !== undefined) return numberOfFile;
    const number = this.nextNumber++;
    this.numbers.set(key, number);
    this.targets.set(number, target);
    for (const [oldestKey, oldest] of this.numbers) {
      if (this.numbers.size <= MAX_LINKS) break;
      this.numbers.delete(oldestKey);
      this.targets.delete(oldest);
    }
    return number;
  }
}

/** Returns the file of an absolute path in a workspace folder. */
async function absoluteFile(mention: string) {
  for (const { uri: folder } of vscode.workspace.workspaceFolders ?? []) {
    const location = parseMention(mentionBelow(mention, folder.path) ?? "");
    const uri = location && vscode.Uri.joinPath(folder, location.path);
    if (uri && (await isFile(uri))) return { uri, location };
  }
  return undefined;
}

/** Returns the workspace files with this path; without any, those with it at the end of their own. */
export async function filesNamed(path: string): Promise<readonly vscode.Uri[]> {
  const exact = await filesAt(path);
  return exact.length > 0 ? exact : ((await filesEndingWith([path])).get(path) ?? []);
}

async function filesAt(path: string): Promise<readonly vscode.Uri[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const files = await Promise.all(folders.map((folder) => fileIn(folder, path)));
  return files.filter((uri) => uri !== undefined);
}

/** Finds files by the end of their path. A path with several matches stays undefined. */
async function onlyFilesOf(paths: readonly string[]): Promise<FoundFiles> {
  const files = await filesEndingWith(paths);
  return new Map([...files].map(([path, uris]) => [path, uris.length === 1 ? uris[0] : undefined]));
}

/**
 * Returns a file in a workspace folder; in a multi-root workspace, the path may begin with the
 * folder's name.
 */
async function fileIn(
  folder: vscode.WorkspaceFolder,
  path: string,
): Promise<vscode.Uri | undefined> {
  const isMultiRoot = (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
  const prefix = `${folder.name}/`;
  const relative = isMultiRoot && path.startsWith(prefix) ? path.slice(prefix.length) : path;
  const uri = vscode.Uri.joinPath(folder.uri, relative);
  if (!uri.path.startsWith(`${folder.uri.path.replace(/\/$/, "")}/`)) return undefined;
  return (await isFile(uri)) ? uri : undefined;
}
