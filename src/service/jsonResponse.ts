import { parseChunk } from "./chunk";
import { MAX_REPLY_PICTURES } from "./limits";
import { MarkdownPictures } from "./markdownPictures";
import { parsePythonJson } from "./jsonText";
import { foreignReply, reportedFailure } from "./readFailure";
import { separateThinking } from "./thinkingTags";
import { createToolCallAssembler } from "./toolCalls";
import type { ServiceFailure, ServiceToolCall, Usage } from "./types";

export interface JsonCompletion {
  readonly text: string;
  readonly reasoning: string;
  readonly pictures: readonly string[];
  readonly finishReason: string | undefined;
  readonly toolCalls: readonly ServiceToolCall[];
  readonly usage: Usage | undefined;
}

export function parseJsonCompletion(
  body: string,
  redact: (text: string) => string,
): JsonCompletion | ServiceFailure {
  const json = body.replace(/^\ufeff/, "").trim();
  if (json === "") return { kind: "empty" };
  const value = parsePythonJson(json) ?? parsePythonJson(withoutStreamEnd(json));
  if (value === undefined) {
    // A document without its closing bracket was truncated.
    const isCut = /^[[{]/.test(json) && !/[\]}]$/.test(json);
    return isCut ? { kind: "truncated", damagedEvents: 0 } : { kind: "unreadable" };
  }
  const block = parseChunk(value);
  if (block === undefined) return foreignReply(json, redact);
  if (block.error !== undefined) return reportedFailure(block.error, redact);
  if (block.choiceIndex === undefined) {
    if (block.mayBeError) return reportedFailure(value, redact);
    const isEmpty = Object.hasOwn(value as object, "choices");
    return isEmpty ? { kind: "empty" } : foreignReply(json, redact);
  }
  const calls = createToolCallAssembler();
  for (const delta of block.toolCalls) calls.add(delta);
  const separated = separateThinking(block.text.toWellFormed());
  const reasoning = [block.reasoning.toWellFormed(), separated.reasoning].filter(
    (part) => part.trim() !== "",
  );
  const markdown = new MarkdownPictures();
  const content = markdown.push(separated.text);
  const last = markdown.end();
  const pictures = new Set([...block.pictures, ...content.pictures, ...last.pictures]);
  return {
    text: content.text + last.text,
    pictures: [...pictures].map((url, index) => (index < MAX_REPLY_PICTURES ? url : "")),
    reasoning: reasoning.join("\n\n"),
    finishReason: block.finishReason,
    toolCalls: calls.calls(),
    usage: block.usage,
  };
}

/** Removes the end of an event stream, which some services append to a document. */
function withoutStreamEnd(json: string): string {
  const end = "[DONE]";
  if (!json.endsWith(end)) return json;
  return json
    .slice(0, -end.length)
    .trimEnd()
    .replace(/data:$/, "");
}
