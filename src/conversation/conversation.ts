/**
 * Conversation and its steps. The same steps are applied in memory, written to the journal and replayed
 * from there. Pure: applying steps returns a new conversation.
 */
import * as z from "zod/mini";
import { defined } from "../base/defined";
import { asideReplies } from "./asides";
import { endingSchema, variant } from "./ending";
import {
  messageSchema,
  replyPicturesSchema,
  receiptSchema,
  toolCallSchema,
  usageSchema,
  withForgottenPictures,
  type Message,
  type Reply,
} from "./message";
import { ReplyTurnTracker, type ReplyTurns } from "./replyTurns";
import { applySending, sendingStepSchemas, withoutForgotten, type Sending } from "./sending";

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
});
export type Parameters = z.infer<typeof parametersSchema>;

/** Change of a conversation; content of a journal record. */
export const stepSchema = z.discriminatedUnion("kind", [
  variant("created", {
    id: z.string(),
    atMs: z.number(),
    /** Name of the workspace in which the conversation was created. */
    workspace: z.optional(z.string()),
  }),
  variant("message-added", { message: messageSchema }),
  /** Adds a question asked aside, or a reply to it; the shown path stays. */
  variant("aside-added", { message: messageSchema }),
  /** Makes a question asked aside and its replies ordinary messages after `afterId`, and shows them. */
  variant("aside-joined", {
    asideId: z.string(),
    afterId: z.nullable(z.string()),
  }),
  /** Sets text of the reply at `offset`, in UTF-16 units. `atMs` is the arrival of the first text. */
  variant("reply-grown", {
    messageId: z.string(),
    turnId,
    offset: z.number(),
    text: z.string(),
    /** Pictures that the model made since the last step. */
    pictures: replyPicturesSchema,
    atMs: z.number(),
  }),
  /** Sets thinking of the reply at `offset`, in UTF-16 units; `durationMs` is the time of all of it. */
  variant("reply-thought", {
    messageId: z.string(),
    turnId,
    offset: z.number(),
    text: z.string(),
    durationMs: z.number(),
  }),
  variant("request-sent", {
    messageId: z.string(),
    turnId,
    receipt: receiptSchema,
  }),
  variant("reply-ended", {
    messageId: z.string(),
    turnId,
    atMs: z.number(),
    ending: endingSchema,
    usage: z.optional(usageSchema),
    toolCalls: z.optional(z.array(toolCallSchema)),
    /** Pictures of this turn, written by versions that saved them at the end. */
    pictures: replyPicturesSchema,
    damagedParts: z.optional(z.number()),
  }),
  /** Continues an ended reply: keeps its text and removes its ending. */
  variant("reply-continued", {
    messageId: z.string(),
    turnId,
    /** Previous turn and length of the text that the user saw when continuing. */
    afterTurnId: turnId,
    length: z.optional(z.number()),
    atMs: z.number(),
  }),
  variant("path-chosen", { leafId: z.nullable(z.string()) }),
  /** Sets the title; an empty title restores the title from the first message. */
  variant("titled", { title: z.string() }),
  variant("pinned", { isPinned: z.boolean() }),
  /** Sets the model of this conversation; null restores the setting. */
  variant("model-chosen", { model: z.nullable(modelChoiceSchema) }),
  /** Sets the profile of this conversation; empty for the service of the `baseUrl` setting. */
  variant("profile-chosen", { profile: z.string() }),
  /** Sets all parameters of this conversation; an empty object restores the settings. */
  variant("parameters-chosen", { parameters: parametersSchema }),
  ...sendingStepSchemas,
  /** `atId` is the last message of the copy, or the question that is in the fork's draft. */
  variant("forked-from", { conversationId: z.string(), atId: z.string() }),
  /** Written before the fork exists, so that a window that ends between leaves no link to nothing. */
  variant("forked", { conversationId: z.string(), atId: z.string() }),
  /** Moves the conversation into the bin, or out of the bin. */
  variant("deleted", { atMs: z.number() }),
  variant("restored", { atMs: z.number() }),
  /** Puts `forgottenMessage` in place of a message, whose other records are erased. */
  variant("forgotten", { message: messageSchema }),
  /** Puts a placeholder in place of each picture of messages, whose bytes are removed. */
  variant("pictures-forgotten", { messageIds: z.array(z.string()) }),
]);
export type Step = z.infer<typeof stepSchema>;

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
      case "message-added":
      case "aside-added": {
        const { message } = step;
        if (messages.has(message.id)) break;
        if (step.kind === "aside-added") messages.set(message.id, { ...message, isAside: true });
        else {
          messages.set(message.id, message);
          addChild(message.parentId, message.id);
          leafId = message.id;
        }
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
            ...(step.pictures && { pictures: [...(reply.pictures ?? []), ...step.pictures] }),
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

function linkOf({ conversationId, atId }: ForkLink): ForkLink {
  return { conversationId, atId };
}

function textAt(text: string, step: { readonly offset: number; readonly text: string }): string {
  return text.slice(0, step.offset) + gap(step.offset - text.length) + step.text;
}

const GAP_MARK = " […] ";

/** Returns a placeholder of the same length for unreadable text, so that later offsets hold. */
function gap(units: number): string {
  if (units <= 0) return "";
  return (units < GAP_MARK.length ? "…" : GAP_MARK).padEnd(units);
}

function timeOf(message: Message): number {
  return message.role === "user" ? message.sentAtMs : message.startedAtMs;
}
