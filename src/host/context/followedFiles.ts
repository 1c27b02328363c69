import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { DisposableOwner, type Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";

/** Upper limit of files of a folder. */
const MAX_FILES = 100;

/** Delay before changed files are read again, in milliseconds. */
const READ_AFTER_MS = 200;

/**
 * Time after which files are read again when they are used, in milliseconds. VS Code can report nothing of a
 * folder that is deleted and made again, or of a file that is written right after its folder.
 */
const STALE_AFTER_MS = 10_000;

interface FollowedFilesOptions<T> {
  /** Changes of these files cause another read, as new folders and trust of the workspace do. */
  readonly globs: readonly vscode.GlobPattern[];
  /** Returns what the files contain, as a value that JSON can hold. */
  readonly read: () => Promise<T>;
  readonly clock: Clock;
}

/** Content of a set of files: read at once, and again after changes. */
export class FollowedFiles<T> extends DisposableOwner {
  private readonly changes = this.owned.add(new Emitter<void>());
  private timer: Disposable | undefined;
  private reading: Promise<void>;
  private readCount = 0;
  private readAtMs = 0;

  /** Undefined until the files are read. */
  value: T | undefined;

  /** Fires when `value` has changed. */
  readonly onChanged = this.changes.event;

  constructor(private readonly options: FollowedFilesOptions<T>) {
    super();
    const { owned, readSoon } = this;
    for (const glob of options.globs) {
      const watcher = owned.add(vscode.workspace.createFileSystemWatcher(glob));
      for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
        owned.add(event(readSoon));
    }
    owned.add(vscode.workspace.onDidChangeWorkspaceFolders(readSoon));
    owned.add(vscode.workspace.onDidGrantWorkspaceTrust(readSoon));
    owned.add({ dispose: () => this.timer?.dispose() });
    this.reading = this.readAll();
  }

  readonly readSoon = (): void => {
    this.timer ??= this.options.clock.after(READ_AFTER_MS, () => {
      this.timer = undefined;
      this.reading = this.readAll();
    });
  };

  /** Returns `value`, and reads the files again soon if that was long ago. */
  protected get used(): T | undefined {
    if (this.options.clock.nowMs() - this.readAtMs > STALE_AFTER_MS) this.readSoon();
    return this.value;
  }

  async ready(): Promise<void> {
    let reading;
    do {
      reading = this.reading;
      await reading;
    } while (reading !== this.reading);
  }

  private async readAll(): Promise<void> {
    const turn = ++this.readCount;
    this.readAtMs = this.options.clock.nowMs();
    const value = await this.options.read();
    // A later read has newer texts.
    if (turn !== this.readCount || JSON.stringify(value) === JSON.stringify(this.value)) return;
    this.value = value;
    this.changes.fire();
  }
}

/** Returns VS Code's folder of the user's prompts, from the storage folder of the extension. */
export function userPromptFolder(storage: vscode.Uri): vscode.Uri {
  // User/globalStorage/<extension> is next to User/prompts.
  return vscode.Uri.joinPath(storage, "..", "..", "prompts");
}

/** Returns the files of a folder whose names have this ending; none if there is no such folder. */
export async function filesIn(folder: vscode.Uri, ending: string): Promise<vscode.Uri[]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(folder);
    return entries
      .filter(([name, type]) => name.endsWith(ending) && (type & vscode.FileType.Directory) === 0)
      .slice(0, MAX_FILES)
      .map(([name]) => vscode.Uri.joinPath(folder, name));
  } catch {
    return [];
  }
}
