/**
 * Request, reply and event messages over `postMessage`; host and webview each have a Channel.
 * Parses every incoming message and answers every request, also when its handler throws. Logs an
 * invalid message by type and path, never by content, and drops it.
 */
import * as z from "zod/mini";
import { newId } from "../base/id";
import { describeError, type Log } from "../base/log";

const envelopeSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("event"),
    /** Counts the events of an end without gaps; missing for an event sent before there is a Channel. */
    seq: z.optional(z.number()),
    message: z.unknown(),
  }),
  z.object({ kind: z.literal("request"), id: z.string(), message: z.unknown() }),
  z.object({ kind: z.literal("reply"), id: z.string(), message: z.unknown() }),
  z.object({ kind: z.literal("refusal"), id: z.string() }),
]);
type Envelope = z.infer<typeof envelopeSchema>;

/** Number of replies whose times are compared. Handlers take time too, so the fastest counts. */
const TIMED_REPLIES = 8;

export interface ChannelOptions<Incoming, Reply> {
  /** Posts an envelope; may drop it if the other end is gone. */
  readonly post: (envelope: unknown) => void;
  readonly incoming: z.ZodMiniType<Incoming>;
  readonly reply: z.ZodMiniType<Reply>;
  /** Handles events, whose result is ignored, and requests, whose result is the reply. */
  readonly handle: (message: Incoming) => Promise<Reply | undefined> | Reply | undefined;
  /** Called before the first event that follows a lost or dropped event. */
  readonly onGap?: () => void;
  readonly log: Log;
}

/** Error of a request that was refused, not answered, or answered by an invalid reply. */
export class ChannelError extends Error {
  override readonly name = "ChannelError";
}

/** An end of the connection: sends `Outgoing`, receives `Incoming`. */
export class Channel<Outgoing, Incoming, Reply> {
  private readonly waiting = new Map<
    string,
    { resolve: (reply: Reply) => void; reject: (error: Error) => void }
  >();
  private latestReplyMs: readonly number[] = [];
  private sentCount = 0;
  /** Expected number of the next event; undefined before the first. */
  private nextSeq: number | undefined;

  constructor(private readonly options: ChannelOptions<Incoming, Reply>) {}

  send(message: Outgoing): void {
    this.post({ kind: "event", seq: this.sentCount++, message });
  }

  /** Sends a request; rejects with ChannelError if the other end refuses or is gone. */
  request(message: Outgoing): Promise<Reply> {
    const id = newId();
    const sentMs = performance.now();
    return new Promise((resolve, reject) => {
      const resolveTimed = (reply: Reply) => {
        this.latestReplyMs = [...this.latestReplyMs, performance.now() - sentMs].slice(
          -TIMED_REPLIES,
        );
        resolve(reply);
      };
      this.waiting.set(id, { resolve: resolveTimed, reject });
      this.post({ kind: "request", id, message });
    });
  }

  /**
   * Returns the time that the fastest of the latest replies took, in milliseconds: twice the time that a
   * message needs. 0 before the first reply.
   */
  get roundTripMs(): number {
    return this.latestReplyMs.length === 0 ? 0 : Math.min(...this.latestReplyMs);
  }

  /** Handles a received value of any shape. */
  async receive(data: unknown): Promise<void> {
    const envelope = envelopeSchema.safeParse(data);
    if (!envelope.success) {
      this.options.log.warn(
        `bridge: dropped a message without a valid envelope (${pathsOf(envelope.error)})`,
      );
      return;
    }
    switch (envelope.data.kind) {
      case "reply":
        this.settle(envelope.data.id, envelope.data.message);
        return;
      case "refusal":
        this.removeWaiting(envelope.data.id)?.reject(new ChannelError("refused"));
        return;
      case "event":
      case "request":
        await this.handle(envelope.data);
        return;
      default:
        envelope.data satisfies never;
    }
  }

  /** Rejects all pending requests: the connection is closed. */
  dispose(): void {
    for (const { reject } of this.waiting.values()) reject(new ChannelError("closed"));
    this.waiting.clear();
  }

  private async handle(envelope: Extract<Envelope, { kind: "event" | "request" }>): Promise<void> {
    const message = this.options.incoming.safeParse(envelope.message);
    let reply: Reply | undefined;
    if (message.success) {
      if (envelope.kind === "event") this.checkSeq(envelope.seq);
      try {
        reply = await this.options.handle(message.data);
      } catch (error) {
        this.options.log.error(`bridge: a message handler failed (${describeError(error)})`);
      }
    } else {
      const type = typeOf(envelope.message);
      this.options.log.warn(`bridge: dropped an invalid "${type}" (${pathsOf(message.error)})`);
    }
    if (envelope.kind === "request") {
      const { id } = envelope;
      this.post(
        reply === undefined ? { kind: "refusal", id } : { kind: "reply", id, message: reply },
      );
    }
  }

  /** Reports a gap. A dropped event does not count, so the event after it reports the gap. */
  private checkSeq(seq: number | undefined): void {
    if (seq === undefined) return;
    const hasGap = this.nextSeq !== undefined && seq !== this.nextSeq;
    this.nextSeq = seq + 1;
    if (hasGap) this.options.onGap?.();
  }

  private settle(id: string, message: unknown): void {
    const waiting = this.removeWaiting(id);
    if (waiting === undefined) return;
    const reply = this.options.reply.safeParse(message);
    if (reply.success) waiting.resolve(reply.data);
    else waiting.reject(new ChannelError(`unreadable reply (${pathsOf(reply.error)})`));
  }

  private removeWaiting(id: string) {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    return waiting;
  }

  private post(envelope: Envelope): void {
    this.options.post(envelope);
  }
}

const MAX_TYPE_LENGTH = 40;

function typeOf(message: unknown): string {
  const type = (message as { type?: unknown } | null | undefined)?.type;
  return typeof type === "string" && /^[a-z-]+$/.test(type) ? type.slice(0, MAX_TYPE_LENGTH) : "?";
}

/** Returns the paths of the invalid fields, never their values. */
function pathsOf(error: z.core.$ZodError): string {
  const paths = error.issues.slice(0, 3).map((issue) => `${issue.path.join(".")}: ${issue.code}`);
  return paths.join(", ");
}
