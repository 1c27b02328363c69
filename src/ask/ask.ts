/**
 * Sends one question: builds the request, calls the service and yields events up to one ending.
 * Catches every error of `service`. Independent of panel, editor and disk.
 */
import { parseUrl } from "../base/parseUrl";
import type { ServiceClient } from "../service/client";
import {
  ServiceError,
  type ChatRequest,
  type Connection,
  type Sampling,
  type ServiceEvent,
  type ServiceToolCall,
  type Usage,
} from "../service/types";
import type { Ending, Failure, SentPicture } from "../conversation/ending";
import {
  textOf,
  type Message,
  type ModelKind,
  type Receipt,
  type ReceiptPicture,
} from "../conversation/message";
import { withoutNeverSent } from "../conversation/filesOf";
import type { Sending } from "../conversation/sending";
import { hasKeptPicture } from "../conversation/sendablePath";
import { failureOf, mapFailure } from "./failure";
import { receiptPictures } from "./pictureReceipt";
import { wireMessages, type ReadImage, type WireMessages } from "./wireMessages";
import { defined } from "../base/defined";

/** A question with all its settings, fixed for the whole turn. */
export interface Question {
  /** Messages up to and including the question, or the reply to continue; oldest first. */
  readonly path: readonly Message[];
  readonly isContinuing: boolean;
  readonly modelKind: ModelKind;
  readonly modelCode: string;
  readonly systemPrompt: string;
  /** True if the workspace's settings define the system prompt. */
  readonly isSystemPromptOfWorkspace?: boolean;
  readonly sampling: Sampling;
  readonly isStreamed: boolean;
  /** Older images and turns beyond this number of estimated tokens are left out. */
  readonly budgetTokens: number;
  /** Upper limit of the estimated tokens of an image; missing for the usual limit of models. */
  readonly maxPictureTokens?: number;
  /** True to send a line of text before each picture. */
  readonly describesPictures?: boolean;
  /** The user's choices of what is sent. */
  readonly sending?: Sending | undefined;
  /** Treatment of text that was shown before the service withheld the reply. */
  readonly contentFilter: "withdraw" | "keep";
  readonly connection: Connection;
  /** URIs of files whose excerpts are left out, also of earlier messages. */
  readonly neverSent?: ReadonlySet<string>;
  /** True if the record of requests keeps neither the question nor the reply. */
  readonly isPrivate?: boolean;
}

/** Events of the service that a turn passes on as they are. */
type PassedEvent = Extract<
  ServiceEvent,
  {
    type:
      | "still-waiting"
      | "uploading"
      | "text-delta"
      | "reasoning-delta"
      | "text-was-reasoning"
      | "picture";
  }
>;

type RetryEvent = Extract<ServiceEvent, { type: "retry-scheduled" }>;

/** Events of a turn; the last and only the last is `turn-ended`. */
export type TurnEvent =
  | PassedEvent
  | { readonly type: "request-sent"; readonly receipt: Receipt }
  | (Omit<RetryEvent, "failure"> & { readonly failure: Failure })
  | {
      readonly type: "turn-ended";
      readonly ending: Ending;
      readonly usage?: Usage;
      readonly toolCalls?: ServiceToolCall[];
      readonly damagedParts?: number;
    };

/**
 * Returns the model for a question. "auto" is the vision model while the conversation has a picture
 * that the user did not remove; neither the budget nor a refused request changes the model.
 */
export function chooseModel(choice: "auto" | ModelKind, path: readonly Message[]): ModelKind {
  if (choice !== "auto") return choice;
  return hasKeptPicture(path) ? "vl" : "llm";
}

/**
 * Sends the question. Never throws: an error becomes the ending, and an aborted `signal` the ending
 * `stopped`. Returning early from the generator closes the connection.
 */
export async function* ask(
  client: ServiceClient,
  question: Question,
  readImage: ReadImage,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, void, void> {
  let wire: WireMessages;
  try {
    wire = await wireMessages(
      question.systemPrompt,
      allowedPath(question),
      question.isContinuing,
      {
        budgetTokens: question.budgetTokens,
        maxPictureTokens: question.maxPictureTokens,
        describesPictures: question.describesPictures,
        sending: question.sending,
      },
      question.modelKind,
      readImage,
    );
  } catch (error) {
    yield new EndingFacts().turnEnded(endingOfError(error, question.connection, signal));
    return;
  }
  const { messages, ...counts } = wire;
  const request: ChatRequest = {
    kind: question.modelKind,
    modelCode: question.modelCode,
    messages,
    sampling: question.sampling,
    stream: question.isStreamed,
    estimatedTokens: counts.estimatedTokens,
    questionText: question.path
      .map((message) => (message.role === "user" ? textOf(message.parts) : ""))
      .findLast((text) => text !== ""),
    ...(question.isPrivate && { isPrivate: true }),
  };
  const { connection, contentFilter } = question;
  const { isSystemPromptOfWorkspace = false } = question;
  const asked = { request, connection, contentFilter, isSystemPromptOfWorkspace };
  const needsText = !question.isContinuing;
  yield* askRequest(client, { ...asked, ...counts, needsText }, signal);
}

/** Returns the path without the text of files that the organization never sends. */
function allowedPath({ path, neverSent }: Question): readonly Message[] {
  if (neverSent === undefined || neverSent.size === 0) return path;
  return path.map((message) =>
    message.role === "user"
      ? { ...message, parts: message.parts.map((part) => withoutNeverSent(part, neverSent)) }
      : message,
  );
}

/** A built request, and the data for its ending and receipt. */
export interface RequestQuestion extends Pick<Question, "connection" | "contentFilter"> {
  readonly request: ChatRequest;
  /** Estimated tokens of everything sent. */
  readonly estimatedTokens: number;
  /** Estimated tokens of the pictures among them. */
  readonly pictureTokens?: number;
  /** Turns left out because of the budget. */
  readonly turnsLeftOut?: number;
  readonly imagesLeftOut?: number;
  /** Excerpts of the question that are sent with an earlier message, not again. */
  readonly excerptsSentBefore?: number;
  readonly isSystemPromptOfWorkspace?: boolean;
  /** Images of the request, named in the error if the request is too large. */
  readonly pictures?: readonly SentPicture[];
  /** True if a complete reply without text and calls is a failure. */
  readonly needsText?: boolean;
}

/** Sends a built request, for other extensions and the connection test; otherwise like `ask`. */
export async function* askRequest(
  client: ServiceClient,
  question: RequestQuestion,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, void, void> {
  const { request, connection, contentFilter } = question;
  const host = hostOf(connection);
  const end = new EndingFacts();
  try {
    for await (const event of client.complete(request, connection, signal)) {
      if (event.type === "request-sent")
        end.pictures ??= await receiptPictures(event.sent.imageUrls);
      const turnEvent = toTurnEvent(event, question, host, end);
      if (turnEvent !== undefined) yield turnEvent;
    }
    const ending = endingOf(end, contentFilter);
    const isEmpty =
      !end.hasText && !end.hasPicture && end.toolCalls === undefined && ending.kind === "complete";
    const what = end.hasReasoning ? "only-thinking" : "no-text";
    const empty: Ending = { kind: "failed", failure: { kind: "malformed", what } };
    const isFailure = isEmpty && (question.needsText === true || end.hasReasoning);
    yield end.turnEnded(isFailure ? empty : ending);
  } catch (error) {
    if (error instanceof ServiceError && error.failure.kind === "truncated") {
      end.damagedParts = error.failure.damagedEvents;
    }
    yield end.turnEnded(withRequest(endingOfError(error, connection, signal), question));
  }
}

/** Adds to the failure of a large request what could be left out: its images or earlier messages. */
function withRequest(ending: Ending, { request, pictures = [] }: RequestQuestion): Ending {
  if (ending.kind !== "failed") return ending;
  const { failure } = ending;
  if (failure.kind === "too-long") {
    const isOnlyQuestion = request.messages.filter(({ role }) => role !== "system").length <= 1;
    return { kind: "failed", failure: { ...failure, ...(isOnlyQuestion && { isOnlyQuestion }) } };
  }
  if (failure.kind !== "too-large" || pictures.length === 0) return ending;
  return { kind: "failed", failure: { ...failure, pictures: [...pictures] } };
}

/** Returns the host for error texts; empty for an invalid base URL, which `service` rejects. */
function hostOf({ baseUrl }: Connection): string {
  return parseUrl(baseUrl)?.host ?? "";
}

function endingOfError(error: unknown, connection: Connection, signal: AbortSignal): Ending {
  if (signal.aborted) return { kind: "stopped" };
  const failure = failureOf(error, hostOf(connection));
  if (failure.kind !== "unauthorized" || !connection.key.isMissing)
    return { kind: "failed", failure };
  return { kind: "failed", failure: { ...failure, isKeyMissing: true } };
}

class EndingFacts {
  /** The same for every attempt. */
  pictures: ReceiptPicture[] | undefined;
  usage: Usage | undefined;
  toolCalls: ServiceToolCall[] | undefined;
  hasText = false;
  hasReasoning = false;
  hasPicture = false;
  damagedParts = 0;
  finishReason: string | undefined;

  turnEnded(ending: Ending): TurnEvent {
    return {
      type: "turn-ended",
      ending,
      ...defined({ usage: this.usage, toolCalls: this.toolCalls }),
      ...(this.damagedParts === 0 ? {} : { damagedParts: this.damagedParts }),
    };
  }
}

function toTurnEvent(
  event: ServiceEvent,
  {
    request,
    estimatedTokens,
    pictureTokens = 0,
    turnsLeftOut = 0,
    imagesLeftOut = 0,
    excerptsSentBefore = 0,
    isSystemPromptOfWorkspace = false,
  }: RequestQuestion,
  host: string,
  end: EndingFacts,
): TurnEvent | undefined {
  switch (event.type) {
    case "request-sent": {
      const { sent } = event;
      const { bodyBytes, messageCount } = sent;
      const { pictures = [] } = end;
      const imageCount = pictures.length;
      const counted = {
        bodyBytes,
        messageCount,
        imageCount,
        estimatedTokens,
        ...(pictureTokens > 0 && { pictureTokens }),
        turnsLeftOut,
        ...(excerptsSentBefore > 0 && { excerptsSentBefore }),
        ...(isSystemPromptOfWorkspace && { isSystemPromptOfWorkspace }),
      };
      const { kind: modelKind, modelCode } = request;
      return {
        type: "request-sent",
        receipt: {
          modelKind,
          modelCode,
          host,
          ...counted,
          ...(pictures.length > 0 && { pictures }),
          imagesLeftOut: sent.imagesLeftOut + imagesLeftOut,
        },
      };
    }
    case "still-waiting":
    case "uploading":
      return event;
    case "retry-scheduled":
      return { ...event, failure: mapFailure(event.failure, host) };
    case "text-delta":
      end.hasText ||= event.text.trim() !== "";
      return event;
    case "reasoning-delta":
      end.hasReasoning ||= event.text.trim() !== "";
      return event;
    case "text-was-reasoning":
      end.hasReasoning ||= end.hasText;
      end.hasText = false;
      return event;
    case "picture":
      end.hasPicture = true;
      return event;
    case "tool-calls":
      end.toolCalls = [...event.calls];
      return undefined;
    case "usage":
      end.usage = event.usage;
      return undefined;
    case "reply-ended":
      end.finishReason = event.finishReason;
      end.damagedParts = event.damagedEvents;
      return undefined;
    default:
      return event satisfies never;
  }
}

/** Other names of "length": of vLLM, Mistral, Gemini and gateways of other APIs. */
const LENGTH_REASONS =
  /^(?:length|max_(?:output_)?(?:tokens|length)|max_output|(?:model|context)_length|token_limit|(?:model_)?context_(?:window|length)_exceeded)$/;
const FILTER_REASONS =
  /^(?:content_?filter(?:ed)?|sensitive|safety|moderation|prohibited_content|blocklist|recitation|spii|error_toxic|guardrail_intervened|refusal)$/;
/** Reasons of a reply that the service stopped before its end. */
const CUT_REASONS =
  /^(?:(?:\w+_)?error|abort(?:ed)?|cancell?ed|interrupted|incomplete|(?:\w+_)?time_?out|insufficient_system_resource|error_limit|pause_turn)$/;

function endingOf(end: EndingFacts, contentFilter: Question["contentFilter"]): Ending {
  const reason = (end.finishReason ?? "")
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
  if (LENGTH_REASONS.test(reason)) return { kind: "cut-short" };
  if (FILTER_REASONS.test(reason)) {
    return { kind: "withheld", isTextKept: contentFilter === "keep" };
  }
  if (CUT_REASONS.test(reason)) return { kind: "failed", failure: { kind: "truncated" } };
  // `stop`, an unspecified reason or `[DONE]` alone is complete (service-spec.md, S9 and S10).
  return { kind: reason === "tool_calls" ? "tool-calls" : "complete" };
}
