/**
 * Assembles the tool calls of a reply, in the common OpenAI shape: each block has pieces of some
 * calls. Arguments stay the text of the model, valid or not.
 */
import * as z from "zod/mini";
import { jsonText } from "./jsonText";
import type { ServiceToolCall } from "./types";

/** Maximum number of calls of a reply. */
const MAX_CALLS = 128;

/** Piece of a call; `index` identifies the call, if the service sends it. */
export interface ToolCallDelta {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly argumentsText: string;
}

const functionSchema = z.object({
  name: z.catch(z.optional(z.string()), undefined),
  arguments: z.optional(z.unknown()),
});

const deltaSchema = z.object({
  index: z.optional(z.unknown()),
  id: z.catch(z.optional(z.string()), undefined),
  function: z.catch(z.optional(functionSchema), undefined),
});

/** Parses the pieces in a message; drops invalid ones. */
export function toolCallDeltas(calls: readonly unknown[] = []): ToolCallDelta[] {
  return calls.flatMap((item) => {
    const delta = z.safeParse(deltaSchema, item);
    return delta.success ? [toDelta(delta.data)] : [];
  });
}

function toDelta(delta: z.infer<typeof deltaSchema>): ToolCallDelta {
  const received = delta.function?.arguments;
  // Some services send the arguments as an object instead of text.
  const argumentsText =
    typeof received === "string"
      ? received
      : received === undefined || received === null
        ? ""
        : jsonText(received);
  return {
    index: indexFrom(delta.index),
    id: delta.id === "" ? undefined : delta.id,
    name: delta.function?.name === "" ? undefined : delta.function?.name,
    argumentsText,
  };
}

/** Parses an index given as a number or as text. */
export function indexFrom(value: unknown): number | undefined {
  const isText = typeof value === "string" && /^\d{1,6}$/.test(value);
  const index = isText ? Number(value) : value;
  return typeof index === "number" && Number.isSafeInteger(index) && index >= 0 ? index : undefined;
}

interface OpenCall {
  id: string | undefined;
  name: string | undefined;
  pieces: string[];
  /** Number of unsuccessful parses of the arguments. */
  failedChecks: number;
}

/** Maximum number of unsuccessful parses of a call's arguments; bounds the cost of a hostile service. */
const MAX_FAILED_CHECKS = 32;

/** Collects pieces; `calls()` returns the calls so far, in order of first appearance. */
export function createToolCallAssembler(): {
  add(delta: ToolCallDelta): void;
  calls(): ServiceToolCall[];
} {
  const all: OpenCall[] = [];
  // Last call of each index; some services give several calls the same index.
  const byIndex = new Map<number, OpenCall>();
  let last: number | undefined;
  return {
    add(delta) {
      const index = delta.index ?? indexOf(delta, byIndex, last);
      let call = byIndex.get(index);
      if (call === undefined || beginsAnother(delta, call)) {
        if (all.length >= MAX_CALLS) return;
        call = { id: undefined, name: undefined, pieces: [], failedChecks: 0 };
        byIndex.set(index, call);
        all.push(call);
      }
      last = index;
      call.id ??= delta.id;
      call.name ??= delta.name;
      if (delta.argumentsText !== "") call.pieces.push(delta.argumentsText);
    },
    calls: () =>
      all.map(({ id, name, pieces }, position) => ({
        id: id?.toWellFormed() ?? `call_${position}`,
        name: name?.toWellFormed() ?? "",
        argumentsText: pieces.join("").toWellFormed(),
      })),
  };
}

/**
 * Returns true for a piece that starts another call with a known index: it has a function name, and
 * the previous call is complete. Other services repeat the name, or send a new id, in each piece.
 */
function beginsAnother(delta: ToolCallDelta, call: OpenCall): boolean {
  if (delta.name === undefined || call.name === undefined) return false;
  const hasOtherId = delta.id !== undefined && call.id !== undefined && delta.id !== call.id;
  if (call.pieces.length === 0) return hasOtherId;
  return (hasOtherId || delta.argumentsText !== "") && isWholeJson(call);
}

function isWholeJson(call: OpenCall): boolean {
  const { pieces } = call;
  if (pieces.at(-1)?.trimEnd().endsWith("}") !== true) return false;
  if (call.failedChecks >= MAX_FAILED_CHECKS) return false;
  try {
    JSON.parse(pieces.join(""));
    return true;
  } catch {
    call.failedChecks++;
    return false;
  }
}

/** Returns the index of a piece without an index; a new id starts a new call. */
function indexOf(
  delta: ToolCallDelta,
  open: ReadonlyMap<number, OpenCall>,
  last: number | undefined,
): number {
  if (last === undefined) return 0;
  const isNew = delta.id !== undefined && delta.id !== open.get(last)?.id;
  return isNew ? Math.max(...open.keys()) + 1 : last;
}
