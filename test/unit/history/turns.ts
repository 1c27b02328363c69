/** Steps of a question and its reply, in the order in which a window writes them. */
import type { Step } from "../../../src/conversation/conversation";

/** Returns a question with a single text part. */
export function question(id: string, parentId: string | null, text: string, atMs = 1): Step {
  return {
    kind: "message-added",
    message: { role: "user", id, parentId, parts: [{ kind: "text", text }], sentAtMs: atMs },
  };
}

/** Returns a reply before its first text. */
export function replyStarted(id: string, parentId: string | null, atMs = 1): Step {
  return {
    kind: "message-added",
    message: {
      role: "assistant",
      id,
      parentId,
      text: "",
      modelKind: "llm",
      modelCode: "core_llm",
      startedAtMs: atMs,
    },
  };
}

/** Returns a checkpoint; `offset` is in UTF-16 code units. */
export function grown(messageId: string, offset: number, text: string): Step {
  return { kind: "reply-grown", messageId, offset, text, atMs: 1 };
}

/** Returns the end of a complete reply. */
export function ended(messageId: string, atMs = 1): Step {
  return { kind: "reply-ended", messageId, atMs, ending: { kind: "complete" } };
}

/** Returns all steps of a turn. */
export function turn(
  name: string,
  parentId: string | null,
  questionText: string,
  replyText: string,
): Step[] {
  return [
    question(`${name}-q`, parentId, questionText),
    replyStarted(`${name}-r`, `${name}-q`),
    grown(`${name}-r`, 0, replyText),
    ended(`${name}-r`),
  ];
}
