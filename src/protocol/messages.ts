/**
 * The two languages of the bridge. To the host, a message says what the person did; to the view,
 * what is now so. The view names messages and blocks by id and number: it never sends code, file
 * paths or anything else to act on.
 */
import * as z from "zod/mini";
import { pictureReplySchema, pictureToHostSchemas, pictureToViewSchemas } from "./pictureMessages";
import { parametersSchema } from "./parameters";
import {
  attachmentSchema,
  editingSchema,
  historyRowSchema,
  messageViewSchema,
  meterSchema,
  modelOptionSchema,
  noticeActionSchema,
  noticeSchema,
  panelViewSchema,
  profileOptionSchema,
  queuedSchema,
  replyViewSchema,
  referenceSchema,
  scrollSchema,
  tokenThemeSchema,
} from "./views";

/** Longest question a person can send, in UTF-16 units; far above any model's window. */
export const MAX_QUESTION_LENGTH = 4 * 1024 * 1024;

const idSchema = z.string().check(z.minLength(1), z.maxLength(64));
const countSchema = z.number().check(z.int(), z.gte(0), z.lte(1_000_000_000));
const textSchema = z.string().check(z.maxLength(MAX_QUESTION_LENGTH));

/** What may be done with one code block of a reply. */
export const codeActionSchema = z.enum([
  "copy",
  "insert-at-cursor",
  "replace-selection",
  "apply-in-editor",
  "new-file",
]);
export type CodeAction = z.infer<typeof codeActionSchema>;

/** What the person did in the panel. */
export const toHostSchema = z.discriminatedUnion("type", [
  /** The page is up and knows nothing; answered by a snapshot. */
  z.object({ type: z.literal("view-ready") }),
  /** A number is missing; answered by a snapshot. */
  z.object({ type: z.literal("snapshot-asked") }),
  /** A request: the reply says whether the question was taken. */
  z.object({
    type: z.literal("question-asked"),
    text: textSchema,
    /** Set when an earlier question of this id is asked anew in other words. */
    replacesId: z.optional(idSchema),
    /** What goes along by itself: exactly what is shown. */
    automaticId: z.optional(idSchema),
  }),
  /** An earlier question is edited from here on; without its id, no longer. */
  z.object({
    type: z.literal("editing-changed"),
    conversationId: idSchema,
    messageId: z.optional(idSchema),
    /** The draft that waits until the edit ends. */
    parkedText: z.optional(textSchema),
    /** The whole text of the composer from now on; absent where it stays. */
    text: z.optional(textSchema),
  }),
  /** The caret is in this panel. */
  z.object({ type: z.literal("focus-moved"), isInside: z.boolean() }),
  z.object({ type: z.literal("stop-asked") }),
  z.object({ type: z.literal("conversation-asked") }),
  z.object({
    type: z.literal("model-chosen"),
    model: modelOptionSchema.shape.id,
    /** Absent for the service that is asked anyway. */
    profile: z.optional(profileOptionSchema.shape.name),
  }),
  /** All parameters of this conversation; what is missing is what the settings say. */
  z.object({
    type: z.literal("parameters-chosen"),
    conversationId: idSchema,
    parameters: parametersSchema,
  }),
  /** Names its conversation: the host may show another one by the time this arrives. */
  z.object({
    type: z.literal("draft-changed"),
    conversationId: idSchema,
    text: textSchema,
    /** Number of this change in its page; `draft-saved` returns it once the text is on disk. */
    edit: z.optional(countSchema),
    /** True for a text that a page restored: the draft it replaces stays among the others. */
    isRestored: z.optional(z.boolean()),
  }),
  z.object({
    type: z.literal("attachment-removed"),
    conversationId: idSchema,
    attachmentId: idSchema,
  }),
  /** Show where something attached is from; of a sent question, by its place among its chips. */
  z.object({
    type: z.literal("attachment-opened"),
    conversationId: idSchema,
    attachmentId: idSchema,
  }),
  z.object({ type: z.literal("chip-opened"), messageId: idSchema, index: countSchema }),
  z.object({ type: z.literal("automatic-opened"), automaticId: idSchema }),
  z.object({ type: z.literal("automatic-switched"), isOn: z.boolean() }),
  /** What fits the text behind "#"; answered by `references-found` of this query. */
  z.object({
    type: z.literal("references-asked"),
    query: countSchema,
    text: z.string().check(z.maxLength(200)),
  }),
  z.object({ type: z.literal("references-left") }),
  /** The item at this place of the answer is to be attached. */
  z.object({ type: z.literal("reference-picked"), query: countSchema, index: countSchema }),
  z.object({ type: z.literal("copy-asked"), messageId: idSchema }),
  z.object({
    type: z.literal("code-asked"),
    action: codeActionSchema,
    messageId: idSchema,
    /** 0-based number of the code block in the reply. */
    block: z.number().check(z.int(), z.gte(0), z.lte(1_000_000)),
  }),
  z.object({
    type: z.literal("regenerate-asked"),
    messageId: idSchema,
    /** Absent for the model that gave the reply. */
    model: z.optional(replyViewSchema.shape.modelKind),
  }),
  z.object({
    type: z.literal("version-chosen"),
    messageId: idSchema,
    /** -1 for the version before, 1 for the one after. */
    step: z.union([z.literal(-1), z.literal(1)]),
  }),
  z.object({
    type: z.literal("action-asked"),
    action: noticeActionSchema,
    messageId: z.optional(idSchema),
  }),
  z.object({ type: z.literal("link-opened"), url: z.string().check(z.maxLength(8192)) }),
  /** Where the person has scrolled to; absent at the end. */
  z.object({
    type: z.literal("scrolled"),
    conversationId: idSchema,
    scroll: z.optional(scrollSchema),
  }),
  /** The list of conversations is wanted and kept up to date until `history-left`. */
  z.object({
    type: z.literal("history-asked"),
    /** Words to find; empty for all. */
    text: z.string().check(z.maxLength(1000)),
    isInBin: z.boolean(),
    isThisWorkspace: z.boolean(),
  }),
  z.object({ type: z.literal("history-left") }),
  z.object({ type: z.literal("conversation-opened"), conversationId: idSchema }),
  z.object({
    type: z.literal("conversation-renamed"),
    conversationId: idSchema,
    title: z.string().check(z.maxLength(500)),
  }),
  z.object({
    type: z.literal("conversation-pinned"),
    conversationId: idSchema,
    isPinned: z.boolean(),
  }),
  /** Into the bin, from where `conversation-restored` takes it back for 30 days. */
  z.object({ type: z.literal("conversation-deleted"), conversationId: idSchema }),
  z.object({ type: z.literal("conversation-restored"), conversationId: idSchema }),
  z.object({ type: z.literal("queued-changed"), queuedId: idSchema, text: textSchema }),
  z.object({ type: z.literal("queued-removed"), queuedId: idSchema }),
  /** Ask a waiting question now, after a reply that was stopped or failed. */
  z.object({ type: z.literal("queued-sent"), queuedId: idSchema }),
  ...pictureToHostSchemas,
  /** A request: which of these, all from the reply's own text, are files? Answered by `files`. */
  z.object({
    type: z.literal("files-named"),
    messageId: idSchema,
    mentions: z.array(z.string().check(z.maxLength(300))).check(z.maxLength(100)),
  }),
  /** Open the file to which the host gave this number. */
  z.object({ type: z.literal("file-opened"), file: z.number().check(z.int(), z.gte(1)) }),
  /** The page is shown in this colour theme; answered by `theme-read` as often as it changes. */
  z.object({ type: z.literal("theme-shown"), themeId: z.string().check(z.maxLength(300)) }),
  /** The user closed this standing notice; hidden until the window is reloaded. */
  z.object({ type: z.literal("notice-dismissed"), text: textSchema }),
  /** Something the page could not do; logged by name only. */
  z.object({ type: z.literal("view-failed"), where: z.string().check(z.maxLength(200)) }),
]);
export type ToHost = z.infer<typeof toHostSchema>;

/** The answer to a request of the view. */
export const hostReplySchema = z.object({
  isAccepted: z.boolean(),
  /** Why not, ready to read. */
  notice: z.optional(noticeSchema),
  /** The answer to `picture-asked`. */
  picture: z.optional(pictureReplySchema),
  /** The answer to `files-named`: for each mention the number of its file, or null. */
  files: z.optional(z.array(z.nullable(z.number()))),
});
export type HostReply = z.infer<typeof hostReplySchema>;

/**
 * What is now so. `seq` counts from the snapshot on, without gaps; a view that sees a gap asks
 * for a snapshot.
 */
export const toViewSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("snapshot"),
    seq: z.number(),
    conversationId: z.string(),
    title: z.string(),
    messages: z.array(messageViewSchema),
    draft: z.string(),
    editing: z.optional(editingSchema),
    attachments: z.array(attachmentSchema),
    queued: z.array(queuedSchema),
    scroll: z.optional(scrollSchema),
    panel: panelViewSchema,
  }),
  /** Messages joined the end, or (after `removedFromId`) replaced what stood there. */
  z.object({
    type: z.literal("messages-shown"),
    seq: z.number(),
    removedFromId: z.optional(z.string()),
    messages: z.array(messageViewSchema),
  }),
  /** Text arrived: it stands at `offset` (UTF-16 units) of the reply. */
  z.object({
    type: z.literal("turn-delta"),
    seq: z.number(),
    messageId: z.string(),
    offset: z.number(),
    text: z.string(),
  }),
  /** Everything of a message but its text, which the view has; a reply's `text` is empty here. */
  z.object({
    type: z.literal("message-changed"),
    seq: z.number(),
    message: messageViewSchema,
  }),
  /** A passing word beneath a reply that is coming: waiting, or the next try. */
  z.object({
    type: z.literal("turn-status"),
    seq: z.number(),
    messageId: z.string(),
    /** Empty to take it away. `%s` stands for the seconds until `untilMs`. */
    text: z.string(),
    untilMs: z.optional(z.number()),
  }),
  z.object({ type: z.literal("panel-changed"), seq: z.number(), panel: panelViewSchema }),
  /** What is attached to the question being written is now this. */
  z.object({
    type: z.literal("attachments-changed"),
    seq: z.number(),
    attachments: z.array(attachmentSchema),
  }),
  /** What fits; more may follow for the same query until it is complete. */
  z.object({
    type: z.literal("references-found"),
    seq: z.number(),
    query: z.number(),
    items: z.array(referenceSchema),
    isComplete: z.boolean(),
  }),
  /** Put text into the composer; never over what the person typed. */
  z.object({ type: z.literal("draft-restored"), seq: z.number(), text: z.string() }),
  /** The question of this text is being asked again: a draft of just this text is no longer one. */
  z.object({ type: z.literal("draft-taken"), seq: z.number(), text: z.string() }),
  /** Another view or window has gone on: this text is the draft now. */
  z.object({
    type: z.literal("draft-shown"),
    seq: z.number(),
    text: z.string(),
    editing: z.optional(editingSchema),
  }),
  /** The text of the `draft-changed` with this number is on disk. */
  z.object({
    type: z.literal("draft-saved"),
    seq: z.number(),
    conversationId: z.string(),
    edit: z.number(),
  }),
  z.object({ type: z.literal("focus-asked"), seq: z.number() }),
  z.object({ type: z.literal("queue-changed"), seq: z.number(), queued: z.array(queuedSchema) }),
  z.object({ type: z.literal("meter-changed"), seq: z.number(), meter: meterSchema }),
  z.object({ type: z.literal("title-changed"), seq: z.number(), title: z.string() }),
  /** How code looks in the colour theme the page is shown in; without `theme` it cannot be known. */
  z.object({
    type: z.literal("theme-read"),
    seq: z.number(),
    theme: z.optional(tokenThemeSchema),
  }),
  /** The person asked for the list of conversations by a command. */
  z.object({ type: z.literal("history-opened"), seq: z.number() }),
  /** The answer to the last `history-asked`, and again whenever it is different. */
  z.object({
    type: z.literal("history-shown"),
    seq: z.number(),
    /** The words this answers. */
    text: z.string(),
    isInBin: z.boolean(),
    rows: z.array(historyRowSchema),
    /** Conversations that answer, also those beyond `rows`. */
    foundCount: z.number(),
    isComplete: z.boolean(),
  }),
  ...pictureToViewSchemas,
  /** Something the person asked for did not work; shown above the composer until they go on. */
  z.object({ type: z.literal("notice-shown"), seq: z.number(), notice: noticeSchema }),
  /** A short word said to screen readers and shown for a moment: "Copied". */
  z.object({ type: z.literal("said"), seq: z.number(), text: z.string() }),
]);
export type ToView = z.infer<typeof toViewSchema>;
