/**
 * Which reply the steps of a turn belong to. Two windows may let the same reply go on at once: the
 * first to do so writes on in it, and what any other turn says becomes another version, so that
 * their texts never mix. Which it is follows from the order of the steps alone.
 */
import type { Message, Reply } from "./message";

/** The turns of a conversation beyond the first of each reply. */
export interface ReplyTurns {
  /** By reply: the turn that writes in it now, and how long the text was when it began. */
  readonly writers: ReadonlyMap<string, { readonly turnId: string; readonly start: number }>;
  /** By turn: the reply it writes in, where that is another than its steps name. */
  readonly replyIds: ReadonlyMap<string, string>;
}

/** What every step of a turn names; the first turn of a reply goes by the reply's own id. */
interface OfTurn {
  readonly messageId: string;
  readonly turnId?: string | undefined;
}

/** What a reply that goes on was when the person let it. */
interface Continued extends OfTurn {
  readonly afterTurnId?: string | undefined;
  readonly length?: number | undefined;
}

/** The turns while steps are applied. */
export class ReplyTurnTracker {
  private readonly writers: Map<string, { turnId: string; start: number }>;
  private readonly replyIds: Map<string, string>;

  /**
   * @param messages the conversation's; read only
   * @param addVersion adds a reply beside the others without showing it
   */
  constructor(
    before: ReplyTurns | undefined,
    private readonly messages: ReadonlyMap<string, Message>,
    private readonly addVersion: (reply: Reply) => void,
  ) {
    this.writers = new Map(before?.writers);
    this.replyIds = new Map(before?.replyIds);
  }

  /** The turns as they are now; nothing where every reply has its first turn only. */
  result(): ReplyTurns | undefined {
    const { writers, replyIds: places } = this;
    return writers.size + places.size === 0 ? undefined : { writers, replyIds: places };
  }

  /** The reply a turn writes in; undefined when another turn took it over. */
  replyIdFor(step: OfTurn): string | undefined {
    const key = step.turnId ?? step.messageId;
    const id = this.replyIds.get(key) ?? step.messageId;
    return this.writerOf(id) === key ? id : undefined;
  }

  /** The reply that text of a turn belongs to; undefined when it stands there already. */
  replyIdForText(step: OfTurn & { offset: number; text: string }): string | undefined {
    const place = this.replyIdFor(step);
    if (place !== undefined) return place;
    const reply = this.replyOf(step);
    if (reply === undefined) return undefined;
    const start = this.writers.get(reply.id)?.start ?? reply.text.length;
    if (step.offset < start && reply.text.startsWith(step.text, step.offset)) return undefined;
    return this.fork(step.turnId ?? step.messageId, reply, Math.min(step.offset, start));
  }

  /** The reply that ends; undefined for a turn that had nothing of its own to end. */
  replyIdForEnding(step: OfTurn & { ending: { kind: string } }): string | undefined {
    const place = this.replyIdFor(step);
    if (place !== undefined) return place;
    const reply = this.replyOf(step);
    const hasNothing = step.ending.kind === "stopped" || step.ending.kind === "failed";
    if (reply === undefined || hasNothing) return undefined;
    const start = this.writers.get(reply.id)?.start ?? reply.text.length;
    return this.fork(step.turnId ?? step.messageId, reply, start);
  }

  /** The reply that a new turn writes on in; undefined when that was said before. */
  continue(step: Continued): string | undefined {
    // Before turns had names there was no telling them apart.
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

  /** Another version with the text up to where the turn began; `key` writes in it from now on. */
  private fork(key: string, reply: Reply, start: number): string {
    let id = key;
    for (let number = 2; this.messages.has(id); number++) id = `${key}-${number}`;
    const { parentId, modelKind, modelCode, startedAtMs, firstTextAtMs, receipt } = reply;
    const kept = { parentId, modelKind, modelCode, startedAtMs, firstTextAtMs, receipt };
    this.addVersion({ role: "assistant", id, text: reply.text.slice(0, start), ...kept });
    this.writers.set(id, { turnId: key, start });
    this.replyIds.set(key, id);
    return id;
  }
}
