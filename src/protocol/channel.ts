/**
 * One end of the bridge; the same class stands at both. Carries events and requests in small
 * envelopes, parses whatever arrives, and answers every request, also when its handler throws.
 * What cannot be parsed is logged by type and path, never by content, and dropped.
 */
import * as z from "zod/mini";
import { newId } from "../base/id";
import { describeError, type Log } from "../base/log";

const envelopeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("event"), message: z.unknown() }),
  z.object({ kind: z.literal("request"), id: z.string(), message: z.unknown() }),
  z.object({ kind: z.literal("reply"), id: z.string(), message: z.unknown() }),
  z.object({ kind: z.literal("refusal"), id: z.string() }),
]);
type Envelope = z.infer<typeof envelopeSchema>;

/** What this end needs to know of the pipe and of the other end's language. */
export interface ChannelOptions<Incoming, Reply> {
  /** Puts one envelope on the pipe; may drop it when the other end is gone. */
  readonly post: (envelope: unknown) => void;
  readonly incoming: z.ZodMiniType<Incoming>;
  readonly reply: z.ZodMiniType<Reply>;
  /** Called for events (the result is ignored) and for requests (the result is the reply). */
  readonly handle: (message: Incoming) => Promise<Reply | undefined> | Reply | undefined;
  readonly log: Log;
}

/** The other end did not answer, refused, or answered something else. */
export class ChannelError extends Error {
  override readonly name = "ChannelError";
}

/** `Outgoing` is this end's language, `Incoming` the other's. */
export class Channel<Outgoing, Incoming, Reply> {
  private readonly waiting = new Map<
    string,
    { resolve: (reply: Reply) => void; reject: (error: Error) => void }
  >();

  constructor(private readonly options: ChannelOptions<Incoming, Reply>) {}

  /** Tells the other end something; no answer. */
  send(message: Outgoing): void {
    this.post({ kind: "event", message });
  }

  /** Asks the other end something; rejects with ChannelError when it refuses or is gone. */
  request(message: Outgoing): Promise<Reply> {
    const id = newId();
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.post({ kind: "request", id, message });
    });
  }

  /** Takes whatever came out of the pipe. */
  async receive(data: unknown): Promise<void> {
    const envelope = envelopeSchema.safeParse(data);
    if (!envelope.success) {
      this.options.log.warn(`bridge: dropped what is no envelope (${pathsOf(envelope.error)})`);
      return;
    }
    switch (envelope.data.kind) {
      case "reply":
        this.settle(envelope.data.id, envelope.data.message);
        return;
      case "refusal":
        this.take(envelope.data.id)?.reject(new ChannelError("refused"));
        return;
      case "event":
      case "request":
        await this.handle(envelope.data);
        return;
      default:
        envelope.data satisfies never;
    }
  }

  /** Lets every waiting request go; the pipe is gone. */
  dispose(): void {
    for (const { reject } of this.waiting.values()) reject(new ChannelError("closed"));
    this.waiting.clear();
  }

  private async handle(envelope: Extract<Envelope, { kind: "event" | "request" }>): Promise<void> {
    const message = this.options.incoming.safeParse(envelope.message);
    let reply: Reply | undefined;
    if (message.success) {
      try {
        reply = await this.options.handle(message.data);
      } catch (error) {
        this.options.log.error(`bridge: a message was not handled (${describeError(error)})`);
      }
    } else {
      const type = typeOf(envelope.message);
      this.options.log.warn(`bridge: dropped "${type}" (${pathsOf(message.error)})`);
    }
    if (envelope.kind === "request") {
      const { id } = envelope;
      this.post(
        reply === undefined ? { kind: "refusal", id } : { kind: "reply", id, message: reply },
      );
    }
  }

  private settle(id: string, message: unknown): void {
    const waiting = this.take(id);
    if (waiting === undefined) return;
    const reply = this.options.reply.safeParse(message);
    if (reply.success) waiting.resolve(reply.data);
    else waiting.reject(new ChannelError(`unreadable reply (${pathsOf(reply.error)})`));
  }

  private take(id: string) {
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

/** Where a message was wrong: names of fields only, never what stood in them. */
function pathsOf(error: z.core.$ZodError): string {
  const paths = error.issues.slice(0, 3).map((issue) => `${issue.path.join(".")}: ${issue.code}`);
  return paths.join(", ");
}
