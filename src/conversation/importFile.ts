/**
 * Import of conversations from Core Chat's JSON export or from other tools. Returns results without side
 * effects; the caller stores the pictures, then the steps.
 */
import * as z from "zod/mini";
import type { TimeSlice } from "../base/timeSlice";
import { EXPORT_FORMAT, EXPORT_VERSION } from "./exportJson";
import { hasContent, importForeign, type ForeignChat } from "./foreignChat";
import { viewMessageSchema } from "./agentTask";
import { listedMessageSchema, readForeign } from "./foreignFormats";
import { importExported } from "./importExported";
import type { ImportOptions, ImportRefusal, ImportResult } from "./importResult";
import { jsonValues } from "./importStream";

const headSchema = z.object({ format: z.literal(EXPORT_FORMAT), version: z.number() });

/** Conversation of a file. */
export type FoundChat =
  | { readonly kind: "own"; readonly json: unknown }
  | { readonly kind: "foreign"; readonly tool: string; readonly chat: ForeignChat }
  | { readonly kind: "refused"; readonly reason: ImportRefusal };

/**
 * Finds the conversations of a file, one after the other. A list of messages is one conversation; what else
 * is in this list is lost. Never rejects because of the content.
 */
export async function* chatsIn(
  chunks: AsyncIterable<Uint8Array>,
  slice: TimeSlice,
): AsyncGenerator<FoundChat> {
  const list: unknown[] = [];
  const refused: FoundChat[] = [];
  let hasValue = false;
  for await (const { value, isItem, isCut } of jsonValues(chunks)) {
    hasValue = true;
    const pause = slice.pause();
    if (pause) await pause;
    if (isItem && !isCut && isMessage(value)) {
      list.push(value);
      continue;
    }
    const damaged = { kind: "refused", reason: isItem ? "damaged" : "not-json" } as const;
    const whole = value === undefined ? damaged : await foundIn(value, slice);
    const found = isCut ? (cutChat(whole) ?? damaged) : whole;
    if (found.kind !== "refused" || !isItem) yield found;
    else {
      refused.push(found);
      list.push(undefined);
    }
  }
  if (list.length > refused.length) yield await foundIn({ messages: list }, slice);
  else yield* refused;
  if (!hasValue) yield { kind: "refused", reason: "empty" };
}

/** Returns a conversation that ends with its file, which has lost a message at least. */
function cutChat(found: FoundChat): FoundChat | undefined {
  if (found.kind !== "foreign") return undefined;
  const { lost } = found.chat;
  return {
    ...found,
    chat: { ...found.chat, lost: { ...lost, messages: lost.messages + 1 } },
  };
}

function isMessage(value: unknown): boolean {
  return listedMessageSchema.safeParse(value).success || viewMessageSchema.safeParse(value).success;
}

async function foundIn(json: unknown, slice: TimeSlice): Promise<FoundChat> {
  const head = headSchema.safeParse(json);
  if (head.success) {
    return head.data.version > EXPORT_VERSION
      ? { kind: "refused", reason: "newer" }
      : { kind: "own", json };
  }
  if (hasOurFormat(json)) return { kind: "refused", reason: "damaged" };
  const found = await readForeign(json, slice);
  if (found === undefined) return { kind: "refused", reason: "foreign" };
  return hasContent(found.chat)
    ? { kind: "foreign", ...found }
    : { kind: "refused", reason: "empty" };
}

/** Converts a found conversation; one of our own exports gets a new id. */
export async function importChat(
  found: FoundChat,
  id: string,
  options: ImportOptions,
): Promise<ImportResult> {
  if (found.kind === "refused") return found;
  if (found.kind === "own") return importExported(found.json, options);
  return importForeign(found.chat, id, options);
}

/** Digits of an id: the time in base 36, then the content. */
const TIME_DIGITS = 9;
const CONTENT_DIGITS = 10;
const HASHED_DIGITS = 13;

/**
 * Returns the id of a conversation of another tool: the same for the same time and messages.
 * @param attempt number of ids before this one that the user has removed for good
 */
export async function chatId(
  { createdAtMs = 0, messages }: ForeignChat,
  hashOf: ImportOptions["hashOf"],
  attempt = 0,
): Promise<string> {
  const texts = messages.flatMap(({ role, text }) => (role === "other" ? [] : [role, text]));
  const content = attempt === 0 ? texts : [...texts, attempt];
  const hash = await hashOf(new TextEncoder().encode(JSON.stringify(content)));
  const digits = Number.parseInt(hash.slice(0, HASHED_DIGITS), 16).toString(36);
  const time = Math.floor(createdAtMs).toString(36).padStart(TIME_DIGITS, "0");
  return `${time.slice(-TIME_DIGITS)}${digits.padStart(CONTENT_DIGITS, "0").slice(-CONTENT_DIGITS)}`;
}

function hasOurFormat(json: unknown): boolean {
  return z.object({ format: z.literal(EXPORT_FORMAT) }).safeParse(json).success;
}
