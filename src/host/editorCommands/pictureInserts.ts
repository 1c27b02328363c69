/**
 * Asks the vision model for the content of a pasted picture and writes the content in the form of the
 * document. The exchange is a conversation of the history, which "Open in Panel" shows.
 */
import * as vscode from "vscode";
import type { Disposable } from "../../base/disposables";
import { askForContent } from "../../chat/pictures/pictureContents";
import type { Conversations } from "../../chat/conversation/conversations";
import type { ImagePart } from "../../conversation/message";
import { tableCsv, tableHtml, tableMarkdown, tableTsv, type Table } from "../../markdown/tables";
import { validateImage } from "../../pictures/validateImage";
import { insertionOf } from "../../replyCode/insertedText";
import { indentOf } from "../../replyCode/lines";
import { readContent, textOfPieces, type ReadContent } from "../../replyCode/pictureReply";
import { confirmedText } from "../access/confirmInsert";
import { contentQuestion } from "../messages/contentQuestion";
import { panelMessages } from "../messages/panelMessages";
import type { ChatView } from "../panel/chatView";
import { readPictures } from "../pictures/pictureFiles";
import { FollowedLines } from "../platform/followedLines";
import { pictureHost } from "../pictures/pictureHost";
import type { ChosenContent, ChosenPicture, InsertedContent } from "./pasteAs";

const t = vscode.l10n.t;

/** True while a picture is being read; Escape stops then. */
const RUNNING_KEY = "coreChat.pasteRunning";

/** Languages whose tables are HTML. */
const HTML = new Set(["html", "vue", "svelte", "php", "razor", "handlebars"]);

/** Highest number in the name of a file that is written next to the document. */
const MAX_FILE_NUMBER = 1000;

export class PictureInserts implements Disposable {
  private readonly running = new Set<AbortController>();

  constructor(
    private readonly conversations: Conversations,
    private readonly view: Pick<ChatView, "open">,
  ) {}

  /** Stops all requests; nothing is inserted. */
  stop(): void {
    for (const controller of this.running) controller.abort();
  }

  dispose(): void {
    this.stop();
  }

  async read(
    chosen: ChosenContent,
    token: vscode.CancellationToken,
  ): Promise<InsertedContent | undefined> {
    const controller = new AbortController();
    const listening = token.onCancellationRequested(() => controller.abort());
    this.running.add(controller);
    this.showRunning();
    try {
      return await this.ask(chosen, controller.signal);
    } finally {
      listening.dispose();
      this.running.delete(controller);
      this.showRunning();
    }
  }

  /** Removes the placeholder that VS Code inserted, asks, and inserts the content as one edit. */
  async insertLater(chosen: ChosenContent): Promise<void> {
    const { document, range } = chosen;
    await vscode.commands.executeCommand("undo");
    const followed = new FollowedLines(document, new vscode.Selection(range.start, range.end));
    const cancellation = new vscode.CancellationTokenSource();
    const title = t("Reading the picture. Escape stops.");
    const { activeTextEditor: editor } = vscode.window;
    const shown = vscode.window.createTextEditorDecorationType({
      after: { contentText: title, color: new vscode.ThemeColor("editorGhostText.foreground") },
    });
    editor?.setDecorations(shown, [range]);
    try {
      const location = vscode.ProgressLocation.Window;
      const inserted = await vscode.window.withProgress({ location, title }, () =>
        this.read(chosen, cancellation.token),
      );
      if (inserted === undefined || document.isClosed) return;
      const edit = inserted.additionalEdit ?? new vscode.WorkspaceEdit();
      edit.replace(document.uri, followed.current, inserted.text);
      await vscode.workspace.applyEdit(edit);
    } finally {
      shown.dispose();
      followed.dispose();
      cancellation.dispose();
    }
  }

  private async ask(
    { content, document, range, picture }: ChosenContent,
    signal: AbortSignal,
  ): Promise<InsertedContent | undefined> {
    const part = await this.store(picture);
    if (typeof part === "string") {
      this.report(part);
      return;
    }
    const live = this.conversations.create();
    const question = { text: contentQuestion(content), pictures: [part] };
    const reply = await askForContent(live, question, panelMessages, signal);
    if (signal.aborted) return undefined;
    const conversationId = reply.live?.conversation.id;
    if (reply.text === undefined) {
      this.report(reply.notice?.text, conversationId);
      return;
    }
    const text = await confirmedText(reply.text, document);
    const read = text === undefined ? undefined : readContent(content, text);
    if (text !== undefined && read === undefined) {
      const problem = t("Nothing was inserted, because the reply has no such content.");
      this.report(problem, conversationId);
      return;
    }
    if (read === undefined) return undefined;
    this.offerCheck(part.name, uncertainIn(read), conversationId);
    if (content === "description") return this.withFile(read, part, document, picture);
    return { text: textFor(read, content, document, range) };
  }

  /** Stores the picture as it is sent; returns the reason if it cannot be sent. */
  private async store(picture: ChosenPicture): Promise<ImagePart | string> {
    const file =
      "uri" in picture
        ? (await readPictures([picture.uri.toString()]))[0]
        : { name: picture.name, bytes: await picture.bytes };
    if (file === undefined) return "";
    const { name, bytes } = file;
    if (typeof bytes === "string") return panelMessages.pictureRefused(name, bytes).text;
    const validation = await validateImage(bytes, pictureHost.limits());
    if (validation.kind === "refused") {
      return panelMessages.pictureRefused(name, validation.problem).text;
    }
    if (validation.kind === "to-draw" || validation.isTooLarge) {
      return t("{0} has to be resized first. Attach it in the Core Chat panel.", name);
    }
    const { mediaType, widthPx, heightPx } = validation.picture;
    const { hash } = await this.conversations.history.pictures.store(validation.picture.bytes);
    const size = { widthPx, heightPx, bytes: validation.picture.bytes.length };
    return { kind: "image", hash, mediaType, name, ...size };
  }

  /** Returns the alternative text in a link to the picture; a pasted picture becomes a file. */
  private async withFile(
    read: ReadContent,
    { name, mediaType, hash }: ImagePart,
    document: vscode.TextDocument,
    picture: ChosenPicture,
  ): Promise<InsertedContent | undefined> {
    const words =
      read.kind === "text" ? textOfPieces(read.pieces).replaceAll(/\s+/g, " ").trim() : "";
    if ("uri" in picture)
      return { text: linkTo(relative(document.uri, picture.uri), words, document) };
    const stored = await this.conversations.history.pictures.read(hash);
    if (stored.kind !== "found") {
      this.report(panelMessages.pictureLost(name, "missing").text);
      return;
    }
    const file = await freeName(document.uri, name, mediaType === "image/jpeg" ? "jpg" : "png");
    if (file === undefined) return undefined;
    const additionalEdit = new vscode.WorkspaceEdit();
    additionalEdit.createFile(file, { contents: stored.bytes, overwrite: false });
    return { text: linkTo(relative(document.uri, file), words, document), additionalEdit };
  }

  /** Reports why nothing is inserted. */
  private report(problem = "", conversationId?: string): undefined {
    if (problem !== "") this.show(vscode.window.showWarningMessage, problem, conversationId);
    return undefined;
  }

  private offerCheck(name: string, uncertain: readonly string[], id: string | undefined): void {
    const read = t("Read from {0}. Compare it with the picture.", name);
    const parts = uncertain.map((text) => (text.trim() === "" ? "…" : text)).join(t(", "));
    const text = uncertain.length === 0 ? read : t("{0} Uncertain: {1}", read, parts);
    this.show(vscode.window.showInformationMessage, text, id);
  }

  private show(
    show: (text: string, ...items: string[]) => Thenable<string | undefined>,
    text: string,
    conversationId: string | undefined,
  ): void {
    const open = t("Open in Panel");
    void show(text, ...(conversationId === undefined ? [] : [open])).then((chosen) => {
      if (chosen === open && conversationId !== undefined) void this.view.open(conversationId);
    });
  }

  private showRunning(): void {
    const isRunning = this.running.size > 0;
    void vscode.commands.executeCommand("setContext", RUNNING_KEY, isRunning);
  }
}

function uncertainIn(read: ReadContent): string[] {
  if (read.kind === "text") {
    return read.pieces.filter(({ isUncertain }) => isUncertain).map(({ text }) => text);
  }
  return read.tables.flatMap(({ rows }, table) =>
    rows.flatMap((row, line) => row.filter((_, cell) => read.uncertain[table]?.[line]?.[cell])),
  );
}

/** Returns the content in the form of the document. */
function textFor(
  read: ReadContent,
  content: ChosenContent["content"],
  document: vscode.TextDocument,
  range: vscode.Range,
): string {
  if (read.kind === "tables") return read.tables.map(tableWriter(document)).join("\n");
  const text = textOfPieces(read.pieces);
  if (content === "diagram" && document.languageId === "markdown") {
    return `\`\`\`mermaid\n${text}\n\`\`\`\n`;
  }
  return content === "code" ? indented(text, document, range) : text;
}

function tableWriter({ languageId, uri }: vscode.TextDocument): (table: Table) => string {
  const path = uri.path.toLowerCase();
  if (languageId === "csv" || path.endsWith(".csv")) return tableCsv;
  if (languageId === "tsv" || path.endsWith(".tsv")) return tableTsv;
  return HTML.has(languageId) ? tableHtml : tableMarkdown;
}

/** Returns code indented for its place; the blanks before the place stay in the document. */
function indented(code: string, document: vscode.TextDocument, range: vscode.Range): string {
  const { start, end } = document.validateRange(range);
  const line = document.lineAt(start.line);
  const before = line.text.slice(0, start.character);
  const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
  const { insertSpaces, tabSize } = editor?.options ?? {};
  const { text, isFromLineStart } = insertionOf(code, {
    before,
    after: document.lineAt(end.line).text.slice(end.character),
    isReplacing: !range.isEmpty,
    lineIndent: indentOf([line.text]),
    style: {
      usesTabs: insertSpaces === false,
      size: typeof tabSize === "number" && tabSize > 0 ? tabSize : 4,
    },
  });
  return isFromLineStart && text.startsWith(before) ? text.slice(before.length) : text;
}

function linkTo(path: string, words: string, { languageId }: vscode.TextDocument): string {
  if (languageId === "markdown" || languageId === "mdx") {
    return `![${words.replaceAll(/[\\[\]]/g, "\\$&")}](${path})`;
  }
  const quoted = words.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<img src="${path}" alt="${quoted}">`;
}

/** Returns the path of a file relative to the folder of a document, encoded as in a link. */
function relative(document: vscode.Uri, file: vscode.Uri): string {
  const from = document.path.split("/").slice(0, -1);
  const to = file.path.split("/");
  let same = 0;
  while (same < from.length && from[same] === to[same]) same++;
  const steps = [...from.slice(same).map(() => ".."), ...to.slice(same).map(encodeURIComponent)];
  return steps.join("/");
}

/** Returns the address of a file that does not exist, next to the document. */
async function freeName(
  document: vscode.Uri,
  name: string,
  ending: string,
): Promise<vscode.Uri | undefined> {
  const stem = name.replace(/\.\w{1,5}$/, "").replaceAll(/[^\p{L}\p{N}._-]+/gu, "-") || "picture";
  for (let number = 1; number <= MAX_FILE_NUMBER; number++) {
    const fileName = `${stem}${number === 1 ? "" : `-${number}`}.${ending}`;
    const file = vscode.Uri.joinPath(document, "..", fileName);
    try {
      await vscode.workspace.fs.stat(file);
    } catch {
      return file;
    }
  }
  return undefined;
}
