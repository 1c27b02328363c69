import { defined } from "../base/defined";
import type { Failure, PictureLoss, SentPicture } from "../conversation/ending";
import { ServiceError, type ServiceFailure } from "../service/types";

/** Error of a stored image that cannot be read; the question is then not sent. */
export class PictureLost extends Error {
  override readonly name = "PictureLost";
  constructor(
    readonly picture: string,
    readonly loss: PictureLoss,
  ) {
    super(`a picture is ${loss}`);
  }
}

/** Error of images that are together larger than a request can be; the question is then not sent. */
export class PicturesTooLarge extends Error {
  override readonly name = "PicturesTooLarge";
  constructor(readonly pictures: readonly SentPicture[]) {
    super("the pictures of a request are too large");
  }
}

/** Maps any error of a turn; unknown errors become `internal`. */
export function failureOf(error: unknown, host: string): Failure {
  if (error instanceof ServiceError) return mapFailure(error.failure, host);
  if (error instanceof PictureLost) {
    return { kind: "picture-lost", name: error.picture, loss: error.loss };
  }
  if (error instanceof PicturesTooLarge) {
    return { kind: "too-large", message: "", pictures: [...error.pictures], isUnsent: true };
  }
  return { kind: "internal", name: error instanceof Error ? error.name : typeof error };
}

/** @param host service host, named in error texts */
export function mapFailure(failure: ServiceFailure, host: string): Failure {
  switch (failure.kind) {
    case "bad-request":
      return { kind: "bad-request", problem: failure.problem };
    case "bad-url":
      return { kind: "bad-url", problem: failure.problem };
    case "not-allowed":
      return { kind: "bad-policy", path: "", problem: failure.problem };
    case "network":
      return { kind: "unreachable", host: failure.host, cause: failure.cause };
    case "timeout":
      return { kind: "timed-out", phase: failure.phase, limitMs: failure.limitMs };
    case "redirect":
      return { kind: "redirected", host: failure.host };
    case "status":
      return mapStatus(failure, host);
    case "web-page":
      return { kind: "malformed", what: "web-page" };
    case "empty":
      return { kind: "malformed", what: "empty" };
    case "unreadable":
      return { kind: "malformed", what: "unreadable" };
    case "foreign":
      return { kind: "foreign", message: failure.message };
    case "reported": {
      const about = settingOf(failure);
      const { message } = failure;
      return ofCause(failure, host) ?? { kind: "reported", message, ...defined({ about }) };
    }
    case "truncated":
      return { kind: "truncated" };
    case "limit":
      return { kind: "over-limit", limit: failure.limit, maxBytes: failure.maxBytes };
    default:
      return failure satisfies never;
  }
}

function mapStatus(failure: Extract<ServiceFailure, { kind: "status" }>, host: string): Failure {
  const { status, message, url, retryAfterMs } = failure;
  const about = settingOf(failure);
  const ofKnownCause = ofCause(failure, host);
  if (ofKnownCause !== undefined) return ofKnownCause;
  if (about !== undefined) return { kind: "rejected", status, url, message, about };
  if (status === 413) return { kind: "too-large", message };
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status === 429) return { kind: "rate-limited", message, ...wait };
  // 408 and 409 are retried like 5xx: sending the same request again may succeed.
  if (status >= 500 || status === 408 || status === 409) {
    return { kind: "server", status, message, ...wait };
  }
  return { kind: "rejected", status, url, message };
}

type NamedFailure = Extract<ServiceFailure, { kind: "status" | "reported" }>;

/** Returns the setting or field that an error names, if the status or kind decides the remedy too. */
function settingOf({ about }: NamedFailure): "model" | "tools" | undefined {
  return about === "model" || about === "tools" ? about : undefined;
}

/** Maps a failure whose cause has a remedy of its own, whatever its status. */
function ofCause(failure: NamedFailure, host: string): Failure | undefined {
  const { about, message } = failure;
  switch (about) {
    case "key":
      return { kind: "unauthorized", host, message };
    case "context":
      return { kind: "too-long", message };
    case "quota":
      return { kind: "quota", message };
    default:
      return undefined;
  }
}
