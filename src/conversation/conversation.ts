/**
 * Conversation and its steps. The same steps are applied in memory, written to the journal and replayed
 * from there. Pure: applying steps returns a new conversation.
 */
import * as z from "zod/mini";
import { endingSchema } from "./ending";
import {
  messageSchema,
  replyPicturesSchema,
  receiptSchema,
  toolCallSchema,
  usageSchema,
  withForgottenPictures,
  type Message,
  type Reply,
  type UserMessage,
} from "./message";
import { ReplyTurnTracker, type ReplyTurns } from "./replyTurns";
import { applySending, sendingStepSchemas, withoutForgotten, type Sending } from "./sending";
import { defined } from "../base/defined";

/** Model for every question; `auto` selects the model by the parts of the question. */
export const modelChoiceSchema = z.enum(["auto", "llm", "vl"]);
export type ModelChoice = z.infer<typeof modelChoiceSchema>;

/** Turn of a step; absent for the first turn of a reply, set for each continuation. */
const turnId = z.optional(z.string());

/** Request parameters of one conversation; they override the settings. */
export const parametersSchema = z.object({
  temperature: z.optional(z.number()),
  topP: z.optional(z.number()),
  maxTokens: z.optional(z.number()),
  repetitionPenalty: z.optional(z.number()),
  systemPrompt: z.optional(z.string()),
  /** Id of a role file; its text is a part of each question. */
  role: z.optional(z.string()),
});
export type Parameters = z.infer<typeof parametersSchema>;

/** Change of a conversation; content of a journal record. */
export const stepSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("created"),
    id: z.string(),
    atMs: z.number(),
    /** Name of the workspace in which the conversation was created. */
    workspace: z.optional(z.string()),
  }),
  /** Adds a message to the tree and shows the path to the message. */
  z.object({ kind: z.literal("message-added"), message: messageSchema }),
  /** Adds a question asked aside, or a reply to it; the shown path stays. */
  z.object({ kind: z.literal("aside-added"), message: messageSchema }),
  /** Makes a question asked aside and its replies ordinary messages after `afterId`, and shows them. */
  z.object({
    kind: z.literal("aside-joined"),
    asideId: z.string(),
    afterId: z.nullable(z.string()),
  }),
  /** Sets text of the reply at `offset`, in UTF-16 units. `atMs` is the arrival of the first text. */
  z.object({
    kind: z.literal("reply-grown"),
    messageId: z.string(),
    turnId,
    offset: z.number(),
    text: z.string(),
    atMs: z.number(),
  }),
  /** Sets thinking of the reply at `offset`, in UTF-16 units; `durationMs` is the time of all of it. */
  z.object({
    kind: z.literal("reply-thought"),
    messageId: z.string(),
    turnId,
    offset: z.number(),
    text: z.string(),
    durationMs: z.number(),
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
    /** Pictures of this turn. */
    pictures: replyPicturesSchema,
    damagedParts: z.optional(z.number()),
  }),
  /** Continues an ended reply: keeps its text and removes its ending. */
  z.object({
    kind: z.literal("reply-continued"),
    messageId: z.string(),
    turnId,
    /** Previous turn and length of the text that the user saw when continuing. */
    afterTurnId: turnId,
    length: z.optional(z.number()),
    atMs: z.number(),
  }),
  /** Shows the path to a message. */
  z.object({ kind: z.literal("path-chosen"), leafId: z.nullable(z.string()) }),
  /** Sets the title; an empty title restores the title from the first message. */
  z.object({ kind: z.literal("titled"), title: z.string() }),
  z.object({ kind: z.literal("pinned"), isPinned: z.boolean() }),
  /** Sets the model of this conversation; null restores the setting. */
  z.object({ kind: z.literal("model-chosen"), model: z.nullable(modelChoiceSchema) }),
  /** Sets the profile of this conversation; empty for the service of the `baseUrl` setting. */
  z.object({ kind: z.literal("profile-chosen"), profile: z.string() }),
  /** Sets all parameters of this conversation; an empty object restores the settings. */
  z.object({ kind: z.literal("parameters-chosen"), parameters: parametersSchema }),
  ...sendingStepSchemas,
  /** `atId` is the last message of the copy, or the question that is in the fork's draft. */
  z.object({ kind: z.literal("forked-from"), conversationId: z.string(), atId: z.string() }),
  /** Written before the fork exists, so that a window that ends between leaves no link to nothing. */
  z.object({ kind: z.literal("forked"), conversationId: z.string(), atId: z.string() }),
  /** Moves the conversation into the bin, or out of the bin. */
  z.object({ kind: z.literal("deleted"), atMs: z.number() }),
  z.object({ kind: z.literal("restored"), atMs: z.number() }),
  /** Puts `forgottenMessage` in place of a message, whose other records are erased. */
  z.object({ kind: z.literal("forgotten"), message: messageSchema }),
  /** Puts a placeholder in place of each picture of messages, whose bytes are removed. */
  z.object({ kind: z.literal("pictures-forgotten"), messageIds: z.array(z.string()) }),
]);
export type Step = z.infer<typeof stepSchema>;

/** Link between a conversation and a fork of it. */
export interface ForkLink {
  /** Id of the other conversation, which may be deleted by now. */
  readonly conversationId: string;
  /** Message of the forked conversation at which the fork was made. */
  readonly atId: string;
}

/** State after all steps. */
export interface Conversation {
  readonly id: string;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
  readonly workspace: string | undefined;
  /** Title by the user; `titleOf` also creates one from the first message. */
  readonly title: string | undefined;
  readonly messages: ReadonlyMap<string, Message>;
  /** Ids of the children of each message, oldest first; `null` has the roots. */
  readonly children: ReadonlyMap<string | null, readonly string[]>;
  /** Last message of the shown path. */
  readonly leafId: string | null;
  /** Absent if every reply has a single turn. */
  readonly turns?: ReplyTurns;
  /** Absent if not pinned. */
  readonly isPinned?: boolean;
  /** Absent if the setting applies. */
  readonly model?: ModelChoice;
  /** Empty for the service of the `baseUrl` setting; absent if the active profile applies. */
  readonly profile?: string;
  /** Absent if the settings apply. */
  readonly parameters?: Parameters;
  /** Absent if the user never chose what is sent. */
  readonly sending?: Sending;
  /** Absent unless the conversation is a fork. */
  readonly forkedFrom?: ForkLink;
  /** Absent without forks of this conversation. */
  readonly forks?: readonly ForkLink[];
  /** Time of deletion; absent outside the bin. */
  readonly deletedAtMs?: number;
}

/** Creates a conversation without messages. */
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
 * Returns the conversation after `steps`. Ignores steps for unknown messages and messages that exist, so
 * that a journal with damaged or repeated records can be read.
 */
export function applySteps(conversation: Conversation, steps: readonly Step[]): Conversation {
  const messages = new Map(conversation.messages);
  const children = new Map(conversation.children);
  let { createdAtMs, changedAtMs, workspace, title, leafId } = conversation;
  let { isPinned = false, model, profile, parameters, sending, deletedAtMs } = conversation;
  let { forkedFrom, forks } = conversation;
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
    if (reply.isAside !== true) addChild(reply.parentId, reply.id);
  }

  /** Moves an aside to the end of the messages, as an ordinary message. */
  function join(message: Message, parentId: string | null): void {
    messages.delete(message.id);
    messages.set(message.id, { ...message, parentId, isAside: undefined });
    addChild(parentId, message.id);
    leafId = message.id;
  }
  const turns = new ReplyTurnTracker(conversation.turns, messages, addVersion);

  function changeReply(id: string | undefined, change: (reply: Reply) => Reply): void {
    const message = id === undefined ? undefined : messages.get(id);
    if (message?.role !== "assistant" || message.isForgotten === true) return;
    messages.set(message.id, change(message));
  }

  /** Adds a message whose record was erased, among its siblings by time: they were added later. */
  function addForgotten(message: Message): void {
    const before = children.get(message.parentId) ?? [];
    const isLater = (id: string) => {
      const sibling = messages.get(id);
      return sibling !== undefined && timeOf(sibling) > timeOf(message);
    };
    const at = before.findIndex(isLater);
    addChild(message.parentId, message.id);
    const after = ownLists.get(message.parentId) ?? [];
    if (at !== -1) after.splice(at, 0, ...after.splice(-1));
  }

  /** Restores a deleted conversation that is used again, also after a deletion by another window. */
  function restoreIfUsed(atMs: number): void {
    if (deletedAtMs !== undefined && atMs >= deletedAtMs) deletedAtMs = undefined;
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
        restoreIfUsed(timeOf(message));
        break;
      }
      case "aside-added": {
        const { message } = step;
        if (messages.has(message.id)) break;
        messages.set(message.id, { ...message, isAside: true });
        changedAtMs = Math.max(changedAtMs, timeOf(message));
        restoreIfUsed(timeOf(message));
        break;
      }
      case "aside-joined": {
        const question = messages.get(step.asideId);
        if (question?.isAside !== true || question.isForgotten === true) break;
        const replies = asideReplies(messages, question.id);
        join(question, step.afterId);
        for (const reply of replies) join(reply, question.id);
        break;
      }
      case "reply-grown":
        changeReply(turns.replyIdForText(step), (reply) => {
          const text = textAt(reply.text, step);
          return {
            ...reply,
            text,
            ...(step.offset > reply.text.length && { hasGap: true }),
            // Without text if the text turned out to be thinking.
            firstTextAtMs: text === "" ? undefined : (reply.firstTextAtMs ?? step.atMs),
          };
        });
        break;
      case "reply-thought":
        changeReply(turns.replyIdForThinking(step), (reply) => {
          const { durationMs } = step;
          const text = textAt(reply.thinking?.text ?? "", step);
          return { ...reply, thinking: { text, durationMs } };
        });
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
          ...(step.pictures && { pictures: [...(reply.pictures ?? []), ...step.pictures] }),
          damagedParts: step.damagedParts,
        }));
        break;
      case "reply-continued":
        restoreIfUsed(step.atMs);
        changeReply(turns.continue(step), (reply) => ({
          ...reply,
          ending: undefined,
          endedAtMs: undefined,
          // Without text, the time to the first token counts from this turn.
          ...(reply.text === "" && { startedAtMs: step.atMs }),
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
      case "sending-chosen":
      case "summary-used":
      case "sending-undone":
      case "summary-drafted":
        sending = applySending(sending, step);
        break;
      case "forked-from":
        forkedFrom = linkOf(step);
        break;
      case "forked":
        if (forks?.some(({ conversationId }) => conversationId === step.conversationId)) break;
        forks = [...(forks ?? []), linkOf(step)];
        break;
      case "deleted":
        deletedAtMs = step.atMs;
        break;
      case "restored":
        deletedAtMs = undefined;
        break;
      case "forgotten":
        if (!messages.has(step.message.id) && step.message.isAside !== true)
          addForgotten(step.message);
        messages.set(step.message.id, step.message);
        sending = sending && withoutForgotten(sending, step.message.id);
        if (step.message.isAside !== true) leafId ??= step.message.id;
        changedAtMs = Math.max(changedAtMs, timeOf(step.message));
        break;
      case "pictures-forgotten":
        for (const id of step.messageIds) {
          const message = messages.get(id);
          if (message) messages.set(id, withForgottenPictures(message));
        }
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
    ...defined({ model, profile, parameters, sending, forkedFrom, forks, deletedAtMs }),
  };
}

function asideReplies(messages: ReadonlyMap<string, Message>, asideId: string): Reply[] {
  return [...messages.values()].filter(
    (message) =>
      message.role === "assistant" && message.isAside === true && message.parentId === asideId,
  ) as Reply[];
}

/** Question that was asked aside, with its newest reply. */
export interface Aside {
  readonly question: UserMessage;
  /** Undefined only if its record is damaged. */
  readonly reply: Reply | undefined;
}

/** Returns the asides of all messages, oldest first, without those that were removed. */
export function asidesOf({ messages }: Pick<Conversation, "messages">): Aside[] {
  return [...messages.values()].flatMap((question) =>
    question.role === "user" && question.isAside === true && question.isForgotten !== true
      ? [{ question, reply: asideReplies(messages, question.id).at(-1) }]
      : [],
  );
}

/** Returns the messages of the asides of a message, or of an aside if its question is given. */
export function asideMessagesOf({ messages }: Conversation, id: string): Message[] {
  const own = [...messages.values()].filter(
    (message) => message.isAside === true && message.parentId === id,
  );
  return own.flatMap((message) => [message, ...asideReplies(messages, message.id)]);
}

function linkOf({ conversationId, atId }: ForkLink): ForkLink {
  return { conversationId, atId };
}

/** Returns `text` with the step's text at its offset. */
function textAt(text: string, step: { readonly offset: number; readonly text: string }): string {
  return text.slice(0, step.offset) + gap(step.offset - text.length) + step.text;
}

const GAP_MARK = " […] ";

/** Returns a placeholder of the same length for unreadable text, so that later offsets hold. */
function gap(units: number): string {
  if (units <= 0) return "";
  return (units < GAP_MARK.length ? "…" : GAP_MARK).padEnd(units);
}

/** Returns the shown messages, oldest first. */
export function shownPath(conversation: Conversation): Message[] {
  return pathTo(conversation, conversation.leafId);
}

/** Returns the messages from the root to `leafId`; empty for null or an unknown id. */
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
 * Compares two paths. Returns the number of common messages from the start, and the first message of
 * `before` that `after` does not contain.
 */
export function pathChange(
  before: readonly Message[],
  after: readonly Message[],
): { keptCount: number; removedFromId: string | undefined } {
  let keptCount = 0;
  while (keptCount < before.length && before[keptCount]?.id === after[keptCount]?.id) keptCount++;
  return { keptCount, removedFromId: before[keptCount]?.id };
}

/**
 * Compares the shown paths of two states. Returns the number of unchanged messages from the start and
 * the id of the first changed message; undefined if nothing changed. A message with a new version counts
 * as changed.
 */
export function shownChange(
  before: Conversation,
  after: Conversation,
): { keptCount: number; removedFromId: string | undefined } | undefined {
  const [old, now] = [shownPath(before), shownPath(after)];
  const isSame = (at: number) =>
    JSON.stringify(old[at]) === JSON.stringify(now[at]) &&
    countVersions(before, old[at]) === countVersions(after, now[at]);
  let keptCount = 0;
  while (keptCount < old.length && keptCount < now.length && isSame(keptCount)) keptCount++;
  if (keptCount === old.length && keptCount === now.length) return undefined;
  return { keptCount, removedFromId: old[keptCount]?.id };
}

function countVersions(conversation: Conversation, message: Message | undefined): number {
  return message === undefined ? 0 : versionsOf(conversation, message).length;
}

/**
 * Returns the ids of the versions of a message, oldest first: its siblings and the message itself.
 * Other replies that failed without text are left out; they stay in the journal.
 */
export function versionsOf(conversation: Conversation, { id, parentId }: Message): string[] {
  const siblings = conversation.children.get(parentId) ?? [id];
  return siblings.filter((other) => other === id || !hasFailedEmpty(conversation, other));
}

/** Follows the newest version of each message from `id` and returns the last message. */
export function latestLeaf(conversation: Conversation, id: string): string {
  let leaf = id;
  for (;;) {
    const next = conversation.children.get(leaf);
    const newest = next?.findLast((child) => !hasFailedEmpty(conversation, child)) ?? next?.at(-1);
    if (newest === undefined) return leaf;
    leaf = newest;
  }
}

/** True for a reply that failed before any of its text or thinking arrived. */
function hasFailedEmpty({ messages }: Conversation, id: string): boolean {
  const message = messages.get(id);
  if (message?.role !== "assistant" || message.ending?.kind !== "failed") return false;
  return message.text.trim() === "" && message.thinking === undefined;
}

const MAX_TITLE_CHARACTERS = 60;

/** Part of a question that a title is made of, in UTF-16 units; longer than a title because of marks. */
const TITLE_SOURCE_UNITS = 1_000;

/**
 * Returns the user's title, or the start of the first question without Markdown marks; undefined
 * without either.
 */
export function titleOf(conversation: Conversation): string | undefined {
  if (conversation.title !== undefined) return conversation.title;
  const first = firstQuestion(conversation);
  if (first === undefined) return undefined;
  return cutTitle(questionLine(first));
}

/** Returns a line as a title: without Markdown marks and quotes around it, cut as `titleOf` does. */
export function cleanTitle(line: string): string {
  const text = onOneLine(withoutMarks(line.slice(0, TITLE_SOURCE_UNITS)));
  return cutTitle(/^["“「『](.+)["”」』]$/u.exec(text)?.[1] ?? text);
}

function cutTitle(line: string): string {
  const characters = Array.from(line);
  return characters.length > MAX_TITLE_CHARACTERS
    ? characters.slice(0, MAX_TITLE_CHARACTERS - 1).join("") + "…"
    : line;
}

/** Returns the first question of the tree; if it was forgotten or cannot be read, another one. */
function firstQuestion({ messages, children }: Conversation): UserMessage | undefined {
  const [firstId] = children.get(null) ?? [];
  const first = firstId === undefined ? undefined : messages.get(firstId);
  if (first?.role === "user" && first.isForgotten !== true) return first;
  for (const message of messages.values())
    if (message.role === "user" && message.isForgotten !== true && message.isAside !== true)
      return message;
  return undefined;
}

function questionLine(message: UserMessage): string {
  for (const part of message.parts) {
    if (part.kind === "text" && part.text.trim() !== "") {
      const source = part.text.trim().slice(0, TITLE_SOURCE_UNITS);
      return onOneLine(withoutMarks(source)) || onOneLine(source);
    }
  }
  const [first] = message.parts;
  if (first?.kind === "image") return first.name;
  if (first?.kind === "note") return first.label;
  return first?.kind === "excerpt" ? first.path : "";
}

function onOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}

/** Lines of fences, and the marks of headings and quotes. */
const BLOCK_MARKS = /^ {0,3}(?:`{3,}[^`\n]*$|~~~.*$|#{1,6} +|> ?)/gm;

const CODE_SPAN = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/;
const LINK_OR_PICTURE = /(?<![\w\])])!?\[([^\][\n]+)\]\([^()\s]+\)/;
const BOLD = /(?<![\w*])\*\*(?=[^\s*])(.+?)(?<=[^\s*])\*\*(?![\w*])/;
const EMPHASIS = /(?<![\w*])\*(?=[\p{L}\p{N}])([^*\n]+)(?<=[\p{L}\p{N}])\*(?![\w*])/u;

/** Made of the patterns above. Groups: backticks, code, text of a link, bold text, emphasized text. */
const INLINE_MARKS = new RegExp(
  [CODE_SPAN, LINK_OR_PICTURE, BOLD, EMPHASIS].map(({ source }) => source).join("|"),
  "gu",
);

/**
 * Removes Markdown marks that cannot be part of code: `**kwargs`, `2**3`, `__init__` and `*.ts` stay.
 */
function withoutMarks(text: string): string {
  return text
    .replaceAll(BLOCK_MARKS, "")
    .replaceAll(
      INLINE_MARKS,
      (_all, _ticks, code?: string, link?: string, bold?: string, emphasized?: string) =>
        code?.trim() ?? withoutMarks(link ?? bold ?? emphasized ?? ""),
    );
}

function timeOf(message: Message): number {
  return message.role === "user" ? message.sentAtMs : message.startedAtMs;
}
