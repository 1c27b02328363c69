/** Names and limits that messages in both directions share. */
import * as z from "zod/mini";

/** Longest question, in UTF-16 units; far above any model's context window. */
export const MAX_QUESTION_LENGTH = 4 * 1024 * 1024;

/** Actions on a code block of a reply. */
export const codeActionSchema = z.enum([
  "copy",
  "insert-at-cursor",
  "replace-selection",
  "apply-in-editor",
  "new-file",
  "preview",
]);
export type CodeAction = z.infer<typeof codeActionSchema>;

export const tableActionSchema = z.enum(["copy-markdown", "copy-cells", "save-csv"]);
export type TableAction = z.infer<typeof tableActionSchema>;
/** Commands that move through the shown conversation. */
export const navigationSchema = z.enum([
  "previous-question",
  "next-question",
  "previous-code-block",
  "next-code-block",
  "outline",
  "ask-about-this",
  "summarize",
  "ask-aside",
]);
export type NavigationCommand = z.infer<typeof navigationSchema>;

/** Upper limit of updates that the host sends before the page asks again. */
export const MAX_UPDATES_AHEAD = 50;
