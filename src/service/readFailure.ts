/**
 * Reads the error of a service: a status with any body, or an error inside a reply. Keeps the
 * service's message as short plain text without secrets.
 */
import { ERROR_CAUSES } from "./errorCauses";
import { jsonText, parseJson } from "./jsonText";
import { isWebPage, MAX_MESSAGE_CHARS, shortPlainText, textOfPage } from "./plainText";
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
    ...causeOf(parseJson(body) ?? body, status),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** Returns the failure for an error inside a reply of status 200. */
export function reportedFailure(error: unknown, redact: (text: string) => string): ServiceFailure {
  return { kind: "reported", message: errorMessage(error, redact), ...causeOf(error) };
}

/** Returns the failure for a reply of status 200 that is no chat completion. */
export function foreignReply(body: string, redact: (text: string) => string): ServiceFailure {
  return { kind: "foreign", message: shortPlainText(body.slice(0, 4 * MAX_MESSAGE_CHARS), redact) };
}

/** Cause of an error, as far as the service names one. */
interface Cause {
  about?: FailureSubject;
  /** Tokens that the model reads at most, for a question that is too long. */
  limitTokens?: number;
}

/** Upper limits of the text that is searched for a cause. */
const MAX_MESSAGES = 8;
const MAX_MESSAGE_LENGTH = 1000;

/**
 * Returns the cause of an error, by the first row of the table that holds.
 * @param status undefined for an error in a reply of status 200
 */
function causeOf(error: unknown, status?: number): Cause {
  const codes = fieldsOf(error, CODE_FIELDS).map((code) => code.replaceAll(/[\s-]/g, "_"));
  const params = fieldsOf(error, ["param", "loc"]);
  // "8,192" is 8192.
  const messages = messagesOf(error).map((text) => text.replaceAll(/(?<=\d),(?=\d{3}\b)/g, ""));
  for (const { about, statuses, ...row } of ERROR_CAUSES) {
    if (statuses && status !== undefined && !statuses.includes(status)) continue;
    const matches = (row.words ?? []).flatMap((words) =>
      messages.map((message) => words.exec(message)).filter((found) => found !== null),
    );
    const isNamed =
      codes.some((code) => row.codes?.test(code)) || params.some((name) => row.params?.test(name));
    const isStatus = Object.keys(row).length === 0 && status !== undefined;
    if (!isStatus && !isNamed && matches.length === 0) continue;
    // llama.cpp has the number in a field.
    const limits = [
      ...fieldsOf(error, ["n_ctx"]),
      ...matches.map((found) => found.groups?.["limit"]),
    ];
    const limitTokens = Number(limits.find((limit) => limit !== undefined));
    return { about, ...(about === "context" && limitTokens > 0 && { limitTokens }) };
  }
  return {};
}

const CODE_FIELDS = ["code", "type", "error_code", "status", "reason", "error"];

/** Returns strings and numbers in these fields of an error and of nested errors; a list is a path. */
function fieldsOf(error: unknown, names: readonly string[], depth = 0): string[] {
  if (typeof error !== "object" || error === null || depth > 4) return [];
  if (Array.isArray(error)) {
    return error.slice(0, MAX_MESSAGES).flatMap((item) => fieldsOf(item, names, depth + 1));
  }
  const found: string[] = [];
  for (const name of new Set([...names, "error", "detail", "details"])) {
    if (!Object.hasOwn(error, name)) continue;
    const value = (error as Record<string, unknown>)[name];
    if (typeof value === "object") {
      const isPath = name === "loc" && Array.isArray(value);
      if (isPath) found.push(value.slice(0, MAX_MESSAGES).join(".").slice(0, 200));
      else found.push(...fieldsOf(value, names, depth + 1));
    } else if (names.includes(name) && (typeof value === "string" || typeof value === "number")) {
      found.push(String(value).slice(0, 200));
    }
  }
  return found;
}

/** Returns the messages of an error and of the errors in it; gateways quote those of others. */
function messagesOf(error: unknown, depth = 0): string[] {
  if (typeof error === "string") return [error.slice(0, MAX_MESSAGE_LENGTH)];
  if (typeof error !== "object" || error === null || depth > 4) return [];
  const values = Array.isArray(error)
    ? error.slice(0, MAX_MESSAGES)
    : [...MESSAGE_FIELDS, "metadata", "raw"].map((field) =>
        Object.hasOwn(error, field) ? (error as Record<string, unknown>)[field] : undefined,
      );
  return values.flatMap((value) => messagesOf(value, depth + 1)).slice(0, MAX_MESSAGES);
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
