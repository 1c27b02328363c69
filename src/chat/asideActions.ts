/** User actions on questions that are asked aside from the shown conversation. */
import { newId } from "../base/id";
import type { Clock } from "../base/clock";
import type { NotePart, Part } from "../conversation/message";
import type { MessageOf } from "../protocol/handlers";
import type { HostHandlers, ToHost } from "../protocol/toHost";
import type { HostReply } from "../protocol/toView";
import type { Conversations } from "./conversation/conversations";
import { questionParts } from "./conversation/conversationDraft";
import type { AskResult } from "./conversation/conversationStore";
import type { LiveConversation } from "./conversation/liveConversation";
import type { SessionHost } from "./sessionHost";
import { refusalNotice, type Messages } from "./view/messages";
import type { ViewUpdater } from "./view/viewUpdater";

/** Command before a question that is asked aside. The slash is also that of Chinese keyboards. */
const ASIDE_COMMAND = /^[/\uFF0F]aside(?:\s+|$)/u;

/** Length of a quote in the tooltip of its chip, in UTF-16 units. */
const MAX_TOOLTIP = 1_000;

/** Returns the question after `/aside`; undefined for a text without the command. */
export function askedAside(text: string): string | undefined {
  return ASIDE_COMMAND.test(text) ? text.replace(ASIDE_COMMAND, "") : undefined;
}

/** Returns the part of a question for marked text of the shown conversation. */
export function quotePart(
  live: LiveConversation,
  { quoted, text, words }: NonNullable<MessageOf<ToHost, "aside-asked">["quote"]>,
  texts: Pick<Messages, "quote">,
): NotePart | undefined {
  const path = live.path();
  const index = path.findIndex(({ id }) => id === quoted.messageId);
  const message = path[index];
  if (message === undefined || text.trim() === "") return undefined;
  const number = path.slice(0, index + 1).filter(({ role }) => role === "user").length;
  const { label, detail } = texts.quote(words, message.role, number);
  const tooltip = text.slice(0, MAX_TOOLTIP);
  return { kind: "note", source: "quote", label, detail, tooltip, text, quoted };
}

/** Asks aside about the last message that is not being received. */
export async function askAsideOfEnd(
  live: LiveConversation,
  parts: readonly Part[],
  clock: Clock,
): Promise<AskResult> {
  const path = live.path();
  const about = path.findLast((message) => message.role === "user" || message.ending !== undefined);
  if (about === undefined) return { isAccepted: false, failure: "busy" };
  return live.asides.ask(about.id, newId(clock.nowMs()), parts);
}

export class AsideActions {
  readonly handlers = {
    "aside-asked": (asked) => this.ask(asked),
    "aside-stopped": ({ asideId }) => this.view.live?.asides.stop(asideId),
    "aside-removed": ({ asideId }) => this.remove(asideId),
    "aside-joined": ({ asideId }) => this.join(asideId),
  } satisfies Partial<HostHandlers>;

  constructor(
    private readonly conversations: Conversations,
    private readonly host: Pick<SessionHost, "confirmAsideRemoval">,
    private readonly texts: Messages,
    private readonly view: ViewUpdater,
  ) {}

  private async ask(asked: MessageOf<ToHost, "aside-asked">): Promise<HostReply> {
    const { live } = this.view;
    const { conversationId, messageId, asideId, quote, text } = asked;
    if (live?.conversation.id !== conversationId || text.trim() === "")
      return { isAccepted: false };
    const quotedPart = quote && quotePart(live, quote, this.texts);
    const parts = questionParts(text, quotedPart ? [quotedPart] : []);
    const result = await live.asides.ask(messageId, asideId, parts);
    if (result.isAccepted) return { isAccepted: true };
    return { isAccepted: false, notice: refusalNotice(result, this.texts) };
  }

  /** Removes an aside; with an answer only after a question. */
  private async remove(asideId: string): Promise<void> {
    const { live } = this.view;
    const question = live?.message(asideId);
    if (live === undefined || question?.role !== "user" || question.isAside !== true) return;
    const hasAnswer = [...live.conversation.messages.values()].some(
      (message) =>
        message.role === "assistant" && message.parentId === asideId && message.text.trim() !== "",
    );
    if (hasAnswer && !(await this.host.confirmAsideRemoval())) return;
    await live.asides.stop(asideId);
    await this.conversations.forgetMessage(live, asideId);
  }

  private async join(asideId: string): Promise<void> {
    if (await this.view.live?.joinAside(asideId)) return;
    this.view.post({ type: "toast-shown", text: this.texts.stillInProgress() });
  }
}
