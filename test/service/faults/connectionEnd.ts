/**
 * The ways a service breaks a connection, and writing past Node's HTTP, which would never send
 * broken framing. Each says first that the break is the service's own doing.
 */
import type { Socket } from "node:net";
import { pause, type Exchange } from "../exchange";

/** Time for a client to read, in milliseconds: some systems drop unread bytes when a reset arrives. */
const BEFORE_RESET_MS = 50;

/** Sends a piece of the body and waits until the operating system has it. */
export async function flush(exchange: Exchange, piece: string | Uint8Array): Promise<void> {
  exchange.signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    exchange.response.write(piece, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Writes bytes to the connection as they are, status line and framing included. */
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

/** Resets the connection (RST) after the caller had time to read what was sent. */
export async function resetConnection(exchange: Exchange): Promise<void> {
  await pause(exchange, BEFORE_RESET_MS);
  exchange.breakingOff();
  socketOf(exchange).resetAndDestroy();
}

/** Ends the connection (FIN) after everything written so far, whatever the framing promised. */
export function finishConnection(exchange: Exchange): void {
  exchange.breakingOff();
  socketOf(exchange).destroySoon();
}

function socketOf(exchange: Exchange): Socket {
  const { socket } = exchange.response;
  if (socket === null) throw new Error("the connection is gone");
  return socket;
}
