/**
 * Folder of the history: the extension's storage, or the folder of a setting. A chosen folder that is
 * missing, such as an unplugged disk, is not created; the window then uses the extension's storage.
 *
 * The client's storage (`vscode-userdata:`) is never chosen automatically. A desktop's path in it is
 * unknown to a remote host. In a browser it is part of the site data, which browsers delete when the disk
 * is full, and each file takes about 10 ms. The setting accepts its address.
 */
import * as vscode from "vscode";
import { DisposableOwner } from "../../base/disposables";
import { Emitter } from "../../base/event";
import { describeError, type Log } from "../../base/log";
import type { FileSystem } from "../../history/fileSystem";
import { removeIndexes } from "../../history/moveHistory";
import { CONVERSATIONS_FOLDER, DRAFTS_FOLDER } from "../../history/paths";
import type { NoticeView } from "../../protocol/views";
import { info, warning } from "../messages/notices";
import { storageAt } from "../node/storage";
import { SETTINGS_SECTION } from "../platform/contributions";
import { readSettings } from "../settings/settings";
import { workspaceFiles } from "./workspaceFiles";
import { isFolder } from "../platform/files";

/** Names that VS Code gives to remote windows in a container. */
const CONTAINERS = new Set(["dev-container", "attached-container", "k8s-container", "codespaces"]);

/** Scheme of at least two letters, as `C:` begins a path of Windows. */
const HAS_SCHEME = /^[a-z][a-z\d+.-]+:/i;

export function filesAt(folder: vscode.Uri): FileSystem {
  return storageAt(folder) ?? workspaceFiles(folder);
}

/** Returns the folder that the setting names; undefined if it names none. */
export function chosenFolder(): vscode.Uri | undefined {
  const value = readSettings().settings["history.folder"].trim();
  if (value === "") return undefined;
  return HAS_SCHEME.test(value) ? vscode.Uri.parse(value) : vscode.Uri.file(value);
}

/** Folder of this window's history. A change of the setting applies after a reload. */
export class HistoryFolder extends DisposableOwner {
  private readonly changes = this.owned.add(new Emitter<void>());
  private readonly chosen = chosenFolder();
  private current: NoticeView | undefined;
  /** True while a command changes the setting, and asks for the reload itself. */
  isMoving = false;
  /** True once the history is elsewhere: the window then writes no list and no search index. */
  hasMoved = false;

  /** Fires when the notice changes. */
  readonly onChanged = this.changes.event;
  /** Files in the extension's storage. */
  readonly own: FileSystem;
  /**
   * Folder of list and search index, which have the texts: that of the history if it is on this machine.
   * Elsewhere each search would read megabytes over a connection, so they are in the extension's storage.
   */
  readonly caches: FileSystem;
  readonly files: FileSystem;
  /** Folder in use; that of the setting only if it exists. */
  readonly inUse: Promise<vscode.Uri>;

  constructor(
    readonly ownFolder: vscode.Uri,
    /** VS Code's name of the kind of machine that Core Chat runs on; undefined for the user's own. */
    private readonly remoteName: string | undefined,
    private readonly log: Log,
  ) {
    super();
    this.own = filesAt(ownFolder);
    const { chosen } = this;
    this.inUse = chosen
      ? isFolder(chosen).then((exists) => (exists ? chosen : ownFolder))
      : Promise.resolve(ownFolder);
    this.files = chosen ? deferredFiles(this.inUse.then(filesAt)) : this.own;
    const caches = chosen
      ? deferredFiles(this.inUse.then((folder) => filesAt(this.cacheFolderOf(folder))))
      : this.own;
    this.caches = writableUntil(() => this.hasMoved, caches);
    this.owned.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        const isChanged = event.affectsConfiguration(`${SETTINGS_SECTION}.history.folder`);
        if (isChanged && !this.isMoving) void offerReload();
      }),
    );
    this.findNotice().catch((error: unknown) => {
      log.warn(`history: its folder could not be checked (${describeError(error)})`);
    });
  }

  /** Returns the notice about the history's folder, if the user should know something. */
  notice(): NoticeView | undefined {
    return this.current;
  }

  /** Returns the folder of list and search index for a history in a folder. */
  cacheFolderOf(folder: vscode.Uri): vscode.Uri {
    return storageAt(folder) ? folder : this.ownFolder;
  }

  /** Removes list and search index from the extension's storage if they belong to a history elsewhere. */
  async removeUnusedIndexes(): Promise<void> {
    const folder = this.cacheFolderOf(await this.inUse);
    if (folder.toString() !== this.ownFolder.toString()) await removeIndexes(this.own);
  }

  private async findNotice(): Promise<void> {
    const { chosen } = this;
    if (chosen) {
      const isFound = (await this.inUse) === chosen;
      if (!isFound) this.log.warn("history: the chosen folder was not found");
      const conversations = await this.own.list(CONVERSATIONS_FOLDER);
      const isEmpty = conversations.length + (await this.own.list(DRAFTS_FOLDER)).length === 0;
      this.current = chosenNotice(chosen, isFound, isEmpty);
    } else if (CONTAINERS.has(this.remoteName ?? "")) {
      const text = vscode.l10n.t(
        "Conversations are saved in this container only, and deleted with it.",
      );
      this.current = info(text, "move-history");
    }
    if (this.current) this.changes.fire();
  }
}

function chosenNotice(
  chosen: vscode.Uri,
  isFound: boolean,
  isOwnEmpty: boolean,
): NoticeView | undefined {
  if (!isFound) {
    const text = vscode.l10n.t(
      "The history folder “{0}” was not found, so conversations are saved in VS Code's storage. Create the folder and reload the window, or move the history.",
      displayPath(chosen),
    );
    return warning(text, "move-history");
  }
  if (isOwnEmpty) return undefined;
  const text = vscode.l10n.t(
    "Some conversations are still in VS Code's storage. Move the history to add them to “{0}”.",
    displayPath(chosen),
  );
  return info(text, "move-history");
}

/** Returns the text for a folder in a sentence. */
export function displayPath(folder: vscode.Uri): string {
  return folder.scheme === "file" ? folder.fsPath : folder.toString(true);
}

export async function offerReload(): Promise<void> {
  const reload = vscode.l10n.t("Reload Window");
  const text = vscode.l10n.t("Reload the window to use the history folder of the settings.");
  if ((await vscode.window.showInformationMessage(text, reload)) === reload)
    await vscode.commands.executeCommand("workbench.action.reloadWindow");
}

/** Returns a file system whose writes do nothing once `isClosed` returns true. */
function writableUntil(isClosed: () => boolean, files: FileSystem): FileSystem {
  return {
    ...files,
    append: async (path, bytes) => (isClosed() ? 0 : files.append(path, bytes)),
    replace: async (path, bytes) => (isClosed() ? undefined : files.replace(path, bytes)),
  };
}

function deferredFiles(files: Promise<FileSystem>): FileSystem {
  return {
    read: async (path) => (await files).read(path),
    readRanges: async (path, ranges, allocate) => (await files).readRanges(path, ranges, allocate),
    append: async (path, bytes) => (await files).append(path, bytes),
    replace: async (path, bytes) => (await files).replace(path, bytes),
    fill: async (path, content, ranges, fillBytes) =>
      (await files).fill(path, content, ranges, fillBytes),
    remove: async (path) => (await files).remove(path),
    list: async (folder) => (await files).list(folder),
    stat: async (path) => (await files).stat(path),
  };
}
