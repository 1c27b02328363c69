/**
 * The conversations this window has in memory: opens them from the journal, keeps one object for
 * each however many views look at it, and remembers which one the panel shows.
 */
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposables";
import { newId } from "../base/id";
import { describeError, type Log } from "../base/log";
import {
  applySteps,
  emptyConversation,
  type Conversation,
  type Step,
} from "../conversation/conversation";
import type { Drafts } from "../history/drafts";
import type { Journal } from "../history/journal";
import { LiveConversation, type ConversationPorts } from "./liveConversation";
import type { SessionStore } from "./session";

/** Where the id of the shown conversation outlives the window. */
export interface ShownMemory {
  load(): string | undefined;
  save(id: string): void;
}

/** The store behind the panel's sessions. */
export class Conversations implements SessionStore, Disposable {
  private readonly open = new Map<string, LiveConversation>();
  private currentOne: Promise<LiveConversation> | undefined;

  constructor(
    private readonly journal: Journal,
    private readonly drafts: Drafts,
    private readonly memory: ShownMemory,
    private readonly ports: Omit<ConversationPorts, "save">,
    private readonly clock: Clock,
    private readonly log: Log,
    /** What a new conversation remembers as its workspace; undefined without one. */
    private readonly workspaceName: () => string | undefined,
  ) {}

  /** The conversation the panel showed last, or a new one. */
  current(): Promise<LiveConversation> {
    this.currentOne ??= this.restore();
    return this.currentOne;
  }

  /** A new conversation; the current one if that is still empty. */
  async startNew(): Promise<LiveConversation> {
    const before = await this.current();
    if (before.conversation.messages.size === 0) return before;
    this.currentOne = Promise.resolve(this.create());
    return this.currentOne;
  }

  loadDraft(conversationId: string): Promise<string> {
    return this.drafts.load(conversationId);
  }

  saveDraft(conversationId: string, text: string): void {
    this.drafts.save(conversationId, text);
  }

  /** Stops what runs and waits until everything is written, as far as the disk lets us. */
  async close(): Promise<void> {
    await Promise.all([...this.open.values()].map((live) => live.stop()));
    await Promise.all([this.journal.settle(), this.drafts.flush()]);
  }

  dispose(): void {
    for (const live of this.open.values()) live.dispose();
  }

  private async restore(): Promise<LiveConversation> {
    const id = this.memory.load();
    if (id === undefined) return this.create();
    try {
      const loaded = await this.journal.load(id);
      if (loaded !== undefined) return this.keep(withInterruptions(loaded.conversation), true);
    } catch (error) {
      this.log.error(`history: a conversation could not be read (${describeError(error)})`);
      return this.create();
    }
    // Never written: it had a draft at most, which is kept under the same id.
    return this.keep(emptyConversation(id, this.clock.nowMs(), this.workspaceName()), false);
  }

  private create(): LiveConversation {
    const nowMs = this.clock.nowMs();
    return this.keep(emptyConversation(newId(nowMs), nowMs, this.workspaceName()), false);
  }

  private keep(conversation: Conversation, isOnDisk: boolean): LiveConversation {
    const live = new LiveConversation(conversation, isOnDisk, {
      ...this.ports,
      save: (id: string, steps: readonly Step[]) => this.journal.append(id, steps),
    });
    this.open.set(conversation.id, live);
    this.memory.save(conversation.id);
    return live;
  }
}

/** Replies that were still coming when their window ended are shown as cut off. */
function withInterruptions(conversation: Conversation): Conversation {
  const steps: Step[] = [];
  for (const message of conversation.messages.values()) {
    if (message.role !== "assistant" || message.ending !== undefined) continue;
    steps.push({
      kind: "reply-ended",
      messageId: message.id,
      atMs: message.startedAtMs,
      ending: { kind: "failed", failure: { kind: "interrupted" } },
    });
  }
  return applySteps(conversation, steps);
}
