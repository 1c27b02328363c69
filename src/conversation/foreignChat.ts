/** Conversations of other tools in one form, and their conversion into ours. */
import type * as z from "zod/mini";
import { fromBase64 } from "../base/base64";
import { defined } from "../base/defined";
import type { TimeSlice } from "../base/timeSlice";
import { applySteps, emptyConversation, type Step } from "./conversation";
import {
  WEB_ADDRESS,
  type ImportedPicture,
  type ImportLosses,
  type ImportOptions,
  type ImportResult,
} from "./importResult";
import type { Message, ModelKind, Part, Reply } from "./message";
import { toSteps } from "./toSteps";

/** Message of another tool. One without content is left out, and its children get its parent. */
export interface ForeignMessage {
  readonly id: string;
  /** Null, or the id of another message; an unknown id counts as null. */
  readonly parentId: string | null;
  /** "other" for what is no part of the conversation: it is left out and not counted. */
  readonly role: "user" | "assistant" | "other";
  readonly text: string;
  readonly thinking?: string;
  /** Pictures of a question: data URLs, web addresses, or names of files of the export. */
  readonly pictures?: readonly string[];
  /** Texts that were attached to a question. */
  readonly files?: readonly { readonly name: string; readonly text: string }[];
  readonly toolCalls?: Reply["toolCalls"];
  readonly model?: string;
  readonly atMs?: number;
}

/** Conversation of another tool. */
export interface ForeignChat {
  readonly title?: string;
  readonly createdAtMs?: number;
  /** Name of the folder in which it took place. */
  readonly workspace?: string;
  readonly messages: readonly ForeignMessage[];
  /** Last message of the shown path; by default the last message. */
  readonly leafId?: string;
  readonly lost: ImportLosses;
}

/** A format: values with items, which are parsed one by one, because there may be thousands. */
export interface Format<T, Item> {
  /** Name of the tool, for the list of what is found. */
  readonly tool: string;
  /** Schema of a value with items of any form. */
  readonly schema: z.ZodMiniType<T>;
  readonly itemsOf: (value: T) => readonly unknown[];
  readonly itemSchema: z.ZodMiniType<Item>;
  /**
   * Reads a value that the schema accepted; undefined for one of another format.
   * @param items undefined for one that cannot be parsed; at least one can, unless there is none
   */
  readonly read: (
    value: T,
    items: readonly (Item | undefined)[],
    slice: TimeSlice,
  ) => Promise<ForeignChat | undefined>;
}

const DATA_URL = /^data:[^,;]{0,200}(?:;[^,;]{0,200}){0,20};base64,/i;

/** True if a message has something to import. */
export function hasContent({ messages }: ForeignChat): boolean {
  return messages.some(
    ({ role, text, thinking = "", pictures = [], files = [], toolCalls = [] }) =>
      role !== "other" &&
      (text + thinking !== "" || pictures.length + files.length + toolCalls.length > 0),
  );
}

/** Time between messages whose time is unknown, in milliseconds, so that they keep their order. */
const STEP_MS = 1;

/** Converts a conversation. Each message gets a new id. */
export async function importForeign(
  chat: ForeignChat,
  id: string,
  options: ImportOptions,
): Promise<ImportResult> {
  const pictures = new Map<string, ImportedPicture>();
  const lost = { ...chat.lost };
  const startMs = chat.createdAtMs ?? options.nowMs();
  const messages = new Map<string, Message>();
  /** Id of our message for each message of the tool; for one that is left out, that of its parent. */
  const ours = new Map<string, string | undefined>();
  let modelKind: ModelKind = "llm";

  async function picturePart(source: string): Promise<Part | undefined> {
    if (WEB_ADDRESS.test(source)) return { kind: "image-address", url: source };
    const head = DATA_URL.exec(source)?.[0];
    const original =
      head === undefined
        ? await options.readPicture?.(source)
        : fromBase64(source.slice(head.length));
    const clean = original && (await options.cleanPicture(original));
    if (clean === undefined) return undefined;
    const { mediaType, widthPx, heightPx, bytes } = clean;
    const hash = await options.hashOf(bytes);
    pictures.set(hash, { hash, bytes });
    const name = `picture ${pictures.size}`;
    return { kind: "image", hash, mediaType, widthPx, heightPx, bytes: bytes.length, name };
  }

  async function questionParts({ text, pictures: sources = [], files = [] }: ForeignMessage) {
    const parts: Part[] = text === "" ? [] : [{ kind: "text", text }];
    for (const { name, text: content } of files)
      parts.push({ kind: "note", source: "text", label: name, text: content });
    for (const source of sources) {
      const picture = await picturePart(source);
      if (picture) parts.push(picture);
      else lost.pictures++;
    }
    return parts;
  }

  async function convert(message: ForeignMessage, parent: Message | undefined, atMs: number) {
    const own = { id: options.newId(), parentId: parent?.id ?? null };
    if (message.role === "user") {
      const parts = await questionParts(message);
      if (parts.some(({ kind }) => kind.startsWith("image"))) modelKind = "vl";
      return parts.length > 0 && { role: "user" as const, ...own, parts, sentAtMs: atMs };
    }
    lost.pictures += message.pictures?.length ?? 0;
    const { text, thinking = "", toolCalls = [], model = "" } = message;
    if (text + thinking === "" && toolCalls.length === 0) return false;
    return {
      role: "assistant" as const,
      ...own,
      text,
      ...(thinking !== "" && { thinking: { text: thinking, durationMs: 0 } }),
      modelKind,
      modelCode: model,
      startedAtMs: atMs,
      endedAtMs: atMs,
      ...(toolCalls.length > 0
        ? { ending: { kind: "tool-calls" as const }, toolCalls }
        : { ending: { kind: "complete" as const } }),
    };
  }

  const sorted = parentsFirst(chat.messages);
  lost.messages += chat.messages.length - sorted.length;
  for (const [index, { message, isOnlyChild }] of sorted.entries()) {
    const pause = options.slice.pause();
    if (pause) await pause;
    const parent = messages.get(ours.get(message.parentId ?? "") ?? "");
    ours.set(message.id, parent?.id);
    if (message.role === "other") continue;
    const converted = await convert(message, parent, message.atMs ?? startMs + index * STEP_MS);
    if (converted === false) {
      lost.messages++;
      continue;
    }
    const kept = (isOnlyChild && joinedReplies(parent, converted)) || converted;
    messages.set(kept.id, kept);
    ours.set(message.id, kept.id);
  }
  if (messages.size === 0) return { kind: "refused", reason: "empty" };
  const leafId = ours.get(chat.leafId ?? "") ?? [...messages.keys()].at(-1) ?? null;
  const steps: Step[] = [
    { kind: "created", id, atMs: startMs, ...defined({ workspace: chat.workspace }) },
    ...[...messages.values()].map((message) => ({ kind: "message-added" as const, message })),
    { kind: "path-chosen", leafId },
    ...(chat.title === undefined ? [] : [{ kind: "titled" as const, title: chat.title }]),
  ];
  return {
    kind: "imported",
    id,
    steps: toSteps(applySteps(emptyConversation(id, startMs), steps)),
    pictures: [...pictures.values()],
    leftOut: lost,
  };
}

/** Returns one reply for two that follow each other, as an agent writes them between calls of tools. */
function joinedReplies(first: Message | undefined, second: Message): Reply | undefined {
  if (first?.role !== "assistant" || second.role !== "assistant") return undefined;
  if (first.toolCalls !== undefined || second.toolCalls !== undefined) return undefined;
  // Joined by `+`, which copies nothing: a reply may have thousands of parts.
  const join = (a = "", b = "") => a + (a !== "" && b !== "" ? "\n\n" : "") + b;
  const thinking = join(first.thinking?.text, second.thinking?.text);
  return {
    ...first,
    text: join(first.text, second.text),
    ...(thinking !== "" && { thinking: { text: thinking, durationMs: 0 } }),
    endedAtMs: second.endedAtMs,
  };
}

/** Returns the messages that have a root, each after its parent, with the order of siblings kept. */
function parentsFirst(messages: readonly ForeignMessage[]) {
  const known = new Set(messages.map(({ id }) => id));
  const children = new Map<string | null, ForeignMessage[]>();
  for (const message of messages) {
    const parentId = known.has(message.parentId ?? "") ? message.parentId : null;
    const siblings = children.get(parentId);
    if (siblings) siblings.push(message);
    else children.set(parentId, [message]);
  }
  const sorted: { readonly message: ForeignMessage; readonly isOnlyChild: boolean }[] = [];
  const seen = new Set<string>();
  const waiting = [...(children.get(null) ?? [])].reverse();
  for (let message = waiting.pop(); message; message = waiting.pop()) {
    if (seen.has(message.id)) continue; // Two messages with one id.
    seen.add(message.id);
    const isOnlyChild = children.get(message.parentId)?.length === 1;
    sorted.push({ message, isOnlyChild });
    waiting.push(...(children.get(message.id) ?? []).toReversed());
  }
  return sorted;
}
