/**
 * Converts messages and tools of VS Code's language-model API for the service. Parts are recognized by
 * their shape, because other extensions create them; unknown parts are left out.
 */
import * as z from "zod/mini";
import { toBase64 } from "../../base/base64";
import { estimateImageTokens, estimateTextTokens } from "../../base/tokens";
import { cleanedBytes } from "../../pictures/importedPicture";
import { pictureSize } from "../../pictures/pictureSize";
import type {
  ServiceMessage,
  ServicePart,
  ServiceTool,
  ServiceToolCall,
} from "../../service/types";

/** A message of the language-model API. */
export interface RequestMessage {
  /** 1 for the user, 2 for the assistant, 3 for the system (a proposed role). */
  readonly role: number;
  readonly content: readonly unknown[];
}

/** A tool of the language-model API. */
export interface GivenTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: object | undefined;
}

const ASSISTANT = 2;
const SYSTEM = 3;

/** Assumed side of a picture of unknown size, in pixels. */
const ASSUMED_SIDE_PX = 1024;

const partSchema = z.union([
  z.object({ callId: z.string(), name: z.string(), input: z.unknown() }),
  z.object({ callId: z.string(), content: z.array(z.unknown()) }),
  z.object({ mimeType: z.string(), data: z.instanceof(Uint8Array) }),
  z.object({ value: z.string() }),
]);
type RequestPart = z.infer<typeof partSchema>;

/** Returns the messages for the service, oldest first. */
export function requestMessages(messages: readonly RequestMessage[]): ServiceMessage[] {
  return messages.flatMap(serviceMessages);
}

export function requestTools(tools: readonly GivenTool[]): ServiceTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    ...(inputSchema !== undefined && { parameters: inputSchema }),
  }));
}

/** Estimates the tokens of a message or text, with pictures and tool calls. */
export function estimateTokens(message: string | RequestMessage): number {
  if (typeof message === "string") return estimateTextTokens(message);
  return message.content.reduce<number>((sum, raw) => sum + partTokens(raw), 0);
}

function serviceMessages(message: RequestMessage): ServiceMessage[] {
  const parts: ServicePart[] = [];
  const toolCalls: ServiceToolCall[] = [];
  const results: ServiceMessage[] = [];
  for (const part of readParts(message.content)) {
    if ("input" in part) {
      const argumentsText = JSON.stringify(part.input ?? {});
      toolCalls.push({ id: part.callId, name: part.name, argumentsText });
    } else if ("content" in part) {
      const content: ServicePart[] = [];
      for (const result of readParts(part.content)) addContent(content, result);
      results.push({ role: "tool", parts: content, toolCallId: part.callId });
    } else addContent(parts, part);
  }
  const role =
    message.role === ASSISTANT ? "assistant" : message.role === SYSTEM ? "system" : "user";
  // The service expects tool results right after the calls, before other text.
  const isMessageEmpty = parts.length === 0 && toolCalls.length === 0;
  if (isMessageEmpty && results.length > 0) return results;
  return [...results, { role, parts, ...(toolCalls.length > 0 && { toolCalls }) }];
}

/** Adds text and pictures; joins adjacent text. */
function addContent(parts: ServicePart[], part: RequestPart): void {
  const added = contentPart(part);
  const last = parts.at(-1);
  if (added?.type === "text" && last?.type === "text") {
    parts[parts.length - 1] = { type: "text", text: last.text + added.text };
  } else if (added !== undefined) parts.push(added);
}

function contentPart(part: RequestPart): ServicePart | undefined {
  const text = textOf(part);
  if (text !== undefined) return { type: "text", text };
  if (!("mimeType" in part)) return undefined;
  const mimeType = mimeTypeOf(part);
  if (/^image\/[\w.+-]+$/.test(mimeType)) {
    const data = cleanedBytes(part.data) ?? part.data;
    return { type: "image", url: `data:${mimeType};base64,${toBase64(data)}` };
  }
  // Data for other providers, such as `cache_control`.
  return undefined;
}

function textOf(part: RequestPart): string | undefined {
  if ("value" in part) return part.value;
  const isText =
    "mimeType" in part &&
    /^(?:text\/[\w.+-]+|application\/(?:[\w.-]+\+)?json)\b/.test(mimeTypeOf(part));
  return isText ? new TextDecoder().decode(part.data) : undefined;
}

function mimeTypeOf({ mimeType }: { readonly mimeType: string }): string {
  return mimeType.toLowerCase().trim();
}

function readParts(content: readonly unknown[]): RequestPart[] {
  return content.flatMap((raw) => {
    const part = z.safeParse(partSchema, raw);
    return part.success ? [part.data] : [];
  });
}

function partTokens(raw: unknown): number {
  const parsed = z.safeParse(partSchema, raw);
  if (!parsed.success) return 0;
  const part = parsed.data;
  if ("input" in part) {
    return estimateTextTokens(part.name) + estimateTextTokens(JSON.stringify(part.input ?? {}));
  }
  if ("content" in part) {
    return part.content.reduce<number>((sum, inner) => sum + partTokens(inner), 0);
  }
  if ("mimeType" in part && part.mimeType.startsWith("image/")) {
    const size = pictureSize(part.data);
    return estimateImageTokens(size?.widthPx ?? ASSUMED_SIDE_PX, size?.heightPx ?? ASSUMED_SIDE_PX);
  }
  return estimateTextTokens(textOf(part) ?? "");
}
