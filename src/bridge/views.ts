/**
 * What the panel shows, as plain data: the shapes that cross from the host to the view. Sentences
 * in here are ready to read, in the person's language; the view adds nothing to them.
 */
import * as z from "zod/mini";

/** What a notice's one button asks the host to do. */
export const noticeActionSchema = z.enum([
  "set-api-key",
  "set-base-url",
  "open-settings",
  "try-again",
  "continue",
  "stop",
  "show-log",
]);
export type NoticeAction = z.infer<typeof noticeActionSchema>;

/** One sentence and at most one button. */
export const noticeSchema = z.object({
  tone: z.enum(["info", "warning", "error"]),
  text: z.string(),
  action: z.optional(z.object({ id: noticeActionSchema, label: z.string() })),
});
export type NoticeView = z.infer<typeof noticeSchema>;

/** Something sent along with a question. */
export const chipSchema = z.object({ label: z.string(), detail: z.string() });

/** What the person said, and beneath it what went. */
export const userViewSchema = z.object({
  role: z.literal("user"),
  id: z.string(),
  text: z.string(),
  chips: z.array(chipSchema),
  /** Once sent: "core_llm · ~620 tokens"; before: what will not go. */
  sentLine: z.string(),
  /** Which of how many versions of this question is shown, both 1-based. */
  version: z.object({ index: z.number(), count: z.number() }),
});
export type UserView = z.infer<typeof userViewSchema>;

/** What the model said so far, and how that stands. */
export const replyViewSchema = z.object({
  role: z.literal("assistant"),
  id: z.string(),
  text: z.string(),
  isStreaming: z.boolean(),
  /** "core_llm · 0.4 s to first token · 71 tokens/s" */
  metaLine: z.string(),
  /** Under the text: how it ended, unless complete. */
  notice: z.optional(noticeSchema),
  /** Function calls, as text to read. */
  toolCalls: z.array(z.object({ name: z.string(), argumentsText: z.string() })),
  version: z.object({ index: z.number(), count: z.number() }),
});
export type ReplyView = z.infer<typeof replyViewSchema>;

export const messageViewSchema = z.discriminatedUnion("role", [userViewSchema, replyViewSchema]);
export type MessageView = z.infer<typeof messageViewSchema>;

/** One of the choices in the model picker. */
export const modelOptionSchema = z.object({
  id: z.enum(["auto", "llm", "vl"]),
  label: z.string(),
});
export type ModelOption = z.infer<typeof modelOptionSchema>;
export type ModelChoice = ModelOption["id"];

/** One of the two steps before the first question. */
export const setupStepSchema = z.object({
  id: z.enum(["service", "key"]),
  isDone: z.boolean(),
  title: z.string(),
  detail: z.string(),
  action: z.optional(z.object({ id: noticeActionSchema, label: z.string() })),
});
export type SetupStepView = z.infer<typeof setupStepSchema>;

/** Everything of the panel that is not a message. */
export const panelViewSchema = z.object({
  setup: z.array(setupStepSchema),
  models: z.array(modelOptionSchema),
  model: z.enum(["auto", "llm", "vl"]),
  /** Standing notices above the composer: bad settings, history not saved. */
  notices: z.array(noticeSchema),
  /** True while a reply of the shown conversation is coming. */
  isRunning: z.boolean(),
});
export type PanelView = z.infer<typeof panelViewSchema>;
