/**
 * Reads a whole reply given as one JSON document, asked for or not.
 */
import { readBlock } from "./readBlock";
import { errorMessage } from "./readFailure";
import { createToolCallAssembler } from "./toolCalls";
import type { ServiceFailure, ServiceToolCall, Usage } from "./types";

export interface Completion {
  readonly text: string;
  readonly finishReason: string | undefined;
  readonly toolCalls: readonly ServiceToolCall[];
  readonly usage: Usage | undefined;
}

/** The completion in `body`, or the failure it is. */
export function readCompletion(
  body: string,
  redact: (text: string) => string,
): Completion | ServiceFailure {
  const json = body.replace(/^\ufeff/, "").trim();
  if (json === "") return { kind: "empty" };
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // A document that does not end as it began was cut off on its way.
    const isCut = /^[[{]/.test(json) && !/[\]}]$/.test(json);
    return isCut ? { kind: "truncated", damagedEvents: 0 } : { kind: "unreadable" };
  }
  const block = readBlock(value);
  if (block === undefined) return { kind: "unreadable" };
  if (block.error !== undefined) {
    return { kind: "reported", message: errorMessage(block.error, redact) };
  }
  if (!block.hasChoice) return withoutChoice(value as object, redact);
  const calls = createToolCallAssembler();
  for (const delta of block.toolCalls) calls.add(delta);
  return {
    text: block.text,
    finishReason: block.finishReason,
    toolCalls: calls.calls(),
    usage: block.usage,
  };
}

/** A document without a choice is an error in the service's own shape, or nothing we know. */
function withoutChoice(value: object, redact: (text: string) => string): ServiceFailure {
  const isError = ["message", "msg", "detail", "errors", "error_msg", "error_description"].some(
    (field) => Object.hasOwn(value, field),
  );
  if (isError) return { kind: "reported", message: errorMessage(value, redact) };
  return Object.hasOwn(value, "choices") ? { kind: "empty" } : { kind: "unreadable" };
}
