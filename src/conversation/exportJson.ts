/**
 * A conversation as one JSON text with its pictures in it, with all its versions: what can be
 * imported again, here or elsewhere. Text that was withheld from the person is not in it.
 */
import * as z from "zod/mini";
import { toBase64 } from "../base/base64";
import { modelChoiceSchema, parametersSchema, type Conversation } from "./conversation";
import { isWithdrawn, messageSchema, type Message } from "./message";
import { joinOrphans, parentsFirst } from "./orphans";

/** Says what the file is; a file without it is not ours. */
export const EXPORT_FORMAT = "core-chat-conversation";
/** Raised when an older version could no longer read what is written. */
export const EXPORT_VERSION = 1;

/** Gives the bytes of a stored picture; undefined where they are gone. */
export type PictureSource = (hash: string) => Promise<Uint8Array | undefined>;

/** The whole file. */
export const exportSchema = z.object({
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION),
  title: z.optional(z.string()),
  workspace: z.optional(z.string()),
  /** The user's choices for this conversation; not the service, which has its name here only. */
  isPinned: z.optional(z.boolean()),
  model: z.optional(modelChoiceSchema),
  parameters: z.optional(parametersSchema),
  createdAtMs: z.number(),
  /** Every message of every version, each behind the one it answers. */
  messages: z.array(messageSchema),
  /** Last message of the path that was shown. */
  leafId: z.nullable(z.string()),
  /** Bytes of the pictures in base64, by hash. */
  pictures: z.record(z.string(), z.string()),
});

/** The JSON text of a conversation. Pictures whose bytes are gone are named, but not in it. */
export async function exportJson(
  conversation: Conversation,
  readPicture: PictureSource,
): Promise<string> {
  const joined = joinOrphans(conversation);
  const messages = parentsFirst(joined.messages).map(visibleMessage);
  const pictures: [hash: string, base64: string][] = [];
  for (const hash of pictureHashes(messages)) {
    const bytes = await readPicture(hash);
    if (bytes) pictures.push([hash, toBase64(bytes)]);
  }
  const { title, workspace, createdAtMs, leafId, isPinned, model, parameters } = conversation;
  const file: z.infer<typeof exportSchema> = {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    ...(title !== undefined && { title }),
    ...(workspace !== undefined && { workspace }),
    ...(isPinned && { isPinned }),
    ...(model && { model }),
    ...(parameters && { parameters }),
    createdAtMs,
    messages,
    leafId,
    pictures: Object.fromEntries(pictures),
  };
  return JSON.stringify(file, undefined, 2) + "\n";
}

/** Hashes of the stored pictures that messages hold, each once. */
export function pictureHashes(messages: readonly Message[]): Set<string> {
  const hashes = new Set<string>();
  for (const message of messages) {
    if (message.role !== "user") continue;
    for (const part of message.parts) if (part.kind === "image") hashes.add(part.hash);
  }
  return hashes;
}

function visibleMessage(message: Message): Message {
  return message.role === "assistant" && isWithdrawn(message) ? { ...message, text: "" } : message;
}
