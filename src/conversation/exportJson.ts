/**
 * Export of a conversation as JSON with all versions and sent pictures, for a later import. Leaves
 * out withheld text.
 */
import * as z from "zod/mini";
import { toBase64 } from "../base/base64";
import { modelChoiceSchema, parametersSchema, type Conversation } from "./conversation";
import {
  imagesOf,
  isWithdrawn,
  type ImagePart,
  type Message,
  type Reply,
  type UserMessage,
} from "./message";
import { joinOrphans, parentsFirst } from "./orphans";
import { sendingStepSchemas, sendingSteps } from "./sending";
import { defined } from "../base/defined";

/** Format name in the file; files without this name are not exports of Core Chat. */
export const EXPORT_FORMAT = "core-chat-conversation";
/** Format version; increased when older versions of Core Chat cannot read the file. */
export const EXPORT_VERSION = 1;

/** Reads the bytes of a stored picture; undefined if they are missing. */
export type PictureSource = (hash: string) => Promise<Uint8Array | undefined>;

/** Content of the file, with messages of any form: `messageSchema` parses them one by one. */
export const exportSchema = z.object({
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION),
  title: z.optional(z.string()),
  workspace: z.optional(z.string()),
  /** The user's choices for this conversation, without the profile, whose name is local. */
  isPinned: z.optional(z.boolean()),
  model: z.optional(modelChoiceSchema),
  parameters: z.optional(parametersSchema),
  /** The user's choices of what is sent, and summaries, in their order. */
  sending: z.optional(z.array(z.discriminatedUnion("kind", sendingStepSchemas))),
  createdAtMs: z.number(),
  /** Messages of all versions, each after its parent. */
  messages: z.array(z.unknown()),
  /** Last message of the shown path. */
  leafId: z.nullable(z.string()),
  /** Bytes of the pictures in base64, by hash. */
  pictures: z.record(z.string(), z.string()),
});

/**
 * Creates the JSON text. Missing pictures keep their message part, without bytes.
 * @param isWithThinking true to include the thinking of replies
 */
export async function exportJson(
  conversation: Conversation,
  readPicture: PictureSource,
  isWithThinking = false,
): Promise<string> {
  const joined = joinOrphans(conversation);
  const messages = parentsFirst(joined.messages).map((message) =>
    message.role === "user" ? withSentPictures(message) : exportedReply(message, isWithThinking),
  );
  const pictures: [hash: string, base64: string][] = [];
  for (const hash of pictureHashes(messages)) {
    const bytes = await readPicture(hash);
    if (bytes) pictures.push([hash, toBase64(bytes)]);
  }
  const { title, workspace, createdAtMs, leafId, isPinned, model, parameters } = conversation;
  const { sending } = conversation;
  const file: z.infer<typeof exportSchema> = {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    ...defined({ title, workspace }),
    ...(isPinned && { isPinned }),
    ...defined({ model, parameters }),
    ...(sending && { sending: sendingSteps({ ...sending, undone: new Set() }) }),
    createdAtMs,
    messages,
    leafId,
    pictures: Object.fromEntries(pictures),
  };
  return JSON.stringify(file, undefined, 2) + "\n";
}

export function pictureHashes(messages: readonly Message[]): Set<string> {
  const hashes = new Set<string>();
  for (const message of messages) {
    for (const { hash } of imagesOf(message)) hashes.add(hash);
  }
  return hashes;
}

/**
 * Leaves out the reference to the attached original, which is not exported: an original can show more
 * than what was sent.
 */
export function withoutOriginal(part: ImagePart): ImagePart {
  const sent = { ...part };
  delete sent.original;
  return sent;
}

function withSentPictures(message: UserMessage): UserMessage {
  const parts = message.parts.map((part) => (part.kind === "image" ? withoutOriginal(part) : part));
  return { ...message, parts };
}

function exportedReply(message: Reply, isWithThinking: boolean): Reply {
  const isHidden = isWithdrawn(message);
  const { thinking, ...reply } = message;
  return {
    ...reply,
    ...(isHidden && { text: "" }),
    ...(thinking && isWithThinking && !isHidden && { thinking }),
  };
}
