/**
 * Reads the error of a service: a status with any body, or an error inside a reply. Keeps the
 * service's message as short plain text without secrets.
 */
import { jsonText, parseJson } from "./jsonText";
import { isWebPage, shortPlainText, textOfPage } from "./plainText";
import type { FailureSubject, ServiceFailure } from "./types";

/** Fields with the message of an error, the most frequent first. */
const MESSAGE_FIELDS = [
  "message",
  "msg",
  "detail",
  "error_description",
  "error_msg",
  "error_message",
  "status_msg",
  "base_resp",
  "error",
  "errors",
  "description",
  "title",
  "reason",
  "type",
  "code",
] as const;

/** Returns the failure for a status other than 200; `body` may be truncated. */
export function statusFailure(
  status: number,
  url: string,
  body: string,
  retryAfterMs: number | undefined,
  redact: (text: string) => string,
): ServiceFailure {
  return {
    kind: "status",
    status,
    url: redact(url),
    message: bodyMessage(body, redact),
    ...subjectOf(parseJson(body) ?? body),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** Returns the failure for an error inside a reply of status 200. */
export function reportedFailure(error: unknown, redact: (text: string) => string): ServiceFailure {
  return { kind: "reported", message: errorMessage(error, redact), ...subjectOf(error) };
}

const KEY_CODES =
  /^(?:401|(?:invalid|incorrect|missing|expired|no)?api_?key(?:_?\w+)?|(?:invalid|missing|expired)_(?:api_)?(?:key|token)|authentication(?:_?error|_failed)?|unauthori[sz]ed|unauthenticated)$/i;
const MODEL_CODES =
  /^(?:(?:model|deployment)_?(?:not_?found|not_?exists?|does_?not_?exist|unknown)|(?:unknown|invalid|no_?such)_?model(?:_?name)?)$/i;
/** Reads at most 1,000 UTF-16 units. */
const MODEL_WORDS =
  /\bmodel\b.{0,200}\b(?:does not exist|doesn't exist|not exist|not found|is unknown)|\b(?:unknown|no such|invalid) model\b|模型.{0,200}(?:不存在|未找到)/i;

/** Returns the setting that an error is about, from its codes, else from its message. */
function subjectOf(error: unknown): { about?: FailureSubject } {
  const codes = fieldsOf(error, ["code", "type", "error_code", "status"], 0);
  if (codes.some((code) => KEY_CODES.test(code.replaceAll(/[\s-]/g, "_")))) return { about: "key" };
  if (codes.some((code) => MODEL_CODES.test(code.replaceAll(/[\s-]/g, "_"))))
    return { about: "model" };
  const message = (findMessage(error, 0) ?? "").slice(0, 1000);
  const isModel = MODEL_WORDS.test(message) || fieldsOf(error, ["param"], 0).includes("model");
  return isModel ? { about: "model" } : {};
}

/** Returns the strings and numbers in these fields of an error and of nested errors. */
function fieldsOf(error: unknown, names: readonly string[], depth: number): string[] {
  if (typeof error !== "object" || error === null || depth > 3) return [];
  const found: string[] = [];
  for (const name of [...names, "error"]) {
    if (!Object.hasOwn(error, name)) continue;
    const value = (error as Record<string, unknown>)[name];
    if (typeof value === "string" || typeof value === "number")
      found.push(String(value).slice(0, 200));
    else found.push(...fieldsOf(value, names, depth + 1));
  }
  return found;
}

/** Returns the message in a failure's body: JSON, a page or text. */
function bodyMessage(body: string, redact: (text: string) => string): string {
  if (isWebPage(body)) return shortPlainText(textOfPage(body), redact);
  return errorMessage(parseJson(body) ?? body, redact);
}

/** Returns the message of an error in any JSON value; the JSON itself if it contains no text. */
export function errorMessage(error: unknown, redact: (text: string) => string): string {
  const found = findMessage(error, 0) ?? textOfValue(error);
  return shortPlainText(found, redact);
}

/** Fields that only an error message has, in a block without a choice. */
const ERROR_FIELDS = [
  "message",
  "msg",
  "detail",
  "errors",
  "error_msg",
  "error_message",
  "error_description",
  "status_msg",
  "base_resp",
] as const;

/** Returns true for an object without a choice that contains the message of an error. */
export function looksLikeError(value: object): boolean {
  return ERROR_FIELDS.some((field) => {
    if (!Object.hasOwn(value, field)) return false;
    const error = (value as Record<string, unknown>)[field];
    return !isEmptyError(error) && findMessage(error, 1) !== undefined;
  });
}

/** Returns true for an empty error: empty, zero, or a word for success, at any depth. */
export function isEmptyError(value: unknown, depth = 0): boolean {
  if (value === undefined || value === null || value === false) return true;
  if (typeof value === "number") return value === 0 || value === 200;
  if (typeof value === "string") {
    return /^\s*(?:(?:0|200|ok|success|none|null)\s*)?$/i.test(value);
  }
  if (typeof value !== "object" || depth > 4) return false;
  return Object.values(value).every((item) => isEmptyError(item, depth + 1));
}

/** Returns an error without a message as text. */
function textOfValue(error: unknown): string {
  if (typeof error === "string" || error === null || error === undefined) return error ?? "";
  return jsonText(error);
}

function findMessage(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null || depth > 4) return undefined;
  if (Array.isArray(value)) return findMessage(value[0], depth + 1);
  for (const field of MESSAGE_FIELDS) {
    if (!Object.hasOwn(value, field)) continue;
    const found = findMessage((value as Record<string, unknown>)[field], depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
