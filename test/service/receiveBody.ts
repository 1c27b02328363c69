/**
 * Reads the body of a request up to a limit. The rest is read and discarded, because a client whose
 * upload is interrupted never reads the reply with the reason.
 */
import type { IncomingMessage } from "node:http";

export const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_DISCARDED_BYTES = 4 * MAX_BODY_BYTES;

/** Returns the body; "too-large" over `MAX_BODY_BYTES`; "gone" if the client disconnected. */
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
