/**
 * Import of the OpenAI messages format. Messages become a single path; system messages and tool results
 * are left out and counted.
 * Format: https://platform.openai.com/docs/api-reference/chat/create
 */
import * as z from "zod/mini";
import { fromBase64 } from "../base/base64";
import type { Step } from "./conversation";
import {
  WEB_ADDRESS,
  type ImportedPicture,
  type ImportOptions,
  type ImportResult,
} from "./importResult";
import type { ModelKind, Part, Reply } from "./message";

const contentPartSchema = z.looseObject({
  type: z.string(),
  text: z.optional(z.nullable(z.string())),
  refusal: z.optional(z.nullable(z.string())),
  image_url: z.optional(z.union([z.string(), z.looseObject({ url: z.string() })])),
});
type ContentPart = z.infer<typeof contentPartSchema>;

const callSchema = z.looseObject({
  id: z._default(z.string(), ""),
  function: z.looseObject({ name: z.string(), arguments: z._default(z.string(), "") }),
});

const messageSchema = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
  content: z.optional(z.nullable(z.union([z.string(), z.array(contentPartSchema)]))),
  tool_calls: z.optional(z.nullable(z.array(callSchema))),
});
type OpenAiMessage = z.infer<typeof messageSchema>;

/** Content of the file; the caller wraps an array of messages in an object. */
export const openAiSchema = z.looseObject({
  messages: z.array(messageSchema),
  model: z.optional(z.string()),
});

const DATA_URL = /^data:[^,;]*(?:;[^,;]*)*;base64,/i;

/** Imports user and assistant messages. */
export async function importOpenAi(
  file: z.infer<typeof openAiSchema>,
  options: ImportOptions,
): Promise<ImportResult> {
  const atMs = options.nowMs();
  const id = options.newId();
  const steps: Step[] = [{ kind: "created", id, atMs }];
  const pictures = new Map<string, ImportedPicture>();
  const leftOut = { pictures: 0, messages: 0 };
  let parentId: string | null = null;
  let modelKind: ModelKind = "llm";

  async function picturePart(url: string): Promise<Part | undefined> {
    if (WEB_ADDRESS.test(url)) return { kind: "image-address", url };
    const head = DATA_URL.exec(url)?.[0];
    const original = head === undefined ? undefined : fromBase64(url.slice(head.length));
    const clean = original && (await options.cleanPicture(original));
    if (clean === undefined) return undefined;
    const { mediaType, widthPx, heightPx, bytes } = clean;
    const hash = await options.hashOf(bytes);
    pictures.set(hash, { hash, bytes });
    const name = `picture ${pictures.size}`;
    return { kind: "image", hash, mediaType, widthPx, heightPx, bytes: bytes.length, name };
  }

  async function questionParts(message: OpenAiMessage): Promise<Part[]> {
    const parts: Part[] = [];
    for (const part of contentParts(message)) {
      if (typeof part.text === "string") parts.push({ kind: "text", text: part.text });
      if (!isPicture(part)) continue;
      const url = typeof part.image_url === "string" ? part.image_url : part.image_url?.url;
      const picture = url === undefined ? undefined : await picturePart(url);
      if (picture) parts.push(picture);
      else leftOut.pictures++;
    }
    return parts;
  }

  for (const message of file.messages) {
    const messageId = options.newId();
    if (message.role === "user") {
      const parts = await questionParts(message);
      if (parts.length === 0) {
        leftOut.messages++;
        continue;
      }
      if (parts.some((part) => part.kind !== "text")) modelKind = "vl";
      const question = { role: "user" as const, id: messageId, parentId, parts, sentAtMs: atMs };
      steps.push({ kind: "message-added", message: question });
    } else if (message.role === "assistant") {
      leftOut.pictures += contentParts(message).filter(isPicture).length;
      const reply: Reply = {
        role: "assistant",
        id: messageId,
        parentId,
        text: "",
        modelKind,
        modelCode: file.model ?? "",
        startedAtMs: atMs,
      };
      const ending = replySteps(reply, message, atMs);
      if (ending.length === 0) {
        leftOut.messages++;
        continue;
      }
      steps.push({ kind: "message-added", message: reply }, ...ending);
    } else {
      leftOut.messages++;
      continue;
    }
    parentId = messageId;
  }
  if (parentId === null) return { kind: "refused", reason: "empty" };
  return { kind: "imported", id, steps, pictures: [...pictures.values()], leftOut };
}

/** Returns the steps for text and ending of a reply; empty for an empty reply. */
function replySteps({ id }: Reply, message: OpenAiMessage, atMs: number): Step[] {
  const text = contentParts(message)
    .map((part) => part.text ?? part.refusal ?? "")
    .join("");
  const toolCalls: NonNullable<Reply["toolCalls"]> = (message.tool_calls ?? []).map((call) => ({
    id: call.id,
    name: call.function.name,
    argumentsText: call.function.arguments,
  }));
  if (text === "" && toolCalls.length === 0) return [];
  const steps: Step[] = [];
  if (text !== "") steps.push({ kind: "reply-grown", messageId: id, offset: 0, text, atMs });
  steps.push(
    toolCalls.length > 0
      ? { kind: "reply-ended", messageId: id, atMs, ending: { kind: "tool-calls" }, toolCalls }
      : { kind: "reply-ended", messageId: id, atMs, ending: { kind: "complete" } },
  );
  return steps;
}

/** True for a picture, also in a form of another service, which is counted as left out. */
function isPicture({ type, image_url: url }: ContentPart): boolean {
  return url !== undefined || /image/i.test(type);
}

function contentParts({ content }: OpenAiMessage): ContentPart[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return content ?? [];
}
