/**
 * Messages to the host, which report user actions. The webview refers to messages and blocks by id and
 * number and never sends code or file paths to act on.
 */
import * as z from "zod/mini";
import { isCoordinateScale } from "../pointing/coordinates";
import { pictureNoteSchema } from "../pointing/pictureNote";
import { quotedSchema } from "../pointing/quoted";
import { messageType, type MessageOf } from "./handlers";
import { cutOutSchema, idSchema, MAX_NOTES, pictureToHostSchemas } from "./pictureMessages";
import { parametersSchema } from "./parameters";
import { sendingToHostSchemas } from "./sendingMessages";
import { fieldsSchema, modelOptionSchema, noticeActionSchema, profileOptionSchema } from "./views";
import {
  MAX_QUESTION_LENGTH,
  MAX_UPDATES_AHEAD,
  codeActionSchema,
  tableActionSchema,
} from "./actions";
import type { HostReply } from "./toView";

const countSchema = z.number().check(z.int(), z.gte(0), z.lte(1_000_000_000));
const textSchema = z.string().check(z.maxLength(MAX_QUESTION_LENGTH));

/** Text that the user marked in a message. */
const quoteShape = {
  quoted: quotedSchema,
  /** Markdown for the model. */
  text: textSchema,
  /** Start of the marked text on one line. */
  words: z.string().check(z.maxLength(1000)),
};

/** User actions on the list of conversations, whose handlers are loaded late. */
export const historyToHostSchemas = [
  /** Asks for the list of conversations and its updates until `history-left`. */
  messageType("history-asked", {
    /** Search text; empty for all conversations. */
    text: z.string().check(z.maxLength(1000)),
    isInBin: z.boolean(),
    isThisWorkspace: z.boolean(),
    /** Number of rows to leave out before the answered ones; default 0. */
    firstRow: z.optional(z.int().check(z.minimum(0))),
  }),
  messageType("history-left", {}),
  /** Asks for the latest other conversations; answered once by `recent-shown`. */
  messageType("recent-asked", {}),
  messageType("conversation-renamed", {
    conversationId: idSchema,
    title: z.string().check(z.maxLength(500)),
  }),
  messageType("conversation-pinned", {
    conversationId: idSchema,
    isPinned: z.boolean(),
  }),
  messageType("conversation-restored", { conversationId: idSchema }),
] as const;
export type HistoryToHost = z.infer<(typeof historyToHostSchemas)[number]>;

/** User actions and requests of the webview. */
export const toHostSchema = z.discriminatedUnion("type", [
  /** The page has loaded; answered by a snapshot. */
  messageType("view-ready", {}),
  /** The page missed a message; answered by a snapshot. */
  messageType("snapshot-asked", {}),
  /** The page has drawn the messages it has; answered by those before them, if there are any. */
  messageType("earlier-asked", {}),
  /** The page has drawn the text it has; answered by all text since, now or when there is some. */
  messageType("text-asked", {
    /** Further updates before the page asks again, for a slow connection; missing for one in all. */
    ahead: z.optional(
      z.object({
        count: z.int().check(z.gte(1), z.lte(MAX_UPDATES_AHEAD)),
        /** Shortest time between two updates, in milliseconds. */
        everyMs: z.int().check(z.gte(1), z.lte(1000)),
      }),
    ),
  }),
  /** Request: the reply reports if the question was accepted. */
  messageType("question-asked", {
    text: textSchema,
    /** Id of the earlier question that this question replaces. */
    replacesId: z.optional(idSchema),
    automaticId: z.optional(idSchema),
    /** Id of the definitions that the page shows. */
    definitionsId: z.optional(idSchema),
  }),
  /** Starts editing an earlier question; ends editing if `messageId` is missing. */
  messageType("editing-changed", {
    conversationId: idSchema,
    messageId: z.optional(idSchema),
    /** Draft that is restored when editing ends. */
    parkedText: z.optional(textSchema),
    /** New text of the composer; missing if the text stays. */
    text: z.optional(textSchema),
    /** True if sending asks a new question; the earlier question stays. */
    isRecalled: z.optional(z.boolean()),
    /** True to keep the text that `text` replaces as another draft. */
    keepsOther: z.optional(z.boolean()),
  }),
  /** Focus moved into or out of the composer's text. */
  messageType("composer-focus-moved", { isInside: z.boolean() }),
  /** Focus moved into or out of the panel. */
  messageType("focus-moved", { isInside: z.boolean() }),
  messageType("stop-asked", {}),
  messageType("conversation-asked", {}),
  messageType("model-chosen", {
    model: modelOptionSchema.shape.id,
    /** Missing for the current service. */
    profile: z.optional(profileOptionSchema.shape.name),
  }),
  /** All parameters of this conversation; settings apply to missing ones. */
  messageType("parameters-chosen", {
    conversationId: idSchema,
    parameters: parametersSchema,
  }),
  /** Has the conversation's id because the host may show another conversation by now. */
  messageType("draft-changed", {
    conversationId: idSchema,
    text: textSchema,
    /**
     * Number of this change in its page; `draft-saved` returns the number once the text is on disk.
     */
    edit: z.optional(countSchema),
    /** True for text that the page restored: the draft it replaces is kept as another draft. */
    isRestored: z.optional(z.boolean()),
    fields: fieldsSchema,
  }),
  messageType("attachment-removed", {
    conversationId: idSchema,
    attachmentId: idSchema,
  }),
  /**
   * Opens the source of an attachment. `chip-opened` gives the index among the chips of a sent
   * question.
   */
  messageType("attachment-opened", {
    conversationId: idSchema,
    attachmentId: idSchema,
  }),
  messageType("chip-opened", { messageId: idSchema, index: countSchema }),
  messageType("automatic-switched", { isOn: z.boolean() }),
  messageType("rules-switched", { isOn: z.boolean() }),
  /** Opens the text of the project rules in an editor. */
  messageType("rules-opened", {}),
  /** Request: reads the prompt file with this name. Answered by `text`. */
  messageType("prompt-asked", {
    name: z.string().check(z.maxLength(100)),
    /** True for a built-in prompt about code, whose text the page has: the code is attached. */
    isAboutCode: z.optional(z.boolean()),
  }),
  messageType("definitions-switched", { isOn: z.boolean() }),
  messageType("definitions-opened", { definitionsId: idSchema }),
  /** Asks for completions of the text after "#"; answered by `references-found` with this query. */
  messageType("references-asked", {
    query: countSchema,
    text: z.string().check(z.maxLength(200)),
  }),
  messageType("references-left", {}),
  /** Request: attaches the item at this index of the answer. */
  messageType("reference-picked", { query: countSchema, index: countSchema }),
  /**
   * Request: finds the lines of the workspace that a stack trace or a compiler's output names; with a
   * label those of a mark, whose reply is the text.
   */
  messageType("places-asked", {
    text: textSchema,
    label: z.optional(z.string().check(z.maxLength(200))),
  }),
  /** Request: attaches pasted text, or the text of a file that was dropped from another program. */
  messageType("text-offered", {
    conversationId: idSchema,
    name: z.string().check(z.maxLength(300)),
    text: textSchema,
    /** Text copied in an editor is attached as lines of its file, and refused if there are none. */
    origin: z.enum(["editor", "clipboard", "file"]),
  }),
  /** Attaches text that the user marked in a message. */
  messageType("quote-added", {
    conversationId: idSchema,
    ...quoteShape,
  }),
  messageType("copy-asked", {
    messageId: idSchema,
    /** True to copy the thinking of a reply too. */
    isWithThinking: z.optional(z.boolean()),
  }),
  messageType("reply-opened", { messageId: idSchema }),
  messageType("code-asked", {
    action: codeActionSchema,
    messageId: idSchema,
    /** 0-based number of the code block in the reply. */
    block: z.number().check(z.int(), z.gte(0), z.lte(1_000_000)),
  }),
  /** Request: copies or saves a table; the page copies cells itself. Answered by `table`. */
  messageType("table-asked", {
    action: tableActionSchema,
    messageId: idSchema,
    /** 0-based number of the table in the reply. */
    table: z.number().check(z.int(), z.gte(0), z.lte(1_000_000)),
  }),
  /** Request: the number of files that the blocks of a reply name. */
  messageType("named-files-counted", { messageId: idSchema }),
  /** Applies all code of a reply that names files, after a review. */
  messageType("apply-all-asked", { messageId: idSchema }),
  /** Asks the model that wrote the reply again. */
  messageType("regenerate-asked", { messageId: idSchema }),
  messageType("version-chosen", {
    messageId: idSchema,
    /** -1 for the previous version, 1 for the next. */
    step: z.union([z.literal(-1), z.literal(1)]),
  }),
  /** Request: asks about a message, aside from the conversation. */
  messageType("aside-asked", {
    conversationId: idSchema,
    /** Id of the question, made by the page: asking the same again changes nothing. */
    asideId: z.string().check(z.regex(/^[\w-]{1,64}$/)),
    messageId: idSchema,
    text: textSchema,
    /** Missing without a quote. */
    quote: z.optional(z.object(quoteShape)),
  }),
  messageType("aside-stopped", { asideId: idSchema }),
  /** Removes an aside for good, after a question of VS Code if there is an answer. */
  messageType("aside-removed", { asideId: idSchema }),
  /** Makes an aside with its answer ordinary messages. */
  messageType("aside-joined", { asideId: idSchema }),
  messageType("action-asked", {
    action: noticeActionSchema,
    messageId: z.optional(idSchema),
  }),
  /** Request: stores this address, asks for a key if needed, and tests. Answered by a notice. */
  messageType("connect-asked", { address: z.string().check(z.maxLength(2048)) }),
  messageType("link-opened", { url: z.string().check(z.maxLength(8192)) }),
  messageType("conversation-opened", { conversationId: idSchema }),
  /** Moves the conversation to the bin; `conversation-restored` can restore it for 30 days. */
  messageType("conversation-deleted", { conversationId: idSchema }),
  /** Deletes the conversation for ever, after a question of VS Code. */
  messageType("conversation-removed", {
    conversationId: idSchema,
    title: z.string().check(z.maxLength(500)),
  }),
  messageType("bin-emptied", {}),
  messageType("conversations-exported", {
    conversationIds: z.array(idSchema).check(z.maxLength(100_000)),
  }),
  /** Moves the attachments of a queued question to the draft, which has its text already. */
  messageType("queued-edited", { queuedId: idSchema }),
  messageType("queued-removed", { queuedId: idSchema }),
  /** Sends a queued question now, after a reply that was stopped or failed. */
  messageType("queued-sent", { queuedId: idSchema }),
  ...historyToHostSchemas,
  ...pictureToHostSchemas,
  ...sendingToHostSchemas,
  /** Attaches files of a dialog, or the source that a suggested question is about. */
  messageType("files-asked", {
    conversationId: idSchema,
    source: z.optional(z.enum(["project", "changes"])),
  }),
  /** Files and folders dropped from VS Code; the host checks their location before reading. */
  messageType("files-dropped", {
    conversationId: idSchema,
    uris: z.array(z.string().check(z.maxLength(4096))).check(z.maxLength(100)),
  }),
  /** The user set, changed or removed notes at positions of an image. */
  messageType("picture-notes-changed", {
    conversationId: idSchema,
    attachmentId: idSchema,
    notes: z.array(pictureNoteSchema).check(z.maxLength(MAX_NOTES)),
  }),
  /** Adds or removes the instruction to answer with coordinates. */
  messageType("show-where-switched", {
    conversationId: idSchema,
    isOn: z.boolean(),
  }),
  /** The user chose the scale in which the model of this conversation gives coordinates. */
  messageType("coordinates-chosen", {
    conversationId: idSchema,
    scale: z.string().check(z.maxLength(64), z.refine(isCoordinateScale)),
  }),
  /** Request: finds the files among mentions that are in the reply's text. Answered by `files`. */
  messageType("files-named", {
    messageId: idSchema,
    mentions: z.array(z.string().check(z.maxLength(300))).check(z.maxLength(100)),
  }),
  /** Opens the file with this number; the host assigned the number. */
  messageType("file-opened", { file: z.number().check(z.int(), z.gte(1)) }),
  /** Request: finds the code of marks, by coordinates and letter. Answered by `markLines`. */
  messageType("marks-placed", {
    messageId: idSchema,
    marks: z
      .array(z.tuple([z.string().check(z.maxLength(100)), z.string().check(z.maxLength(3))]))
      .check(z.maxLength(200)),
    /** Letter of the mark whose line is opened; editors show all letters then. */
    opened: z.optional(z.string().check(z.maxLength(3))),
    /** Parts of pictures with the marks, by letter: PNGs for the hovers of the lines. */
    cutOuts: z.optional(
      z.array(z.tuple([z.string().check(z.maxLength(3)), cutOutSchema])).check(z.maxLength(200)),
    ),
  }),
  /** Reports the page's color theme; answered by `theme-read` whenever the colors change. */
  messageType("theme-shown", { themeId: z.string().check(z.maxLength(300)) }),
  /** The user closed this standing notice; hidden until the window is reloaded. */
  messageType("notice-dismissed", { text: textSchema }),
  /** The editor of a tab that was opened for it is closed, and all marks are applied. */
  messageType("picture-editor-closed", {}),
  /** Reports an error of the page; logged by name only. */
  messageType("view-failed", { where: z.string().check(z.maxLength(200)) }),
]);
export type ToHost = z.infer<typeof toHostSchema>;

/** Messages that are requests. The others are events, which have no reply. */
export type HostRequest = MessageOf<
  ToHost,
  | "question-asked"
  | "aside-asked"
  | "picture-offered"
  | "picture-drawn"
  | "picture-asked"
  | "picture-marked"
  | "picture-region-attached"
  | "picture-content-asked"
  | "files-named"
  | "marks-placed"
  | "named-files-counted"
  | "table-asked"
  | "text-offered"
  | "prompt-asked"
  | "connect-asked"
  | "reference-picked"
  | "places-asked"
  | "files-asked"
  | "files-dropped"
>;

/** Handlers of the host. The handler of a request returns its reply, or undefined to refuse. */
export type HostHandlers<Type extends ToHost["type"] = ToHost["type"]> = Readonly<{
  [T in Type]: (
    message: MessageOf<ToHost, T>,
  ) => T extends HostRequest["type"] ? Promise<HostReply | undefined> : Promise<void> | void;
}>;
