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
  index: z.catch(z.optional(z.int().check(z.nonnegative())), undefined),
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
    index: delta.index,
    id: delta.id === "" ? undefined : delta.id,
    name: delta.function?.name === "" ? undefined : delta.function?.name,
    argumentsText,
  };
}

interface OpenCall {
  id: string | undefined;
  name: string | undefined;
  pieces: string[];
}

/** Collects pieces; `calls()` gives what has come so far, in the order of first appearance. */
export function createToolCallAssembler(): {
  add(delta: ToolCallDelta): void;
  calls(): ServiceToolCall[];
} {
  const open = new Map<number, OpenCall>();
  let last: number | undefined;
  return {
    add(delta) {
      const index = delta.index ?? indexOf(delta, open, last);
      let call = open.get(index);
      if (call === undefined) {
        if (open.size >= MAX_CALLS) return;
        call = { id: undefined, name: undefined, pieces: [] };
        open.set(index, call);
      }
      last = index;
      call.id ??= delta.id;
      call.name ??= delta.name;
      if (delta.argumentsText !== "") call.pieces.push(delta.argumentsText);
    },
    calls: () =>
      [...open].map(([index, { id, name, pieces }]) => ({
        id: id ?? `call_${index}`,
        name: name ?? "",
        argumentsText: pieces.join(""),
      })),
  };
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
