/**
 * What a conversation is made of: messages of parts, each pointing to the one before it, so that
 * versions of a question or a reply are branches of one tree.
 */
import * as z from "zod/mini";
import { endingSchema } from "./ending";

/** Which of the two models; the code sent for it is the profile's. */
export const modelKindSchema = z.enum(["llm", "vl"]);
export type ModelKind = z.infer<typeof modelKindSchema>;

/** A picture, stored by its hash beside the journal. */
export const imagePartSchema = z.object({
  kind: z.literal("image"),
  /** SHA-256 of the bytes, 64 hexadecimal digits. */
  hash: z.string(),
  mediaType: z.string(),
  widthPx: z.number(),
  heightPx: z.number(),
  bytes: z.number(),
  name: z.string(),
});

/** One thing a user message holds. */
export const partSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("text"), text: z.string() }),
  imagePartSchema,
  /** An address the person gave; it travels as it is and is never fetched by us. */
  z.object({ kind: z.literal("image-address"), url: z.string() }),
  z.object({
    kind: z.literal("excerpt"),
    /** Path as a person reads it, relative to the workspace where possible. */
    path: z.string(),
    uri: z.string(),
    languageId: z.string(),
    /** 1-based, both ends included; absent for a whole file. */
    startLine: z.optional(z.number()),
    endLine: z.optional(z.number()),
    text: z.string(),
    /** How many lines of the span the text leaves out, if any. */
    linesLeftOut: z.optional(z.number()),
    /** What the editor found wrong in these lines, one a line. */
    problems: z.optional(z.string()),
    /** The name of the function, class or the like that the lines are. */
    symbol: z.optional(z.string()),
  }),
  /** Text gathered from the editor that is no stretch of one file. */
  z.object({
    kind: z.literal("note"),
    source: z.enum(["problems", "changes", "terminal", "folder"]),
    /** What a person calls it, in their language. */
    label: z.string(),
    text: z.string(),
  }),
]);
export type Part = z.infer<typeof partSchema>;
export type ImagePart = Extract<Part, { kind: "image" }>;
export type ExcerptPart = Extract<Part, { kind: "excerpt" }>;

/** Token counts; estimates are never stored here. */
export const usageSchema = z.object({
  promptTokens: z.optional(z.number()),
  completionTokens: z.optional(z.number()),
  totalTokens: z.optional(z.number()),
});

/** One `image_url` part of a request: what its bytes were once more decoded, or its address. */
const receiptPictureSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("bytes"),
    /** SHA-256 of the bytes that left. */
    hash: z.string(),
    mediaType: z.string(),
    widthPx: z.number(),
    heightPx: z.number(),
    bytes: z.number(),
  }),
  z.object({ kind: z.literal("address"), url: z.string() }),
]);
export type ReceiptPicture = z.infer<typeof receiptPictureSchema>;

/** What really left with a question, counted after encoding. */
export const receiptSchema = z.object({
  modelKind: modelKindSchema,
  modelCode: z.string(),
  host: z.string(),
  bodyBytes: z.number(),
  messageCount: z.number(),
  imageCount: z.number(),
  /** Those pictures, in the order in which they stand in the request; not there in old receipts. */
  pictures: z.optional(z.array(receiptPictureSchema)),
  /** Pictures of the conversation that did not go with this request. */
  imagesLeftOut: z.number(),
  /** Turns of the conversation that did not go, to stay within the budget. */
  turnsLeftOut: z.number(),
  /** Estimated tokens of everything sent. */
  estimatedTokens: z.number(),
  /** True if the system prompt was the workspace's, not the user's. */
  isSystemPromptOfWorkspace: z.optional(z.boolean()),
});
export type Receipt = z.infer<typeof receiptSchema>;

/** A function call by the model, shown and never run. */
export const toolCallSchema = z.object({
  id: z.string(),
  name: z.string(),
  argumentsText: z.string(),
});

/** The message it answers could not be read; it stands behind another one. */
const followsGap = z.optional(z.boolean());

/** What the person said. */
export const userMessageSchema = z.object({
  role: z.literal("user"),
  id: z.string(),
  parentId: z.nullable(z.string()),
  parts: z.array(partSchema),
  sentAtMs: z.number(),
  /** The person wants no picture from before this question to go along from here on. */
  leavesOlderPictures: z.optional(z.boolean()),
  /** Which of several windows asked a question that waited: only the first in the file does. */
  askId: z.optional(z.string()),
  followsGap,
  /** Older pictures are left out of the request for this question only. */
  goesWithoutOlderPictures: z.optional(z.boolean()),
  /** Older pictures that the user removed from here on, by hash or address. */
  leavesPictures: z.optional(z.array(z.string())),
});
export type UserMessage = z.infer<typeof userMessageSchema>;

/** What the model said; without an ending it is still coming (or was interrupted). */
export const replySchema = z.object({
  role: z.literal("assistant"),
  id: z.string(),
  parentId: z.nullable(z.string()),
  text: z.string(),
  modelKind: modelKindSchema,
  modelCode: z.string(),
  startedAtMs: z.number(),
  firstTextAtMs: z.optional(z.number()),
  endedAtMs: z.optional(z.number()),
  ending: z.optional(endingSchema),
  receipt: z.optional(receiptSchema),
  usage: z.optional(usageSchema),
  toolCalls: z.optional(z.array(toolCallSchema)),
  /** Parts of the stream that could not be read and were skipped. */
  damagedParts: z.optional(z.number()),
  followsGap,
  /** Text in the middle could not be read; something of the same length stands there. */
  hasGap: z.optional(z.boolean()),
});
export type Reply = z.infer<typeof replySchema>;

/** Either side of a turn. */
export const messageSchema = z.discriminatedUnion("role", [userMessageSchema, replySchema]);
export type Message = z.infer<typeof messageSchema>;

/** True for a picture, by bytes or by address. */
export function isPicture({ kind }: Part): boolean {
  return kind === "image" || kind === "image-address";
}

/** A message without its pictures, the very same where it holds none. */
export function withoutPictures(message: Message): Message {
  if (message.role !== "user" || !message.parts.some(isPicture)) return message;
  return { ...message, parts: message.parts.filter((part) => !isPicture(part)) };
}

/** Where on a path the messages begin whose pictures may go; those before it were left by the person. */
export function picturesStart(path: readonly Message[]): number {
  return Math.max(
    0,
    path.findLastIndex(
      (message) => message.role === "user" && message.leavesOlderPictures === true,
    ),
  );
}

/** The text a person typed, without excerpts and pictures. */
export function textOf(parts: readonly Part[]): string {
  return parts
    .filter((part) => part.kind === "text")
    .map((part) => part.text)
    .join("\n\n");
}

/** True for a reply whose text the service withheld and the person's setting takes back. */
export function isWithdrawn(reply: Reply): boolean {
  return reply.ending?.kind === "withheld" && !reply.ending.isTextKept;
}

/** True for a reply that failed before the question reached the service: it can be sent again. */
export function wasNeverSent(reply: Reply): boolean {
  if (reply.ending?.kind !== "failed" || reply.text !== "") return false;
  const { kind } = reply.ending.failure;
  return kind === "unreachable" || kind === "bad-url" || kind === "bad-request";
}

/** The id of the last reply of a path, if it failed with no text and its question was exactly this. */
export function unansweredReply(
  path: readonly Message[],
  parts: readonly Part[],
): string | undefined {
  const [question, reply] = path.slice(-2);
  if (question?.role !== "user" || reply?.role !== "assistant") return undefined;
  if (reply.ending?.kind !== "failed" || reply.text !== "") return undefined;
  return JSON.stringify(question.parts) === JSON.stringify(parts) ? reply.id : undefined;
}
