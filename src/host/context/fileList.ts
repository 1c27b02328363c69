/**
 * The files and folders of the workspace for completion: listed once, kept while somebody types,
 * forgotten soon after. Leaves out what VS Code's own search leaves out.
 */
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { Disposables, toDisposable, type Disposable } from "../../base/disposables";
import { processInSlices } from "../../base/inTurns";
import { linkedToken } from "../platform/cancellation";

/** One file or folder. */
export interface ListedPath {
  readonly uri: vscode.Uri;
  readonly isFolder: boolean;
  /** As a person reads it; with a `/` at the end for a folder. */
  readonly path: string;
  readonly lowerPath: string;
}

/** Most files that are listed; of a larger workspace the rest is looked for by what is typed. */
const MAX_LISTED = 100_000;

/** Files beyond the list that are found at most, and from how many letters on. */
const MAX_BEYOND = 200;
const MIN_BEYOND_TEXT = 2;

/** Neither text nor a picture that can be shown here: they cannot go along. */
const NO_FILE_FOR_US = /\.(tiff?|heic|heif)$/i;

/** How long a list is kept after it was last wanted, in milliseconds. */
const KEEP_MS = 30_000;

/** Shortest time between two lists while files come and go, in milliseconds. */
const RELIST_MS = 5_000;

/** Left out whatever the settings say. */
const NEVER_LISTED = ["**/.git", "**/node_modules"];

/** A glob of what VS Code's file search and text search leave out here. */
export function searchExclude(scope?: vscode.Uri): string {
  const globs = new Set(NEVER_LISTED);
  for (const section of ["files", "search"]) {
    const excluded = vscode.workspace.getConfiguration(section, scope).get<unknown>("exclude");
    for (const [glob, value] of Object.entries(excluded ?? {})) {
      // Groups within a group are not understood everywhere.
      if (value === true && !/[{},]/.test(glob)) globs.add(glob);
    }
  }
  return `{${[...globs].join(",")}}`;
}

/** One list for the window. */
export class FileList implements Disposable {
  private readonly owned = new Disposables();
  private listing: Promise<readonly ListedPath[]> | undefined;
  private listedAtMs = 0;
  private isStale = false;
  private forgetting: Disposable | undefined;
  private watching: Disposable | undefined;
  private cancelling: Disposable | undefined;
  private isWhole = true;

  constructor(
    private readonly clock: Clock,
    private readonly maxListed = MAX_LISTED,
  ) {
    this.owned.add(toDisposable(() => this.forget()));
  }

  /** Everything there is, as far as the list holds it; one listing serves every letter typed. */
  async paths(): Promise<readonly ListedPath[]> {
    const nowMs = this.clock.nowMs();
    if (this.isStale && nowMs - this.listedAtMs > RELIST_MS) this.forget();
    this.forgetting?.dispose();
    this.forgetting = this.clock.after(KEEP_MS, () => this.forget());
    if (this.listing === undefined) {
      this.listedAtMs = nowMs;
      this.watch();
      const controller = new AbortController();
      this.cancelling = toDisposable(() => controller.abort(new Error("forgotten")));
      const listing = this.list(controller.signal);
      this.listing = listing;
      listing.catch(() => {
        // A list that failed is made anew for the next letter.
        if (this.listing === listing) this.listing = undefined;
      });
    }
    return this.listing;
  }

  /** What the list does not hold because there is too much: looked for by VS Code itself. */
  async beyond(typed: string, signal: AbortSignal): Promise<readonly ListedPath[]> {
    if (this.isWhole || typed.length < MIN_BEYOND_TEXT) return [];
    const found = await findFiles(globOf(typed), MAX_BEYOND, signal);
    return found.map((uri) => listed(uri, pathIn(uri), false));
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async list(signal: AbortSignal): Promise<readonly ListedPath[]> {
    const uris = await findFiles("**/*", this.maxListed, signal);
    this.isWhole = uris.length < this.maxListed;
    const folders = new Map<string, ListedPath>();
    const files: ListedPath[] = [];
    const take = (uri: vscode.Uri) => {
      const path = pathIn(uri);
      addFolders(folders, uri, path);
      if (!NO_FILE_FOR_US.test(path)) files.push(listed(uri, path, false));
    };
    await processInSlices(uris, take, this.clock, signal);
    return [...folders.values(), ...files];
  }

  private watch(): void {
    const watcher = vscode.workspace.createFileSystemWatcher("**/*", false, true, false);
    const stale = () => (this.isStale = true);
    watcher.onDidCreate(stale);
    watcher.onDidDelete(stale);
    this.watching?.dispose();
    this.watching = watcher;
    this.isStale = false;
  }

  private forget(): void {
    this.listing = undefined;
    this.forgetting?.dispose();
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

/** Files whose path holds what was typed, in any case; signs that mean something in a glob may be any. */
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

/** Every folder above a file, as far as the workspace goes. */
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

/** With its folder's name where the workspace has several. */
function pathIn(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri).replaceAll("\\", "/");
}
