/** Imports conversations from files that Core Chat exported. Loaded on first use. */
import * as vscode from "vscode";
import { systemClock } from "../../base/clock";
import { newId } from "../../base/id";
import { describeError } from "../../base/log";
import { sha256 } from "../../base/sha256";
import { TimeSlice } from "../../base/timeSlice";
import { importExported } from "../../conversation/importExported";
import type {
  ImportedConversation,
  ImportRefusal,
  ImportResult,
} from "../../conversation/importResult";
import { importedPicture } from "../../pictures/importedPicture";
import type { TransferOptions } from "./exportConversations";

const { t } = vscode.l10n;

/** Longest part of a system prompt that a dialog shows, in UTF-16 units. */
const MAX_PROMPT_SHOWN = 2000;

/** Upper limit of a file, in bytes: ten times a long conversation with pictures. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** Asks for files, and imports their conversations. A single one is opened. */
export async function importConversation(options: TransferOptions): Promise<void> {
  const uris = await vscode.window.showOpenDialog({
    title: t("Import Conversations"),
    filters: { JSON: ["json"] },
    canSelectMany: true,
  });
  if (uris === undefined || uris.length === 0) return;
  const imported: ImportedConversation[] = [];
  const refusals: (ImportRefusal | "unreadable")[] = [];
  const unsavedIds: string[] = [];
  const location = vscode.ProgressLocation.Notification;
  const title = t("Importing conversations");
  await vscode.window.withProgress(
    { location, title, cancellable: true },
    async (progress, token) => {
      for (const [index, uri] of uris.entries()) {
        if (token.isCancellationRequested) return;
        progress.report({ message: t("{0} of {1}", index, uris.length) });
        const result = await importFile(options, uri);
        if (result.kind === "refused") refusals.push(result.reason);
        else {
          if (!(await store(options, result))) unsavedIds.push(result.id);
          imported.push(result);
        }
      }
    },
  );
  const [first] = imported;
  const [refusal] = refusals;
  if (uris.length === 1 && refusal) {
    await vscode.window.showErrorMessage(refusalSentence(refusal));
    return;
  }
  if (uris.length === 1 && first) {
    await options.view.revealAnd((session) => session.open(first.id));
    await offerSystemPrompt(options, first);
  } else {
    const done = t(
      "{0} conversations were imported. The list has them under All Workspaces.",
      imported.length,
    );
    const unreadable = t("Not readable: {0}", refusals.length);
    void vscode.window.showInformationMessage(
      refusals.length === 0 ? done : `${done} ${unreadable}`,
    );
  }
  if (unsavedIds.length > 0) {
    void vscode.window.showWarningMessage(
      t(
        "Not everything is saved to disk yet. Core Chat keeps trying. Free up space or check the disk before you close this window.",
      ),
    );
  }
  const loss = lossText(imported.reduce((sum, { picturesLeftOut }) => sum + picturesLeftOut, 0));
  if (loss !== "") await vscode.window.showWarningMessage(t("Imported without {0}.", loss));
}

async function importFile(
  { pictureLimits, log }: TransferOptions,
  uri: vscode.Uri,
): Promise<ImportResult | { readonly kind: "refused"; readonly reason: "unreadable" }> {
  let bytes: Uint8Array;
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > MAX_FILE_BYTES) return { kind: "refused", reason: "too-large" };
    // eslint-disable-next-line no-restricted-syntax -- an import, which is not sent
    bytes = await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    log.error(`import: a file could not be read (${describeError(error)})`);
    return { kind: "refused", reason: "unreadable" };
  }
  return importExported(new TextDecoder().decode(bytes), {
    slice: new TimeSlice(systemClock, new AbortController().signal),
    newId,
    cleanPicture: (picture) => importedPicture(picture, pictureLimits()),
    hashOf: sha256,
  });
}

/** Stores pictures and steps; resolves with false if the disk failed and the rest is written later. */
async function store(
  { conversations }: TransferOptions,
  { id, pictures, steps }: ImportedConversation,
): Promise<boolean> {
  let isSaved = true;
  for (const { bytes } of pictures) {
    const stored = await conversations.history.pictures.store(bytes);
    isSaved = stored.isSaved && isSaved;
  }
  isSaved = (await conversations.adopt(id, steps)) && isSaved;
  await (await conversations.index.list()).refreshOne(id);
  return isSaved;
}

/** Returns the number of pictures that were left out, in words; empty for none. */
function lossText(count: number): string {
  if (count === 0) return "";
  return count === 1 ? t("1 picture") : t("{0} pictures", count);
}

/** Asks if the system prompt of an imported file is to be used; without an answer it is not. */
async function offerSystemPrompt(
  { conversations }: TransferOptions,
  { id, parametersWithPrompt }: ImportedConversation,
): Promise<void> {
  if (parametersWithPrompt === undefined) return;
  const { systemPrompt } = parametersWithPrompt;
  const isLong = systemPrompt.length > MAX_PROMPT_SHOWN;
  const use: vscode.MessageItem = { title: t("Use System Prompt") };
  const chosen = await vscode.window.showWarningMessage(
    t("The file contains a system prompt. Use it in this conversation?"),
    {
      modal: true,
      detail: isLong ? `${systemPrompt.slice(0, MAX_PROMPT_SHOWN)}…` : systemPrompt,
    },
    use,
    { title: t("Don't Use"), isCloseAffordance: true },
  );
  if (chosen !== use) return;
  const live = await conversations.get(id);
  await live.choose({ kind: "parameters-chosen", parameters: parametersWithPrompt });
}

function refusalSentence(reason: ImportRefusal | "unreadable"): string {
  const sentences: Readonly<Record<ImportRefusal | "unreadable", string>> = {
    unreadable: t("The file could not be read. Check that it exists and that you have access."),
    "too-large": t("The file is too large for a conversation. Nothing was imported."),
    "not-json": t("The file is incomplete or not JSON. Nothing was imported."),
    foreign: t("The file is not a conversation that Core Chat exported. Nothing was imported."),
    newer: t(
      "The file was created by a newer version of Core Chat. Update Core Chat, then import it again.",
    ),
    damaged: t("The file is damaged. Nothing was imported. If you can, export it again."),
    empty: t("The file contains no messages. Nothing was imported."),
  };
  return sentences[reason];
}
