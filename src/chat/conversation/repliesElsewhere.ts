/**
 * Replies that more than one window knows: shows other windows that a reply is running here, follows a
 * reply of another window, and recognizes a reply whose window has died.
 */
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";
import { describeError, type Log } from "../../base/log";
import { applySteps, type Conversation, type Step } from "../../conversation/conversation";
import type { Reply } from "../../conversation/message";
import type { History } from "../../history/history";
import type { ForeignChanges } from "../../history/journal";
import type { LiveConversation } from "./liveConversation";

/**
 * A reply without an ending counts as running in another window if the file or the heartbeat of the
 * conversation changed within this time, in milliseconds.
 */
const WRITING_ELSEWHERE_MS = 5_000;

/** Interval between two heartbeats of a running reply, in milliseconds. */
const HEARTBEAT_MS = 2_000;

/** Interval for checking a reply that another window receives, in milliseconds. */
const FOLLOW_ELSEWHERE_MS = 2_000;

interface RepliesElsewhereOptions {
  readonly historyOf: (conversationId: string) => History;
  /** Applies changes of other windows. */
  readonly catchUp: (live: LiveConversation) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

export class RepliesElsewhere implements Disposable {
  /**
   * Conversations with a reply that seems interrupted, in memory only: its window may be waiting for a
   * slow service, so changes are still read.
   */
  private readonly assumedInterrupted = new Set<string>();
  /** Timers for checking files again, by conversation. */
  private readonly following = new Map<string, Disposable>();
  /** Timers for the next heartbeats, by conversation. */
  private readonly beating = new Map<string, Disposable>();
  private isDisposed = false;

  constructor(private readonly options: RepliesElsewhereOptions) {}

  /** Checks repeatedly for a reply that another window receives, or for a queued question that it sends. */
  follow(live: LiveConversation): void {
    const { clock, catchUp, log } = this.options;
    const { id } = live.conversation;
    if (this.isDisposed || this.following.has(id)) return;
    const isWaiting = unendedReplies(live.conversation).length > 0 || isSendingQueue(live, clock);
    if (!isWaiting && !this.assumedInterrupted.has(id)) return;
    const timer = clock.after(FOLLOW_ELSEWHERE_MS, () => {
      this.following.delete(id);
      if (live.isReceiving || live.isDisposed) return;
      catchUp(live).catch((error: unknown) => {
        log.error(
          `chat: a reply of another window could not be followed (${describeError(error)})`,
        );
      });
    });
    this.following.set(id, timer);
  }

  /** Shows other windows that a reply is running, also while its service is silent; ends with the reply. */
  beat(live: LiveConversation): void {
    const { id } = live.conversation;
    if (!live.isReceiving) {
      void this.end(id);
      return;
    }
    this.beating.get(id)?.dispose();
    const timer = this.options.clock.after(HEARTBEAT_MS, () => {
      void this.options.historyOf(id).heartbeats.beat(id);
      void this.stopIfDeleted(live);
      this.beat(live);
    });
    this.beating.set(id, timer);
  }

  end(id: string): Promise<void> {
    this.beating.get(id)?.dispose();
    this.beating.delete(id);
    return this.options.historyOf(id).heartbeats.end(id);
  }

  /** Reads changes that another window wrote. */
  async readChanges(id: string): Promise<ForeignChanges | undefined> {
    try {
      const changes = await this.options.historyOf(id).journal.loadForeignChanges(id);
      if (changes) this.assumedInterrupted.delete(id);
      return (
        changes && { ...changes, conversation: await this.withInterruptions(changes.conversation) }
      );
    } catch (error) {
      this.warn("a conversation could not be reloaded", error);
      return undefined;
    }
  }

  /** Reads the state on disk if another window may have changed it. */
  async readShared(id: string): Promise<Conversation | undefined> {
    const { journal } = this.options.historyOf(id);
    try {
      if (!(await journal.hasForeignChanges(id))) return undefined;
      return (await journal.load(id))?.conversation;
    } catch (error) {
      this.warn("a conversation could not be reloaded", error);
      return undefined;
    }
  }

  /** Marks replies as interrupted if no window is writing them. */
  async withInterruptions(conversation: Conversation): Promise<Conversation> {
    const unended = unendedReplies(conversation);
    if (unended.length === 0) return conversation;
    this.assumedInterrupted.delete(conversation.id);
    const { journal, heartbeats } = this.options.historyOf(conversation.id);
    if ((await journal.msSinceLastWrite(conversation.id)) < WRITING_ELSEWHERE_MS) {
      return conversation;
    }
    const silentMs = await heartbeats.msSince(conversation.id, WRITING_ELSEWHERE_MS);
    if (silentMs < WRITING_ELSEWHERE_MS) return conversation;
    this.assumedInterrupted.add(conversation.id);
    return applySteps(
      conversation,
      unended.map((reply) => interruption(conversation, reply)),
    );
  }

  dispose(): void {
    this.isDisposed = true;
    for (const timer of [...this.following.values(), ...this.beating.values()]) timer.dispose();
  }

  private async stopIfDeleted(live: LiveConversation): Promise<void> {
    try {
      const { id } = live.conversation;
      if (!(await this.options.historyOf(id).journal.isDeletedElsewhere(id))) return;
      await live.stopAll();
      await this.options.catchUp(live);
    } catch (error) {
      this.warn("a deletion could not be looked for", error);
    }
  }

  private warn(failure: string, error: unknown): void {
    this.options.log.warn(`history: ${failure} (${describeError(error)})`);
  }
}

/** Returns true if the window of a reply that ended may be sending the next question. */
function isSendingQueue(live: LiveConversation, clock: Clock): boolean {
  const reply = live.conversation.messages.get(live.conversation.leafId ?? "");
  if (live.queue.length === 0 || reply?.role !== "assistant") return false;
  return clock.nowMs() - (reply.endedAtMs ?? 0) < WRITING_ELSEWHERE_MS;
}

function unendedReplies({ messages }: Conversation): Reply[] {
  return [...messages.values()].filter(
    (message) => message.role === "assistant" && message.ending === undefined,
  ) as Reply[];
}

/** Returns the step that marks a reply as interrupted; never written. */
function interruption({ turns }: Conversation, { id, startedAtMs }: Reply): Step {
  return {
    kind: "reply-ended",
    messageId: id,
    turnId: turns?.writers.get(id)?.turnId,
    atMs: startedAtMs,
    ending: { kind: "failed", failure: { kind: "interrupted" } },
  };
}
