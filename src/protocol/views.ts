/** Plain data for the panel. Texts are complete and localized; the webview shows them unchanged. */
import * as z from "zod/mini";
import { NOTE_SOURCES, RELATIONS } from "../base/partKinds";
import { seenPictureSchema } from "../pointing/pictureArea";
import { pictureNoteSchema } from "../pointing/pictureNote";
import { quotedSchema } from "../pointing/quoted";
import { parametersSchema } from "./parameters";

/** Number of messages that the page creates and removes together, about two screens. */
export const MESSAGE_GROUP = 10;

/** Actions of a notice's button. */
export const noticeActionSchema = z.enum([
  "set-api-key",
  "set-base-url",
  "set-secret-header",
  "switch-profile",
  "manage-trust",
  "open-settings",
  "set-model",
  "try-again",
  "send-fewer",
  "continue",
  "stop",
  "show-log",
  "show-first-steps",
  "test-connection",
  "swap-draft",
  "show-system-prompt",
  "move-history",
  "save-conversation",
  "show-unused-code",
]);
export type NoticeAction = z.infer<typeof noticeActionSchema>;

/** A sentence with at most one button, or two where a reply ended before its answer. */
export const noticeSchema = z.object({
  tone: z.enum(["info", "warning", "error"]),
  text: z.string(),
  /** The service's own message about a failure, redacted. */
  serviceMessage: z.optional(z.string()),
  action: z.optional(z.object({ id: noticeActionSchema, label: z.string() })),
  /** Second button, for a reply that ended before its answer. */
  otherAction: z.optional(z.object({ id: noticeActionSchema, label: z.string() })),
});
export type NoticeView = z.infer<typeof noticeSchema>;

/** Reference to a stored image; `picture-asked` requests it by hash. */
const sentPictureSchema = z.object({
  hash: z.string(),
  widthPx: z.number(),
  heightPx: z.number(),
});

/** Chip of a part of a question. */
export const chipSchema = z.object({
  kind: z.enum(["file", "picture", "symbol", ...NOTE_SOURCES, ...RELATIONS]),
  label: z.string(),
  detail: z.string(),
  /** Image to request by hash; missing for a web address. */
  picture: z.optional(sentPictureSchema),
  /** Full text if label and detail are abbreviated. */
  tooltip: z.optional(z.string()),
  /** True if the file is known to have changed since. */
  isChanged: z.optional(z.boolean()),
  /** True for an attached image that was not sent. */
  isLeftOut: z.optional(z.boolean()),
  quoted: z.optional(quotedSchema),
});
export type ChipView = z.infer<typeof chipSchema>;

export const referenceSchema = z.extend(
  z.pick(chipSchema, { kind: true, label: true, detail: true }),
  {
    /** English name that can be typed as well as the localized label. */
    name: z.optional(z.string()),
  },
);
export type ReferenceView = z.infer<typeof referenceSchema>;

/** `whole` sends the image unchanged; the others apply to images that are too large or marked. */
export const pictureFitSchema = z.enum(["whole", "tiles", "crop", "scaled", "marked"]);

/** Attachment of the question in the composer. */
export const attachmentSchema = z.extend(chipSchema, {
  id: z.string(),
  /** Sending mode of the image. */
  fit: z.optional(pictureFitSchema),
  /** Marks on the image, in the page's own format. */
  marks: z.optional(z.string()),
  /**
   * Pictures that are sent instead of `picture`, in their order: tiles, or a picture with the marks
   * drawn. Empty while marks are not drawn; such an attachment cannot be sent.
   */
  sent: z.optional(z.array(sentPictureSchema)),
  /** Number of tiles in `sent`, where an overview is before them. */
  tilesAfterOverview: z.optional(z.number()),
  /** Notes at positions of `picture`. */
  notes: z.optional(z.array(pictureNoteSchema)),
});
export type AttachmentView = z.infer<typeof attachmentSchema>;

/** Automatic context: sent while shown and on. */
const automaticSchema = z.extend(chipSchema, {
  id: z.string(),
  isOn: z.boolean(),
  /** Reason why nothing is sent, though a selection or file is open. */
  leftOut: z.optional(z.enum(["secrets", "outside", "shared", "excluded"])),
});
export type AutomaticView = z.infer<typeof automaticSchema>;

/** File in the active editor, which is not sent automatically. */
const openFileSchema = z.object({ name: z.string(), uri: z.string() });
export type OpenFileView = z.infer<typeof openFileSchema>;

/** Rules of the project, which are sent with each question while on. */
const rulesSchema = z.extend(chipSchema, { isOn: z.boolean() });
export type RulesView = z.infer<typeof rulesSchema>;
/** Definitions that the selected code uses: sent while shown and on. */
const definitionsSchema = z.extend(chipSchema, { id: z.string(), isOn: z.boolean() });
export type DefinitionsView = z.infer<typeof definitionsSchema>;

/** Saved prompt that is inserted by name. */
const promptSchema = z.object({
  name: z.string(),
  text: z.string(),
  /** Path of the file that has the text; `prompt-asked` reads it, and `text` is empty. */
  path: z.optional(z.string()),
  /** True if the text is about code: `prompt-asked` then attaches the code at the cursor. */
  isAboutCode: z.optional(z.boolean()),
});
export type PromptView = z.infer<typeof promptSchema>;

/** A question and its receipt. */
export const userViewSchema = z.object({
  role: z.literal("user"),
  id: z.string(),
  text: z.string(),
  chips: z.array(chipSchema),
  /** Shown above the message if earlier messages could not be read. */
  gapBefore: z.optional(z.string()),
  /** Receipt, e.g. "core_llm · ~620 tokens"; empty before sending, missing if nothing was sent. */
  sentLine: z.optional(z.string()),
  /** What of the context was not sent, e.g. "older turns not sent: 3". */
  notSent: z.optional(z.string()),
  /** All images of the request as they were sent, including those of earlier questions. */
  sentPictures: z.optional(z.array(chipSchema)),
  /** Shown version and number of versions, both 1-based. */
  version: z.object({ index: z.number(), count: z.number() }),
  /** True for a message whose content was removed for good; it cannot be edited. */
  isForgotten: z.optional(z.boolean()),
});
export type UserView = z.infer<typeof userViewSchema>;

export const thinkingViewSchema = z.object({
  text: z.string(),
  /** Time of the thinking, up to now if it is ongoing. */
  durationMs: z.number(),
  isOngoing: z.boolean(),
});
export type ThinkingView = z.infer<typeof thinkingViewSchema>;

export const replyViewSchema = z.object({
  role: z.literal("assistant"),
  id: z.string(),
  text: z.string(),
  thinking: z.optional(thinkingViewSchema),
  isStreaming: z.boolean(),
  /** Model that wrote the reply. */
  modelKind: z.enum(["llm", "vl"]),
  /** Shown above the message if earlier messages could not be read. */
  gapBefore: z.optional(z.string()),
  /** Shown below the text if parts of it could not be read. */
  gapInside: z.optional(z.string()),
  /** "2.1 s · 320 tokens"; also the model if no receipt names it. */
  metaLine: z.string(),
  /** "first token after 0.4 s · 71 tokens/s · 320 tokens" */
  metaDetails: z.optional(z.string()),
  /** Shown below the text: the ending, unless complete. */
  notice: z.optional(noticeSchema),
  /** Code that the last review of all changes does not use. */
  unused: z.optional(noticeSchema),
  seenPictures: z.optional(z.array(seenPictureSchema)),
  /** True if the question asked for positions in the notation of its note. */
  isPointingAsked: z.optional(z.boolean()),
  /** Tokens that the service counted for the pictures. */
  pictureTokens: z.optional(z.object({ least: z.number(), most: z.number() })),
  /** Set if a request with images was refused, which can be sent without them or with smaller ones. */
  pictureRetry: z.optional(z.object({ canShrink: z.boolean() })),
  /** Pictures of the reply; a chip without `picture` names one that cannot be shown. */
  pictures: z.optional(z.array(chipSchema)),
  /** Function calls as text; never run. */
  toolCalls: z.array(z.object({ name: z.string(), argumentsText: z.string() })),
  version: z.object({ index: z.number(), count: z.number() }),
});
export type ReplyView = z.infer<typeof replyViewSchema>;

export const messageViewSchema = z.discriminatedUnion("role", [userViewSchema, replyViewSchema]);
export type MessageView = z.infer<typeof messageViewSchema>;

/** A question that was asked aside, and its reply. */
export const asideSchema = z.object({
  id: z.string(),
  messageId: z.string(),
  text: z.string(),
  /** The quote and other attachments of the question. */
  chips: z.array(chipSchema),
  quoted: z.optional(quotedSchema),
  reply: z.optional(replyViewSchema),
});
export type AsideView = z.infer<typeof asideSchema>;

/** Choice in the model picker. */
export const modelOptionSchema = z.object({
  id: z.enum(["auto", "llm", "vl"]),
  label: z.string(),
});
export type ModelOption = z.infer<typeof modelOptionSchema>;
export type ModelSelection = ModelOption["id"];

export const profileOptionSchema = z.object({
  /** Id stored in conversations; empty for the service of the `baseUrl` setting. */
  name: z.string(),
  label: z.string(),
  models: z.array(modelOptionSchema),
});
export type ProfileOption = z.infer<typeof profileOptionSchema>;

export const setupStepSchema = z.object({
  id: z.enum(["service", "key"]),
  isDone: z.boolean(),
  title: z.string(),
  detail: z.string(),
  /** True if the organization sets it. */
  isFixed: z.optional(z.boolean()),
});
export type SetupStepView = z.infer<typeof setupStepSchema>;

/** Scales of the coordinates in replies of the vision model. */
const coordinatesSchema = z.object({
  /** Several if a test could not tell them apart. */
  scales: z.array(z.string().check(z.maxLength(64))),
  /** True for the user's setting, which holds for every notation. */
  isChosen: z.boolean(),
});
export type CoordinatesView = z.infer<typeof coordinatesSchema>;

/** Size of VS Code's own text. */
export const VSCODE_FONT_SIZE_PX = 13;

/** Settings that the panel shows, by their names. */
export const panelSettingsSchema = z.object({
  /** With `ctrlEnter`, Enter starts a new line. */
  sendKey: z.enum(["enter", "ctrlEnter"]),
  /** In pixels; 0 for the size of VS Code. */
  fontSize: z.number(),
  /** True if the question of the reply being read stays visible. */
  stickyQuestion: z.boolean(),
});
export type SendKey = z.infer<typeof panelSettingsSchema>["sendKey"];

/** State of the panel without its messages. */
export const panelViewSchema = z.object({
  setup: z.array(setupStepSchema),
  models: z.array(modelOptionSchema),
  model: z.enum(["auto", "llm", "vl"]),
  /** Available services and the current service; missing for a single service. */
  profiles: z.optional(z.array(profileOptionSchema)),
  profile: z.optional(z.string()),
  /** Parameters of the shown conversation, without those from settings. */
  parameters: z.optional(parametersSchema),
  /** Parameters from settings for each model; missing ones are not sent. */
  settingParameters: z.optional(z.object({ llm: parametersSchema, vl: parametersSchema })),
  /** System prompt of the settings; missing if none is sent. */
  systemPrompt: z.optional(z.string()),
  /** Missing while the notation of a reply decides. */
  coordinates: z.optional(coordinatesSchema),
  /** True if there is code that can be searched. */
  hasWorkspace: z.boolean(),
  /** Persistent notices above the composer: invalid settings, history not saved. */
  notices: z.array(noticeSchema),
  /** Automatic context from the editor; missing if there is none. */
  automatic: z.optional(automaticSchema),
  /** Missing if there is automatic context. */
  openFile: z.optional(openFileSchema),
  /** Rules that apply to the question in the composer; missing if there are none. */
  rules: z.optional(rulesSchema),
  /** Definitions for the selected code; missing if there are none. */
  definitions: z.optional(definitionsSchema),
  settings: panelSettingsSchema,
  prompts: z.optional(z.array(promptSchema)),
  /** True until the prompt files are listed for the first time. */
  isListingPrompts: z.optional(z.boolean()),
  /** Missing for a conversation that is saved. */
  unsaved: z.optional(noticeSchema),
  /** True while the shown conversation receives a reply. */
  isRunning: z.boolean(),
});
export type PanelView = z.infer<typeof panelViewSchema>;

/** Rule of a color theme: token scopes and their style. */
export const themeRuleSchema = z.object({
  scope: z.array(z.string().check(z.maxLength(400))).check(z.maxLength(400)),
  settings: z.object({
    foreground: z.optional(z.string().check(z.regex(/^#[0-9a-f]{3,8}$/i))),
    /** Style names separated by spaces; empty resets styles of wider rules. */
    fontStyle: z.optional(z.string().check(z.regex(/^[a-z ]{0,60}$/))),
  }),
});
export type ThemeRule = z.infer<typeof themeRuleSchema>;

/** Token colors of the user's color theme; the last rule of a scope wins. */
export const tokenThemeSchema = z.object({
  tokenColors: z.array(themeRuleSchema).check(z.maxLength(4_000)),
});
export type TokenTheme = z.infer<typeof tokenThemeSchema>;

/** Range in a text, in UTF-16 units; the end is exclusive. */
const rangeSchema = z.object({ start: z.number(), end: z.number() });

/** Row in the list of conversations. */
export const historyRowSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Ranges of the search text in the title. */
  titleRanges: z.array(rangeSchema),
  /** "14:02", "Mon 14:02" or "3 Nov". */
  when: z.string(),
  /** Day or period of `when`, as a heading over its rows: "Today", "Last 7 days". */
  period: z.optional(z.string()),
  /** "gpt-oss · my-project" */
  detail: z.string(),
  /** Missing for none. */
  pictureCount: z.optional(z.number()),
  /** Matches of the search text in messages. */
  snippets: z.array(z.object({ text: z.string(), ranges: z.array(rangeSchema) })),
  isPinned: z.boolean(),
  isRunning: z.boolean(),
  isShown: z.boolean(),
  /** True if part of the file could not be read; the file is not changed. */
  isDamaged: z.boolean(),
});
export type HistoryRow = z.infer<typeof historyRowSchema>;

/** Queued question, sent after the current reply ends. */
export const queuedSchema = z.object({
  id: z.string(),
  text: z.string(),
});
export type QueuedView = z.infer<typeof queuedSchema>;

/** Most fields of prompts in a text. */
export const MAX_FIELDS = 200;

/** Fields that prompts put into the draft, as written: "${input:name:hint}". */
export const fieldsSchema = z.optional(
  z.array(z.string().check(z.maxLength(300))).check(z.maxLength(MAX_FIELDS)),
);

/** Earlier question being edited, and the draft to restore afterwards. */
export const editingSchema = z.object({
  messageId: z.string(),
  parkedText: z.string(),
  /** True for a question that is asked once more; the earlier question stays. */
  isRecalled: z.optional(z.boolean()),
});
export type EditingView = z.infer<typeof editingSchema>;

/** Estimated tokens of the next request. */
export const meterSchema = z.object({
  system: z.number(),
  history: z.number(),
  files: z.number(),
  pictures: z.number(),
  /** Tokens of the composer's text. */
  question: z.number(),
  budget: z.number(),
  /** Sentence about content beyond the budget; empty if there is none. */
  leftOut: z.string(),
  /** Messages and pictures left out next; absent while there is much room, or nothing to leave out. */
  next: z.optional(
    z.object({
      messages: z.number(),
      pictures: z.number(),
      /** Estimated tokens of the request for a summary; missing if nothing can be summarized. */
      summaryTokens: z.optional(z.number()),
    }),
  ),
  /** Number of images of earlier questions that will be sent. */
  olderPictures: z.number(),
  /** Images that will not be sent because of the model or the budget. */
  olderPicturesLeftOut: z.array(z.extend(chipSchema, { messageId: z.string() })),
  /** Images of refused requests, which are not sent again automatically. */
  refusedPictures: z.optional(z.array(z.extend(chipSchema, { messageId: z.string() }))),
});
export type MeterView = z.infer<typeof meterSchema>;
