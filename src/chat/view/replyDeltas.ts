/**
 * Collects the text of running replies and sends it when the page asks for text: the page draws what it
 * has before it asks again.
 */
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";
import type { MessageOf } from "../../protocol/handlers";
import type { ToHost } from "../../protocol/toHost";
import type { ToView } from "../../protocol/toView";
import type { ConversationChange } from "../conversation/conversationChange";

type UpdatesAhead = NonNullable<MessageOf<ToHost, "text-asked">["ahead"]>;
type TextChange = Extract<ConversationChange, { kind: "text" | "thinking" }>;

export class ReplyDeltas implements Disposable {
  /** Text for the next update, by reply: replies to questions asked aside run at the same time. */
  private readonly waiting = new Map<
    string,
    { thinking: string; text?: { offset: number; added: string } }
  >();
  /** Updates that the page can take now. */
  private wantedUpdates = 0;
  /** Updates that the page takes before it asks again, as it asked last, and the time between two. */
  private ahead: UpdatesAhead = { count: 1, everyMs: 0 };
  private sentMs = -Infinity;
  private nextUpdate: Disposable | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly post: (message: ToView) => void,
  ) {}

  add(change: TextChange): void {
    const { replyId } = change;
    const waiting = this.waiting.get(replyId) ?? { thinking: "" };
    this.waiting.set(replyId, waiting);
    if (change.kind === "thinking") waiting.thinking += change.text;
    else if (waiting.text) waiting.text.added += change.text;
    else waiting.text = { offset: change.offset, added: change.text };
    this.sendDue();
  }

  /** Sends the text since the last update, or the next text as soon as there is some. */
  textAsked(ahead: UpdatesAhead = { count: 1, everyMs: 0 }): void {
    this.ahead = ahead;
    this.wantedUpdates = ahead.count;
    this.sendDue();
  }

  /** Sends pending text now, before a later message. */
  flush(): void {
    if (this.waiting.size === 0) return;
    const all = [...this.waiting];
    this.waiting.clear();
    this.wantedUpdates = Math.max(0, this.wantedUpdates - 1);
    this.sentMs = this.clock.elapsedMs();
    for (const [messageId, { thinking, text }] of all) {
      if (thinking !== "") this.post({ type: "thinking-delta", messageId, text: thinking });
      if (text) this.post({ type: "turn-delta", messageId, offset: text.offset, text: text.added });
    }
  }

  /** Drops pending text, which a snapshot has. */
  restart(): void {
    this.waiting.clear();
    this.wantedUpdates = this.ahead.count;
  }

  dispose(): void {
    this.nextUpdate?.dispose();
  }

  /** Sends pending text if the page wants it, not before the time between two updates is over. */
  private sendDue(): void {
    if (this.waiting.size === 0 || this.wantedUpdates === 0) return;
    this.nextUpdate?.dispose();
    const waitMs = this.sentMs + this.ahead.everyMs - this.clock.elapsedMs();
    if (waitMs <= 0) this.flush();
    else this.nextUpdate = this.clock.after(waitMs, () => this.sendDue());
  }
}
