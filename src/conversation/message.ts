/**
 * Messages of a conversation and their parts. Each message names its parent, so versions of a question
 * or a reply are branches of a tree.
 */
import * as z from "zod/mini";
import { NOTE_SOURCES, RELATIONS } from "../base/partKinds";
import { pictureAreaSchema } from "../pointing/pictureArea";
import { quotedSchema } from "../pointing/quoted";
import { endingSchema, variant } from "./ending";

/** Kind of model: text or vision. The profile has the model code of each kind. */
export const modelKindSchema = z.enum(["llm", "vl"]);
export type ModelKind = z.infer<typeof modelKindSchema>;

// The order of the members is that of stored parts, which are compared as text.
const { hash: hashSchema, ...areaShape } = pictureAreaSchema.shape;
const originalSchema = z.object({ hash: hashSchema, mediaType: z.string(), ...areaShape });

const pictureFileShape = {
  /** SHA-256 of the bytes, 64 hexadecimal digits. */
  hash: z.string(),
  mediaType: z.string(),
  widthPx: z.number(),
  heightPx: z.number(),
  bytes: z.number(),
};

/** Picture, stored by its hash outside the journal. */
export const imagePartSchema = variant("image", {
  ...pictureFileShape,
  name: z.string(),
  /** Position of a tile in the picture it was cut from, in pixels; absent for a whole picture. */
  tile: z.optional(
    z.object({
      /** 0-based. */
      index: z.number(),
      count: z.number(),
      x: z.number(),
      y: z.number(),
      ofWidthPx: z.number(),
      ofHeightPx: z.number(),
    }),
  ),
  /** Number of tiles that follow, for an overview of the picture that they were cut from. */
  overviewOfTiles: z.optional(z.number()),
  /** Area of the attached picture that a tile, crop or scaled picture shows unchanged. */
  original: z.optional(originalSchema),
});

const excerptSchema = variant("excerpt", {
  /** Display path, relative to the workspace if possible. */
  path: z.string(),
  uri: z.string(),
  languageId: z.string(),
  /** 1-based and inclusive; absent for a whole file. */
  startLine: z.optional(z.number()),
  endLine: z.optional(z.number()),
  text: z.string(),
  /** Number of lines of the range that are missing in the text. */
  linesLeftOut: z.optional(z.number()),
  /** Problems of the editor in these lines, one per line. */
  problems: z.optional(z.string()),
  /** Name of the function, class or other symbol in these lines. */
  symbol: z.optional(z.string()),
  /** Lines that the question is about, where the excerpt has more lines around them. */
  focus: z.optional(z.object({ startLine: z.number(), endLine: z.number() })),
});

export const partSchema = z.discriminatedUnion("kind", [
  variant("text", { text: z.string() }),
  imagePartSchema,
  /** Picture by web address; sent unchanged and never fetched by Core Chat. */
  variant("image-address", { url: z.string() }),
  excerptSchema,
  /** Declarations, callers or tests around an excerpt, found by the editor; shown as one chip. */
  variant("related", {
    relation: z.enum(RELATIONS),
    items: z.array(excerptSchema),
  }),
  /** Text that is not an excerpt of a file; `text` was pasted or is of a dropped file. */
  variant("note", {
    source: z.enum(NOTE_SOURCES),
    /** Display name in the user's language. */
    label: z.string(),
    /** Text next to the display name, and the full text of both. */
    detail: z.optional(z.string()),
    tooltip: z.optional(z.string()),
    text: z.string(),
    quoted: z.optional(quotedSchema),
  }),
]);
export type Part = z.infer<typeof partSchema>;
export type ImagePart = Extract<Part, { kind: "image" }>;
export type ExcerptPart = Extract<Part, { kind: "excerpt" }>;
export type NotePart = Extract<Part, { kind: "note" }>;
export type RelatedPart = Extract<Part, { kind: "related" }>;

/** Token counts by the service; never estimates. */
export const usageSchema = z.object({
  promptTokens: z.optional(z.number()),
  completionTokens: z.optional(z.number()),
  /** Part of the completion's tokens that is thinking. */
  reasoningTokens: z.optional(z.number()),
});

/** `image_url` part of a request: data of its decoded bytes, or its address. */
const receiptPictureSchema = z.discriminatedUnion("kind", [
  variant("bytes", pictureFileShape),
  variant("address", { url: z.string() }),
]);
export type ReceiptPicture = z.infer<typeof receiptPictureSchema>;

/** Summary of a sent request, measured after encoding. */
export const receiptSchema = z.object({
  modelKind: modelKindSchema,
  modelCode: z.string(),
  host: z.string(),
  bodyBytes: z.number(),
  messageCount: z.number(),
  imageCount: z.number(),
  /** Pictures in the order of the request; absent in old receipts. */
  pictures: z.optional(z.array(receiptPictureSchema)),
  /** Number of pictures of the conversation that were not sent. */
  imagesLeftOut: z.number(),
  /** Number of turns that were not sent because of the token budget. */
  turnsLeftOut: z.number(),
  /** Excerpts of the question that an earlier message of the request held unchanged. */
  excerptsSentBefore: z.optional(z.number()),
  /** Estimated tokens of the whole request. */
  estimatedTokens: z.number(),
  /** Estimate for its pictures; absent without pictures and in old receipts. */
  pictureTokens: z.optional(z.number()),
  /** True if the system prompt came from the workspace's settings. */
  isSystemPromptOfWorkspace: z.optional(z.boolean()),
});
export type Receipt = z.infer<typeof receiptSchema>;

/** Function call by the model; shown, but never executed. */
export const toolCallSchema = z.object({
  id: z.string(),
  name: z.string(),
  argumentsText: z.string(),
});

/** True if the parent could not be read; `parentId` then names an earlier message. */
const followsGap = z.optional(z.boolean());

/** True for a message whose content the user removed for good; `forgottenMessage` has what stays. */
const isForgotten = z.optional(z.boolean());

/**
 * True for a question that was asked aside, and for its replies: they are children of the message that the
 * question is about, but never on a path that is shown or sent further.
 */
const isAside = z.optional(z.boolean());

export const userMessageSchema = z.object({
  role: z.literal("user"),
  id: z.string(),
  parentId: z.nullable(z.string()),
  parts: z.array(partSchema),
  sentAtMs: z.number(),
  /** True if pictures from before this question are never sent again. */
  leavesOlderPictures: z.optional(z.boolean()),
  /** Id of the window's attempt to ask a queued question; the first message in the file wins. */
  askId: z.optional(z.string()),
  followsGap,
  /** True if older pictures are left out of the request for this question only. */
  goesWithoutOlderPictures: z.optional(z.boolean()),
  /** Older pictures that the user removed from later requests, by hash or address. */
  leavesPictures: z.optional(z.array(z.string())),
  isForgotten,
  isAside,
});
export type UserMessage = z.infer<typeof userMessageSchema>;

/** Longest thinking that is kept, in UTF-16 units; the middle of a longer one is left out. */
export const MAX_THINKING = 1_000_000;

/** Thinking of the model before its answer: shown, never sent; copied and exported only on request. */
export const thinkingSchema = z.object({
  text: z.string(),
  durationMs: z.number(),
  /** True while the model thinks; only in memory. */
  isOngoing: z.optional(z.boolean()),
});
export type Thinking = z.infer<typeof thinkingSchema>;

/**
 * Picture of a reply, or the name of one that cannot be shown: its address or media type; for "too-many"
 * the number of pictures.
 */
const replyPictureSchema = z.discriminatedUnion("kind", [
  imagePartSchema,
  variant("not-shown", {
    name: z.string(),
    /** Reason; missing for a type that the panel does not show. */
    reason: z.optional(z.enum(["web", "too-large", "damaged", "too-many"])),
    /** True for a picture that the user removed for good. */
    isForgotten: z.optional(z.boolean()),
  }),
]);
export type ReplyPicture = z.infer<typeof replyPictureSchema>;
export const replyPicturesSchema = z.optional(z.array(replyPictureSchema));

/** Reply of the model; without an ending it is running or was interrupted. */
export const replySchema = z.object({
  role: z.literal("assistant"),
  id: z.string(),
  parentId: z.nullable(z.string()),
  text: z.string(),
  thinking: z.optional(thinkingSchema),
  modelKind: modelKindSchema,
  modelCode: z.string(),
  startedAtMs: z.number(),
  firstTextAtMs: z.optional(z.number()),
  endedAtMs: z.optional(z.number()),
  ending: z.optional(endingSchema),
  receipt: z.optional(receiptSchema),
  usage: z.optional(usageSchema),
  toolCalls: z.optional(z.array(toolCallSchema)),
  /** Pictures that the model made; never sent again unless the user attaches them. */
  pictures: replyPicturesSchema,
  /** Number of unreadable stream events that were skipped. */
  damagedParts: z.optional(z.number()),
  followsGap,
  /** True if unreadable text in the middle was replaced by a placeholder of the same length. */
  hasGap: z.optional(z.boolean()),
  isForgotten,
  isAside,
});
export type Reply = z.infer<typeof replySchema>;

export const messageSchema = z.discriminatedUnion("role", [userMessageSchema, replySchema]);
export type Message = z.infer<typeof messageSchema>;

/** Text of a forgotten message, for requests and exports; the panel shows its own. */
const FORGOTTEN_TEXT = "[The user removed this message.]";

/** Returns the message that stays in place of a forgotten one: role, position and times. */
export function forgottenMessage(message: Message): Message {
  const aside = message.isAside === true && { isAside: true };
  if (message.role === "user") {
    const { role, id, parentId, sentAtMs, askId, followsGap } = message;
    const parts = [{ kind: "text" as const, text: FORGOTTEN_TEXT }];
    return { role, id, parentId, parts, sentAtMs, askId, followsGap, isForgotten: true, ...aside };
  }
  const { role, id, parentId, modelKind, modelCode, startedAtMs, endedAtMs, followsGap } = message;
  return {
    role,
    id,
    parentId,
    text: FORGOTTEN_TEXT,
    modelKind,
    modelCode,
    startedAtMs,
    endedAtMs,
    ending: { kind: "complete" },
    followsGap,
    isForgotten: true,
    ...aside,
  };
}

/** Text in place of a forgotten picture, for requests and exports. */
const FORGOTTEN_PICTURE_TEXT = "[The user removed this picture.]";

/** Returns the message with a placeholder for each of its pictures; the same object without pictures. */
export function withForgottenPictures(message: Message): Message {
  if (message.role === "user") {
    if (imagesOf(message).length === 0) return message;
    const parts = message.parts.flatMap((part): Part[] => {
      if (part.kind !== "image") return [part];
      if ((part.tile?.index ?? 0) > 0) return [];
      const { name: label } = part;
      return [{ kind: "note", source: "forgotten-picture", label, text: FORGOTTEN_PICTURE_TEXT }];
    });
    return { ...message, parts };
  }
  const { receipt, pictures } = message;
  if (receipt?.pictures === undefined && imagesOf(message).length === 0) return message;
  return {
    ...message,
    // The receipt has the hashes of the pictures that were sent.
    ...(receipt && { receipt: { ...receipt, pictures: undefined } }),
    ...(pictures && { pictures: pictures.map(forgottenPicture) }),
  };
}

function forgottenPicture(picture: ReplyPicture): ReplyPicture {
  if (picture.kind !== "image") return picture;
  return { kind: "not-shown", name: picture.name, isForgotten: true };
}

/** True for rules of the project, which are added to each question when it is sent. */
export function isRules(part: Part): boolean {
  return part.kind === "note" && part.source === "rules";
}

/**
 * True for parts that were added to a question when it was sent: rules of the project, and the role that
 * earlier versions had.
 */
export function isAddedOnSending(part: Part): boolean {
  return isRules(part) || (part.kind === "note" && part.source === "role");
}

export function isPicture({ kind }: Part): boolean {
  return kind === "image" || kind === "image-address";
}

/** True for the user's notes on the picture before them, which are sent with that picture only. */
export function isPictureNote(part: Part): boolean {
  return part.kind === "note" && part.source === "pins";
}

/** Returns the message without its pictures; the same object if there are none. */
export function withoutPictures(message: Message): Message {
  if (message.role !== "user" || !message.parts.some(isPicture)) return message;
  const parts = message.parts.filter((part) => !isPicture(part) && !isPictureNote(part));
  return { ...message, parts };
}

/** Returns the index of the first message on a path whose pictures may be sent. */
export function picturesStart(path: readonly Message[]): number {
  return Math.max(
    0,
    path.findLastIndex(
      (message) => message.role === "user" && message.leavesOlderPictures === true,
    ),
  );
}

/** Returns the parts of a question; none for a reply. */
export function partsOf(message: Message | undefined): readonly Part[] {
  return message?.role === "user" ? message.parts : [];
}

/** Returns the stored pictures of a question or a reply. */
export function imagesOf(message: Message): ImagePart[] {
  const parts = message.role === "user" ? message.parts : (message.pictures ?? []);
  return parts.filter((part) => part.kind === "image");
}

/** True for marked text of an earlier message, which is sent before the question. */
export function isQuote(part: Part): boolean {
  return part.kind === "note" && part.source === "quote";
}

/** True for the note that asks the model to mark what it mentions. */
export function asksToPoint(part: Part): boolean {
  return part.kind === "note" && part.source === "pointing";
}

/** Returns the typed text, without excerpts and pictures. */
export function textOf(parts: readonly Part[]): string {
  return parts
    .filter((part) => part.kind === "text")
    .map((part) => part.text)
    .join("\n\n");
}

/** True if the service withheld the text and the user's setting removes it. */
export function isWithdrawn(reply: Reply): boolean {
  return reply.ending?.kind === "withheld" && !reply.ending.isTextKept;
}

export function isOnlyThinking({ text, thinking }: Reply): boolean {
  return text.trim() === "" && thinking !== undefined;
}

/** Returns the thinking, quoted as in Markdown, before the text of a reply. */
export function textWithThinking({ text, thinking }: Reply): string {
  if (thinking === undefined) return text;
  const lines = thinking.text.trim().split("\n");
  const quoted = lines.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n");
  return text === "" ? quoted : `${quoted}\n\n${text}`;
}

/** Returns the id of the last reply if it failed without text and its question has these parts. */
export function unansweredReply(
  path: readonly Message[],
  parts: readonly Part[],
): string | undefined {
  const [question, reply] = path.slice(-2);
  if (question?.role !== "user" || reply?.role !== "assistant") return undefined;
  if (reply.ending?.kind !== "failed" || reply.text !== "") return undefined;
  const asked = question.parts.filter((part) => !isAddedOnSending(part));
  return JSON.stringify(asked) === JSON.stringify(parts) ? reply.id : undefined;
}
