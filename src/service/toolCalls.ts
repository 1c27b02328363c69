/**
 * Puts together the calls of functions that a model makes, in the common OpenAI shape: each block
 * brings pieces of some calls. Arguments stay the text the model wrote, damaged or not.
 */
import * as z from "zod/mini";
import { jsonText } from "./jsonText";
import type { ServiceToolCall } from "./types";

/** Most calls of one reply that are kept; more are no reply but an accident. */
const MAX_CALLS = 128;

/** A piece of one call; `index` tells which, when the service says so. */
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

/** Reads the pieces in one message; what is no call is left out. */
export function toolCallDeltas(
  calls: readonly unknown[] | undefined,
  functionCall: unknown,
): ToolCallDelta[] {
  const deltas = (calls ?? []).flatMap((item) => {
    const delta = z.safeParse(deltaSchema, item);
    return delta.success ? [toDelta(delta.data)] : [];
  });
  const older = z.safeParse(functionSchema, functionCall);
  if (older.success) deltas.push(toDelta({ index: 0, function: older.data }));
  return deltas;
}

function toDelta(delta: z.infer<typeof deltaSchema>): ToolCallDelta {
  const given = delta.function?.arguments;
  // Some services send the arguments as an object instead of its text.
  const argumentsText =
    typeof given === "string"
      ? given
      : given === undefined || given === null
        ? ""
        : jsonText(given);
  return {
    index: indexFrom(delta.index),
    id: delta.id === "" ? undefined : delta.id,
    name: delta.function?.name === "" ? undefined : delta.function?.name,
    argumentsText,
  };
}

/** An index given as a number or as the text of one. */
function indexFrom(value: unknown): number | undefined {
  const isText = typeof value === "string" && /^\d{1,6}$/.test(value);
  const index = isText ? Number(value) : value;
  return typeof index === "number" && Number.isSafeInteger(index) && index >= 0 ? index : undefined;
}

interface OpenCall {
  id: string | undefined;
  name: string | undefined;
  pieces: string[];
  /** How often its arguments were parsed and were not whole. */
  failedChecks: number;
}

/** Most times one call's arguments are parsed in vain; bounds what a hostile service can cost. */
const MAX_FAILED_CHECKS = 32;

/** Collects pieces; `calls()` gives what has come so far, in the order of first appearance. */
export function createToolCallAssembler(): {
  add(delta: ToolCallDelta): void;
  calls(): ServiceToolCall[];
} {
  const all: OpenCall[] = [];
  // The last call of each index; some services give several calls the same one.
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
        id: id ?? `call_${position}`,
        name: name ?? "",
        argumentsText: pieces.join(""),
      })),
  };
}

/**
 * True for a piece that begins another call although its index is known: it names a function and
 * the call before it is whole. Other services write the name, or a new id, with each piece.
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

/** The call a piece without an index belongs to: a new id starts a new call. */
function indexOf(
  delta: ToolCallDelta,
  open: ReadonlyMap<number, OpenCall>,
  last: number | undefined,
): number {
  if (last === undefined) return 0;
  const isNew = delta.id !== undefined && delta.id !== open.get(last)?.id;
  return isNew ? Math.max(...open.keys()) + 1 : last;
}
