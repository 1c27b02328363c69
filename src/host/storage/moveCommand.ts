/** Moves the history into a folder that the user chooses, and sets the folder. Loaded on first use. */
import * as vscode from "vscode";
import * as z from "zod/mini";
import { systemClock } from "../../base/clock";
import { describeError, type Log } from "../../base/log";
import type { Conversations } from "../../chat/conversation/conversations";
import {
  copyHistory,
  removeCopied,
  removeIndexes,
  type MoveProgress,
} from "../../history/moveHistory";
import { linkedSignal } from "../platform/cancellation";
import { SETTINGS_SECTION } from "../platform/contributions";
import { warnInProgress } from "./deleteForever";
import { displayPath, filesAt, offerReload, type HistoryFolder } from "./historyFolder";

export interface MoveOptions {
  readonly conversations: Pick<Conversations, "isAnyRunning" | "history">;
  readonly historyFolder: HistoryFolder;
  /** Stores the former folders of the history. */
  readonly memory: vscode.Memento;
  readonly log: Log;
}

const FORMER_FOLDERS = "history.formerFolders";
const formerFolders = z.array(z.string());

/** Asks for the folder unless it is given, for instance by a test. */
export async function moveHistory(options: MoveOptions, chosen?: unknown): Promise<void> {
  const { conversations, historyFolder, log } = options;
  if (conversations.isAnyRunning) {
    warnInProgress();
    return;
  }
  const target = chosen instanceof vscode.Uri ? chosen : await askFolder();
  if (target === undefined || !(await acceptsIndexHere(target))) return;
  const inUse = await historyFolder.inUse;
  // An interrupted move, or another window, may have left conversations in any of these folders.
  const folders = new Set([inUse, historyFolder.ownFolder].map(String));
  const former = formerFolders.safeParse(options.memory.get(FORMER_FOLDERS));
  for (const folder of former.data ?? []) folders.add(folder);
  await options.memory.update(FORMER_FOLDERS, [...folders]);
  folders.delete(target.toString());
  const sources = [...folders].map((folder) => vscode.Uri.parse(folder));
  historyFolder.isMoving = true;
  try {
    const leftCount = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t("Moving the history"),
        cancellable: true,
      },
      async (progress, token) => {
        const linked = linkedSignal(token);
        try {
          const show = ({ done, total }: MoveProgress) =>
            progress.report({ message: vscode.l10n.t("{0} of {1} files", done, total) });
          await conversations.history.close();
          return await moveAll(sources, target, historyFolder, show, linked.signal);
        } finally {
          linked.dispose();
        }
      },
    );
    if (leftCount > 0) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t(
          "The history was copied to “{0}”. {1} files that were just in use are also in the old folder. Close other windows, then move the history again.",
          displayPath(target),
          leftCount,
        ),
      );
    }
    if (!isSame(inUse, target)) void offerReload();
  } catch (error) {
    log.error(`history: it was not moved (${describeError(error)})`);
    void vscode.window.showErrorMessage(
      vscode.l10n.t(
        "The history could not be moved completely. Nothing was lost. Check the folder, then move the history again.",
      ),
    );
  } finally {
    historyFolder.isMoving = false;
  }
}

/** Copies everything, then sets the folder, then removes the copies in the old folders. */
async function moveAll(
  sources: readonly vscode.Uri[],
  target: vscode.Uri,
  historyFolder: HistoryFolder,
  onProgress: (progress: MoveProgress) => void,
  signal: AbortSignal,
): Promise<number> {
  const { ownFolder } = historyFolder;
  const to = filesAt(target);
  await vscode.workspace.fs.createDirectory(target);
  for (const source of sources) await copyHistory(filesAt(source), to, onProgress, signal);
  const value = target.scheme === "file" ? target.fsPath : target.toString();
  await vscode.workspace
    .getConfiguration(SETTINGS_SECTION)
    .update(
      "history.folder",
      isSame(target, ownFolder) ? undefined : value,
      vscode.ConfigurationTarget.Global,
    );
  let leftCount = 0;
  for (const source of sources)
    leftCount += await removeCopied(filesAt(source), to, systemClock, signal);
  historyFolder.hasMoved = !isSame(await historyFolder.inUse, target);
  for (const source of [...sources, ownFolder]) {
    const folder = historyFolder.cacheFolderOf(source);
    if (!isSame(folder, historyFolder.cacheFolderOf(target))) await removeIndexes(filesAt(folder));
  }
  return leftCount;
}

/** Says which texts stay on this machine, if the index does not move with the history. */
async function acceptsIndexHere(target: vscode.Uri): Promise<boolean> {
  if (target.scheme === "file") return true;
  const move = vscode.l10n.t("Move History");
  const text = vscode.l10n.t(
    "The list of conversations and the search index, which contain the texts, stay in VS Code's storage on this computer, because “{0}” is too slow to search.",
    displayPath(target),
  );
  return (await vscode.window.showWarningMessage(text, { modal: true }, move)) === move;
}

async function askFolder(): Promise<vscode.Uri | undefined> {
  const folders = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    title: vscode.l10n.t("Select a folder for the history"),
    openLabel: vscode.l10n.t("Move History"),
  });
  return folders?.[0];
}

function isSame(one: vscode.Uri, other: vscode.Uri): boolean {
  return one.toString() === other.toString();
}
