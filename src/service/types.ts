/**
 * The words of the service room: what a request is made of, what a reply yields while it comes,
 * and every way it can fail. Knows the endpoint of the service specification, not the panel.
 */

/** Which of the service's two preset models is meant; the code sent for it may differ. */
export type RequestModel = "llm" | "vl";

/** One part of a message; `url` is a `data:` URL or an address the person gave. */
export type ServicePart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly url: string };

/** One call of a function by the model, in the common OpenAI shape (the spec shows none). */
export interface ServiceToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as the JSON text the model wrote; may be damaged. */
  readonly argumentsText: string;
}

/** One message, oldest first in a request. */
export interface ServiceMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly parts: readonly ServicePart[];
  /** Only on `assistant`: calls the model made. */
  readonly toolCalls?: readonly ServiceToolCall[];
  /** Only on `tool`: the call this is the result of. */
  readonly toolCallId?: string;
}

/** A function the model may call, in the common OpenAI shape. */
export interface ServiceTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly parameters?: object;
}

/** Sampling parameters; a missing one is not sent, so the service's default holds. */
export interface Sampling {
  /** 0.01 to 1.00 in steps of 0.01. */
  readonly temperature?: number;
  /** 0.1 to 0.9 in steps of 0.1. */
  readonly topP?: number;
  /** 1 to 8192; `llm` only. */
  readonly maxTokens?: number;
  /** 1.1 to 1.9 in steps of 0.1; `vl` only. */
  readonly repetitionPenalty?: number;
}

/** One completion to ask for. */
export interface ChatRequest {
  readonly kind: RequestModel;
  /** The code sent in `model`. */
  readonly modelCode: string;
  readonly messages: readonly ServiceMessage[];
  readonly sampling: Sampling;
  readonly stream: boolean;
  readonly tools?: readonly ServiceTool[];
  /** True when the model must call one of `tools`; it may, otherwise. */
  readonly isToolRequired?: boolean;
}

/** Where and how to ask. The key is used for this origin alone and never stored by this room. */
export interface Connection {
  /** `https://host[:port][/path]`, or http on loopback; without the `/maas/v1/…` path. */
  readonly baseUrl: string;
  readonly key: string;
  /** Extra headers of the profile; `authorization` and `content-type` cannot be replaced. */
  readonly headers?: Readonly<Record<string, string>>;
  /** More of them, whose values are secrets: used for this origin alone and never shown. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  readonly connectTimeoutMs: number;
  readonly firstByteTimeoutMs: number;
  readonly silenceTimeoutMs: number;
  /** Automatic retries after the first try; 0 for none. */
  readonly retries: number;
}

/** Token counts as the service reported them. */
export interface Usage {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly totalTokens?: number;
}

/** What left, counted after encoding. */
export interface SentRequest {
  readonly url: string;
  readonly bodyBytes: number;
  readonly messageCount: number;
  /** The addresses of the `image_url` parts in the JSON that left, read back from it. */
  readonly imageUrls: readonly string[];
  /** Pictures of the conversation that this model cannot take and that were left out. */
  readonly imagesLeftOut: number;
}

/** What a reply yields, in order, ending with exactly one `reply-ended` (or a thrown ServiceError). */
export type ServiceEvent =
  | { readonly type: "request-sent"; readonly attempt: number; readonly sent: SentRequest }
  /** Nothing has come for `forMs`; repeated as the wait goes on. */
  | { readonly type: "still-waiting"; readonly forMs: number }
  /** Progress of a large request's upload, at most once a second; the last event has all bytes. */
  | { readonly type: "uploading"; readonly sentBytes: number; readonly totalBytes: number }
  /** Try `attempt` of `tries` follows after `delayMs`. */
  | {
      readonly type: "retry-scheduled";
      readonly attempt: number;
      readonly tries: number;
      readonly delayMs: number;
      readonly failure: ServiceFailure;
    }
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "tool-calls"; readonly calls: readonly ServiceToolCall[] }
  | { readonly type: "usage"; readonly usage: Usage }
  | {
      readonly type: "reply-ended";
      /** The service's word, or undefined when only `[DONE]` came. */
      readonly finishReason: string | undefined;
      /** Events that could not be read and were skipped. */
      readonly damagedEvents: number;
    };

/** Which cap stopped a reply. */
export type ReplyLimit = "event-bytes" | "text-bytes" | "body-bytes" | "headers";

/** Why the connection could not be made or kept. */
export type NetworkCause =
  | "refused"
  | "dns"
  | "reset"
  | "tls-expired"
  | "tls-self-signed"
  | "tls-wrong-name"
  | "tls-unknown-issuer"
  | "tls"
  | "proxy"
  | "bad-response"
  /** A browser's fetch failed and says no more: the service is down, or allows no web pages (CORS). */
  | "browser"
  | "other";

/** The setting that a service's error is about, where it says so. */
export type FailureSubject = "key" | "model";

/** Every way a request fails, by what a person can do about it. `message` is the service's own
 * words: at most 300 characters, plain text, the key redacted. */
export type ServiceFailure =
  | { readonly kind: "bad-request"; readonly problem: string }
  | { readonly kind: "bad-url"; readonly problem: string }
  | { readonly kind: "network"; readonly cause: NetworkCause; readonly host: string }
  | {
      readonly kind: "timeout";
      readonly phase: "connect" | "first-byte" | "silence";
      readonly limitMs: number;
    }
  | { readonly kind: "redirect"; readonly host: string; readonly status: number }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly url: string;
      readonly message: string;
      readonly about?: FailureSubject;
      readonly retryAfterMs?: number;
    }
  | { readonly kind: "web-page"; readonly url: string }
  | { readonly kind: "empty" }
  | { readonly kind: "unreadable" }
  /** The service reported an error inside a 200 reply. */
  | { readonly kind: "reported"; readonly message: string; readonly about?: FailureSubject }
  /** The body ended with neither a finish reason nor an exact `[DONE]`. */
  | { readonly kind: "truncated"; readonly damagedEvents: number }
  | { readonly kind: "limit"; readonly limit: ReplyLimit; readonly maxBytes: number };

/** The one error this room throws; switch on `failure.kind`. Stop throws the signal's reason. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  constructor(
    readonly failure: ServiceFailure,
    options?: ErrorOptions,
  ) {
    super(failure.kind, options);
  }
}

/** True for a ServiceError, also one of another bundle's class. */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && error.name === "ServiceError" && "failure" in error;
}
