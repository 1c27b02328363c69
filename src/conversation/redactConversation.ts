/**
 * Redaction of keys in a conversation before export. Ids, hashes, times, counts and pictures stay
 * unchanged, so that the file can be imported.
 */
import type { Conversation } from "./conversation";

/** Fields with text of the user, the model or the service. */
const TEXT_FIELDS: ReadonlySet<string> = new Set([
  "argumentsText",
  "label",
  "message",
  "name",
  "path",
  "problem",
  "problems",
  "symbol",
  "text",
  "uri",
  "url",
]);

/** Applies `redact` to each text of the conversation. */
export function redactConversation(
  conversation: Conversation,
  redact: (text: string) => string,
): Conversation {
  const { title, workspace } = conversation;
  return {
    ...conversation,
    ...(title !== undefined && { title: redact(title) }),
    ...(workspace !== undefined && { workspace: redact(workspace) }),
    messages: new Map(
      [...conversation.messages].map(([id, message]) => [id, redactTexts(message, redact)]),
    ),
  };
}

function redactTexts<T>(value: T, redact: (text: string) => string): T {
  if (Array.isArray(value)) return value.map((item: unknown) => redactTexts(item, redact)) as T;
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]: [string, unknown]) => [
    name,
    typeof field === "string" && TEXT_FIELDS.has(name) ? redact(field) : redactTexts(field, redact),
  ]);
  return Object.fromEntries(fields) as T;
}
