/**
 * One question, asked once: makes the service's messages, calls the service, yields what happens
 * and ends by name. The only place that catches what `service` throws. Knows no panel, no editor
 * and no disk.
 */
import { parseUrl } from "../base/parseUrl";
import { holdsPicture } from "../context/budget";
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
  type Message,
  type ModelKind,
  type Receipt,
  type ReceiptPicture,
} from "../conversation/message";
import { failureOf, mapFailure } from "./failure";
import { receiptPictures } from "./pictureReceipt";
import { wireMessages, type ReadImage, type WireMessages } from "./wireMessages";

/** One question and everything that decides how it is asked; fixed for the whole turn. */
export interface Question {
  /** The messages up to and with the question (or the reply to go on with), oldest first. */
  readonly path: readonly Message[];
  readonly isContinuing: boolean;
  readonly modelKind: ModelKind;
  readonly modelCode: string;
  readonly systemPrompt: string;
  /** True if the workspace's settings gave it. */
  readonly isSystemPromptOfWorkspace?: boolean;
  readonly sampling: Sampling;
  readonly isStreamed: boolean;
  /** Older pictures and turns beyond this many estimated tokens are left out. */
  readonly budgetTokens: number;
  /** Most estimated tokens of one picture; the usual limit of models where it is not given. */
  readonly maxPictureTokens?: number;
  /** What happens to text already shown when the service withholds a reply. */
  readonly contentFilter: "withdraw" | "keep";
  readonly connection: Connection;
}

/** What happens while a question is asked, ending with exactly one `turn-ended`. */
export type TurnEvent =
  | { readonly type: "request-sent"; readonly receipt: Receipt }
  /** Nothing has come for `forMs`. */
  | { readonly type: "still-waiting"; readonly forMs: number }
  /** Progress of a large request's upload; the last event has all bytes. */
  | { readonly type: "uploading"; readonly sentBytes: number; readonly totalBytes: number }
  | {
      readonly type: "retry-scheduled";
      readonly attempt: number;
      readonly tries: number;
      readonly delayMs: number;
      readonly failure: Failure;
    }
  | { readonly type: "text-delta"; readonly text: string }
  | {
      readonly type: "turn-ended";
      readonly ending: Ending;
      readonly usage?: Usage;
      readonly toolCalls?: ServiceToolCall[];
      readonly damagedParts?: number;
    };

/**
 * Returns the model a question goes to when the user leaves the choice to us: the vision model while
 * the conversation holds a picture that was not left behind. The budget never changes the model.
 */
export function chooseModel(choice: "auto" | ModelKind, path: readonly Message[]): ModelKind {
  if (choice !== "auto") return choice;
  return holdsPicture(path) ? "vl" : "llm";
}

/**
 * Asks. Never throws: whatever goes wrong is the ending. When `signal` is aborted the ending is
 * `stopped`; leaving the generator early closes the connection too.
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
      question.path,
      question.isContinuing,
      { budgetTokens: question.budgetTokens, maxPictureTokens: question.maxPictureTokens },
      question.modelKind,
      readImage,
    );
  } catch (error) {
    const host = hostOf(question.connection);
    yield new EndingFacts().turnEnded(endingOfError(error, host, signal));
    return;
  }
  const request: ChatRequest = {
    kind: question.modelKind,
    modelCode: question.modelCode,
    messages: wire.messages,
    sampling: question.sampling,
    stream: question.isStreamed,
  };
  const { connection, contentFilter } = question;
  const { estimatedTokens, turnsLeftOut, imagesLeftOut, pictures } = wire;
  const { isSystemPromptOfWorkspace = false } = question;
  const asked = { request, connection, contentFilter, estimatedTokens, isSystemPromptOfWorkspace };
  const needsText = !question.isContinuing;
  yield* askRequest(client, { ...asked, turnsLeftOut, imagesLeftOut, pictures, needsText }, signal);
}

/** A request in the service's own words, and what its ending and receipt need to know. */
export interface RequestQuestion extends Pick<Question, "connection" | "contentFilter"> {
  readonly request: ChatRequest;
  /** Estimated tokens of everything sent. */
  readonly estimatedTokens: number;
  /** What the budget left out before the request was made. */
  readonly turnsLeftOut?: number;
  readonly imagesLeftOut?: number;
  readonly isSystemPromptOfWorkspace?: boolean;
  /** What a request that was too large is explained by. */
  readonly pictures?: readonly SentPicture[];
  /** True where a complete reply without text and calls is a failure. */
  readonly needsText?: boolean;
}

/** As `ask`, for who already speaks the service's words: other extensions, the connection test. */
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
      const told = tell(event, question, host, end);
      if (told !== undefined) yield told;
    }
    const ending = endingOf(end, contentFilter);
    const isEmpty = !end.hasText && end.toolCalls === undefined && ending.kind === "complete";
    const empty: Ending = { kind: "failed", failure: { kind: "malformed", what: "no-text" } };
    yield end.turnEnded(isEmpty && question.needsText === true ? empty : ending);
  } catch (error) {
    if (error instanceof ServiceError && error.failure.kind === "truncated") {
      end.damagedParts = error.failure.damagedEvents;
    }
    yield end.turnEnded(withPictures(endingOfError(error, host, signal), question.pictures));
  }
}

/** Names the pictures where there are too many of them, or too large ones. */
function withPictures(ending: Ending, pictures: readonly SentPicture[] = []): Ending {
  if (ending.kind !== "failed" || ending.failure.kind !== "too-large") return ending;
  if (pictures.length === 0) return ending;
  return { kind: "failed", failure: { ...ending.failure, pictures: [...pictures] } };
}

/** The host for sentences; empty for a base URL that `service` will refuse. */
function hostOf({ baseUrl }: Connection): string {
  return parseUrl(baseUrl)?.host ?? "";
}

function endingOfError(error: unknown, host: string, signal: AbortSignal): Ending {
  if (signal.aborted) return { kind: "stopped" };
  return { kind: "failed", failure: failureOf(error, host) };
}

/** What was learned on the way and belongs to the receipt or the ending. */
class EndingFacts {
  /** The same for every try. */
  pictures: ReceiptPicture[] | undefined;
  usage: Usage | undefined;
  toolCalls: ServiceToolCall[] | undefined;
  hasText = false;
  damagedParts = 0;
  finishReason: string | undefined;

  turnEnded(ending: Ending): TurnEvent {
    return {
      type: "turn-ended",
      ending,
      ...(this.usage === undefined ? {} : { usage: this.usage }),
      ...(this.toolCalls === undefined ? {} : { toolCalls: this.toolCalls }),
      ...(this.damagedParts === 0 ? {} : { damagedParts: this.damagedParts }),
    };
  }
}

function tell(
  event: ServiceEvent,
  {
    request,
    estimatedTokens,
    turnsLeftOut = 0,
    imagesLeftOut = 0,
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
        ...{ bodyBytes, messageCount, imageCount, estimatedTokens, turnsLeftOut },
        ...(isSystemPromptOfWorkspace && { isSystemPromptOfWorkspace }),
      };
      const { kind: modelKind, modelCode } = request;
      return {
        type: "request-sent",
        receipt: {
          ...{ modelKind, modelCode, host, ...counted },
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

function endingOf(end: EndingFacts, contentFilter: Question["contentFilter"]): Ending {
  switch (end.finishReason) {
    case "length":
      return { kind: "cut-short" };
    case "content_filter":
      return { kind: "withheld", isTextKept: contentFilter === "keep" };
    case "tool_calls":
      return { kind: "tool-calls" };
    default:
      // `stop`, a reason the specification does not name, or `[DONE]` alone: complete (S9, S10).
      return { kind: "complete" };
  }
}
