/**
 * Lists the files and folders of the workspace for completion. The list is cached while the user
 * types. Excludes the same files as VS Code's search.
 */
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { DisposableOwner, toDisposable, type Disposable } from "../../base/disposables";
import { TimeSlice } from "../../base/timeSlice";
import { linkedToken } from "../platform/cancellation";

export interface ListedPath {
  readonly uri: vscode.Uri;
  readonly isFolder: boolean;
  /** The path that is shown; with a `/` at the end for a folder. */
  readonly path: string;
  readonly lowerPath: string;
}

/** Upper limit of listed files. In a larger workspace `beyond` searches the others. */
const MAX_LISTED = 100_000;

/** Upper limit of files found beyond the list, and the shortest text that is searched. */
const MAX_BEYOND = 200;
const MIN_BEYOND_TEXT = 2;

/** Upper limit of files found by the ends of their paths; with more no path is resolved. */
const MAX_OF_NAMES = 2_000;

/** Formats that can be sent neither as text nor as a picture. */
const UNSUPPORTED_FILE = /\.(tiff?|heic|heif)$/i;

/** Lifetime of the list after its last use, in milliseconds. */
const KEEP_MS = 30_000;

/** Shortest time between two listings while files are created or deleted, in milliseconds. */
const RELIST_MS = 5_000;

/** Globs that are excluded regardless of the settings. */
const NEVER_LISTED = ["**/.git", "**/node_modules"];

/** Returns a glob of the files that VS Code's file search and text search exclude. */
export function searchExclude(scope?: vscode.Uri): string {
  const globs = new Set(NEVER_LISTED);
  for (const section of ["files", "search"]) {
    const excluded = vscode.workspace.getConfiguration(section, scope).get<unknown>("exclude");
    for (const [glob, value] of Object.entries(excluded ?? {})) {
      // Nested groups are not supported by all search providers.
      if (value === true && !/[{},]/.test(glob)) globs.add(glob);
    }
  }
  return `{${[...globs].join(",")}}`;
}

/** The cached list of the window. */
export class FileList extends DisposableOwner {
  private listing: Promise<readonly ListedPath[]> | undefined;
  private listedAtMs = 0;
  private isStale = false;
  private expiry: Disposable | undefined;
  private watching: Disposable | undefined;
  private cancelling: Disposable | undefined;
  private isWhole = true;

  constructor(
    private readonly clock: Clock,
    private readonly maxListed = MAX_LISTED,
  ) {
    super();
    this.owned.add(toDisposable(() => this.clear()));
  }

  /** Returns the listed files and folders. The same listing serves all keystrokes. */
  async paths(): Promise<readonly ListedPath[]> {
    const nowMs = this.clock.nowMs();
    if (this.isStale && nowMs - this.listedAtMs > RELIST_MS) this.clear();
    this.expiry?.dispose();
    this.expiry = this.clock.after(KEEP_MS, () => this.clear());
    if (this.listing === undefined) {
      this.listedAtMs = nowMs;
      this.watch();
      const controller = new AbortController();
      this.cancelling = toDisposable(() => controller.abort(new Error("the list expired")));
      const listing = this.list(controller.signal);
      this.listing = listing;
      listing.catch(() => {
        // After a failure the next keystroke lists again.
        if (this.listing === listing) this.listing = undefined;
      });
    }
    return this.listing;
  }

  /** Searches files that the list does not hold in a large workspace. */
  async beyond(typed: string, signal: AbortSignal): Promise<readonly ListedPath[]> {
    if (this.isWhole || typed.length < MIN_BEYOND_TEXT) return [];
    const matches = await findFiles(globOf(typed), MAX_BEYOND, signal);
    return matches.map((uri) => listed(uri, pathIn(uri), false));
  }

  private async list(signal: AbortSignal): Promise<readonly ListedPath[]> {
    const uris = await findFiles("**/*", this.maxListed, signal);
    this.isWhole = uris.length < this.maxListed;
    const folders = new Map<string, ListedPath>();
    const files: ListedPath[] = [];
    const addFile = (uri: vscode.Uri) => {
      const path = pathIn(uri);
      addFolders(folders, uri, path);
      if (!UNSUPPORTED_FILE.test(path)) files.push(listed(uri, path, false));
    };
    await new TimeSlice(this.clock, signal).map(uris, addFile);
    return [...folders.values(), ...files];
  }

  private watch(): void {
    const watcher = vscode.workspace.createFileSystemWatcher("**/*", false, true, false);
    const markStale = () => (this.isStale = true);
    watcher.onDidCreate(markStale);
    watcher.onDidDelete(markStale);
    this.watching?.dispose();
    this.watching = watcher;
    this.isStale = false;
  }

  private clear(): void {
    this.listing = undefined;
    this.expiry?.dispose();
    this.watching?.dispose();
    this.cancelling?.dispose();
  }
}

async function findFiles(
  glob: string,
  count: number,
  signal: AbortSignal,
): Promise<readonly vscode.Uri[]> {
  const linked = linkedToken(signal);
  try {
    return await vscode.workspace.findFiles(glob, searchExclude(), count, linked.token);
  } finally {
    linked.dispose();
  }
}

/** Returns a glob for paths that contain a text, in any case. Special characters match any character. */
function globOf(typed: string): string {
  const names = typed.split("/").map((name) => {
    const letters = Array.from(name, (letter) => {
      if (/[^\p{L}\p{N}._-]/u.test(letter)) return "?";
      const upper = letter.toUpperCase();
      return upper === letter || upper.length !== letter.length ? letter : `[${letter}${upper}]`;
    });
    return `*${letters.join("")}*`;
  });
  return `**/${names.join("/")}`;
}

function addFolders(folders: Map<string, ListedPath>, uri: vscode.Uri, path: string): void {
  let inside = path;
  let folder = uri.path;
  for (;;) {
    const end = inside.lastIndexOf("/");
    if (end <= 0) return;
    inside = inside.slice(0, end);
    folder = folder.slice(0, folder.lastIndexOf("/"));
    if (folders.has(inside)) return;
    folders.set(inside, listed(uri.with({ path: folder }), `${inside}/`, true));
  }
}

function listed(uri: vscode.Uri, path: string, isFolder: boolean): ListedPath {
  return { uri, isFolder, path, lowerPath: path.toLowerCase() };
}

/** Returns a relative path, with the name of the workspace folder if there are several. */
function pathIn(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri).replaceAll("\\", "/");
}

/** Finds files by the end of their path, anywhere in the workspace, with a single search. */
export async function filesEndingWith(
  paths: readonly string[],
): Promise<ReadonlyMap<string, readonly vscode.Uri[]>> {
  if (paths.length === 0) return new Map();
  // "?" also matches the characters that have a meaning in a glob.
  const globs = paths.map((path) => path.replaceAll(/[^\p{L}\p{N}_@.+\-/]/gu, "?"));
  const glob = globs.length === 1 ? `**/${globs[0]}` : `**/{${globs.join(",")}}`;
  const none: readonly vscode.Uri[] = [];
  const uris = await vscode.workspace
    .findFiles(glob, searchExclude(), MAX_OF_NAMES)
    // If the search fails, the names stay plain text.
    .then(undefined, () => none);
  if (uris.length >= MAX_OF_NAMES) return new Map();
  return new Map(paths.map((path) => [path, uris.filter((uri) => uri.path.endsWith(`/${path}`))]));
}
