/**
 * Reads a request's body up to a limit. What is over the limit is still read, and thrown away,
 * because a caller that is cut off while it sends never sees the reply that says why.
 */
import type { IncomingMessage } from "node:http";

export const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_DISCARDED_BYTES = 4 * MAX_BODY_BYTES;

/** The body; "too-large" over `MAX_BODY_BYTES`; "gone" when the caller hung up on the way. */
export async function receiveBody(
  request: IncomingMessage,
): Promise<Buffer | "too-large" | "gone"> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes <= MAX_BODY_BYTES) pieces.push(piece);
      else pieces.length = 0;
      if (bytes > MAX_DISCARDED_BYTES) break;
    }
  } catch {
    return "gone";
  }
  return bytes > MAX_BODY_BYTES ? "too-large" : Buffer.concat(pieces);
}
