/**
 * Checks a request by sections 2.1, 4, 5 and 8 of the specification: headers, fields, ranges and
 * steps. Numbers are checked by their JSON text, so 0.30000000000000004 is not 0.3.
 */
import { decimalPlaces, readJsonMembers } from "./jsonMembers";
import { checkMessages, isObject, unknownFields } from "./messageRules";

interface NumberRule {
  readonly name: string;
  readonly places: number;
  readonly range: string;
  isInRange(value: number): boolean;
}

const TEMPERATURE: NumberRule = {
  name: "temperature",
  places: 2,
  range: "between 0.01 and 1.00",
  isInRange: (value) => value >= 0.01 && value <= 1,
};
const TOP_P: NumberRule = {
  name: "top_p",
  places: 1,
  range: "above 0.0 and below 1.0",
  isInRange: (value) => value > 0 && value < 1,
};
const REPETITION_PENALTY: NumberRule = {
  name: "repetition_penalty",
  places: 1,
  range: "above 1.0 and below 2.0",
  isInRange: (value) => value > 1 && value < 2,
};

const MODELS = ["core_llm", "core_vl"];
// The specification does not show tool calls, so `tools` and `tool_choice` are not checked.
const FIELDS = ["model", "messages", "stream", "temperature", "top_p", "max_tokens"].concat([
  "repetition_penalty",
  "tools",
  "tool_choice",
]);

/** Returns the problem of the key, or undefined; every key is accepted unless `apiKey` is given. */
export function keyProblem(header: string | undefined, apiKey?: string): string | undefined {
  if (header === undefined || header === "") return "the header Authorization is missing";
  const key = /^Bearer ([\x21-\x7e]+)$/.exec(header)?.[1];
  if (key === undefined) return "the header Authorization must be: Bearer <API_KEY>";
  return apiKey !== undefined && key !== apiKey ? "this API key is not known here" : undefined;
}

/** Returns the problem of the body's type, or undefined. */
export function contentTypeProblem(header: string | undefined): string | undefined {
  const isJson = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(header ?? "");
  return isJson ? undefined : "the header Content-Type must be application/json";
}

/** Treatment of `tools`, which the specification does not show. */
export type ToolMode = "works" | "ignored" | "refused";

/** Returns the violations in a body; `body` is parsed from `bodyText`. */
export function checkBody(bodyText: string, body: unknown, tools?: ToolMode): string[] {
  if (!isObject(body)) return ["the body must be a JSON object"];
  const members = readJsonMembers(bodyText);
  const problems = unknownFields(body, FIELDS, "");
  if (tools === "refused" && body["tools"] !== undefined) {
    problems.push("tools is not a field of the specification");
  }
  const names = members.map((member) => member.name);
  for (const name of new Set(names.filter((one, index) => names.indexOf(one) !== index))) {
    problems.push(`${name} is given twice`);
  }
  const textOf = (name: string) => members.findLast((member) => member.name === name)?.text;
  problems.push(...checkModel(body["model"]), ...checkMessages(body["messages"], body["model"]));
  if (body["stream"] !== undefined && typeof body["stream"] !== "boolean") {
    problems.push("stream must be true or false");
  }
  problems.push(
    ...checkNumber(TEMPERATURE, textOf("temperature")),
    ...checkNumber(TOP_P, textOf("top_p")),
    ...checkMaxTokens(body["model"], textOf("max_tokens")),
    ...checkRepetitionPenalty(body["model"], textOf("repetition_penalty")),
  );
  return problems;
}

function checkModel(model: unknown): string[] {
  if (model === undefined) return ["model is missing; it is required"];
  if (typeof model !== "string") return ["model must be a string"];
  if (MODELS.includes(model)) return [];
  return [`unknown model ${JSON.stringify(model.slice(0, 100))}; known are ${MODELS.join(", ")}`];
}

function checkNumber(rule: NumberRule, text: string | undefined): string[] {
  if (text === undefined) return [];
  if (!isNumber(text)) return [`${rule.name} must be a number`];
  if (!rule.isInRange(Number(text))) return [`${rule.name} must be ${rule.range}, not ${text}`];
  if (decimalPlaces(text) <= rule.places) return [];
  return [`${rule.name} has steps of ${rule.places === 2 ? "0.01" : "0.1"}, not ${text}`];
}

function checkMaxTokens(model: unknown, text: string | undefined): string[] {
  if (text === undefined) return [];
  if (model === "core_vl") return ["max_tokens is not a field of core_vl"];
  if (!/^-?\d+$/.test(text)) return [`max_tokens must be a whole number, not ${text.slice(0, 40)}`];
  const isInRange = Number(text) >= 1 && Number(text) <= 8192;
  return isInRange ? [] : [`max_tokens must be between 1 and 8192, not ${text.slice(0, 40)}`];
}

function checkRepetitionPenalty(model: unknown, text: string | undefined): string[] {
  if (text === undefined || model !== "core_llm") return checkNumber(REPETITION_PENALTY, text);
  // The sample request for core_llm in the specification contains the value 1, and no other value.
  if (isNumber(text) && Number(text) === 1 && decimalPlaces(text) === 0) return [];
  return ["repetition_penalty is a field of core_vl; core_llm may carry the value 1 only"];
}

function isNumber(text: string): boolean {
  return /^-?\d/.test(text);
}
