/** Opens the conversations of the history's folder. */
import * as vscode from "vscode";
import { systemClock } from "../../base/clock";
import { Disposables, type Disposable } from "../../base/disposables";
import type { Log } from "../../base/log";
import { Conversations } from "../../chat/conversations";
import type { TurnOptions } from "../../chat/prepareTurn";
import { History } from "../../history/history";
import type { WorkspaceRules } from "../context/workspaceRules";
import { HistoryFolder } from "./historyFolder";

/** Delay before old data is deleted, in milliseconds. */
const CLEAN_UP_AFTER_MS = 60_000;

interface OpenedConversations extends Disposable {
  readonly history: History;
  readonly conversations: Conversations;
  readonly historyFolder: HistoryFolder;
}

/** Reads nothing before a conversation is opened; deletes old data a minute later. */
export function openConversations(
  { globalStorageUri, extension }: vscode.ExtensionContext,
  {
    client,
    prepareTurn,
    rules,
  }: Pick<TurnOptions, "client" | "prepareTurn"> & { readonly rules: WorkspaceRules },
  log: Log,
): OpenedConversations {
  const owned = new Disposables();
  const isRemote = extension.extensionKind === vscode.ExtensionKind.Workspace;
  const remoteName = isRemote ? vscode.env.remoteName : undefined;
  const historyFolder = owned.add(new HistoryFolder(globalStorageUri, remoteName, log));
  const { files, own } = historyFolder;
  const history = owned.add(new History(files, systemClock, log, own));
  const cleaning = new AbortController();
  owned.add({ dispose: () => cleaning.abort(new Error("the window closes")) });
  owned.add(
    systemClock.after(CLEAN_UP_AFTER_MS, () => {
      // Rejects only when the window closes.
      history.cleanUp(cleaning.signal).catch(() => undefined);
    }),
  );
  const conversations = owned.add(
    new Conversations(
      history,
      {
        ...{ client, prepareTurn, rulesFor: rules.forQuestion, clock: systemClock, log },
        readImage: (image) => history.pictures.readUrl(image.hash, image.mediaType),
      },
      systemClock,
      log,
      () => vscode.workspace.name,
    ),
  );
  return { history, conversations, historyFolder, dispose: () => owned.dispose() };
}
