/**
 * Tests a connection step by step, from the base URL to a picture, with real requests and without
 * retries. Independent of VS Code: receives `fetch` and clock, and yields results in order.
 */
import { askRequest } from "../../ask/ask";
import { askOnce } from "../../ask/askOnce";
import { systemClock } from "../../base/clock";
import type { Failure } from "../../conversation/ending";
import { calibrate } from "../../pointing/calibrate";
import type { CoordinateScale } from "../../pointing/coordinates";
import { PointingReader } from "../../pointing/readPointing";
import { isLoopback } from "../../service/baseUrl";
import { createClient, type ClientOptions, type ServiceClient } from "../../service/client";
import type { ExchangeEvent } from "../../service/exchange";
import type { ChatRequest, Connection, ServicePart } from "../../service/types";
import {
  CHECK_IDS,
  findProgress,
  NETWORK_CHECKS,
  type CheckId,
  type ConnectionProblem,
} from "./requestProgress";
import type { ToolSupport } from "../settings/knownModels";
import { MARKED_PICTURE_SIZE, MARKED_PICTURE_URL, MARKS, TEST_PICTURE_URL } from "./testPicture";

/** Target of a test: model codes and connection, or the reason why no request can be sent. */
export interface TestTarget {
  readonly baseUrl: string;
  readonly connection: Connection | Failure;
  readonly modelCodes: { readonly llm: string; readonly vl: string };
}

export interface CheckResult {
  readonly id: CheckId;
  readonly state: "passed" | "failed" | "skipped";
  /** Reason of a failure; the caller formats the sentence. */
  readonly problem?: ConnectionProblem;
  readonly timing?: ReplyTiming;
  /** The effect of a tool on each model. */
  readonly tools?: readonly { readonly code: string; readonly support: ToolSupport }[];
  /** Scales in which the reply about the picture gives its marks; missing without one. */
  readonly scales?: readonly CoordinateScale[];
}

/** Arrival times of a reply, in milliseconds since its request. */
export interface ReplyTiming {
  readonly firstTextMs?: number;
  readonly wholeMs: number;
  /** Number of text deltas; all text of a network read is a delta. */
  readonly blocks: number;
}

/** Long enough to detect streaming, short enough to be cheap. */
const COUNTING_QUESTION = "Count from 1 to 60 in digits, separated by commas. Write nothing else.";
const GREETING = "Answer with the word OK.";
const PICTURE_QUESTION =
  "Where are the red square and the blue square in this picture? Answer with the bounding box of each " +
  'as JSON: [{"bbox_2d": [x1, y1, x2, y2], "label": "red"}, {"bbox_2d": [x1, y1, x2, y2], "label": "blue"}]';

/** Shortest delay, in milliseconds, after which a burst within `BURST_MS` counts as buffered. */
const LONG_WAIT_MS = 1000;
const BURST_MS = 100;

/** Made tool that does nothing; a model that takes tools calls it. */
const TEST_TOOL = {
  name: "report_number",
  description: "Reports a number to the user. Call it once with the number.",
  parameters: {
    type: "object",
    properties: { number: { type: "integer" } },
    required: ["number"],
  },
};
const TOOL_QUESTION = "Call the tool report_number with the number 7. Write nothing else.";

/** Yields one result for each check, in the order of `CHECK_IDS`; stops early when aborted. */
export async function* checkConnection(
  target: TestTarget,
  options: ClientOptions,
  signal: AbortSignal,
): AsyncGenerator<CheckResult, void, void> {
  const { connection } = target;
  if ("kind" in connection) {
    yield* withoutConnection(connection);
    return;
  }
  const tester = new Tester(connection, options, signal);
  const working: ("llm" | "vl")[] = [];
  for await (const result of checkModels(target, connection, tester)) {
    yield result;
    if ((result.id === "llm" || result.id === "vl") && result.state === "passed") {
      working.push(result.id);
    }
  }
  if (signal.aborted) return;
  const tools: NonNullable<CheckResult["tools"]>[number][] = [];
  for (const kind of working) {
    const code = target.modelCodes[kind];
    if (tools.some((tested) => tested.code === code)) continue;
    const request = { ...requestOf(kind, code, TOOL_QUESTION), tools: [TEST_TOOL] };
    const tested = await tester.ask(request);
    if (tested === undefined) return;
    const support = toolSupport(tested);
    if (support) tools.push({ code, support });
  }
  if (tools.length === 0) yield* skipped("tools");
  else yield { id: "tools", state: "passed", tools };
}

/** Returns what a model did with a tool; undefined after a failure that does not name tools. */
function toolSupport({ calls, failure }: Tested): ToolSupport | undefined {
  if (calls > 0) return "works";
  if (failure === undefined || failure.kind === "no-text") return "ignored";
  return "about" in failure && failure.about === "tools" ? "refused" : undefined;
}

async function* checkModels(
  target: TestTarget,
  connection: Connection,
  tester: Tester,
): AsyncGenerator<CheckResult, void, void> {
  yield { id: "url", state: "passed" };
  yield { id: "key", state: "passed" };

  const llm = await tester.ask(requestOf("llm", target.modelCodes.llm, COUNTING_QUESTION));
  if (llm === undefined) return;
  const network = findProgress(llm.failure);
  yield* networkResults(network, llm.failure, connection.baseUrl);
  if (network.failedAt !== undefined) {
    yield* skipped("llm", "streaming", "vl", "picture");
    return;
  }
  yield resultOf("llm", llm);
  yield streaming(llm);

  const { vl: vlCode } = target.modelCodes;
  const seen = await tester.ask(pictureRequest(vlCode, PICTURE_QUESTION, MARKED_PICTURE_URL));
  if (seen === undefined) return;
  if (seen.failure === undefined) {
    yield resultOf("vl", seen);
    const scales = scalesOf(seen.text);
    yield { id: "picture", state: "passed", ...(scales.length > 0 && { scales }) };
    return;
  }
  // A request to the same model without a picture separates model failures from picture failures.
  const plain = await tester.ask(requestOf("vl", vlCode, GREETING));
  if (plain === undefined) return;
  yield resultOf("vl", plain);
  if (plain.failure !== undefined) {
    yield* skipped("picture");
    return;
  }
  // A service with a short context refuses the large picture only.
  const small = await tester.ask(pictureRequest(vlCode, GREETING, TEST_PICTURE_URL));
  if (small !== undefined) yield resultOf("picture", small);
}

/** Outcome of a request. */
interface Tested {
  readonly failure: ConnectionProblem | undefined;
  readonly timing: ReplyTiming;
  /** Milliseconds between the first and the last text. */
  readonly spreadMs: number;
  readonly isDocument: boolean;
  readonly text: string;
  readonly calls: number;
}

class Tester {
  private readonly client: ServiceClient;
  private readonly nowMs: () => number;
  private readonly answers: Extract<ExchangeEvent, { type: "exchange-answered" }>[] = [];

  constructor(
    private readonly connection: Connection,
    options: ClientOptions,
    private readonly signal: AbortSignal,
  ) {
    const clock = options.clock ?? systemClock;
    this.nowMs = () => clock.nowMs();
    this.client = createClient({
      ...options,
      observe: (event) => {
        if (event.type === "exchange-answered") this.answers.push(event);
        return options.observe?.(event);
      },
    });
  }

  /** Sends a request; undefined if the test was canceled. */
  async ask(request: ChatRequest): Promise<Tested | undefined> {
    this.answers.length = 0;
    // A test reports each failure at once; a retry would hide failures.
    const connection = { ...this.connection, retries: 0 };
    const startedMs = this.nowMs();
    const textMs: number[] = [];
    let failure: ConnectionProblem | undefined;
    const question = { request, connection, contentFilter: "keep", estimatedTokens: 0 } as const;
    const events = askRequest(this.client, question, this.signal);
    const { text, ending, toolCalls } = await askOnce(events, ({ type }) => {
      if (type === "text-delta" || type === "reasoning-delta")
        textMs.push(this.nowMs() - startedMs);
    });
    if (ending.kind === "stopped") return undefined;
    if (ending.kind === "failed" && !isOnlyThinking(ending.failure)) ({ failure } = ending);
    else if (ending.kind === "withheld") failure = { kind: "withheld" };
    else if (textMs.length === 0) failure = { kind: "no-text" };
    const [firstTextMs] = textMs;
    const [answer] = this.answers;
    return {
      failure,
      text,
      calls: toolCalls?.length ?? 0,
      spreadMs: (textMs.at(-1) ?? 0) - (firstTextMs ?? 0),
      isDocument: /\bjson\b/i.test(answer?.headers["content-type"] ?? ""),
      timing: {
        ...(firstTextMs !== undefined && { firstTextMs }),
        wholeMs: this.nowMs() - startedMs,
        blocks: textMs.length,
      },
    };
  }
}

/** Returns the scales in which a reply gives the positions of the marks; empty without one. */
function scalesOf(text: string): CoordinateScale[] {
  const reader = new PointingReader();
  const points = [...reader.append(text), ...reader.end()];
  const strongest = points.reduce((most, { convention }) => Math.max(most, convention.rank), 0);
  const boxes = points.filter(({ convention }) => convention.rank === strongest);
  return calibrate(
    boxes.map(({ numbers }) => numbers),
    MARKS,
    MARKED_PICTURE_SIZE,
  );
}

/** The service works; the model used up its short reply with thinking. */
function isOnlyThinking(failure: Failure): boolean {
  return failure.kind === "malformed" && failure.what === "only-thinking";
}

function requestOf(
  kind: "llm" | "vl",
  modelCode: string,
  text: string,
  ...pictures: ServicePart[]
): ChatRequest {
  const parts: ServicePart[] = [...pictures, { type: "text", text }];
  return { kind, modelCode, messages: [{ role: "user", parts }], sampling: {}, stream: true };
}

function pictureRequest(modelCode: string, text: string, url: string): ChatRequest {
  return requestOf("vl", modelCode, text, { type: "image", url });
}

/** Yields the results without a connection: the base URL or the key is missing or invalid. */
function* withoutConnection(failure: Failure): Generator<CheckResult> {
  const failed = failure.kind === "no-key" ? "key" : "url";
  if (failed === "key") yield { id: "url", state: "passed" };
  yield { id: failed, state: "failed", problem: failure };
  yield* skipped(...CHECK_IDS.slice(CHECK_IDS.indexOf(failed) + 1));
}

function* networkResults(
  { passed, failedAt }: ReturnType<typeof findProgress>,
  problem: ConnectionProblem | undefined,
  baseUrl: string,
): Generator<CheckResult> {
  for (const id of NETWORK_CHECKS) {
    if (id === failedAt && problem !== undefined) yield { id, state: "failed", problem };
    else if (id === "tls" && isLoopback(baseUrl) && baseUrl.startsWith("http:")) yield* skipped(id);
    else yield { id, state: passed.includes(id) ? "passed" : "skipped" };
  }
}

function resultOf(id: CheckId, { failure, timing }: Tested): CheckResult {
  if (failure !== undefined) return { id, state: "failed", problem: failure, timing };
  return { id, state: "passed", timing };
}

/** Detects whether text arrived while the service was still writing. */
function streaming({ failure, timing, spreadMs, isDocument }: Tested): CheckResult {
  if (failure !== undefined) return { id: "streaming", state: "skipped" };
  const isHeldBack = timing.wholeMs >= LONG_WAIT_MS && spreadMs < BURST_MS;
  if (isDocument || isHeldBack) {
    return { id: "streaming", state: "failed", problem: { kind: "not-streamed" }, timing };
  }
  return { id: "streaming", state: "passed", timing };
}

function* skipped(...ids: CheckId[]): Generator<CheckResult> {
  for (const id of ids) yield { id, state: "skipped" };
}
