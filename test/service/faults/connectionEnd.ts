/**
 * Breaks connections, and writes to the socket directly, because Node's HTTP module never sends
 * broken framing. Every break is first announced as the service's own.
 */
import type { Socket } from "node:net";
import { pause, type Exchange } from "../exchange";

/** Time for the client to read, in milliseconds: some systems drop unread bytes on a reset. */
const BEFORE_RESET_MS = 50;

/** Sends a piece of the body and waits until the operating system has received the piece. */
export async function flush(exchange: Exchange, piece: string | Uint8Array): Promise<void> {
  exchange.signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    exchange.response.write(piece, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Writes bytes to the connection unchanged, including status line and framing. */
export async function writeRaw(exchange: Exchange, bytes: string | Uint8Array): Promise<void> {
  exchange.signal.throwIfAborted();
  const socket = socketOf(exchange);
  await new Promise<void>((resolve, reject) => {
    socket.write(bytes, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Resets the connection (RST) after the client had time to read the sent bytes. */
export async function resetConnection(exchange: Exchange): Promise<void> {
  await pause(exchange, BEFORE_RESET_MS);
  exchange.announceBreak();
  socketOf(exchange).resetAndDestroy();
}

/** Closes the connection (FIN) after the bytes written so far, regardless of the framing. */
export function finishConnection(exchange: Exchange): void {
  exchange.announceBreak();
  socketOf(exchange).destroySoon();
}

function socketOf(exchange: Exchange): Socket {
  const { socket } = exchange.response;
  if (socket === null) throw new Error("the connection is gone");
  return socket;
}
