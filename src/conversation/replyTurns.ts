/**
 * Assignment of a turn's steps to replies. Two windows may continue the same reply at once: the first
 * continuation extends the reply, and others become versions, so that texts never mix. Depends on the
 * order of the steps only.
 */
import type { Message, Reply } from "./message";

/** Turns of a conversation after the first turn of each reply. */
export interface ReplyTurns {
  /** Current turn by reply id, with the length of the text at its start. */
  readonly writers: ReadonlyMap<string, { readonly turnId: string; readonly start: number }>;
  /** Reply id by turn, if different from the reply in the turn's steps. */
  readonly replyIds: ReadonlyMap<string, string>;
}

/** Ids in every step of a turn; the first turn has no `turnId` and uses the reply's id. */
interface OfTurn {
  readonly messageId: string;
  readonly turnId?: string | undefined;
}

/** Continuation, with the state of the reply that the user saw. */
interface Continued extends OfTurn {
  readonly afterTurnId?: string | undefined;
  readonly length?: number | undefined;
}

/** Turns while steps are applied. */
export class ReplyTurnTracker {
  private readonly writers: Map<string, { turnId: string; start: number }>;
  private readonly replyIds: Map<string, string>;

  /**
   * @param messages messages of the conversation; not changed here
   * @param addVersion adds a version of a reply without showing it
   */
  constructor(
    before: ReplyTurns | undefined,
    private readonly messages: ReadonlyMap<string, Message>,
    private readonly addVersion: (reply: Reply) => void,
  ) {
    this.writers = new Map(before?.writers);
    this.replyIds = new Map(before?.replyIds);
  }

  /** Returns the turns; undefined if every reply has a single turn. */
  result(): ReplyTurns | undefined {
    const { writers, replyIds } = this;
    return writers.size + replyIds.size === 0 ? undefined : { writers, replyIds };
  }

  /** Returns the reply of a turn; undefined if another turn continues the reply. */
  replyIdFor(step: OfTurn): string | undefined {
    const key = step.turnId ?? step.messageId;
    const id = this.replyIds.get(key) ?? step.messageId;
    return this.writerOf(id) === key ? id : undefined;
  }

  /** Returns the reply for text of a turn; undefined if the reply has the text already. */
  replyIdForText(step: OfTurn & { offset: number; text: string }): string | undefined {
    return this.replyIdOrVersion(step, ({ text }, start) => {
      const isThere = step.offset < start && text.startsWith(step.text, step.offset);
      return isThere ? undefined : Math.min(step.offset, start);
    });
  }

  /** Returns the reply for thinking of a turn; undefined if the reply has the thinking already. */
  replyIdForThinking(step: OfTurn & { offset: number; text: string }): string | undefined {
    return this.replyIdOrVersion(step, ({ thinking }, start) =>
      thinking?.text.startsWith(step.text, step.offset) === true ? undefined : start,
    );
  }

  /** Returns the reply for the ending of a turn; undefined for a turn without own text. */
  replyIdForEnding(step: OfTurn & { ending: { kind: string } }): string | undefined {
    const hasNothing = step.ending.kind === "stopped" || step.ending.kind === "failed";
    return this.replyIdOrVersion(step, (_reply, start) => (hasNothing ? undefined : start));
  }

  /** Adds a version of a reply that another turn continues; `keptLength` returns undefined for none. */
  private replyIdOrVersion(
    step: OfTurn,
    keptLength: (reply: Reply, start: number) => number | undefined,
  ): string | undefined {
    const replyId = this.replyIdFor(step);
    const reply = replyId === undefined ? this.replyOf(step) : undefined;
    if (reply === undefined) return replyId;
    const start = keptLength(reply, this.writers.get(reply.id)?.start ?? reply.text.length);
    return start === undefined ? undefined : this.fork(step.turnId ?? step.messageId, reply, start);
  }

  /** Returns the reply that a new turn continues; undefined for a repeated step. */
  continue(step: Continued): string | undefined {
    // Older versions wrote no turn ids, so their turns cannot be distinguished.
    if (step.turnId === undefined) return step.messageId;
    if (this.replyIdFor(step) !== undefined) return undefined;
    const after = step.afterTurnId ?? step.messageId;
    const reply = this.replyOf({ messageId: step.messageId, turnId: after });
    if (reply === undefined) return undefined;
    const start = step.length ?? reply.text.length;
    const isAsSeen = this.writerOf(reply.id) === after && reply.text.length === start;
    if (!isAsSeen || reply.ending?.kind === "complete") {
      return this.fork(step.turnId, reply, start);
    }
    this.writers.set(reply.id, { turnId: step.turnId, start });
    if (reply.id !== step.messageId) this.replyIds.set(step.turnId, reply.id);
    return reply.id;
  }

  private writerOf(replyId: string): string {
    return this.writers.get(replyId)?.turnId ?? replyId;
  }

  private replyOf({ messageId, turnId = messageId }: OfTurn): Reply | undefined {
    const reply = this.messages.get(this.replyIds.get(turnId) ?? messageId);
    return reply?.role === "assistant" ? reply : undefined;
  }

  /** Adds a version with the text before the turn, and assigns the turn to the version. */
  private fork(key: string, reply: Reply, start: number): string {
    let id = key;
    for (let number = 2; this.messages.has(id); number++) id = `${key}-${number}`;
    const { parentId, modelKind, modelCode, startedAtMs, firstTextAtMs, receipt, thinking } = reply;
    const copy = { parentId, modelKind, modelCode, startedAtMs, firstTextAtMs, receipt, thinking };
    this.addVersion({ role: "assistant", id, text: reply.text.slice(0, start), ...copy });
    this.writers.set(id, { turnId: key, start });
    this.replyIds.set(key, id);
    return id;
  }
}
