/**
 * Imports conversations from files of Core Chat and of other tools. First everything is read and shown in a
 * list; only what the user chooses is written. Loaded on first use.
 */
import * as vscode from "vscode";
import { systemClock } from "../../base/clock";
import { newId } from "../../base/id";
import { describeError, type Log } from "../../base/log";
import { sha256 } from "../../base/sha256";
import { TimeSlice } from "../../base/timeSlice";
import type { Conversations } from "../../chat/conversation/conversations";
import type { Step } from "../../conversation/conversation";
import { chatId, chatsIn, importChat, type FoundChat } from "../../conversation/importFile";
import {
  noLosses,
  type ImportedConversation,
  type ImportLosses,
  type ImportOptions,
  type ImportRefusal,
} from "../../conversation/importResult";
import { importedPicture } from "../../pictures/importedPicture";
import type { PictureLimits } from "../../pictures/validateImage";
import { chunksOf } from "../node/exportFiles";
import { homeFolder } from "../node/homeFolder";
import type { ChatView } from "../panel/chatView";

export interface ImportChatsOptions {
  readonly conversations: Conversations;
  readonly view: ChatView;
  readonly log: Log;
  readonly pictureLimits: () => PictureLimits;
  /** Storage folder of the extension; those of other extensions are next to it. */
  readonly storage: vscode.Uri;
}

/** Conversation of a file that can be imported. */
interface Found {
  readonly uri: vscode.Uri;
  /** Position among what the file contains. */
  readonly index: number;
  readonly id: string;
  /** True if it is here already. */
  readonly isKnown: boolean;
  readonly title: string;
  readonly tool: string;
  readonly createdAtMs: number | undefined;
  readonly messageCount: number;
  readonly lost: ImportLosses;
}

interface Scan {
  readonly found: readonly Found[];
  readonly refusals: readonly ImportRefusal[];
}

/** Longest title in the list, in UTF-16 units. */
const MAX_TITLE = 80;

/** Longest part of a system prompt that a dialog shows, in UTF-16 units. */
const MAX_PROMPT_SHOWN = 2000;

/** Upper limit of files of a tool. */
const MAX_FILES = 20_000;

/** Asks for files, and imports their conversations. */
export async function importConversation(options: ImportChatsOptions): Promise<void> {
  const uris = await vscode.window.showOpenDialog({
    title: vscode.l10n.t("Import Conversations"),
    filters: { JSON: ["json"] },
    canSelectMany: true,
  });
  if (uris) await importFiles(options, uris);
}

/** Asks for a tool whose conversations are on this machine, or for files. */
export async function importFrom(options: ImportChatsOptions): Promise<void> {
  const places = await placesOf(options.storage);
  const { continueConfigIn, importContinue } = await import("../settings/importContinue");
  const folder = continueFolder();
  const config = folder && (await continueConfigIn(folder));
  const items: PlaceItem[] = [
    ...places.map(({ tool, uris }) => ({
      label: tool,
      description: vscode.l10n.t("{0} files", uris.length),
      uris,
    })),
    ...(config
      ? [
          {
            label: vscode.l10n.t("Continue: services, prompts and rules"),
            description: config.path.slice(config.path.lastIndexOf("/") + 1),
            config,
          },
        ]
      : []),
    {
      label: vscode.l10n.t("Choose Files…"),
      description: "ChatGPT, Claude, LibreChat, Open WebUI, VS Code, OpenAI, Core Chat",
    },
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Import From"),
  });
  if (chosen === undefined) return;
  if (chosen.config) await importContinue(chosen.config, options.log);
  else if (chosen.uris) await importFiles(options, chosen.uris);
  else await importConversation(options);
}

interface PlaceItem extends vscode.QuickPickItem {
  readonly uris?: readonly vscode.Uri[];
  /** Configuration of Continue. */
  readonly config?: vscode.Uri;
}

function continueFolder(): vscode.Uri | undefined {
  const home = homeFolder();
  return home === undefined ? undefined : vscode.Uri.joinPath(vscode.Uri.file(home), ".continue");
}

interface Place {
  readonly tool: string;
  readonly uris: readonly vscode.Uri[];
}

/**
 * Returns the tools with conversations on this machine: Continue's sessions, and extensions that keep a folder
 * for each task, as Cline, Roo Code and Zoo Code do.
 */
async function placesOf(storage: vscode.Uri): Promise<readonly Place[]> {
  const places: Place[] = [];
  const own = continueFolder();
  if (own !== undefined) {
    const folder = vscode.Uri.joinPath(own, "sessions");
    const names = (await namesIn(folder)).filter(
      (name) => name.endsWith(".json") && name !== "sessions.json",
    );
    const uris = names.map((name) => vscode.Uri.joinPath(folder, name));
    if (uris.length > 0) places.push({ tool: "Continue", uris });
  }
  const others = vscode.Uri.joinPath(storage, "..");
  for (const extension of await namesIn(others)) {
    const folder = vscode.Uri.joinPath(others, extension, "tasks");
    const uris = (await namesIn(folder)).map((name) =>
      vscode.Uri.joinPath(folder, name, "api_conversation_history.json"),
    );
    if (uris.length > 0) places.push({ tool: displayNameOf(extension), uris });
  }
  return places;
}

/** Returns the name of an extension; its id if it is not installed any more. */
function displayNameOf(id: string): string {
  const { displayName } = (vscode.extensions.getExtension(id)?.packageJSON ?? {}) as {
    displayName?: unknown;
  };
  return typeof displayName === "string" ? displayName : id;
}

async function namesIn(folder: vscode.Uri): Promise<string[]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(folder);
    return entries.slice(0, MAX_FILES).map(([name]) => name);
  } catch {
    return []; // Most folders do not exist.
  }
}

/** Imports what the user chooses of the files; a single conversation is imported and opened at once. */
async function importFiles(
  options: ImportChatsOptions,
  uris: readonly vscode.Uri[],
): Promise<void> {
  try {
    const scan = await withProgress(vscode.l10n.t("Reading conversations"), (show, signal) =>
      scanFiles(options, uris, show, signal),
    );
    if (scan === undefined) return;
    const { found, refusals } = scan;
    const [only] = found;
    if (only === undefined) {
      await vscode.window.showErrorMessage(refusalSentence(refusals[0] ?? "empty"));
    } else if (found.length > 1) await importSeveral(options, scan);
    else if (only.isKnown) await options.view.open(only.id);
    else await importOne(options, only);
  } catch (error) {
    options.log.error(`import: failed (${describeError(error)})`);
    await vscode.window.showErrorMessage(
      vscode.l10n.t("The file could not be read. Check that it exists and that you have access."),
    );
  }
}

type ShowProgress = (done: number, total: number) => void;

/** Runs a task with a notification; resolves with undefined after Cancel. */
function withProgress<T>(
  title: string,
  run: (show: ShowProgress, signal: AbortSignal) => Promise<T | undefined>,
): Thenable<T | undefined> {
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) => {
    const canceled = new AbortController();
    token.onCancellationRequested(() => canceled.abort());
    const show: ShowProgress = (done, total) =>
      progress.report({ message: vscode.l10n.t("{0} of {1}", done, total) });
    return run(show, canceled.signal);
  });
}

async function scanFiles(
  options: ImportChatsOptions,
  uris: readonly vscode.Uri[],
  show: ShowProgress,
  signal: AbortSignal,
): Promise<Scan | undefined> {
  const found: Found[] = [];
  const refusals: ImportRefusal[] = [];
  const ids = new Set<string>();
  for (const [at, uri] of uris.entries()) {
    show(at, uris.length);
    let index = 0;
    for await (const chat of chatsOf(uri, uris.length > 1)) {
      if (signal.aborted) return undefined;
      if (chat.kind === "refused") refusals.push(chat.reason);
      else {
        const one = await describe(options, uri, index, chat);
        if (!ids.has(one.id)) found.push(one);
        ids.add(one.id);
      }
      index++;
    }
  }
  return { found, refusals };
}

/** Reads a file; of several, one that cannot be read is left out. */
async function* chatsOf(uri: vscode.Uri, isOneOfSeveral: boolean): AsyncGenerator<FoundChat> {
  try {
    const chunks = uri.scheme === "file" && homeFolder() ? chunksOf(uri.fsPath) : wholeFile(uri);
    yield* chatsIn(chunks, newSlice());
  } catch (error) {
    if (!isOneOfSeveral) throw error;
    yield { kind: "refused", reason: "not-json" };
  }
}

async function* wholeFile(uri: vscode.Uri): AsyncGenerator<Uint8Array> {
  // eslint-disable-next-line no-restricted-syntax -- an import, which is not sent
  yield await vscode.workspace.fs.readFile(uri);
}

async function describe(
  { conversations }: ImportChatsOptions,
  uri: vscode.Uri,
  index: number,
  chat: Exclude<FoundChat, { kind: "refused" }>,
): Promise<Found> {
  const fileName = uri.path.slice(uri.path.lastIndexOf("/") + 1);
  const place = { uri, index };
  if (chat.kind === "own") {
    const own = { id: newId(), isKnown: false, title: fileName, tool: "Core Chat" };
    return { ...place, ...own, createdAtMs: undefined, messageCount: 0, lost: noLosses() };
  }
  const { messages, title, createdAtMs, lost } = chat.chat;
  const kept = messages.filter(({ role }) => role !== "other");
  const first = kept.find(({ text }) => text.trim() !== "")?.text ?? fileName;
  let id = await chatId(chat.chat, sha256);
  for (let attempt = 1; await conversations.isRemoved(id); attempt++)
    id = await chatId(chat.chat, sha256, attempt);
  return {
    ...place,
    id,
    isKnown: await conversations.history.journal.has(id),
    title: (title ?? first.trim().replaceAll(/\s+/g, " ")).slice(0, MAX_TITLE),
    tool: chat.tool,
    createdAtMs,
    messageCount: kept.length,
    lost,
  };
}

function importOptions({ pictureLimits }: ImportChatsOptions, uri: vscode.Uri): ImportOptions {
  return {
    slice: newSlice(),
    newId,
    nowMs: () => Date.now(),
    cleanPicture: (bytes) => importedPicture(bytes, pictureLimits()),
    hashOf: sha256,
    readPicture: (name) => pictureNextTo(uri, name),
  };
}

/** Never aborted: the import looks at its signal between conversations. */
function newSlice(): TimeSlice {
  return new TimeSlice(systemClock, new AbortController().signal);
}

/** Reads the picture of an export whose file name begins with its id, next to the file. */
async function pictureNextTo(uri: vscode.Uri, id: string): Promise<Uint8Array | undefined> {
  if (!/^[\w-]{8,100}$/.test(id)) return undefined;
  const folder = vscode.Uri.joinPath(uri, "..");
  const name = (await namesIn(folder)).find((one) => one.startsWith(id));
  if (name === undefined) return undefined;
  // eslint-disable-next-line no-restricted-syntax -- an import, which is not sent
  return vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, name));
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

async function importOne(options: ImportChatsOptions, found: Found): Promise<void> {
  const { conversations, view } = options;
  let result: ImportedConversation | undefined;
  for await (const one of readAll(options, [found])) result = one.result;
  if (result === undefined) {
    await vscode.window.showErrorMessage(refusalSentence("damaged"));
    return;
  }
  const steps = [...result.steps, ...(await systemPromptSteps(result))];
  const isSaved = await store(options, { ...result, steps }, (id, all) =>
    conversations.adopt(id, all),
  );
  await view.open(result.id);
  if (!isSaved) await warnUnsaved();
  const loss = lossText(result.leftOut);
  if (loss !== "")
    await vscode.window.showWarningMessage(vscode.l10n.t("Imported without {0}.", loss));
}

async function importSeveral(options: ImportChatsOptions, scan: Scan): Promise<void> {
  const { conversations } = options;
  const fresh = scan.found.filter(({ isKnown }) => !isKnown);
  const knownCount = scan.found.length - fresh.length;
  if (fresh.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("All {0} conversations are here already.", knownCount),
    );
    return;
  }
  const chosen = await vscode.window.showQuickPick(
    fresh
      .toSorted((a, b) => (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0))
      .map((found) => ({ ...rowOf(found), found, picked: true })),
    {
      title: vscode.l10n.t("Import {0} Conversations", fresh.length),
      placeHolder: [
        vscode.l10n.t("Nothing is imported until you confirm."),
        ...(knownCount > 0 ? [vscode.l10n.t("Already here: {0}", knownCount)] : []),
        ...(scan.refusals.length > 0
          ? [vscode.l10n.t("Not readable: {0}", scan.refusals.length)]
          : []),
      ].join(" "),
      canPickMany: true,
      matchOnDescription: true,
    },
  );
  if (chosen === undefined || chosen.length === 0) return;
  const imported: string[] = [];
  const lost = noLosses();
  const unsaved = await withProgress(
    vscode.l10n.t("Importing conversations"),
    async (show, signal) => {
      let unsavedCount = 0;
      for await (const { id, result } of readAll(
        options,
        chosen.map(({ found }) => found),
      )) {
        if (signal.aborted) break;
        show(imported.length, chosen.length);
        for (const kind of ["pictures", "files", "messages", "tools"] as const)
          lost[kind] += result.leftOut[kind];
        const isSaved = await store(options, result, (own, steps) =>
          conversations.save(own, steps),
        );
        if (!isSaved) unsavedCount++;
        imported.push(id);
        await (await conversations.index.list()).refreshOne(id);
      }
      return unsavedCount;
    },
  );
  if (imported.length === 0) return;
  if (unsaved !== 0)
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        "Not everything is saved to disk yet. Core Chat keeps trying. Free up space or check the disk before you close this window.",
      ),
    );
  await offerUndo(options, imported, lost);
}

/** Converts the chosen conversations; each file is read once. */
async function* readAll(options: ImportChatsOptions, chosen: readonly Found[]) {
  const wantedOf = new Map<vscode.Uri, Map<number, string>>();
  for (const { uri, index, id } of chosen) {
    const ids = wantedOf.get(uri) ?? new Map<number, string>();
    wantedOf.set(uri, ids.set(index, id));
  }
  for (const [uri, wanted] of wantedOf) {
    let index = 0;
    for await (const chat of chatsOf(uri, true)) {
      const id = wanted.get(index++);
      if (id === undefined) continue;
      const result = await importChat(chat, id, importOptions(options, uri));
      if (result.kind === "imported") yield { id: result.id, result };
    }
  }
}

async function offerUndo(
  { conversations, log }: ImportChatsOptions,
  ids: readonly string[],
  lost: ImportLosses,
): Promise<void> {
  const loss = lossText(lost);
  const undo = vscode.l10n.t("Undo");
  const chosen = await vscode.window.showInformationMessage(
    [
      vscode.l10n.t(
        "{0} conversations were imported. The list has them under All Workspaces.",
        ids.length,
      ),
      ...(loss === "" ? [] : [vscode.l10n.t("Left out: {0}.", loss)]),
    ].join(" "),
    undo,
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

function rowOf({ title, tool, createdAtMs, messageCount, lost }: Found) {
  const loss = lossText(lost);
  const date = createdAtMs === undefined ? [] : [new Date(createdAtMs).toLocaleDateString()];
  const count = messageCount === 0 ? [] : [vscode.l10n.t("{0} messages", messageCount)];
  return {
    label: title,
    description: [tool, ...date, ...count].join(" · "),
    ...(loss !== "" && { detail: vscode.l10n.t("Without {0}", loss) }),
  };
}

/** Returns what is left out, as a list in words; empty for nothing. */
function lossText({ pictures, files, messages, tools }: ImportLosses): string {
  const { l10n } = vscode;
  return [
    ...(pictures === 0
      ? []
      : [pictures === 1 ? l10n.t("1 picture") : l10n.t("{0} pictures", pictures)]),
    ...(files === 0 ? [] : [files === 1 ? l10n.t("1 file") : l10n.t("{0} files", files)]),
    ...(messages === 0
      ? []
      : [messages === 1 ? l10n.t("1 message") : l10n.t("{0} messages", messages)]),
    ...(tools === 0
      ? []
      : [tools === 1 ? l10n.t("1 step of a tool") : l10n.t("{0} steps of tools", tools)]),
  ].join(", ");
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
        "The file contains no conversation in a known format. Choose an export of Core Chat, ChatGPT, Claude, LibreChat, Open WebUI or VS Code, a session of Continue, or a list of messages.",
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
