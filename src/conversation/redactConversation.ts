/**
 * Redaction of keys in a conversation before export. Ids, hashes, times, counts and pictures stay
 * unchanged, so that the file can be imported.
 */
import type { Conversation } from "./conversation";

/** Fields whose values the format defines, with ids and hashes: an import needs their exact form. */
const FIXED_FIELDS: ReadonlySet<string> = new Set(
  (
    "about askId atId cause choice hash id kind languageId limit loss " +
    "mediaType messageId modelKind parentId phase relation role source what"
  ).split(" "),
);

const SHA_256 = /^[0-9a-f]{64}$/;

export function redactConversation(
  conversation: Conversation,
  redact: (text: string) => string,
): Conversation {
  const { title, workspace, parameters, sending } = conversation;
  return {
    ...conversation,
    ...(title !== undefined && { title: redact(title) }),
    ...(workspace !== undefined && { workspace: redact(workspace) }),
    ...(parameters && { parameters: redactTexts(parameters, redact) }),
    // Sets have no texts of the user.
    ...(sending && { sending: { ...redactTexts(sending, redact), undone: sending.undone } }),
    messages: new Map(
      [...conversation.messages].map(([id, message]) => [id, redactTexts(message, redact)]),
    ),
  };
}

/** @param name field that holds the value */
function redactTexts<T>(value: T, redact: (text: string) => string, name = ""): T {
  if (typeof value === "string") return isFixed(name, value) ? value : (redact(value) as T);
  if (Array.isArray(value)) {
    return value.map((item: unknown) => redactTexts(item, redact, name)) as T;
  }
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([field, content]: [string, unknown]) => [
    field,
    redactTexts(content, redact, field),
  ]);
  return Object.fromEntries(fields) as T;
}

function isFixed(name: string, value: string): boolean {
  // These name pictures by hash or by address.
  const isPicture = name === "leavesPictures" || name === "picture";
  return FIXED_FIELDS.has(name) || (isPicture && SHA_256.test(value));
}
