/** Types of the service client: requests, events of a reply, and failures. */
import type { ServiceKey } from "./serviceKey";

/** Preset model of the service; the code sent for a model may differ. */
export type RequestModel = "llm" | "vl";

/** A part of a message; `url` is a `data:` URL or an address from the user. */
export type ServicePart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly url: string };

/** Function call by the model, in the common OpenAI shape (absent from the specification). */
export interface ServiceToolCall {
  readonly id: string;
  readonly name: string;
  /** Arguments as JSON text of the model; may be invalid. */
  readonly argumentsText: string;
}

/** A message; a request lists messages oldest first. */
export interface ServiceMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly parts: readonly ServicePart[];
  /** Only on `assistant`: calls by the model. */
  readonly toolCalls?: readonly ServiceToolCall[];
  /** Only on `tool`: the call with this result. */
  readonly toolCallId?: string;
}

/** Function that the model may call, in the common OpenAI shape. */
export interface ServiceTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly parameters?: object;
}

/** Sampling parameters; a missing parameter is not sent. */
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

export interface ChatRequest {
  readonly kind: RequestModel;
  readonly modelCode: string;
  readonly messages: readonly ServiceMessage[];
  readonly sampling: Sampling;
  readonly stream: boolean;
  readonly tools?: readonly ServiceTool[];
  /** True if the model must call a tool of `tools`. */
  readonly isToolRequired?: boolean;
  /** Estimated tokens of the messages with their pictures; missing if only their text is known. */
  readonly estimatedTokens?: number;
  /** What the user typed, for observers. */
  readonly questionText?: string | undefined;
  /** True if observers must keep neither the request nor the reply. */
  readonly isPrivate?: boolean;
}

/**
 * Address and credentials of a service. The key is used for this origin only and never stored here.
 */
export interface Connection {
  /** `https://host[:port][/path]`, or http on loopback; without the path of the endpoint. */
  readonly baseUrl: string;
  /** Path of the endpoint below the base URL. Default: the specification's. */
  readonly path?: string;
  readonly key: ServiceKey;
  /** Extra headers of the profile; `authorization` and `content-type` cannot be replaced. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Extra headers with secret values, used for this origin only and never shown. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  /** True if pictures are left out of each request. */
  readonly isWithoutPictures?: boolean;
  /** Returns false once nothing more may be sent with this connection; asked before each attempt. */
  readonly isStillAllowed?: () => boolean;
  readonly connectTimeoutMs: number;
  readonly firstByteTimeoutMs: number;
  readonly silenceTimeoutMs: number;
  /** Automatic retries after the first try; 0 for none. */
  readonly retries: number;
}

/** Token counts reported by the service. */
export interface Usage {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  /** Part of the completion's tokens that is thinking. */
  readonly reasoningTokens?: number;
}

/** Summary of a sent request, measured after encoding. */
export interface SentRequest {
  readonly url: string;
  readonly bodyBytes: number;
  readonly messageCount: number;
  /** Addresses of the pictures in the sent JSON. */
  readonly imageUrls: readonly string[];
  /** Number of pictures left out because the model does not accept them. */
  readonly imagesLeftOut: number;
}

/** Events of a reply, in order, ending with exactly one `reply-ended` or a thrown ServiceError. */
export type ServiceEvent =
  | { readonly type: "request-sent"; readonly attempt: number; readonly sent: SentRequest }
  /** No data arrived for `forMs`; repeated during the wait. */
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
  /** Thinking of the model, in its order; never part of the text. */
  | { readonly type: "reasoning-delta"; readonly text: string }
  /** All text so far is thinking: the service sent it without an opening tag. */
  | { readonly type: "text-was-reasoning" }
  /** Picture of the reply: a `data:` URL, or an address that is not fetched; empty beyond the limit. */
  | { readonly type: "picture"; readonly url: string }
  | { readonly type: "tool-calls"; readonly calls: readonly ServiceToolCall[] }
  | { readonly type: "usage"; readonly usage: Usage }
  | {
      readonly type: "reply-ended";
      /** Reason from the service; undefined after `[DONE]` alone. */
      readonly finishReason: string | undefined;
      /** Number of skipped unreadable events. */
      readonly damagedEvents: number;
    };

/** Cap that ended a reply. */
export type ReplyLimit = "event-bytes" | "text-bytes" | "body-bytes" | "headers";

/** Reason why a connection failed. */
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
  /** Any failure of a browser's fetch: the service is down, or rejects web pages (CORS). */
  | "browser"
  | "other";

/** Cause that an error of the service names: a setting, the length of the request, the account, tools. */
export type FailureSubject = "key" | "model" | "context" | "quota" | "tools";

/**
 * Failures of a request, by what the user can do. `message` comes from the service: at most 300
 * characters of plain text, redacted.
 */
export type ServiceFailure =
  | { readonly kind: "bad-request"; readonly problem: string }
  | { readonly kind: "bad-url"; readonly problem: string }
  /** `isStillAllowed` of the connection returned false, or an observer could not record the request. */
  | { readonly kind: "not-allowed"; readonly problem: "changed" | "not-recorded" }
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
      /** Tokens that the model reads at most, if the request was too long. */
      readonly limitTokens?: number;
      readonly retryAfterMs?: number;
    }
  | { readonly kind: "web-page"; readonly url: string }
  | { readonly kind: "empty" }
  | { readonly kind: "unreadable" }
  /** A reply of status 200 in another protocol, or a gateway's text; `message` is its beginning. */
  | { readonly kind: "foreign"; readonly message: string }
  /** The service reported an error inside a reply of status 200. */
  | {
      readonly kind: "reported";
      readonly message: string;
      readonly about?: FailureSubject;
      readonly limitTokens?: number;
    }
  /** The body ended with neither a finish reason nor an exact `[DONE]`. */
  | { readonly kind: "truncated"; readonly damagedEvents: number }
  | { readonly kind: "limit"; readonly limit: ReplyLimit; readonly maxBytes: number };

/** Error class of this folder; switch on `failure.kind`. A stop throws the signal's reason. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  constructor(readonly failure: ServiceFailure) {
    super(failure.kind);
  }
}
