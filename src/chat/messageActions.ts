/**
 * User actions on messages of the shown conversation: buttons of a reply, versions, notices and
 * queued questions.
 */
import type { ToHost, ToView } from "../protocol/messages";
import type { NoticeAction, NoticeView } from "../protocol/views";
import { textOf, textWithThinking, type ModelKind } from "../conversation/message";
import { withText } from "./composing";
import type { AskResult, LiveConversation } from "./liveConversation";
import type { SessionHost } from "./sessionOptions";
import type { Messages } from "./messages";

type ActionMessage = Extract<
  ToHost,
  {
    type:
      | "queued-changed"
      | "queued-removed"
      | "queued-sent"
      | "copy-asked"
      | "code-asked"
      | "regenerate-asked"
      | "version-chosen"
      | "action-asked";
  }
>;

const ACTIONS: Readonly<Record<ActionMessage["type"], true>> = {
  "queued-changed": true,
  "queued-removed": true,
  "queued-sent": true,
  "copy-asked": true,
  "code-asked": true,
  "regenerate-asked": true,
  "version-chosen": true,
  "action-asked": true,
};

export function isAboutMessages(message: ToHost): message is ActionMessage {
  return message.type in ACTIONS;
}

/** Returns the notice for a question that could not be sent. */
export function noticeOf(
  result: Extract<AskResult, { isTaken: false }>,
  words: Pick<Messages, "busy" | "failure">,
): NoticeView {
  return result.failure === "busy" ? words.busy() : words.failure(result.failure, false);
}

export class MessageActions {
  constructor(
    private readonly host: Pick<SessionHost, "copy" | "useCode" | "runAction">,
    private readonly words: Messages,
    private readonly shown: () => LiveConversation | undefined,
    private readonly swapDraft: () => void,
    private readonly post: (said: Extract<ToView, { type: "said" }>) => void,
  ) {}

  /** Runs the action; reports briefly if an action could not start. */
  async handle(message: ActionMessage): Promise<void> {
    switch (message.type) {
      case "queued-changed": {
        const queued = this.live?.queue.find(({ id }) => id === message.queuedId);
        const parts = withText(message.text, queued?.parts ?? []);
        this.live?.changeQueued(message.queuedId, parts);
        return;
      }
      case "queued-removed":
        this.live?.changeQueued(message.queuedId, undefined);
        return;
      case "queued-sent":
        this.reportFailure(await this.live?.askQueued(message.queuedId));
        return;
      case "copy-asked":
        return this.copy(message.messageId, message.isWithThinking === true);
      case "code-asked":
        return this.useCode(message);
      case "regenerate-asked":
        return this.regenerate(message.messageId, message.model);
      case "version-chosen":
        return this.live?.chooseVersion(message.messageId, message.step);
      case "action-asked":
        return this.runAction(message.action, message.messageId);
      default:
        message satisfies never;
    }
  }

  private get live(): LiveConversation | undefined {
    return this.shown();
  }

  /** Reports why an action could not start. */
  private reportFailure(result: AskResult | undefined): void {
    if (result === undefined || result.isTaken) return;
    this.post({ type: "said", text: noticeOf(result, this.words).text });
  }

  /**
   * Sends the question again to the same or the other model; later questions use the conversation's
   * choice.
   */
  private async regenerate(messageId: string, model: ModelKind | undefined): Promise<void> {
    const reply = this.live?.message(messageId);
    if (reply?.role !== "assistant") return;
    this.reportFailure(await this.live?.regenerate(messageId, model ?? reply.modelKind));
  }

  private async copy(messageId: string, isWithThinking: boolean): Promise<void> {
    const message = this.live?.message(messageId);
    if (message === undefined) return;
    const text =
      message.role === "user"
        ? textOf(message.parts)
        : isWithThinking
          ? textWithThinking(message)
          : message.text;
    if (await this.host.copy(text)) this.post({ type: "said", text: this.words.copied() });
  }

  private async useCode(asked: Extract<ToHost, { type: "code-asked" }>): Promise<void> {
    const message = this.live?.message(asked.messageId);
    if (message?.role !== "assistant") return;
    const isDone = await this.host.useCode(asked.action, message.text, asked.block);
    if (isDone && asked.action === "copy") this.post({ type: "said", text: this.words.copied() });
  }

  private async runAction(action: NoticeAction, messageId: string | undefined): Promise<void> {
    if (action === "stop") await this.live?.stop();
    else if (action === "swap-draft") this.swapDraft();
    else if (action === "try-again" && messageId !== undefined) {
      this.reportFailure(await this.live?.regenerate(messageId));
    } else if (action === "continue" && messageId !== undefined) {
      this.reportFailure(await this.live?.continueReply(messageId));
    } else await this.host.runAction(action, this.live?.conversation.profile);
  }
}
