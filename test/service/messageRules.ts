/**
 * Checks `messages` by sections 2.1 and 2.2 of the specification: roles, content and parts. Fields
 * of tool calls are "not shown" there, so they are not checked.
 */
import { pictureUrlProblem } from "./pictures";

const ROLES = ["system", "user", "assistant", "tool"];
const MESSAGE_FIELDS = ["role", "content", "tool_calls", "tool_call_id"];

/** Returns the violations in `messages` for `model`, a sentence each. */
export function checkMessages(messages: unknown, model: unknown): string[] {
  if (messages === undefined) return ["messages is missing; it is required"];
  if (!Array.isArray(messages)) return ["messages must be a list of messages"];
  if (messages.length === 0) return ["messages must hold at least one message"];
  return messages.flatMap((message: unknown, index) =>
    checkMessage(message, `messages[${index}]`, model),
  );
}

function checkMessage(message: unknown, path: string, model: unknown): string[] {
  if (!isObject(message)) return [`${path} must be an object`];
  const problems = unknownFields(message, MESSAGE_FIELDS, path);
  if (message["role"] === undefined) problems.push(`${path}.role is missing; it is required`);
  else if (!ROLES.includes(message["role"] as string)) {
    problems.push(`${path}.role must be one of ${ROLES.join(", ")}`);
  }
  const isToolCall = message["role"] === "assistant" && Array.isArray(message["tool_calls"]);
  const content = message["content"];
  if (isToolCall && (content === null || content === undefined)) return problems;
  if (content === undefined) problems.push(`${path}.content is missing; it is required`);
  else problems.push(...checkContent(content, `${path}.content`, model));
  return problems;
}

function checkContent(content: unknown, path: string, model: unknown): string[] {
  if (model === "core_llm" || !Array.isArray(content)) {
    if (model === "core_vl") return [`${path} must be a list of parts for core_vl`];
    return typeof content === "string" ? [] : [`${path} must be a string for core_llm`];
  }
  if (content.length === 0) return [`${path} must hold at least one part`];
  return content.flatMap((part: unknown, index) => checkPart(part, `${path}[${index}]`));
}

function checkPart(part: unknown, path: string): string[] {
  if (!isObject(part)) return [`${path} must be an object`];
  switch (part["type"]) {
    case "text": {
      const problems = unknownFields(part, ["type", "text"], path);
      if (typeof part["text"] !== "string") problems.push(`${path}.text must be a string`);
      return problems;
    }
    case "image_url":
      return [
        ...unknownFields(part, ["type", "image_url"], path),
        ...checkImageUrl(part["image_url"], `${path}.image_url`),
      ];
    default:
      return [`${path}.type must be text or image_url`];
  }
}

function checkImageUrl(image: unknown, path: string): string[] {
  if (!isObject(image)) return [`${path} must be an object with the field url`];
  const problems = unknownFields(image, ["url"], path);
  if (typeof image["url"] !== "string") return [...problems, `${path}.url must be a string`];
  const problem = pictureUrlProblem(image["url"]);
  return problem === undefined ? problems : [...problems, `${path}.url ${problem}`];
}

/** Returns a sentence for each field of `object` that is not in `known`. */
export function unknownFields(
  object: Record<string, unknown>,
  known: readonly string[],
  path: string,
): string[] {
  return Object.keys(object)
    .filter((name) => !known.includes(name))
    .map((name) => `${path === "" ? "" : `${path}.`}${name} is not a field of the specification`);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
