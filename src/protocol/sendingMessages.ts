/** Messages about what is sent: messages that are left out, and summaries. */
import * as z from "zod/mini";
import { messageType } from "./handlers";
import { idSchema } from "./pictureMessages";
import { noticeSchema } from "./views";

/** Hash or address of a picture. */
const pictureSchema = z.string().check(z.maxLength(8192));

/** Longest summary that the page sends, in UTF-16 units. */
const MAX_SUMMARY_LENGTH = 100_000;
const summaryTextSchema = z.string().check(z.maxLength(MAX_SUMMARY_LENGTH));

/** User actions, whose handlers are loaded late. */
export const sendingToHostSchemas = [
  /** Asks the text model for a summary of the older messages. */
  messageType("summary-asked", { conversationId: idSchema }),
  messageType("summary-stopped", { conversationId: idSchema }),
  messageType("summary-edited", {
    conversationId: idSchema,
    text: summaryTextSchema,
  }),
  messageType("summary-used", { conversationId: idSchema, text: summaryTextSchema }),
  messageType("summary-discarded", { conversationId: idSchema }),
  messageType("summary-undone", {
    conversationId: idSchema,
    summaryId: idSchema,
  }),
] as const;
export type SendingToHost = z.infer<(typeof sendingToHostSchemas)[number]>;

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
  /** Numbers of attached excerpts and pictures, which the summary does not hold. */
  excerpts: z.number(),
  pictures: z.number(),
  /** True if the text was ended before its end. */
  isCut: z.optional(z.boolean()),
  /** Reason why there is no text. */
  notice: z.optional(noticeSchema),
});
export type SummaryView = z.infer<typeof summarySchema>;

export const sendingToViewSchemas = [
  /** Messages of the shown path that are left out, or single pictures of them, and its summaries. */
  messageType("sending-shown", {
    leftOut: z.array(z.object({ messageId: z.string(), picture: z.optional(pictureSchema) })),
    summaries: z.array(summarySchema),
  }),
] as const;

/** Longest summary that is used, in estimated tokens. */
export const MAX_SUMMARY_TOKENS = 1_500;
