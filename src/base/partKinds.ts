/** Kinds of attached text, which the messages store and the panel shows as chips. */

/** Kinds of parts that relate to an excerpt; each has a chip of its own kind. */
export const RELATIONS = ["definitions", "callers", "tests"] as const;

/** Sources of notes; each has a chip of its own kind. */
export const NOTE_SOURCES = [
  "problems",
  "changes",
  "terminal",
  "folder",
  "text",
  "rules",
  "role",
  "test",
  "debugger",
  "notebook",
  "pointing",
  "quote",
  "pins",
  "forgotten-picture",
] as const;
