/**
 * Connections that end before any reply, and redirects. Refused connections and unknown host names
 * need no service; TLS faults are in ../tls.ts.
 */
import type { Exchange } from "../exchange";
import { sendText } from "../exchange";
import { finishConnection, resetConnection } from "./connectionEnd";
import { family, type Fault, type FaultFamily, type FaultTable } from "./fault";
import { failThenSucceed } from "./retries";

export const CONNECTION_FAULTS: FaultTable = {
  "reset-before-headers": before("a reset before any reply", resetConnection),
  "fin-before-headers": before("FIN before any reply", (exchange) => {
    finishConnection(exchange);
    return Promise.resolve();
  }),
  "reset-before-headers-once": failThenSucceed(
    "S23",
    "a reset before any reply, the next attempt succeeds",
    1,
    resetConnection,
  ),
  "fin-before-headers-once": failThenSucceed(
    "S23",
    "FIN before any reply, the next attempt succeeds",
    1,
    finishConnection,
  ),
};

export const CONNECTION_FAMILIES: readonly FaultFamily[] = [
  family(
    "redirect-NNN(-other)",
    [301, 302, 303, 307, 308].flatMap((status) => [
      `redirect-${status}`,
      `redirect-${status}-other`,
    ]),
    /redirect-(301|302|303|307|308)(-other)?/,
    (status, other) => redirect(Number(status), other !== undefined),
  ),
];

function before(summary: string, reply: Fault["reply"]): Fault {
  return { row: "S23", summary, ending: "failed", reply };
}

/** Redirects to a path below /redirected/ of this service, which records clients that follow. */
function redirect(status: number, isOtherHost: boolean): Fault {
  const reply = (exchange: Exchange) => {
    const host = isOtherHost ? exchange.origin.replace("127.0.0.1", "localhost") : exchange.origin;
    const location = `${host}/redirected${exchange.record.path}`;
    sendText(exchange.response, status, `Moved to ${location}\n`, { location });
    return Promise.resolve();
  };
  return {
    row: "S25",
    summary: "a redirect to the same host, or to another one (localhost)",
    ending: "failed",
    reply,
  };
}
