/**
 * Handles the only endpoint, POST /maas/v1/chat/completions: checks path, method, key, type, size,
 * JSON and fields in this order, then answers with a fault, a scripted reply or a phrase.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { readCompletionRequest } from "./completionRequest";
import { sendText, type Exchange } from "./exchange";
import { requestedFault, runFault } from "./faults/faults";
import type { Gate } from "./gate";
import type { Ledger, RecordedRequest } from "./ledger";
import { answerPhrase } from "./phrases";
import { findPictures } from "./pictures";
import { MAX_BODY_BYTES, receiveBody } from "./receiveBody";
import { checkBody, contentTypeProblem, keyProblem, type ToolMode } from "./requestRules";
import { playScripted, type ScriptedReply } from "./script";

export const COMPLETIONS_PATH = "/maas/v1/chat/completions";

/** State of the service, shared by all exchanges. */
export interface ServiceState {
  readonly ledger: Ledger;
  readonly gate: Gate;
  readonly scripted: ScriptedReply[];
  /** Number of requests by fault, key and question. */
  readonly attempts: Map<string, number>;
  readonly options: {
    readonly apiKey?: string;
    readonly blockDelayMs?: number;
    readonly tools?: ToolMode;
  };
  readonly origin: string;
  /** Aborted when the service closes, to distinguish its own closing from the client's. */
  readonly closing: AbortSignal;
}

/** Answers a request and completes its record; does not reject when the client disconnects. */
export async function answerCompletion(
  state: ServiceState,
  record: RecordedRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const disconnected = new AbortController();
  let isOwnBreak = false;
  response.once("close", () => {
    const isClosedByClient = !response.writableFinished && !isOwnBreak && !state.closing.aborted;
    if (isClosedByClient) record.closedByClientAtMs = Date.now();
    disconnected.abort(new Error("the connection is closed"));
    state.ledger.mark(record, "closed");
  });
  const body = await receiveBody(request);
  if (Buffer.isBuffer(body)) readBody(record, body);
  const refusal = refuse(state, record, body);
  state.ledger.mark(record, "read");
  if (refusal !== undefined) {
    const isAlive = !response.destroyed;
    if (isAlive) sendText(response, refusal.status, refusal.text, refusal.headers);
    return;
  }
  record.pictures = findPictures(record.body);
  const exchange: Omit<Exchange, "attempt" | "forgetAttempts"> = {
    record,
    response,
    request: readCompletionRequest(record.body, record.headers, record.pictures),
    origin: state.origin,
    blockDelayMs: state.options.blockDelayMs ?? 0,
    waitAtGate: () => state.gate.wait(disconnected.signal),
    announceBreak: () => void (isOwnBreak = true),
    signal: disconnected.signal,
  };
  try {
    await reply(state, exchange);
  } catch (error) {
    if (disconnected.signal.aborted) return; // The client has disconnected.
    record.problems.push(`the service itself failed: ${String(error)}`);
    if (response.headersSent) response.destroy();
    else sendText(response, 500, `The reference service itself failed: ${String(error)}\n`);
  }
}

async function reply(
  state: ServiceState,
  exchange: Omit<Exchange, "attempt" | "forgetAttempts">,
): Promise<void> {
  const { headers } = exchange.record;
  const { tools } = state.options;
  const scripted = state.scripted.shift();
  const fault = scripted?.fault ?? requestedFault(exchange.request.question, headers);
  const key = [fault ?? "", headers["authorization"], exchange.request.question].join("\n");
  const attempt = (state.attempts.get(key) ?? 0) + 1;
  if (fault !== undefined) state.attempts.set(key, attempt);
  const forgetAttempts = () => void state.attempts.delete(key);
  const counted: Exchange = { ...exchange, attempt, forgetAttempts };
  if (scripted !== undefined) return playScripted(counted, scripted);
  const tool = tools === "works" ? firstTool(exchange.record.body) : undefined;
  if (tool !== undefined) {
    const call = { id: "call_1", type: "function", function: { name: tool, arguments: "{}" } };
    return playScripted(counted, { toolCalls: [call], finishReason: "tool_calls" });
  }
  return fault === undefined ? answerPhrase(counted) : runFault(counted, fault);
}

/** Returns the name of a request's first tool, in the common OpenAI shape. */
function firstTool(body: unknown): string | undefined {
  const { tools } = body as { tools?: readonly { function?: { name?: string } }[] };
  return tools?.[0]?.function?.name;
}

function readBody(record: RecordedRequest, body: Buffer): void {
  try {
    record.bodyText = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    record.bodyText = body.toString("latin1");
    record.problems.push("the body is not UTF-8");
    return;
  }
  try {
    record.body = JSON.parse(record.bodyText) as unknown;
  } catch {
    record.body = undefined;
  }
}

interface Refusal {
  readonly status: number;
  readonly text: string;
  readonly headers?: Record<string, string>;
}

function refuse(
  state: ServiceState,
  record: RecordedRequest,
  body: Buffer | "too-large" | "gone",
): Refusal | undefined {
  const refusal = (status: number, problem: string, headers?: Record<string, string>): Refusal => {
    record.problems.push(problem);
    return { status, text: `${problem}\n`, ...(headers === undefined ? {} : { headers }) };
  };
  const { headers } = record;
  const path = record.path.split("?")[0] ?? "";
  if (path !== COMPLETIONS_PATH) {
    return refusal(
      404,
      `there is nothing at ${path}; this service answers POST ${COMPLETIONS_PATH}`,
    );
  }
  if (record.method !== "POST") {
    return refusal(405, `${record.method} is not allowed here; use POST`, { allow: "POST" });
  }
  const keyIssue = keyProblem(headers["authorization"], state.options.apiKey);
  if (keyIssue !== undefined) return refusal(401, keyIssue);
  const typeIssue = contentTypeProblem(headers["content-type"]);
  if (typeIssue !== undefined) return refusal(415, typeIssue);
  if (headers["content-encoding"] !== undefined)
    return refusal(415, "a compressed body is not read");
  if (body === "gone") return refusal(400, "the body ended too early");
  if (body === "too-large") {
    return refusal(413, `the body is larger than ${MAX_BODY_BYTES} bytes`, { connection: "close" });
  }
  if (record.problems.length > 0) return { status: 400, text: `${record.problems.join("\n")}\n` };
  if (record.body === undefined) return refusal(400, "the body is not JSON");
  record.problems.push(...checkBody(record.bodyText, record.body, state.options.tools));
  if (record.problems.length === 0) return undefined;
  const list = record.problems.map((problem) => `- ${problem}\n`).join("");
  return { status: 400, text: `The request does not follow the specification:\n${list}` };
}
