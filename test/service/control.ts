/**
 * Handles the debugging calls under /_service/ for tests that run in another process: received
 * requests, scripted replies, reset and gate. Not part of the specification.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { sendText } from "./exchange";
import type { Gate } from "./gate";
import type { Ledger } from "./ledger";
import { receiveBody } from "./receiveBody";
import { parseScript, type ScriptedReply } from "./script";

const LISTED_REQUESTS = 100;

export interface Controlled {
  readonly ledger: Ledger;
  readonly gate: Gate;
  script(...replies: ScriptedReply[]): void;
  reset(): void;
  connectionsOpen(): number;
  repliesOpen(): number;
}

/** Answers a debugging call; `path` starts with `/_service/`. */
export async function answerControl(
  service: Controlled,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A web page could reach this port under its own host name (DNS rebinding).
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(request.headers.host ?? "")) {
    sendText(response, 403, "Only callers that use 127.0.0.1 or localhost may look in here.\n");
    return;
  }
  const body = await receiveBody(request);
  switch (`${request.method ?? ""} ${path}`) {
    case "GET /_service/requests":
      sendJson(response, service.ledger.requests.slice(-LISTED_REQUESTS));
      return;
    case "POST /_service/script":
      try {
        service.script(...parseScript(JSON.parse(body.toString())));
      } catch (error) {
        sendText(response, 400, `Not a list of scripted replies: ${String(error)}\n`);
        return;
      }
      break;
    case "POST /_service/reset":
      service.reset();
      break;
    case "POST /_service/gate":
      service.gate.release();
      break;
    case "GET /_service/state":
      break;
    default:
      sendText(response, 404, `There is no ${request.method ?? ""} ${path} here.\n`);
      return;
  }
  sendJson(response, {
    connectionsOpen: service.connectionsOpen(),
    repliesOpen: service.repliesOpen(),
    requests: service.ledger.requests.length,
    waitingAtGate: service.gate.waitingCount,
  });
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}
