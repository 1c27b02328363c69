/** User actions on summaries. Loaded with the first of them. */
import { requestPath } from "../ask/requestPath";
import { newId } from "../base/id";
import type { Clock } from "../base/clock";
import { systemTokens } from "../base/tokens";
import type { Step } from "../conversation/conversation";
import type { SendingStep } from "../conversation/sending";
import type { HostHandlers } from "../protocol/toHost";
import type { SendingToHost } from "../protocol/sendingMessages";
import type { LiveConversation } from "./conversation/liveConversation";
import type { ViewUpdater } from "./view/viewUpdater";
import type { Messages } from "./view/messages";

const NO_DRAFT: Step & SendingStep = { kind: "summary-drafted", covers: [], text: "" };

export class SendingActions {
  readonly handlers = {
    "summary-asked": ({ conversationId }) => this.summarize(conversationId),
    "summary-stopped": ({ conversationId }) => this.liveOf(conversationId)?.summary.stop(),
    "summary-edited": ({ conversationId, text }) => {
      const live = this.liveOf(conversationId);
      const draft = live?.conversation.sending?.draft;
      if (draft === undefined || draft.text === text) return undefined;
      const { covers } = draft;
      return live?.chooseSending([{ kind: "summary-drafted", covers, text }]);
    },
    "summary-used": ({ conversationId, text }) => {
      const live = this.liveOf(conversationId);
      const draft = live?.conversation.sending?.draft;
      if (live === undefined || draft === undefined || text.trim() === "") return undefined;
      const id = newId(this.clock.nowMs());
      const { leafId: atId } = live.conversation;
      const used = { kind: "summary-used" as const, id, atId, covers: draft.covers, text };
      return live.chooseSending([used, NO_DRAFT]);
    },
    "summary-discarded": ({ conversationId }) => {
      const live = this.liveOf(conversationId);
      live?.summary.clearFailure();
      return live?.chooseSending([NO_DRAFT]);
    },
    "summary-undone": ({ conversationId, summaryId: id }) => {
      const live = this.liveOf(conversationId);
      const used = live?.conversation.sending?.entries.find((entry) => entry.id === id);
      if (used?.kind !== "summary-used") return undefined;
      const { covers, text } = used;
      return live?.chooseSending([
        { kind: "sending-undone", id },
        { kind: "summary-drafted", covers, text },
      ]);
    },
  } satisfies Pick<HostHandlers, SendingToHost["type"]>;

  constructor(
    private readonly view: ViewUpdater,
    private readonly texts: Messages,
    private readonly clock: Clock,
  ) {}

  /** Returns the shown conversation, unless another one is shown by now. */
  private liveOf(conversationId: string): LiveConversation | undefined {
    const { live } = this.view;
    return live?.conversation.id === conversationId ? live : undefined;
  }

  private async summarize(conversationId: string): Promise<void> {
    // What another window left out or forgot is not sent.
    await this.liveOf(conversationId)?.catchUp();
    const live = this.liveOf(conversationId);
    const next = this.view.nextRequest();
    if (live === undefined || next === undefined) return;
    const { before, question, choice } = next;
    const otherTokens = systemTokens(choice.systemPrompt);
    const { until } = requestPath([...before, question], { ...choice, otherTokens }).next;
    if (until > 0 && (await live.summary.write(before, until))) return;
    this.view.post({ type: "toast-shown", text: this.texts.nothingToSummarize() });
  }
}
