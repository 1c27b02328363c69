import * as vscode from "vscode";
import { systemClock } from "../../base/clock";
import { Disposables } from "../../base/disposables";
import { describeError, type Log } from "../../base/log";
import { Conversations } from "../../chat/conversation/conversations";
import type { TurnOptions } from "../../chat/conversation/prepareTurn";
import { History } from "../../history/history";
import { HistoryIndex } from "../../search/historyIndex";
import { indexOfBytes } from "../node/indexOfBytes";
import type { WorkspaceRules } from "../context/workspaceRules";
import { HistoryFolder } from "./historyFolder";

/** Delay before old data is deleted, in milliseconds. */
const CLEAN_UP_AFTER_MS = 60_000;

/** Delay before a deletion that a crash interrupted is finished, in milliseconds. */
const FINISH_AFTER_MS = 3_000;

/** Reads nothing before a conversation is opened; finishes deletions and deletes old data later. */
export function openConversations(
  { globalStorageUri, globalState, extension }: vscode.ExtensionContext,
  {
    client,
    prepareTurn,
    rules,
  }: Pick<TurnOptions, "client" | "prepareTurn"> & {
    readonly rules: WorkspaceRules;
  },
  log: Log,
) {
  const owned = new Disposables();
  const isRemote = extension.extensionKind === vscode.ExtensionKind.Workspace;
  const remoteName = isRemote ? vscode.env.remoteName : undefined;
  const historyFolder = owned.add(new HistoryFolder(globalStorageUri, remoteName, log));
  const { files, caches } = historyFolder;
  const history = owned.add(new History(files, systemClock, log));
  const index = owned.add(new HistoryIndex(history, systemClock, log, indexOfBytes, caches));
  const cleaning = new AbortController();
  const cleanUp = async () => {
    const { acceptedRetention } = await import("./retention");
    const days = await acceptedRetention(history, globalState, log);
    await history.cleanUp(cleaning.signal, days);
  };
  owned.add({ dispose: () => cleaning.abort(new Error("the window closes")) });
  owned.add(systemClock.after(FINISH_AFTER_MS, () => void history.finishDeletions()));
  owned.add(
    systemClock.after(CLEAN_UP_AFTER_MS, () => {
      void cleanUp().catch(() => undefined); // Rejects only when the window closes.
      historyFolder.removeUnusedIndexes().catch((error: unknown) => {
        log.warn(`history: an unused index was not removed (${describeError(error)})`);
      });
    }),
  );
  const conversations = owned.add(
    new Conversations(
      history,
      index,
      {
        client,
        prepareTurn,
        rulesFor: rules.forQuestion,
        clock: systemClock,
        log,
      },
      systemClock,
      log,
      () => vscode.workspace.name,
    ),
  );
  return { history, conversations, historyFolder, dispose: () => owned.dispose() };
}
