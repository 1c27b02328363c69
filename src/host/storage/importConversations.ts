/** Imports conversations from files that Core Chat exported. Loaded on first use. */
import * as vscode from "vscode";
import { systemClock } from "../../base/clock";
import { newId } from "../../base/id";
import { describeError, type Log } from "../../base/log";
import { sha256 } from "../../base/sha256";
import { TimeSlice } from "../../base/timeSlice";
import type { Conversations } from "../../chat/conversation/conversations";
import type { Step } from "../../conversation/conversation";
import { importExported } from "../../conversation/importExported";
import type {
  ImportedConversation,
  ImportRefusal,
  ImportResult,
} from "../../conversation/importResult";
import { importedPicture } from "../../pictures/importedPicture";
import type { PictureLimits } from "../../pictures/validateImage";
import type { ChatView } from "../panel/chatView";

export interface ImportChatsOptions {
  readonly conversations: Conversations;
  readonly view: ChatView;
  readonly log: Log;
  readonly pictureLimits: () => PictureLimits;
}

/** Longest part of a system prompt that a dialog shows, in UTF-16 units. */
const MAX_PROMPT_SHOWN = 2000;

/** Upper limit of a file, in bytes: ten times a long conversation with pictures. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** Asks for files, and imports their conversations. */
export async function importConversation(options: ImportChatsOptions): Promise<void> {
  const uris = await vscode.window.showOpenDialog({
    title: vscode.l10n.t("Import Conversations"),
    filters: { JSON: ["json"] },
    canSelectMany: true,
  });
  const [first] = uris ?? [];
  if (uris === undefined || first === undefined) return;
  try {
    if (uris.length === 1) await importOne(options, first);
    else await importSeveral(options, uris);
  } catch (error) {
    options.log.error(`import: failed (${describeError(error)})`);
    await vscode.window.showErrorMessage(
      vscode.l10n.t("The file could not be read. Check that it exists and that you have access."),
    );
  }
}

/** Imports a file. Rejects with the errors of the file system. */
async function importFile(
  { pictureLimits }: ImportChatsOptions,
  uri: vscode.Uri,
): Promise<ImportResult> {
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > MAX_FILE_BYTES) return { kind: "refused", reason: "too-large" };
  // eslint-disable-next-line no-restricted-syntax -- an import, which is not sent
  const bytes = await vscode.workspace.fs.readFile(uri);
  return importExported(new TextDecoder().decode(bytes), {
    slice: new TimeSlice(systemClock, new AbortController().signal),
    newId,
    cleanPicture: (picture) => importedPicture(picture, pictureLimits()),
    hashOf: sha256,
  });
}

/** Stores pictures and steps; resolves with false if the disk failed and the rest is written later. */
async function store(
  { conversations }: ImportChatsOptions,
  { id, pictures, steps }: ImportedConversation,
  write: (id: string, steps: readonly Step[]) => Promise<boolean>,
): Promise<boolean> {
  const stored = [];
  for (const { bytes } of pictures) stored.push(await conversations.history.pictures.store(bytes));
  const isWritten = await write(id, steps);
  return isWritten && stored.every(({ isSaved }) => isSaved);
}

/** Imports a file and opens its conversation. */
async function importOne(options: ImportChatsOptions, uri: vscode.Uri): Promise<void> {
  const { conversations, view } = options;
  const result = await importFile(options, uri);
  if (result.kind === "refused") {
    await vscode.window.showErrorMessage(refusalSentence(result.reason));
    return;
  }
  const steps = [...result.steps, ...(await systemPromptSteps(result))];
  const isSaved = await store(options, { ...result, steps }, (id, all) =>
    conversations.adopt(id, all),
  );
  await view.open(result.id);
  if (!isSaved) await warnUnsaved();
  const loss = lossText(result.picturesLeftOut);
  if (loss !== "")
    await vscode.window.showWarningMessage(vscode.l10n.t("Imported without {0}.", loss));
}

/** Imports files without opening a conversation. A file that cannot be read is counted. */
async function importSeveral(
  options: ImportChatsOptions,
  uris: readonly vscode.Uri[],
): Promise<void> {
  const { conversations, log } = options;
  const imported: string[] = [];
  let unreadableCount = 0;
  let unsavedCount = 0;
  let picturesLeftOut = 0;
  const location = vscode.ProgressLocation.Notification;
  const title = vscode.l10n.t("Importing conversations");
  await vscode.window.withProgress(
    { location, title, cancellable: true },
    async (progress, token) => {
      for (const [index, uri] of uris.entries()) {
        if (token.isCancellationRequested) return;
        progress.report({ message: vscode.l10n.t("{0} of {1}", index, uris.length) });
        const result = await importFile(options, uri).catch((error: unknown) => {
          log.error(`import: a file could not be read (${describeError(error)})`);
          return undefined;
        });
        if (result?.kind !== "imported") {
          unreadableCount++;
          continue;
        }
        const isSaved = await store(options, result, (id, steps) => conversations.save(id, steps));
        if (!isSaved) unsavedCount++;
        picturesLeftOut += result.picturesLeftOut;
        imported.push(result.id);
        await (await conversations.index.list()).refreshOne(result.id);
      }
    },
  );
  if (unsavedCount !== 0)
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        "Not everything is saved to disk yet. Core Chat keeps trying. Free up space or check the disk before you close this window.",
      ),
    );
  const loss = lossText(picturesLeftOut);
  await offerUndo(options, imported, [
    ...(unreadableCount > 0 ? [vscode.l10n.t("Not readable: {0}", unreadableCount)] : []),
    ...(loss === "" ? [] : [vscode.l10n.t("Left out: {0}.", loss)]),
  ]);
}

async function offerUndo(
  { conversations, log }: ImportChatsOptions,
  ids: readonly string[],
  losses: readonly string[],
): Promise<void> {
  const undo = vscode.l10n.t("Undo");
  const chosen = await vscode.window.showInformationMessage(
    [
      vscode.l10n.t(
        "{0} conversations were imported. The list has them under All Workspaces.",
        ids.length,
      ),
      ...losses,
    ].join(" "),
    ...(ids.length > 0 ? [undo] : []),
  );
  if (chosen !== undo) return;
  try {
    await conversations.removeForever(ids);
  } catch (error) {
    log.error(`import: not undone (${describeError(error)})`);
    void vscode.window.showErrorMessage(
      vscode.l10n.t(
        "Not everything could be deleted. Check that the storage folder can be written, then reload the window to finish.",
      ),
    );
  }
}

/** Returns the number of pictures that were left out, in words; empty for none. */
function lossText(count: number): string {
  if (count === 0) return "";
  return count === 1 ? vscode.l10n.t("1 picture") : vscode.l10n.t("{0} pictures", count);
}

async function warnUnsaved(): Promise<void> {
  await vscode.window.showWarningMessage(
    vscode.l10n.t(
      "The conversation is open but not saved to disk yet. Core Chat keeps trying. Free up space or check the disk before you close this window.",
    ),
  );
}

/** Asks if the system prompt of an imported file is to be used; without an answer it is not. */
async function systemPromptSteps({ parametersWithPrompt }: ImportedConversation): Promise<Step[]> {
  if (parametersWithPrompt === undefined) return [];
  const { systemPrompt } = parametersWithPrompt;
  const isLong = systemPrompt.length > MAX_PROMPT_SHOWN;
  const use: vscode.MessageItem = { title: vscode.l10n.t("Use System Prompt") };
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("The file contains a system prompt. Use it in this conversation?"),
    {
      modal: true,
      detail: isLong ? `${systemPrompt.slice(0, MAX_PROMPT_SHOWN)}…` : systemPrompt,
    },
    use,
    { title: vscode.l10n.t("Don't Use"), isCloseAffordance: true },
  );
  if (chosen !== use) return [];
  return [{ kind: "parameters-chosen", parameters: parametersWithPrompt }];
}

function refusalSentence(reason: ImportRefusal): string {
  switch (reason) {
    case "too-large":
      return vscode.l10n.t("The file is too large for a conversation. Nothing was imported.");
    case "not-json":
      return vscode.l10n.t("The file is incomplete or not JSON. Nothing was imported.");
    case "foreign":
      return vscode.l10n.t(
        "The file is not a conversation that Core Chat exported. Nothing was imported.",
      );
    case "newer":
      return vscode.l10n.t(
        "The file was created by a newer version of Core Chat. Update Core Chat, then import it again.",
      );
    case "damaged":
      return vscode.l10n.t(
        "The file is damaged. Nothing was imported. If you can, export it again.",
      );
    case "empty":
      return vscode.l10n.t("The file contains no messages. Nothing was imported.");
    default:
      return reason satisfies never;
  }
}
