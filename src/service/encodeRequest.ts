/**
 * Encodes a request as the JSON of the service specification, section 2. Never writes a value outside the
 * specified ranges and steps.
 */
import { wellFormedJson } from "../base/wellFormed";
import type {
  ChatRequest,
  RequestModel,
  Sampling,
  ServiceMessage,
  ServicePart,
  ServiceTool,
} from "./types";

/** Field of a request that cannot be sent. */
export type RequestProblem =
  | "model"
  | "messages"
  | "temperature"
  | "top_p"
  | "max_tokens"
  | "repetition_penalty"
  | "key"
  | "header";

export type EncodedRequest =
  | {
      readonly ok: true;
      readonly json: string;
      readonly imageCount: number;
      readonly imagesLeftOut: number;
    }
  | { readonly ok: false; readonly problem: RequestProblem };

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

  const images = messages.reduce((sum, { parts }) => sum + parts.filter(isImage).length, 0);
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
  const imageCount = kind === "vl" ? images : 0;
  return { ok: true, json, imageCount, imagesLeftOut: images - imageCount };
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
