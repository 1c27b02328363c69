/**
 * A conversation and the steps that make it: the same steps are applied in memory, written to the
 * journal and replayed from it. Pure: a step never touches the conversation it is applied to.
 */
import * as z from "zod/mini";
import { endingSchema } from "./ending";
import {
  messageSchema,
  receiptSchema,
  toolCallSchema,
  usageSchema,
  type Message,
  type Reply,
  type UserMessage,
} from "./message";
import { ReplyTurnTracker, type ReplyTurns } from "./replyTurns";

/** A model for every question, or `auto`: whichever the parts of the question need. */
export const modelChoiceSchema = z.enum(["auto", "llm", "vl"]);
export type ModelChoice = z.infer<typeof modelChoiceSchema>;

/** Whose step it is: the first turn of a reply has no name, each that goes on with it has one. */
const turnId = z.optional(z.string());

/** What is sent with the questions of one conversation instead of what the settings say. */
export const parametersSchema = z.object({
  temperature: z.optional(z.number()),
  topP: z.optional(z.number()),
  maxTokens: z.optional(z.number()),
  repetitionPenalty: z.optional(z.number()),
  systemPrompt: z.optional(z.string()),
});
export type Parameters = z.infer<typeof parametersSchema>;

/** One change of a conversation; what the journal holds. */
export const stepSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("created"),
    id: z.string(),
    atMs: z.number(),
    /** The workspace it was begun in, as a person calls it. */
    workspace: z.optional(z.string()),
  }),
  /** A message joins the tree and becomes the end of the shown path. */
  z.object({ kind: z.literal("message-added"), message: messageSchema }),
  /** Text stands at `offset` (UTF-16 units) of the reply; its first piece arrived at `atMs`. */
  z.object({
    kind: z.literal("reply-grown"),
    messageId: z.string(),
    turnId,
    offset: z.number(),
    text: z.string(),
    atMs: z.number(),
  }),
  z.object({
    kind: z.literal("request-sent"),
    messageId: z.string(),
    turnId,
    receipt: receiptSchema,
  }),
  z.object({
    kind: z.literal("reply-ended"),
    messageId: z.string(),
    turnId,
    atMs: z.number(),
    ending: endingSchema,
    usage: z.optional(usageSchema),
    toolCalls: z.optional(z.array(toolCallSchema)),
    damagedParts: z.optional(z.number()),
  }),
  /** An ended reply goes on: its text stays, its ending is taken back. */
  z.object({
    kind: z.literal("reply-continued"),
    messageId: z.string(),
    turnId,
    /** The turn it goes on after, and how long the text was then: what the person saw. */
    afterTurnId: turnId,
    length: z.optional(z.number()),
    atMs: z.number(),
  }),
  /** The path now shown ends with this message. */
  z.object({ kind: z.literal("path-chosen"), leafId: z.nullable(z.string()) }),
  /** An empty title takes the one made from the first message again. */
  z.object({ kind: z.literal("titled"), title: z.string() }),
  z.object({ kind: z.literal("pinned"), isPinned: z.boolean() }),
  /** The model the person chose for this conversation; null takes the setting again. */
  z.object({ kind: z.literal("model-chosen"), model: z.nullable(modelChoiceSchema) }),
  /** The service its questions go to: a profile's name, or empty for that of the `baseUrl` setting. */
  z.object({ kind: z.literal("profile-chosen"), profile: z.string() }),
  /** All of the conversation's own parameters; none take the settings again. */
  z.object({ kind: z.literal("parameters-chosen"), parameters: parametersSchema }),
  /** Into the bin, and back out of it. */
  z.object({ kind: z.literal("deleted"), atMs: z.number() }),
  z.object({ kind: z.literal("restored"), atMs: z.number() }),
]);
export type Step = z.infer<typeof stepSchema>;

/** The state all steps so far lead to. */
export interface Conversation {
  readonly id: string;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
  readonly workspace: string | undefined;
  /** Given by the person; otherwise made from the first message, see `titleOf`. */
  readonly title: string | undefined;
  readonly messages: ReadonlyMap<string, Message>;
  /** Ids of the messages that answer the key, oldest first; `null` holds the roots. */
  readonly children: ReadonlyMap<string | null, readonly string[]>;
  /** The last message of the shown path. */
  readonly leafId: string | null;
  /** Absent where every reply was written by its first turn alone. */
  readonly turns?: ReplyTurns;
  /** Absent unless pinned. */
  readonly isPinned?: boolean;
  /** Absent where the setting decides. */
  readonly model?: ModelChoice;
  /** Empty for the service of the `baseUrl` setting; absent where the profile in use decides. */
  readonly profile?: string;
  /** Absent where the settings decide all of them. */
  readonly parameters?: Parameters;
  /** When it went into the bin; absent outside it. */
  readonly deletedAtMs?: number;
}

/** A conversation before its first step. */
export function emptyConversation(id: string, atMs: number, workspace?: string): Conversation {
  return {
    id,
    createdAtMs: atMs,
    changedAtMs: atMs,
    workspace,
    title: undefined,
    messages: new Map(),
    children: new Map(),
    leafId: null,
  };
}

/**
 * The conversation after `steps`. Steps that name unknown messages, or add one a second time, are
 * passed over, so that a journal with a damaged record or a record written twice still reads.
 */
export function applySteps(conversation: Conversation, steps: readonly Step[]): Conversation {
  const messages = new Map(conversation.messages);
  const children = new Map(conversation.children);
  let { createdAtMs, changedAtMs, workspace, title, leafId } = conversation;
  let { isPinned = false, model, profile, parameters, deletedAtMs } = conversation;
  const ownLists = new Map<string | null, string[]>();

  function addChild(parentId: string | null, id: string): void {
    let list = ownLists.get(parentId);
    if (list === undefined) {
      list = [...(children.get(parentId) ?? [])];
      ownLists.set(parentId, list);
      children.set(parentId, list);
    }
    list.push(id);
  }

  function addVersion(reply: Reply): void {
    messages.set(reply.id, reply);
    addChild(reply.parentId, reply.id);
  }
  const turns = new ReplyTurnTracker(conversation.turns, messages, addVersion);

  function changeReply(id: string | undefined, change: (reply: Reply) => Reply): void {
    const message = id === undefined ? undefined : messages.get(id);
    if (message?.role === "assistant") messages.set(message.id, change(message));
  }

  /** A conversation that is used again leaves the bin, whichever window put it there. */
  function use(atMs: number): void {
    if (deletedAtMs !== undefined && atMs > deletedAtMs) deletedAtMs = undefined;
  }

  for (const step of steps) {
    switch (step.kind) {
      case "created":
        createdAtMs = step.atMs;
        changedAtMs = Math.max(changedAtMs, step.atMs);
        workspace = step.workspace;
        break;
      case "message-added": {
        const { message } = step;
        if (messages.has(message.id)) break;
        messages.set(message.id, message);
        addChild(message.parentId, message.id);
        leafId = message.id;
        changedAtMs = Math.max(changedAtMs, timeOf(message));
        use(timeOf(message));
        break;
      }
      case "reply-grown":
        changeReply(turns.replyIdForText(step), (reply) => ({
          ...reply,
          text: reply.text.slice(0, step.offset) + gap(step.offset - reply.text.length) + step.text,
          ...(step.offset > reply.text.length && { hasGap: true }),
          firstTextAtMs: reply.firstTextAtMs ?? step.atMs,
        }));
        break;
      case "request-sent":
        changeReply(turns.replyIdFor(step), (reply) => ({ ...reply, receipt: step.receipt }));
        break;
      case "reply-ended":
        changedAtMs = Math.max(changedAtMs, step.atMs);
        changeReply(turns.replyIdForEnding(step), (reply) => ({
          ...reply,
          ending: step.ending,
          endedAtMs: step.atMs,
          usage: step.usage,
          toolCalls: step.toolCalls,
          damagedParts: step.damagedParts,
        }));
        break;
      case "reply-continued":
        use(step.atMs);
        changeReply(turns.continue(step), (reply) => ({
          ...reply,
          ending: undefined,
          endedAtMs: undefined,
        }));
        break;
      case "path-chosen":
        if (step.leafId === null || messages.has(step.leafId)) leafId = step.leafId;
        break;
      case "titled":
        title = step.title === "" ? undefined : step.title;
        break;
      case "pinned":
        isPinned = step.isPinned;
        break;
      case "model-chosen":
        model = step.model ?? undefined;
        break;
      case "profile-chosen":
        profile = step.profile;
        break;
      case "parameters-chosen":
        parameters = Object.keys(step.parameters).length > 0 ? step.parameters : undefined;
        break;
      case "deleted":
        deletedAtMs = step.atMs;
        break;
      case "restored":
        deletedAtMs = undefined;
        break;
      default:
        step satisfies never;
    }
  }
  const replyTurns = turns.result();
  return {
    id: conversation.id,
    createdAtMs,
    changedAtMs,
    workspace,
    title,
    messages,
    children,
    leafId,
    ...(replyTurns && { turns: replyTurns }),
    ...(isPinned && { isPinned }),
    ...(model && { model }),
    ...(profile !== undefined && { profile }),
    ...(parameters && { parameters }),
    ...(deletedAtMs !== undefined && { deletedAtMs }),
  };
}

const GAP_MARK = " […] ";

/** Stands for text that could not be read, in the same length: later offsets count it too. */
function gap(units: number): string {
  if (units <= 0) return "";
  return (units < GAP_MARK.length ? "…" : GAP_MARK).padEnd(units);
}

/** The messages now shown, oldest first. */
export function shownPath(conversation: Conversation): Message[] {
  return pathTo(conversation, conversation.leafId);
}

/** The messages from the first one to `leafId`, oldest first; empty for null or an unknown id. */
export function pathTo(conversation: Conversation, leafId: string | null): Message[] {
  const path: Message[] = [];
  const seen = new Set<string>();
  for (let id = leafId; id !== null && !seen.has(id);) {
    const message = conversation.messages.get(id);
    if (message === undefined) break;
    seen.add(id);
    path.push(message);
    id = message.parentId;
  }
  return path.reverse();
}

/**
 * Where two paths part: how many messages they share from the start, and the first message of
 * `before` that `after` no longer shows.
 */
export function pathChange(
  before: readonly Message[],
  after: readonly Message[],
): { keptCount: number; removedFromId: string | undefined } {
  let keptCount = 0;
  while (keptCount < before.length && before[keptCount]?.id === after[keptCount]?.id) keptCount++;
  return { keptCount, removedFromId: before[keptCount]?.id };
}

/** The newest message reached by always taking the latest answer, starting from `id`. */
export function latestLeaf(conversation: Conversation, id: string): string {
  let leaf = id;
  for (;;) {
    const next = conversation.children.get(leaf)?.at(-1);
    if (next === undefined) return leaf;
    leaf = next;
  }
}

const MAX_TITLE_CHARACTERS = 60;

/** The person's title, else the beginning of the first question, else undefined. */
export function titleOf(conversation: Conversation): string | undefined {
  if (conversation.title !== undefined) return conversation.title;
  const firstId = conversation.children.get(null)?.[0];
  const first = firstId === undefined ? undefined : conversation.messages.get(firstId);
  if (first?.role !== "user") return undefined;
  const line = questionLine(first);
  const characters = Array.from(line);
  return characters.length > MAX_TITLE_CHARACTERS
    ? characters.slice(0, MAX_TITLE_CHARACTERS - 1).join("") + "…"
    : line;
}

function questionLine(message: UserMessage): string {
  for (const part of message.parts) {
    if (part.kind === "text" && part.text.trim() !== "") {
      return part.text.trim().replaceAll(/\s+/g, " ");
    }
  }
  const [first] = message.parts;
  if (first?.kind === "image") return first.name;
  if (first?.kind === "note") return first.label;
  return first?.kind === "excerpt" ? first.path : "";
}

function timeOf(message: Message): number {
  return message.role === "user" ? message.sentAtMs : message.startedAtMs;
}
