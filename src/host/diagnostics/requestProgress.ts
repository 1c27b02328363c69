/** Infers how far a request came from its failure, because `fetch` reports nothing else. */
import type { Failure } from "../../conversation/ending";
import type { NetworkCause } from "../../service/types";

/** Reason of a failed check: the panel's failures, and those of a test only. */
export type ConnectionProblem =
  | Failure
  /** The reply arrived all at once. */
  | { readonly kind: "not-streamed" }
  /** The service's content filter ended the reply. */
  | { readonly kind: "withheld" }
  /** The reply ended normally without text. */
  | { readonly kind: "no-text" };

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
  "tools",
] as const;
export type CheckId = (typeof CHECK_IDS)[number];

/** Checks that a single request answers together, in order. */
export const NETWORK_CHECKS = ["dns", "tcp", "tls", "endpoint", "authorization"] as const;
export type NetworkCheck = (typeof NETWORK_CHECKS)[number];

/** Passed checks, and the check that failed; undefined if a later step failed. */
export interface RequestProgress {
  readonly passed: readonly NetworkCheck[];
  readonly failedAt: NetworkCheck | undefined;
}

/** Maps the failure of a request, or undefined for a reply, to its progress. */
export function findProgress(problem: ConnectionProblem | undefined): RequestProgress {
  if (problem === undefined) return { passed: NETWORK_CHECKS, failedAt: undefined };
  const failedAt = stoppedAt(problem);
  if (failedAt !== undefined) {
    // A proxy resolves names itself, so its refusal proves nothing about the name.
    const isProxy = problem.kind === "unreachable" && problem.cause === "proxy";
    return {
      passed: isProxy ? [] : NETWORK_CHECKS.slice(0, NETWORK_CHECKS.indexOf(failedAt)),
      failedAt,
    };
  }
  // A failing or silent service may not have checked the address and the key.
  const isUnsure = problem.kind === "server" || problem.kind === "timed-out";
  return {
    passed: isUnsure ? NETWORK_CHECKS.slice(0, NETWORK_CHECKS.indexOf("endpoint")) : NETWORK_CHECKS,
    failedAt,
  };
}

function stoppedAt(problem: ConnectionProblem): NetworkCheck | undefined {
  switch (problem.kind) {
    case "unreachable":
      return STOPPED_BY[problem.cause];
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
      return undefined; // a failure of the model or the request
  }
}

/** Check at which each failed connection stopped. */
const STOPPED_BY: Readonly<Record<NetworkCause, NetworkCheck>> = {
  dns: "dns",
  refused: "tcp",
  reset: "tcp",
  proxy: "tcp",
  browser: "tcp",
  other: "tcp",
  "tls-expired": "tls",
  "tls-self-signed": "tls",
  "tls-wrong-name": "tls",
  "tls-unknown-issuer": "tls",
  tls: "tls",
  "bad-response": "endpoint",
};
