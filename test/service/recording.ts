/**
 * Plays a recording that "Show Requests" saved: the status, the headers and every block at its time.
 * src/host/diagnostics/recording.ts writes the format.
 */
import * as z from "zod/mini";
import { holdOpen, pause, send, type Exchange } from "./exchange";

/** Longest pause between two blocks, in milliseconds. */
const MAX_PAUSE_MS = 5_000;

const blockSchema = z.object({
  afterMs: z.number(),
  text: z.optional(z.string()),
  base64: z.optional(z.string()),
});

export const recordingSchema = z.object({
  version: z.literal(1),
  /** Undefined if nothing arrived. */
  response: z.optional(
    z.object({
      status: z.number(),
      headers: z.record(z.string(), z.string()),
      afterMs: z.number(),
      blocks: z.array(blockSchema),
    }),
  ),
  /** Kind of the client's failure: after "network" the connection breaks, after "timeout" it is silent. */
  failure: z.optional(z.string()),
});

export type Recording = z.infer<typeof recordingSchema>;

/** Headers that belonged to the recorded connection; the blocks are decoded. */
const OF_CONNECTION = new Set(["content-length", "content-encoding", "transfer-encoding"]);

export async function playRecording(exchange: Exchange, recording: Recording): Promise<void> {
  const { response, failure } = recording;
  if (response !== undefined) {
    const headers = Object.entries(response.headers).filter(([name]) => !OF_CONNECTION.has(name));
    await pause(exchange, Math.min(response.afterMs, MAX_PAUSE_MS));
    exchange.response.writeHead(response.status, Object.fromEntries(headers));
    exchange.response.flushHeaders();
  }
  let beforeMs = response?.afterMs ?? 0;
  for (const { afterMs, text, base64 } of response?.blocks ?? []) {
    await pause(exchange, Math.min(afterMs - beforeMs, MAX_PAUSE_MS));
    beforeMs = afterMs;
    await send(exchange, base64 === undefined ? (text ?? "") : Buffer.from(base64, "base64"));
  }
  if (failure === "timeout") return holdOpen(exchange);
  if (failure === "network" || response === undefined) {
    exchange.announceBreak();
    exchange.response.destroy();
    return;
  }
  exchange.response.end();
}
