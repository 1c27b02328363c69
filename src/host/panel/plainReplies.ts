/** Shows replies as plain text in an editor, for screen readers. Running replies are updated there. */
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { coalesce, type Coalescer } from "../../base/coalesce";
import { Disposables, type Disposable } from "../../base/disposables";
import type { LiveConversation } from "../../chat/conversation/liveConversation";
import { replyView } from "../../chat/view/toView";
import type { Messages } from "../../chat/view/messages";
import { plainText, type PlainTextLabels } from "../../markdown/plainText";
import { withNamedPoints } from "../../pointing/namedPoints";
import type { CoordinatesView } from "../../protocol/views";
import { PLAIN_REPLY_SCHEME } from "../platform/contributions";
import { VirtualDocuments } from "../platform/virtualDocuments";
import { clickedMessageId } from "./chooseClicked";

const t = vscode.l10n.t;

/** Shortest time between two updates of a running reply, in milliseconds: reading is not disturbed. */
const UPDATE_MS = 1_000;

interface Shown extends Disposable {
  readonly live: LiveConversation;
  readonly replyId: string;
}

/** The plain text documents of a window. */
export class PlainReplies implements Disposable {
  private readonly owned = new Disposables();
  private readonly shown = new Map<string, Shown>();
  private readonly documents: VirtualDocuments;

  constructor(
    private readonly clock: Clock,
    private readonly messages: Messages,
    private readonly coordinates: (profile: string | undefined) => CoordinatesView | undefined,
  ) {
    this.documents = this.owned.add(
      new VirtualDocuments(PLAIN_REPLY_SCHEME, (name) => this.textOf(name)),
    );
    this.owned.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === PLAIN_REPLY_SCHEME) this.close(uri.path.slice(1));
      }),
    );
  }

  async show(live: LiveConversation | undefined, clicked: unknown): Promise<void> {
    const asked = live?.message(clickedMessageId(clicked) ?? "");
    const reply = asked ?? live?.path().findLast(({ role }) => role === "assistant");
    if (live === undefined || reply?.role !== "assistant") {
      void vscode.window.showInformationMessage(t("There is no reply yet. Ask a question first."));
      return;
    }
    const name = `${reply.id}/${t("Reply")}.txt`;
    if (!this.shown.has(name)) this.shown.set(name, this.follow(name, live, reply.id));
    await this.documents.show(name);
  }

  dispose(): void {
    for (const name of [...this.shown.keys()]) this.close(name);
    this.owned.dispose();
  }

  private follow(name: string, live: LiveConversation, replyId: string): Shown {
    const owned = new Disposables();
    const update: Coalescer = owned.add(
      coalesce(this.clock, UPDATE_MS, () => this.documents.update(name)),
    );
    owned.add(
      live.onChanged((change) => {
        const isText = change.kind === "text" || change.kind === "reply";
        if (isText && change.replyId === replyId) update.push();
      }),
    );
    return { live, replyId, dispose: () => owned.dispose() };
  }

  private close(name: string): void {
    this.shown.get(name)?.dispose();
    this.shown.delete(name);
  }

  private textOf(name: string): string | undefined {
    const shown = this.shown.get(name);
    const reply = shown?.live.message(shown.replyId);
    if (shown === undefined || reply?.role !== "assistant") return undefined;
    const isRunning = shown.live.runningReplyId === reply.id;
    const view = replyView(shown.live.conversation, reply, isRunning, this.messages);
    const end = isRunning ? t("The reply is still in progress.") : view.notice?.text;
    const { scales, isChosen } = this.coordinates(shown.live.conversation.profile) ?? {};
    const text = withNamedPoints(
      view.text,
      view.seenPictures ?? [],
      (letter) => t("mark {0}", letter),
      {
        scales,
        isScaleChosen: isChosen,
        tokens: view.pictureTokens,
        isAsked: view.isPointingAsked,
        isStreaming: isRunning,
      },
    );
    const model = reply.receipt && reply.modelCode;
    const meta = [model, view.metaDetails].filter((part) => part !== undefined && part !== "");
    return [meta.join(" · "), plainText(text, plainTextLabels), end]
      .filter((part) => part !== undefined && part !== "")
      .join("\n\n");
  }
}

const plainTextLabels: PlainTextLabels = {
  heading: (level) => t("Heading {0}:", level),
  codeStart: (language) => (language === "" ? t("Code:") : t("Code, {0}:", language)),
  codeEnd: t("End of code"),
  quote: t("Quote:"),
  formula: t("Formula:"),
  tableRow: (row) => (row === 0 ? t("Table:") : t("Row {0}:", row)),
  taskDone: t("Completed:"),
  taskOpen: t("To do:"),
};
