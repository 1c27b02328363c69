/** Messages about what is sent: messages and pictures that are left out or always sent, and summaries. */
import * as z from "zod/mini";
import { noticeSchema } from "./views";

const idSchema = z.string().check(z.minLength(1), z.maxLength(64));
/** Hash or address of a picture. */
const pictureSchema = z.string().check(z.maxLength(8192));
const choiceSchema = z.enum(["left-out", "kept"]);

/** Longest summary that the page sends, in UTF-16 units. */
const MAX_SUMMARY_LENGTH = 100_000;
const summaryTextSchema = z.string().check(z.maxLength(MAX_SUMMARY_LENGTH));

/** User actions, whose handlers are loaded late. */
export const sendingToHostSchemas = [
  /** Request: what the next request has of each message. Answered by `sending`. */
  z.object({ type: z.literal("sending-asked"), conversationId: idSchema }),
  z.object({
    type: z.literal("sending-chosen"),
    conversationId: idSchema,
    messageId: idSchema,
    /** Missing for the message itself. */
    picture: z.optional(pictureSchema),
    /** Null sends as usual again. */
    choice: z.nullable(choiceSchema),
  }),
  /** Undoes the last choice. */
  z.object({ type: z.literal("sending-undone"), conversationId: idSchema }),
  /** Asks the text model for a summary of the older messages. */
  z.object({ type: z.literal("summary-asked"), conversationId: idSchema }),
  z.object({ type: z.literal("summary-stopped"), conversationId: idSchema }),
  z.object({
    type: z.literal("summary-edited"),
    conversationId: idSchema,
    text: summaryTextSchema,
  }),
  z.object({ type: z.literal("summary-used"), conversationId: idSchema, text: summaryTextSchema }),
  z.object({ type: z.literal("summary-discarded"), conversationId: idSchema }),
  z.object({
    type: z.literal("summary-undone"),
    conversationId: idSchema,
    summaryId: idSchema,
  }),
] as const;
export type SendingToHost = z.infer<(typeof sendingToHostSchemas)[number]>;

/** Reason why something is not sent, or is always sent; `not-read` is a picture for a text model. */
const statusSchema = z.enum(["sent", "left-out", "kept", "over-budget", "summarized", "not-read"]);
export type SendingStatus = z.infer<typeof statusSchema>;

const itemSchema = z.object({ label: z.string(), tokens: z.number(), status: statusSchema });

/** Answer to `sending-asked`. */
export const sendingListSchema = z.object({
  /** Messages of the shown path, oldest first, without the running reply. */
  messages: z.array(
    z.extend(itemSchema, {
      id: z.string(),
      role: z.enum(["user", "assistant"]),
      /** The tokens of the message are those without its pictures. */
      pictures: z.array(z.extend(itemSchema, { key: pictureSchema })),
    }),
  ),
  /** Estimated tokens that no budget leaves out, with the question. */
  fixedTokens: z.number(),
  budget: z.number(),
  canUndo: z.boolean(),
});
export type SendingListView = z.infer<typeof sendingListSchema>;

/** Summary in place of older messages. */
const summarySchema = z.object({
  /** Missing for a summary that is not used. */
  id: z.optional(z.string()),
  /** `outdated` is not sent, because a message in it is left out. */
  state: z.enum(["writing", "draft", "used", "outdated"]),
  text: z.string(),
  messageCount: z.number(),
  /** First message that is not in the summary. */
  beforeId: z.string(),
  /** Messages whose attached code and pictures the summary does not hold; once for each of them. */
  excerpts: z.array(z.string()),
  pictures: z.array(z.string()),
  /** True if the text was ended before its end. */
  isCut: z.optional(z.boolean()),
  /** Reason why there is no text. */
  notice: z.optional(noticeSchema),
});
export type SummaryView = z.infer<typeof summarySchema>;

export const sendingToViewSchemas = [
  /** All choices of the shown path, and its summaries. */
  z.object({
    type: z.literal("sending-shown"),
    choices: z.array(
      z.object({
        messageId: z.string(),
        picture: z.optional(z.string()),
        choice: choiceSchema,
      }),
    ),
    summaries: z.array(summarySchema),
  }),
] as const;

/** Longest summary that is used, in estimated tokens. */
export const MAX_SUMMARY_TOKENS = 1_500;
