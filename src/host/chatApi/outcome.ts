/**
 * Maps the ending of a turn to the language-model API: tool calls, cancellation, or an error with a
 * code of VS Code. The messages of errors are in failureMessages.ts.
 */
import * as z from "zod/mini";
import type { TurnEvent } from "../../ask/ask";
import { parseJson } from "../../base/parseJson";
import type { Failure } from "../../conversation/ending";

/** Error codes of VS Code; `other` for errors without a code. */
export type ErrorCode = "no-permissions" | "not-found" | "blocked" | "other";

/** A tool call with parsed arguments. */
export interface ReadCall {
  readonly id: string;
  readonly name: string;
  readonly input: Record<string, unknown>;
}

export type Outcome =
  | { readonly kind: "done"; readonly calls: readonly ReadCall[] }
  | { readonly kind: "canceled" }
  | { readonly kind: "withheld" }
  | { readonly kind: "failed"; readonly failure: Failure };

export function outcomeOf(end: Extract<TurnEvent, { type: "turn-ended" }>): Outcome {
  const { ending } = end;
  switch (ending.kind) {
    case "complete":
    case "tool-calls":
      return withCalls(end.toolCalls ?? []);
    case "cut-short":
      return { kind: "done", calls: [] };
    case "stopped":
      return { kind: "canceled" };
    case "withheld":
      return { kind: "withheld" };
    case "failed":
      return { kind: "failed", failure: ending.failure };
    default:
      return ending satisfies never;
  }
}

/** Codes of failures by the documentation of the language-model API. */
const CODES: Readonly<Partial<Record<Failure["kind"], ErrorCode>>> = {
  "no-key": "no-permissions",
  "no-header": "no-permissions",
  "bad-policy": "no-permissions",
  "key-command": "no-permissions",
  unauthorized: "no-permissions",
  "no-service": "not-found",
  "bad-url": "not-found",
  "no-profile": "not-found",
  "rate-limited": "blocked", // "quota limits exceeded", as LanguageModelChat.sendRequest has it
  quota: "blocked",
};
const CODES_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  403: "no-permissions",
  404: "not-found",
};

export function errorCode(failure: Failure): ErrorCode {
  const ofStatus = failure.kind === "rejected" ? CODES_OF_STATUS[failure.status] : undefined;
  return ofStatus ?? CODES[failure.kind] ?? "other";
}

const argumentsSchema = z.record(z.string(), z.unknown());

function withCalls(
  toolCalls: readonly { id: string; name: string; argumentsText: string }[],
): Outcome {
  const calls: ReadCall[] = [];
  for (const { id, name, argumentsText } of toolCalls) {
    const input = readArguments(argumentsText);
    // A call with incomplete arguments must not run.
    if (input === undefined) {
      return { kind: "failed", failure: { kind: "malformed", what: "unreadable" } };
    }
    calls.push({ id, name, input });
  }
  return { kind: "done", calls };
}

function readArguments(text: string): Record<string, unknown> | undefined {
  if (text.trim() === "") return {};
  return z.safeParse(argumentsSchema, parseJson(text)).data;
}
