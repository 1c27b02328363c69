/**
 * Whether files say something else by now than what was sent of them: looks at open documents and
 * at small files of the workspace, one after the other, and never at anything else.
 */
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { Disposables, type Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";
import { isSameCut } from "../../context/excerpt";
import type { ExcerptPart } from "../../conversation/message";
import { locate } from "../access/location";
import { readChecked } from "../access/readAccess";
import { sourceOf } from "../platform/sourceText";

/** How long after a change a file is looked at, in milliseconds. */
const LOOK_AFTER_MS = 400;

/** Files that are watched at most; of more, the ones asked about last. */
const MAX_FILES = 200;

/** What an excerpt says where it leaves something out. */
const LEFT_OUT = "[… ";

/** What is known of one file. */
interface KnownFile {
  /** What was sent of it, and whether it says something else; undefined until it was looked at. */
  readonly results: Map<ExcerptPart, boolean | undefined>;
  timer: Disposable | undefined;
}

/** One for the window. */
export class StaleExcerpts implements Disposable {
  private readonly owned = new Disposables();
  private readonly changes = this.owned.add(new Emitter<string>());
  private readonly files = new Map<string, KnownFile>();
  private watcher: Disposable | undefined;
  private reading: Promise<void> = Promise.resolve();

  /** Tells the URI of a file about which something else is known. */
  readonly onChanged = this.changes.event;

  constructor(private readonly clock: Clock) {
    this.owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.lookSoon(document.uri);
      }),
    );
    this.owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.lookSoon(uri)));
  }

  /** As far as is known now; what is not known is looked at and told. */
  isChanged(part: ExcerptPart): boolean {
    const file = this.files.get(part.uri) ?? this.watch(part.uri);
    if (!file.results.has(part)) {
      file.results.set(part, undefined);
      this.look(part.uri, file);
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

  /** The files of the workspace are watched by VS Code anyway. */
  private watchDisk(): Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher("**/*");
    const look = (uri: vscode.Uri) => this.lookSoon(uri);
    watcher.onDidChange(look);
    watcher.onDidCreate(look);
    watcher.onDidDelete(look);
    return watcher;
  }

  private lookSoon(uri: vscode.Uri): void {
    const key = uri.toString();
    const file = this.files.get(key);
    if (file === undefined || file.timer !== undefined) return;
    file.timer = this.clock.after(LOOK_AFTER_MS, () => {
      file.timer = undefined;
      this.look(key, file);
    });
  }

  /** One file at a time: this is never in a hurry. */
  private look(key: string, file: KnownFile): void {
    const reading = this.reading.then(async () => {
      if (this.files.get(key) !== file) return;
      const lines = await linesOf(key);
      let isNews = false;
      for (const [part, before] of file.results) {
        const now = lines !== undefined && isElsewise(part, lines);
        file.results.set(part, now);
        isNews ||= now !== (before ?? false);
      }
      if (isNews && this.files.get(key) === file) this.changes.fire(key);
    });
    // One file that fails must not keep the others from being looked at.
    this.reading = reading.catch(() => undefined);
  }
}

/** The lines of a file now; none where it is gone, undefined where it is not looked at. */
async function linesOf(address: string): Promise<readonly string[] | undefined> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === address);
  if (open !== undefined) return linesIn(open.getText());
  const uri = parsed(address);
  // An imported conversation names any URI: even a `stat` could contact another machine.
  if (uri === undefined || vscode.workspace.getWorkspaceFolder(uri) === undefined) return undefined;
  if (!(await locate(uri)).isInside) return undefined;
  try {
    await vscode.workspace.fs.stat(uri);
  } catch (error) {
    const isGone = error instanceof vscode.FileSystemError && error.code === "FileNotFound";
    return isGone ? [] : undefined;
  }
  // Compared here and sent nowhere: secrets are no reason to leave a file out.
  const read = await readChecked(uri);
  return typeof read === "string" || !read.concern.isInside
    ? undefined
    : sourceOf(read.source).lines;
}

/** An imported conversation can hold anything as a URI. */
function parsed(address: string): vscode.Uri | undefined {
  try {
    return vscode.Uri.parse(address, true);
  } catch {
    return undefined;
  }
}

function linesIn(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

/** False where the lines still say the same, or stand whole somewhere else in the file. */
function isElsewise(part: ExcerptPart, lines: readonly string[]): boolean {
  const { text, startLine = 1, endLine = lines.length } = part;
  const span = lines.slice(startLine - 1, endLine);
  if (span.join("\n") === text) return false;
  if (text.includes(LEFT_OUT)) return !isSameCut(text, span);
  const isWhole = part.startLine === undefined;
  return isWhole || !`\n${lines.join("\n")}\n`.includes(`\n${text}\n`);
}
