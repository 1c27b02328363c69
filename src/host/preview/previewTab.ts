/**
 * Shows the preview of a code block in an editor tab. The page draws the code in a sandboxed frame;
 * this class loads the pictures of the conversation for it and attaches what the user sends back.
 */
import * as vscode from "vscode";
import { newId } from "../../base/id";
import type { Disposable } from "../../base/disposables";
import { lazily } from "../../base/lazily";
import type { Log } from "../../base/log";
import type { PictureFile } from "../../chat/view/editorContext";
import { originalsBefore, type AttachedOriginal } from "../../chat/pictures/previewOriginals";
import type { CodePreview } from "../../chat/sessionHost";
import type { Pictures } from "../../history/pictures";
import { codeBlocks } from "../../markdown/codeBlocks";
import { previewCode } from "../../markdown/previewCode";
import { Channel } from "../../protocol/channel";
import {
  fromPreviewSchema,
  originalReplySchema,
  type FromPreview,
  type OriginalReply,
  type PreviewState,
} from "../../protocol/previewMessages";
import { mentionsTailwind } from "../../protocol/tailwindScripts";
import type { ActiveChat } from "../panel/activeChat";
import { canBeInlined } from "../panel/pageHtml";
import { tabIcon } from "../panel/panelPage";
import { previewPageHtml, type PreviewPageOptions } from "./previewPageHtml";

const PREVIEW_EDITOR = "coreChat.preview";

export interface PreviewTabOptions {
  readonly extensionUri: vscode.Uri;
  readonly pictures: Pick<Pictures, "read">;
  readonly activeChat: ActiveChat;
  readonly log: Log;
}

/** The tab and its preview; another preview replaces the first one. */
export class PreviewTab implements Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private conversationId = "";
  private originals: readonly AttachedOriginal[] = [];
  private state: PreviewState | undefined;
  private readonly texts = lazily(() => this.readTexts());
  private readonly tailwind = lazily(() => this.read("dist", "webview", "tailwind.js"));

  constructor(private readonly options: PreviewTabOptions) {}

  async open({ conversation, reply, text, block }: CodePreview): Promise<void> {
    const code = previewCode(codeBlocks(text), block);
    if (code === undefined) return;
    this.conversationId = conversation.id;
    this.originals = originalsBefore(conversation, reply);
    this.state = {
      id: newId(),
      code,
      originals: this.originals.map(({ hash, name, widthPx, heightPx }) => {
        return { hash, name, widthPx, heightPx };
      }),
    };
    this.panel ??= this.createPanel();
    this.panel.title =
      code.kind === "svg" ? vscode.l10n.t("Preview: SVG") : vscode.l10n.t("Preview: HTML");
    this.panel.reveal();
    await this.load();
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private createPanel(): vscode.WebviewPanel {
    // Opens next to a chat in a tab, which stays visible for the result of a comparison.
    const isOverTab =
      vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview;
    const panel = vscode.window.createWebviewPanel(
      PREVIEW_EDITOR,
      vscode.l10n.t("Preview"),
      isOverTab ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
      { enableScripts: true, localResourceRoots: [] },
    );
    panel.iconPath = tabIcon(this.options.extensionUri);
    const channel = new Channel<never, FromPreview, OriginalReply>({
      post: (envelope) => void panel.webview.postMessage(envelope),
      incoming: fromPreviewSchema,
      reply: originalReplySchema,
      handle: (message) => this.handle(message),
      log: this.options.log,
    });
    panel.webview.onDidReceiveMessage((data: unknown) => void channel.receive(data));
    panel.onDidDispose(() => {
      channel.dispose();
      if (this.panel !== panel) return;
      this.panel = undefined;
      this.state = undefined;
    });
    return panel;
  }

  /** Loads the page again, with the current state. */
  private async load(): Promise<void> {
    const { panel } = this;
    const texts = await this.texts();
    const loadsTailwind = mentionsTailwind(this.state?.code.markup ?? "");
    const tailwind = loadsTailwind ? await this.tailwind() : "";
    if (this.state === undefined || panel === undefined || panel !== this.panel) return;
    panel.webview.html = previewPageHtml({
      language: vscode.env.language,
      nonce: newId() + newId(),
      title: panel.title,
      strings: vscode.l10n.bundle ?? {},
      state: this.state,
      tailwind,
      ...texts,
    });
  }

  private async handle(message: FromPreview): Promise<OriginalReply | undefined> {
    switch (message.type) {
      case "original-asked":
        return this.readOriginal(message.hash);
      case "comparison-attached":
        await this.attachComparison(message);
        return undefined;
      case "preview-failed":
        this.options.log.error(`preview: failed in ${JSON.stringify(message.where)}`);
        return undefined;
      default:
        return message satisfies never;
    }
  }

  private async readOriginal(hash: string): Promise<OriginalReply> {
    const original = this.original(hash);
    const stored = original && (await this.options.pictures.read(hash));
    if (original === undefined || stored?.kind !== "found") return {};
    return { picture: { mediaType: original.mediaType, bytes: new Uint8Array(stored.bytes) } };
  }

  /** Attaches the original and the picture of the preview, with a question for both. */
  private async attachComparison({
    hash,
    png,
    leftOut,
  }: Extract<FromPreview, { type: "comparison-attached" }>): Promise<void> {
    const files = await this.originalFiles(hash);
    files.push({ name: `${vscode.l10n.t("Preview")}.png`, bytes: png });
    const question = vscode.l10n.t(
      "The first picture is the original, the second shows what your code looks like. List the differences, then give me the corrected code.",
    );
    const missing =
      leftOut.length === 0
        ? ""
        : `\n\n${vscode.l10n.t("The preview loads no other files and nothing from the web. The second picture was drawn without these, so ignore the differences that come from them, or write the page without them: {0}", `\n- ${leftOut.join("\n- ")}`)}`;
    const chat = this.options.activeChat;
    await chat.suggestQuestion(this.conversationId, question + missing, files);
  }

  private async originalFiles(hash: string): Promise<PictureFile[]> {
    const original = this.original(hash);
    const stored = original && (await this.options.pictures.read(hash));
    if (original === undefined || stored?.kind !== "found") return [];
    return [{ name: original.name, bytes: stored.bytes }];
  }

  /** Returns an original of the preview; the page gets no other picture. */
  private original(hash: string): AttachedOriginal | undefined {
    return this.originals.find((one) => one.hash === hash);
  }

  private async readTexts(): Promise<Pick<PreviewPageOptions, "script" | "worker" | "styles">> {
    const [script, worker, icons, panel, own] = await Promise.all([
      this.read("dist", "webview", "preview.js"),
      this.read("dist", "webview", "pictureWorker.js"),
      this.read("dist", "webview", "icons.css"),
      this.read("dist", "webview", "panel.css"),
      this.read("dist", "webview", "preview.css"),
    ]);
    return { script, worker, styles: `${icons}\n${panel}\n${own}` };
  }

  private async read(...path: string[]): Promise<string> {
    const uri = vscode.Uri.joinPath(this.options.extensionUri, ...path);
    // eslint-disable-next-line no-restricted-syntax -- a file of the extension
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    if (!canBeInlined(text)) throw new Error(`${path.join("/")} cannot be inlined`);
    return text;
  }
}
