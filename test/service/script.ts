/**
 * Replies that a test prepares: each valid request receives the next reply. The shape is parsed
 * here because scripts also arrive over HTTP, at POST /_service/script.
 */
import * as z from "zod/mini";
import { pause, type Exchange } from "./exchange";
import { runFault } from "./faults/faults";
import { sendAnswer, type Answer } from "./sendAnswer";
import { splitIntoBlocks } from "./wire";

const usageSchema = z.strictObject({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
});

const replySchema = z.strictObject({
  /**
   * Text blocks. `{delta}` contains the fields of a block, `{gate: true}` waits for a release,
   * `{raw}` is written to the stream unchanged.
   */
  blocks: z.optional(
    z.array(
      z.union([
        z.string(),
        z.strictObject({ delta: z.record(z.string(), z.unknown()) }),
        z.strictObject({ gate: z.literal(true) }),
        z.strictObject({ raw: z.string() }),
      ]),
    ),
  ),
  /** Text that the service splits into blocks, instead of `blocks`. */
  text: z.optional(z.string()),
  /** Default "stop"; null sends no finish reason. */
  finishReason: z.optional(z.nullable(z.string())),
  /** False sends no `[DONE]`. */
  done: z.optional(z.boolean()),
  toolCalls: z.optional(z.array(z.unknown())),
  /** True for the service's own estimate, or the numbers to send. */
  usage: z.optional(z.union([z.boolean(), usageSchema])),
  /** Pause before every block, in milliseconds. */
  delayMs: z.optional(z.number()),
  /** HTTP status, 200 by default. With `status` or `body` the reply is sent unchanged. */
  status: z.optional(z.number()),
  headers: z.optional(z.record(z.string(), z.string())),
  /** Body: a string is sent as text, any other value as JSON. */
  body: z.optional(z.unknown()),
  /** Name of a fault in faults.ts, instead of all other fields. */
  fault: z.optional(z.string()),
});

export type ScriptedReply = z.infer<typeof replySchema>;

/** Parses a script received over HTTP; throws an error that names the invalid field. */
export function parseScript(value: unknown): ScriptedReply[] {
  return z.parse(z.array(replySchema), value);
}

/** Sends a scripted reply. */
export async function playScripted(exchange: Exchange, reply: ScriptedReply): Promise<void> {
  if (reply.fault !== undefined) return runFault(exchange, reply.fault);
  if (reply.status !== undefined || reply.body !== undefined) {
    await pause(exchange, reply.delayMs ?? 0);
    sendUnchanged(exchange, reply);
    return;
  }
  const answer: Answer = {
    // max_tokens does not truncate a scripted reply.
    blocks: reply.blocks ?? splitIntoBlocks(reply.text ?? ""),
    finishReason: reply.finishReason === undefined ? "stop" : reply.finishReason,
    ...(reply.done === undefined ? {} : { hasDone: reply.done }),
    ...(reply.toolCalls === undefined ? {} : { toolCalls: reply.toolCalls }),
    ...(reply.usage === undefined ? {} : { usage: reply.usage }),
    ...(reply.delayMs === undefined ? {} : { blockDelayMs: reply.delayMs }),
    ...(reply.headers === undefined ? {} : { headers: reply.headers }),
  };
  return sendAnswer(exchange, answer);
}

function sendUnchanged(exchange: Exchange, reply: ScriptedReply): void {
  const isText = typeof reply.body === "string" || reply.body === undefined;
  const body = isText ? ((reply.body as string | undefined) ?? "") : JSON.stringify(reply.body);
  exchange.response.writeHead(reply.status ?? 200, {
    "content-type": isText ? "text/plain; charset=utf-8" : "application/json",
    ...reply.headers,
  });
  exchange.response.end(body);
}
