/** Messages to the webview, which report state, and replies to its requests. */
import * as z from "zod/mini";
import { messageType, type MessageOf } from "./handlers";
import { pictureContentSchema, pictureReplySchema, pictureToViewSchemas } from "./pictureMessages";
import { sendingToViewSchemas } from "./sendingMessages";
import {
  asideSchema,
  attachmentSchema,
  editingSchema,
  fieldsSchema,
  historyRowSchema,
  messageViewSchema,
  meterSchema,
  noticeSchema,
  panelViewSchema,
  queuedSchema,
  referenceSchema,
  tokenThemeSchema,
} from "./views";
import { navigationSchema } from "./actions";

/** Reply to a request of the webview. */
export const hostReplySchema = z.object({
  isAccepted: z.boolean(),
  /** Localized reason for a refusal. */
  notice: z.optional(noticeSchema),
  /** Bytes for `picture-asked`. */
  picture: z.optional(pictureReplySchema),
  /** Text for `prompt-asked`. */
  text: z.optional(z.string()),
  /** Lines for `places-asked`; each is picked with query 0 and its index. */
  references: z.optional(z.array(referenceSchema)),
  /** Cells for `table-asked`, tab-separated and as HTML. */
  table: z.optional(z.object({ text: z.string(), html: z.string() })),
  /** File number of each mention in `files-named`; null if there is no such file. */
  files: z.optional(z.array(z.nullable(z.number()))),
  /** Lines of code for `marks-placed`, of those marks that have one; `line` is 1-based. */
  markLines: z.optional(
    z.array(z.object({ letter: z.string(), file: z.string(), line: z.number() })),
  ),
  /** True if editors show the marks of `marks-placed`, and have no `cutOuts` for their hovers. */
  lacksCutOuts: z.optional(z.boolean()),
  /** Number of files for `named-files-counted`. */
  fileCount: z.optional(z.number()),
  /** Answer to `picture-content-asked`. */
  content: z.optional(pictureContentSchema),
});
export type HostReply = z.infer<typeof hostReplySchema>;

/** State changes for the webview: a snapshot, then changes. A page that misses one asks for a snapshot. */
export const toViewSchema = z.discriminatedUnion("type", [
  messageType("snapshot", {
    conversationId: z.string(),
    title: z.string(),
    /** Number of messages before `messages`, which follow; a multiple of `MESSAGE_GROUP`. */
    earlierCount: z.number(),
    messages: z.array(messageViewSchema),
    draft: z.string(),
    editing: z.optional(editingSchema),
    fields: fieldsSchema,
    attachments: z.array(attachmentSchema),
    queued: z.array(queuedSchema),
    panel: panelViewSchema,
  }),
  /** Messages before the first one of the page, whose id is `beforeId`. */
  messageType("earlier-shown", { beforeId: z.string(), messages: z.array(messageViewSchema) }),
  /** Messages to append, or to put in place of `removedFromId` and everything after. */
  messageType("messages-shown", {
    removedFromId: z.optional(z.string()),
    messages: z.array(messageViewSchema),
  }),
  /** Text at `offset` of the reply, in UTF-16 units. */
  messageType("turn-delta", {
    messageId: z.string(),
    offset: z.number(),
    text: z.string(),
  }),
  /** Text to append to the thinking of the reply. */
  messageType("thinking-delta", {
    messageId: z.string(),
    text: z.string(),
  }),
  /** A message without its texts, which the page has; those of a reply are empty. */
  messageType("message-changed", {
    message: messageViewSchema,
  }),
  /** Transient status below a streaming reply: waiting, or the next retry. */
  messageType("turn-status", {
    messageId: z.string(),
    /** Empty removes the status. `%s` is replaced by the seconds until `untilMs`. */
    text: z.string(),
    untilMs: z.optional(z.number()),
    /** True for repeated progress, which is announced once. */
    isProgress: z.optional(z.boolean()),
  }),
  messageType("panel-changed", { panel: panelViewSchema }),
  /** All attachments of the question in the composer. */
  messageType("attachments-changed", {
    attachments: z.array(attachmentSchema),
  }),
  /**
   * Completions found so far; more follow for the same query until `isComplete`, after the earlier
   * ones. A search that failed without a result is never complete.
   */
  messageType("references-found", {
    query: z.number(),
    items: z.array(referenceSchema),
    isComplete: z.boolean(),
  }),
  /** Text for an empty composer; never replaces typed text. */
  messageType("draft-restored", { text: z.string() }),
  /** Draft text that another view or window changed, with the number of the page's last known change. */
  messageType("draft-shown", {
    text: z.string(),
    edit: z.number(),
    editing: z.optional(editingSchema),
    fields: fieldsSchema,
  }),
  /** Confirms that the text of the `draft-changed` with this number is on disk. */
  messageType("draft-saved", {
    conversationId: z.string(),
    edit: z.number(),
  }),
  messageType("focus-asked", {}),
  /** A command acts in the composer: sends the question, or inserts a line break at the caret. */
  messageType("composer-command", { command: z.enum(["send", "insert-new-line"]) }),
  messageType("navigation-asked", { command: navigationSchema }),
  messageType("queue-changed", { queued: z.array(queuedSchema) }),
  messageType("meter-changed", { meter: meterSchema }),
  messageType("title-changed", { title: z.string() }),
  /** Token colors of the page's color theme; without `theme` they are unknown. */
  messageType("theme-read", {
    theme: z.optional(tokenThemeSchema),
  }),
  /** A command opens the list of conversations. */
  messageType("history-opened", {}),
  /** Answer to the last `history-asked`; sent again whenever the list changes. */
  messageType("history-shown", {
    /** Search text of the answered request. */
    text: z.string(),
    isInBin: z.boolean(),
    /** Number of rows before `rows`; default 0. */
    firstRow: z.optional(z.number()),
    rows: z.array(historyRowSchema),
    /** Number of matching conversations, including those beyond `rows`. */
    foundCount: z.number(),
    isComplete: z.boolean(),
    /** Name of the window's workspace; absent without one, where the workspace filter has no effect. */
    workspace: z.optional(z.string()),
    /** Number of conversations that the workspace filter hides; absent for a search. */
    hiddenCount: z.optional(z.number()),
    /** Number of all conversations in the bin, in an answer about the bin. */
    binCount: z.optional(z.number()),
    /** Progress of building the search index; absent when it is built. */
    indexing: z.optional(z.object({ done: z.number(), total: z.number() })),
    /** True if the conversations could not be listed. */
    isUnavailable: z.optional(z.boolean()),
  }),
  /** Answer to `recent-asked`: few conversations of the workspace, the latest first. */
  messageType("recent-shown", { rows: z.array(historyRowSchema) }),
  ...pictureToViewSchemas,
  ...sendingToViewSchemas,
  /** All asides of the shown conversation. Their replies change as others do. */
  messageType("asides-shown", { asides: z.array(asideSchema) }),
  /** Links to forks, and to the conversation of which the shown one is a fork. */
  messageType("forks-shown", {
    /** Without `conversationId` if it was deleted; missing if the shown conversation is no fork. */
    from: z.optional(
      z.object({ conversationId: z.optional(z.string()), title: z.optional(z.string()) }),
    ),
    /** `messageId` is the message at which the fork was made. */
    forks: z.array(
      z.object({ conversationId: z.string(), messageId: z.string(), title: z.string() }),
    ),
  }),
  /** Error shown above the composer until the user continues. */
  messageType("notice-shown", { notice: noticeSchema }),
  /** Short confirmation, announced to screen readers and shown briefly, e.g. "Copied". */
  messageType("toast-shown", { text: z.string() }),
]);
export type ToView = z.infer<typeof toViewSchema>;

export type ComposerCommand = MessageOf<ToView, "composer-command">["command"];
