/**
 * Detects excerpts whose file changed since they were sent. Checks open documents and small files
 * of the workspace in sequence; never other files.
 */
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { Disposables, type Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";
import { isSameCut } from "../../context/excerpt";
import type { ExcerptPart } from "../../conversation/message";
import { locate } from "../access/location";
import { readChecked } from "../access/readAccess";
import { parsedUri } from "../platform/files";
import { sourceOf } from "../platform/sourceText";

/** Delay between a change and the check, in milliseconds. */
const CHECK_AFTER_MS = 400;

/** Upper limit of watched files; the oldest are dropped. */
const MAX_FILES = 200;

/** Start of the line that marks left out lines. */
const LEFT_OUT = "[… ";

interface KnownFile {
  /** True for excerpts that differ from the file; undefined before the first check. */
  readonly results: Map<ExcerptPart, boolean | undefined>;
  timer: Disposable | undefined;
}

export class StaleExcerpts implements Disposable {
  private readonly owned = new Disposables();
  private readonly changes = this.owned.add(new Emitter<string>());
  private readonly files = new Map<string, KnownFile>();
  private watcher: Disposable | undefined;
  private reading: Promise<void> = Promise.resolve();

  /** Fires the URI of a file whose results changed. */
  readonly onChanged = this.changes.event;

  constructor(private readonly clock: Clock) {
    this.owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.checkSoon(document.uri);
      }),
    );
    this.owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.checkSoon(uri)));
  }

  /** Returns the last known result; starts a check if there is none. */
  isChanged(part: ExcerptPart): boolean {
    const file = this.files.get(part.uri) ?? this.watch(part.uri);
    if (!file.results.has(part)) {
      file.results.set(part, undefined);
      this.check(part.uri, file);
    }
    return file.results.get(part) ?? false;
  }

  dispose(): void {
    for (const { timer } of this.files.values()) timer?.dispose();
    this.files.clear();
    this.watcher?.dispose();
    this.owned.dispose();
  }

  private watch(uri: string): KnownFile {
    const file: KnownFile = { results: new Map(), timer: undefined };
    this.files.set(uri, file);
    const [oldest] = this.files.keys();
    if (this.files.size > MAX_FILES && oldest !== undefined) {
      this.files.get(oldest)?.timer?.dispose();
      this.files.delete(oldest);
    }
    this.watcher ??= this.watchDisk();
    return file;
  }

  /** Watches all files: VS Code watches the workspace anyway. */
  private watchDisk(): Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher("**/*");
    const checkUri = (uri: vscode.Uri) => this.checkSoon(uri);
    watcher.onDidChange(checkUri);
    watcher.onDidCreate(checkUri);
    watcher.onDidDelete(checkUri);
    return watcher;
  }

  private checkSoon(uri: vscode.Uri): void {
    const key = uri.toString();
    const file = this.files.get(key);
    if (file === undefined || file.timer !== undefined) return;
    file.timer = this.clock.after(CHECK_AFTER_MS, () => {
      file.timer = undefined;
      this.check(key, file);
    });
  }

  /** Checks files in sequence, because the result is not urgent. */
  private check(key: string, file: KnownFile): void {
    const reading = this.reading.then(async () => {
      if (this.files.get(key) !== file) return;
      const lines = await linesOf(key);
      let hasChanged = false;
      for (const [part, before] of file.results) {
        const now = lines !== undefined && isDifferent(part, lines);
        file.results.set(part, now);
        hasChanged ||= now !== (before ?? false);
      }
      if (hasChanged && this.files.get(key) === file) this.changes.fire(key);
    });
    // A failure of a file must not stop the checks of the others.
    this.reading = reading.catch(() => undefined);
  }
}

/** Returns the lines of a file now; none if the file is gone, undefined if it must not be checked. */
async function linesOf(address: string): Promise<readonly string[] | undefined> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === address);
  // eslint-disable-next-line no-restricted-syntax -- only compared with what was sent
  if (open !== undefined) return linesIn(open.getText());
  const uri = parsedUri(address);
  // An imported conversation names any URI: even a `stat` could contact another machine.
  if (uri === undefined || vscode.workspace.getWorkspaceFolder(uri) === undefined) return undefined;
  if (!(await locate(uri)).isInside) return undefined;
  try {
    await vscode.workspace.fs.stat(uri);
  } catch (error) {
    const isGone = error instanceof vscode.FileSystemError && error.code === "FileNotFound";
    return isGone ? [] : undefined;
  }
  // The text is compared here and sent nowhere, so that secrets do not matter.
  const current = await readChecked(uri);
  return typeof current === "string" || !current.concern.isInside
    ? undefined
    : sourceOf(current.source).lines;
}

function linesIn(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

/** Returns false if the lines are unchanged, or moved as a whole within the file. */
function isDifferent(part: ExcerptPart, lines: readonly string[]): boolean {
  const { text, startLine = 1, endLine = lines.length } = part;
  const span = lines.slice(startLine - 1, endLine);
  if (span.join("\n") === text) return false;
  if (text.includes(LEFT_OUT)) return !isSameCut(text, span);
  const isWhole = part.startLine === undefined;
  return isWhole || !`\n${lines.join("\n")}\n`.includes(`\n${text}\n`);
}
