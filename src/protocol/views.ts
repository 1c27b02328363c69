/**
 * What the panel shows, as plain data: the shapes that cross from the host to the view. Sentences
 * in here are ready to read, in the person's language; the view adds nothing to them.
 */
import * as z from "zod/mini";
import { parametersSchema } from "./parameters";

/** What a notice's one button asks the host to do. */
export const noticeActionSchema = z.enum([
  "set-api-key",
  "set-base-url",
  "set-secret-header",
  "switch-profile",
  "manage-trust",
  "open-settings",
  "set-model",
  "try-again",
  "continue",
  "stop",
  "show-log",
  "show-first-steps",
  "swap-draft",
  "show-system-prompt",
]);
export type NoticeAction = z.infer<typeof noticeActionSchema>;

/** One sentence and at most one button. */
export const noticeSchema = z.object({
  tone: z.enum(["info", "warning", "error"]),
  text: z.string(),
  action: z.optional(z.object({ id: noticeActionSchema, label: z.string() })),
});
export type NoticeView = z.infer<typeof noticeSchema>;

/** A stored picture, to be asked for by its hash. */
const sentPictureSchema = z.object({
  hash: z.string(),
  widthPx: z.number(),
  heightPx: z.number(),
});

/** Something sent along with a question. */
export const chipSchema = z.object({
  kind: z.enum(["file", "picture", "problems", "changes", "terminal", "folder", "symbol"]),
  label: z.string(),
  detail: z.string(),
  /** The picture itself, to be asked for by its hash; not there for an address. */
  picture: z.optional(sentPictureSchema),
  /** All of it, where label and detail do not say everything. */
  tooltip: z.optional(z.string()),
  /** True when its file is known to say something else by now. */
  isChanged: z.optional(z.boolean()),
  /** True for a picture that was attached and did not go. */
  isLeftOut: z.optional(z.boolean()),
});
export type ChipView = z.infer<typeof chipSchema>;

/** Something that can be named by "#". */
export const referenceSchema = z.pick(chipSchema, { kind: true, label: true, detail: true });
export type ReferenceView = z.infer<typeof referenceSchema>;

/** As it is; or what is done with one that is too large or was marked up. */
export const pictureFitSchema = z.enum(["whole", "tiles", "crop", "scaled", "marked"]);
export type PictureFit = z.infer<typeof pictureFitSchema>;

/** Something attached to the question being written. */
export const attachmentSchema = z.extend(chipSchema, {
  id: z.string(),
  /** How a picture will go. */
  fit: z.optional(pictureFitSchema),
  /** What is drawn on a picture, as the page wrote it. */
  marks: z.optional(z.string()),
  /**
   * Pictures that are sent instead of `picture`, in their order: tiles, or one with the marks drawn.
   * Empty while marks are not drawn; such an attachment cannot be sent.
   */
  sent: z.optional(z.array(sentPictureSchema)),
});
export type AttachmentView = z.infer<typeof attachmentSchema>;

/** What goes along by itself as long as it is shown and on. */
const automaticSchema = z.extend(chipSchema, {
  id: z.string(),
  isOn: z.boolean(),
  /** Reason why nothing is sent, though a selection or file is open. */
  leftOut: z.optional(z.enum(["secrets", "outside"])),
});
export type AutomaticView = z.infer<typeof automaticSchema>;

/** A question that is asked by its name. */
const promptSchema = z.object({ name: z.string(), text: z.string() });
export type PromptView = z.infer<typeof promptSchema>;

/** What the person said, and beneath it what went. */
export const userViewSchema = z.object({
  role: z.literal("user"),
  id: z.string(),
  text: z.string(),
  chips: z.array(chipSchema),
  /** Above it: messages before it could not be read. */
  gapBefore: z.optional(z.string()),
  /** Once sent: "core_llm · ~620 tokens"; before: what will not go. */
  sentLine: z.string(),
  /** Every picture of the request that left, also those of earlier questions, as it was in it. */
  sentPictures: z.optional(z.array(chipSchema)),
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
  /** Which of the two models it is from. */
  modelKind: z.enum(["llm", "vl"]),
  /** Above it: messages before it could not be read. */
  gapBefore: z.optional(z.string()),
  /** Under the text: some of it could not be read. */
  gapInside: z.optional(z.string()),
  /** "core_llm · 0.4 s to first token · 71 tokens/s" */
  metaLine: z.string(),
  /** Under the text: how it ended, unless complete. */
  notice: z.optional(noticeSchema),
  /** It failed over pictures, perhaps: those of its request, to ask again with fewer of them. */
  pictureRetry: z.optional(
    z.object({
      names: z.array(z.string()),
      /** Pictures of earlier questions that were in the request too; counted after `names`. */
      olderNames: z.optional(z.array(z.string())),
      canShrink: z.boolean(),
    }),
  ),
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
export type ModelSelection = ModelOption["id"];

/** A service to choose, with its models. */
export const profileOptionSchema = z.object({
  /** What a conversation remembers it by; empty for that of the `baseUrl` setting. */
  name: z.string(),
  label: z.string(),
  models: z.array(modelOptionSchema),
});
export type ProfileOption = z.infer<typeof profileOptionSchema>;

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
  /** The services to choose from and the one that is asked; absent where there is only one. */
  profiles: z.optional(z.array(profileOptionSchema)),
  profile: z.optional(z.string()),
  /** The shown conversation's own, without those the settings decide. */
  parameters: z.optional(parametersSchema),
  /** Standing notices above the composer: bad settings, history not saved. */
  notices: z.array(noticeSchema),
  /** What the editor would add to the question; absent when that is nothing. */
  automatic: z.optional(automaticSchema),
  /** What "/" completes. */
  prompts: z.optional(z.array(promptSchema)),
  /** True while a reply of the shown conversation is coming. */
  isRunning: z.boolean(),
});
export type PanelView = z.infer<typeof panelViewSchema>;

/** One rule of a colour theme: scopes of tokens, and how they look. */
export const themeRuleSchema = z.object({
  scope: z.array(z.string().check(z.maxLength(400))).check(z.maxLength(400)),
  settings: z.object({
    foreground: z.optional(z.string().check(z.regex(/^#[0-9a-f]{3,8}$/i))),
    /** Names of styles, separated by blanks; empty takes those of wider rules away. */
    fontStyle: z.optional(z.string().check(z.regex(/^[a-z ]{0,60}$/))),
  }),
});
export type ThemeRule = z.infer<typeof themeRuleSchema>;

/** The colours of code in the person's colour theme, the last rule of a scope being the strongest. */
export const tokenThemeSchema = z.object({
  tokenColors: z.array(themeRuleSchema).check(z.maxLength(4_000)),
});
export type TokenTheme = z.infer<typeof tokenThemeSchema>;

/** A stretch of a text, in UTF-16 units; the end is not included. */
const rangeSchema = z.object({ start: z.number(), end: z.number() });

/** One line of the list of conversations. */
export const historyRowSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Where the search words stand in the title. */
  titleRanges: z.array(rangeSchema),
  /** "14:02", "Mon" or "3 Nov". */
  when: z.string(),
  /** "core_vl · 3 pictures · my-project" */
  detail: z.string(),
  /** Where the search words stand in the messages. */
  snippets: z.array(z.object({ text: z.string(), ranges: z.array(rangeSchema) })),
  isPinned: z.boolean(),
  isRunning: z.boolean(),
  isShown: z.boolean(),
  /** Part of the file could not be read; it is left as it is. */
  isDamaged: z.boolean(),
});
export type HistoryRow = z.infer<typeof historyRowSchema>;

/** A question that waits until the running reply has ended. */
export const queuedSchema = z.object({ id: z.string(), text: z.string() });
export type QueuedView = z.infer<typeof queuedSchema>;

/** The earlier question that is being edited, and the draft that waits until the edit ends. */
export const editingSchema = z.object({ messageId: z.string(), parkedText: z.string() });
export type EditingView = z.infer<typeof editingSchema>;

/** Estimated tokens of what would be sent now. */
export const meterSchema = z.object({
  system: z.number(),
  history: z.number(),
  files: z.number(),
  pictures: z.number(),
  /** What the composer holds. */
  question: z.number(),
  budget: z.number(),
  /** What would be left out to stay within the budget, in a sentence; empty when nothing. */
  leftOut: z.string(),
  /** How many pictures of earlier questions would go. */
  olderPictures: z.number(),
  /** Those that would not, because the model takes none or over the budget. */
  olderPicturesLeftOut: z.array(z.extend(chipSchema, { messageId: z.string() })),
  /** Pictures of requests that the service refused: they are not sent again automatically. */
  refusedPictures: z.optional(z.array(z.extend(chipSchema, { messageId: z.string() }))),
});
export type MeterView = z.infer<typeof meterSchema>;

/** Where the conversation is scrolled to: so many pixels below the top of this message. */
export const scrollSchema = z.object({
  messageId: z.string().check(z.maxLength(64)),
  offsetPx: z.number(),
});
export type ScrollView = z.infer<typeof scrollSchema>;
