/**
 * How far a request came, told from how it failed: `fetch` says no more than that.
 */
import type { Failure } from "../../conversation/ending";

/** Why a check failed: the panel's reasons, and those that only a test has. */
export type ConnectionProblem =
  | Failure
  /** The reply came, but all at once. */
  | { readonly kind: "not-streamed" }
  /** The service's safety review ended the reply. */
  | { readonly kind: "withheld" }
  /** The reply ended well and held no text. */
  | { readonly kind: "no-text" };

/** Every check, in the order they are made. */
export const CHECK_IDS = [
  "url",
  "key",
  "dns",
  "tcp",
  "tls",
  "endpoint",
  "authorization",
  "llm",
  "streaming",
  "vl",
  "picture",
] as const;
export type CheckId = (typeof CHECK_IDS)[number];

/** The checks that one request answers together, in order. */
export type NetworkCheck = "dns" | "tcp" | "tls" | "endpoint" | "authorization";

const ORDER: readonly NetworkCheck[] = ["dns", "tcp", "tls", "endpoint", "authorization"];

/** What passed, and at which check the request stopped; undefined when it stopped behind them. */
export interface Reached {
  readonly passed: readonly NetworkCheck[];
  readonly failedAt: NetworkCheck | undefined;
}

/** Reads how a request failed, or undefined for a reply, as how far it came. */
export function reached(problem: ConnectionProblem | undefined): Reached {
  if (problem === undefined) return { passed: ORDER, failedAt: undefined };
  const failedAt = stoppedAt(problem);
  if (failedAt !== undefined) {
    // A proxy looks names up itself: that it refused says nothing about the name.
    const isProxy = problem.kind === "unreachable" && problem.cause === "proxy";
    return { passed: isProxy ? [] : ORDER.slice(0, ORDER.indexOf(failedAt)), failedAt };
  }
  // A service that fails or says nothing may not have looked at the address and the key.
  const isUnsure = problem.kind === "server" || problem.kind === "timed-out";
  return { passed: isUnsure ? ORDER.slice(0, ORDER.indexOf("endpoint")) : ORDER, failedAt };
}

function stoppedAt(problem: ConnectionProblem): NetworkCheck | undefined {
  switch (problem.kind) {
    case "unreachable":
      return stoppedBy(problem.cause);
    case "timed-out":
      return problem.phase === "connect" ? "tcp" : undefined;
    case "redirected":
      return "endpoint";
    case "malformed":
      return problem.what === "web-page" ? "endpoint" : undefined;
    case "unauthorized":
      return "authorization";
    case "rejected":
      if (problem.status === 403) return "authorization";
      return problem.status === 404 || problem.status === 405 ? "endpoint" : undefined;
    case "over-limit":
      return problem.limit === "headers" ? "endpoint" : undefined;
    default:
      return undefined; // the model's or the request's own matter
  }
}

function stoppedBy(cause: Extract<Failure, { kind: "unreachable" }>["cause"]): NetworkCheck {
  switch (cause) {
    case "dns":
      return "dns";
    case "refused":
    case "reset":
    case "proxy":
    case "browser":
    case "other":
      return "tcp";
    case "tls-expired":
    case "tls-self-signed":
    case "tls-wrong-name":
    case "tls-unknown-issuer":
    case "tls":
      return "tls";
    case "bad-response":
      return "endpoint";
    default:
      return cause satisfies never;
  }
}
