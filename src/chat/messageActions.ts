/**
 * User actions on messages of the shown conversation: buttons of a reply, versions, notices and
 * queued questions.
 */
import type { MessageOf } from "../protocol/handlers";
import type { HostHandlers, ToHost } from "../protocol/toHost";
import type { HostReply } from "../protocol/toView";
import type { NoticeAction } from "../protocol/views";
import { textOf, textWithThinking, type Reply } from "../conversation/message";
import { separatedReply } from "../ask/separatedReply";
import { attachedParts } from "./conversation/conversationDraft";
import type { DraftSync } from "./draftSync";
import type { AskResult } from "./conversation/conversationStore";
import type { LiveConversation } from "./conversation/liveConversation";
import type { SessionHost } from "./sessionHost";
import type { ViewUpdater } from "./view/viewUpdater";
import { refusalNotice, type Messages } from "./view/messages";

export class MessageActions {
  readonly handlers = {
    "queued-edited": async ({ queuedId }) => {
      const parts = this.live?.removeQueued(queuedId)?.parts ?? [];
      await this.live?.draft.attach(attachedParts(parts));
    },
    "queued-removed": ({ queuedId }) => void this.live?.removeQueued(queuedId),
    "queued-sent": async ({ queuedId }) => this.reportFailure(await this.live?.askQueued(queuedId)),
    "copy-asked": ({ messageId, isWithThinking = false }) => this.copy(messageId, isWithThinking),
    "reply-opened": ({ messageId }) => {
      const reply = this.replyOf(messageId);
      return reply && this.host.openText(reply.text);
    },
    "code-asked": (message) => this.useCode(message),
    "table-asked": (message) => this.useTable(message),
    "named-files-counted": async ({ messageId }) => {
      const reply = this.replyOf(messageId);
      return reply && { isAccepted: true, fileCount: await this.host.countNamedFiles(reply.text) };
    },
    "apply-all-asked": ({ messageId }) => this.applyAll(messageId),
    "regenerate-asked": ({ messageId }) => this.regenerate(messageId),
    "version-chosen": ({ messageId, step }) => this.live?.chooseVersion(messageId, step),
    "action-asked": ({ action, messageId }) => this.runAction(action, messageId),
  } satisfies Partial<HostHandlers>;

  constructor(
    private readonly host: SessionHost,
    private readonly texts: Messages,
    private readonly view: ViewUpdater,
    private readonly draft: DraftSync,
    private readonly keep: () => Promise<void>,
  ) {}

  private get live(): LiveConversation | undefined {
    return this.view.live;
  }

  /** Reviews all changes of a reply, by default the last one of the shown conversation. */
  async applyAll(messageId?: string): Promise<void> {
    const replies = this.live?.path().filter(({ role }) => role === "assistant");
    const reply = this.replyOf(messageId ?? replies?.at(-1)?.id ?? "");
    if (reply) this.view.showUnused(reply.id, await this.host.applyAll(reply.text));
  }

  /** Reports why an action could not start. */
  private reportFailure(result: AskResult | undefined): void {
    if (result === undefined || result.isAccepted) return;
    this.toast(refusalNotice(result, this.texts).text);
  }

  private toast(text: string): void {
    this.view.post({ type: "toast-shown", text });
  }

  /** Returns a reply as the user reads it; undefined for another message. */
  private replyOf(messageId: string): Reply | undefined {
    const message = this.live?.message(messageId);
    return message?.role === "assistant" ? separatedReply(message) : undefined;
  }

  /** Sends the question again to the same model; later questions use the conversation's choice. */
  async regenerate(messageId: string): Promise<void> {
    const reply = this.live?.message(messageId);
    if (reply?.role !== "assistant") return;
    this.reportFailure(await this.live?.regenerate(messageId, reply.modelKind));
  }

  private async copy(messageId: string, isWithThinking: boolean): Promise<void> {
    const message = this.live?.message(messageId);
    if (message === undefined) return;
    const reply = this.replyOf(messageId);
    const replyText = reply && (isWithThinking ? textWithThinking(reply) : reply.text);
    const text = message.role === "user" ? textOf(message.parts) : (replyText ?? "");
    if (await this.host.copy(text)) this.toast(this.texts.copied());
  }

  private async useCode(asked: MessageOf<ToHost, "code-asked">): Promise<void> {
    const { action, block, messageId } = asked;
    const message = this.live?.message(messageId);
    const text = this.replyOf(messageId)?.text;
    if (message?.role !== "assistant" || text === undefined) return;
    if (action === "preview") {
      const conversation = this.live?.conversation;
      if (conversation) await this.host.previewCode({ conversation, reply: message, text, block });
      return;
    }
    const isDone = await this.host.useCode(action, text, block);
    if (isDone && action === "copy") this.toast(this.texts.copied());
  }

  private async useTable({
    action,
    messageId,
    table,
  }: MessageOf<ToHost, "table-asked">): Promise<HostReply | undefined> {
    const reply = this.replyOf(messageId);
    if (reply === undefined) return undefined;
    const result = await this.host.useTable(action, reply.text, table);
    if (result === "copied") this.toast(this.texts.copied());
    return { isAccepted: true, ...(typeof result === "object" && { table: result }) };
  }

  private async runAction(action: NoticeAction, messageId: string | undefined): Promise<void> {
    if (action === "stop") await this.live?.stop();
    else if (action === "swap-draft") this.draft.swap();
    else if (action === "save-conversation") await this.keep();
    else if (action === "show-unused-code") await this.view.unused.get(messageId ?? "")?.show();
    else if ((action === "try-again" || action === "send-fewer") && messageId !== undefined) {
      this.reportFailure(await this.live?.regenerate(messageId));
    } else if (action === "continue" && messageId !== undefined) {
      this.reportFailure(await this.live?.continueReply(messageId));
    } else {
      const { live } = this;
      await this.host.runAction(action, live?.conversation.profile);
      if (action === "set-api-key" && messageId !== undefined)
        await this.askWithKey(live, messageId);
    }
  }

  /**
   * Sends the question of a reply again that failed for its key, if the user has set a key now. Not if the
   * conversation went on meanwhile, also in another window, or was deleted.
   */
  private async askWithKey(live: LiveConversation | undefined, messageId: string): Promise<void> {
    await live?.catchUp();
    const reply = live?.message(messageId);
    if (live === undefined || live !== this.live || reply?.role !== "assistant") return;
    const isCurrent = reply.isAside === true || live.path().at(-1)?.id === messageId;
    if (!isCurrent || live.conversation.deletedAtMs !== undefined) return;
    const notice = this.host.settledNotice(reply, live.conversation.profile);
    if (notice?.action?.id === "try-again") this.reportFailure(await live.regenerate(messageId));
  }
}
