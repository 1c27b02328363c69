/**
 * The wire format of chat completions: service specification, section 2. The client writes requests and
 * reads replies through this object alone, so another format is another object of this type. The fields of
 * a request are named here, those of a reply in chunk.ts and toolCalls.ts. Never writes a value outside
 * the specified ranges and steps.
 */
import { wellFormedJson } from "../base/wellFormed";
import { StreamDecoder } from "./decodeStream";
import { parseJsonCompletion } from "./jsonResponse";
import { requestHeaders } from "./requestHeaders";
import type {
  ChatRequest,
  RequestModel,
  Sampling,
  ServiceMessage,
  ServicePart,
  ServiceTool,
} from "./types";

/** Field of a request that cannot be sent. */
type RequestProblem =
  | "model"
  | "messages"
  | "temperature"
  | "top_p"
  | "max_tokens"
  | "repetition_penalty"
  | "key"
  | "header";

type EncodedRequest =
  | {
      readonly ok: true;
      readonly json: string;
      /** Addresses of the pictures in `json`. */
      readonly pictures: readonly string[];
      readonly imagesLeftOut: number;
    }
  | { readonly ok: false; readonly problem: RequestProblem };

export const chatCompletions = {
  /** Returns headers, body and pictures, or the field with a problem. `key` must come from `readApiKey`. */
  encode(request: ChatRequest, key: string, extraHeaders: Readonly<Record<string, string>>) {
    const headers = requestHeaders(key, request.stream, extraHeaders);
    if (headers === undefined) return { ok: false, problem: "header" } as const;
    const encoded = encodeRequest(request);
    return encoded.ok ? { ...encoded, headers } : encoded;
  },
  /** Returns the decoder of a streamed reply. `redact` removes secrets from errors of the service. */
  decoder: (redact: (text: string) => string): ReplyDecoder => new StreamDecoder(redact),
  readWhole: parseJsonCompletion,
};
export type WireFormat = typeof chatCompletions;
export type ReplyDecoder = Pick<StreamDecoder, keyof StreamDecoder>;

/**
 * Encodes `request`. `core_llm` receives strings: pictures are left out and counted, text parts
 * joined by an empty line. `core_vl` always receives lists of parts. A sampling value outside its
 * range or step is a problem, not rounded. A value of the other model is left out.
 */
export function encodeRequest(request: ChatRequest): EncodedRequest {
  const { kind, messages } = request;
  if (request.modelCode.trim() === "") return { ok: false, problem: "model" };
  if (messages.length === 0) return { ok: false, problem: "messages" };
  const sampling = encodeSampling(request.sampling, kind);
  if (typeof sampling === "string") return { ok: false, problem: sampling };

  const images = messages.flatMap(({ parts }) => parts.filter(isImage)).map(({ url }) => url);
  const json = wellFormedJson({
    model: request.modelCode,
    messages: messages.map((message) => encodeMessage(message, kind)),
    stream: request.stream,
    ...sampling,
    ...(request.tools !== undefined &&
      request.tools.length > 0 && {
        tools: request.tools.map(encodeTool),
        ...(request.isToolRequired === true && { tool_choice: "required" }),
      }),
  });
  const pictures = kind === "vl" ? images : [];
  return { ok: true, json, pictures, imagesLeftOut: images.length - pictures.length };
}

function isImage(part: ServicePart): part is ServicePart & { type: "image" } {
  return part.type === "image";
}

function encodeMessage(message: ServiceMessage, kind: RequestModel): object {
  return {
    role: message.role,
    content: kind === "vl" ? contentList(message.parts) : contentText(message.parts),
    ...(message.toolCalls !== undefined &&
      message.toolCalls.length > 0 && {
        tool_calls: message.toolCalls.map(({ id, name, argumentsText }) => ({
          id,
          type: "function",
          function: { name, arguments: argumentsText },
        })),
      }),
    ...(message.toolCallId !== undefined && { tool_call_id: message.toolCallId }),
  };
}

function contentText(parts: readonly ServicePart[]): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}

function contentList(parts: readonly ServicePart[]): object[] {
  if (parts.length === 0) return [{ type: "text", text: "" }];
  return parts.map((part) =>
    part.type === "text"
      ? { type: "text", text: part.text }
      : { type: "image_url", image_url: { url: part.url } },
  );
}

function encodeTool(tool: ServiceTool): object {
  const { name, description, parameters } = tool;
  return {
    type: "function",
    function: { name, description, ...(parameters !== undefined && { parameters }) },
  };
}

function encodeSampling(
  sampling: Sampling,
  kind: RequestModel,
): Record<string, number> | RequestProblem {
  const { temperature, topP, maxTokens, repetitionPenalty } = sampling;
  const fields: Record<string, number> = {};
  if (temperature !== undefined) {
    const value = onStep(temperature, 100, 1, 100);
    if (value === undefined) return "temperature";
    fields["temperature"] = value;
  }
  if (topP !== undefined) {
    const value = onStep(topP, 10, 1, 9);
    if (value === undefined) return "top_p";
    fields["top_p"] = value;
  }
  if (maxTokens !== undefined && kind === "llm") {
    const value = onStep(maxTokens, 1, 1, 8192);
    if (value === undefined) return "max_tokens";
    fields["max_tokens"] = value;
  }
  // 1.0 is the default and outside the open range (1.0, 2.0), so the field is left out.
  if (repetitionPenalty !== undefined && repetitionPenalty !== 1 && kind === "vl") {
    const value = onStep(repetitionPenalty, 10, 11, 19);
    if (value === undefined) return "repetition_penalty";
    fields["repetition_penalty"] = value;
  }
  return fields;
}

/**
 * Returns the multiple of `1
 * stepsPerOne` between `min` and `max` (counted in steps), else undefined. Dividing two integers
 * gives the double that prints as the short decimal: 0.1 + 0.2 is sent as 0.3.
 */
function onStep(value: number, stepsPerOne: number, min: number, max: number): number | undefined {
  const steps = Math.round(value * stepsPerOne);
  const isOnStep = Math.abs(value * stepsPerOne - steps) < 1e-9 * stepsPerOne;
  return isOnStep && steps >= min && steps <= max ? steps / stepsPerOne : undefined;
}
