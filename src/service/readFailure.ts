/**
 * Reads the error of a service: a status with any body, or an error inside a reply. Keeps the
 * service's message as short plain text without secrets.
 */
import { ERROR_CAUSES } from "./errorCauses";
import { allErrors, errorContent, errorText } from "./errorContent";
import { jsonText } from "./jsonText";
import { MAX_MESSAGE_CHARS, shortPlainText } from "./plainText";
import type { FailureSubject, ServiceFailure } from "./types";

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
    message: errorMessage(body, redact),
    ...causeOf(body, status),
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

/** Upper limits of the texts that are searched for a cause. */
const MAX_MESSAGES = 16;
const MAX_MESSAGE_LENGTH = 1000;

/**
 * Returns the cause of an error, by the first row of the table that holds.
 * @param status undefined for an error in a reply of status 200
 */
function causeOf(error: unknown, status?: number): Cause {
  const errors = allErrors(errorContent(error));
  const codes = errors
    .flatMap(({ labels, texts }) => [...labels, ...texts])
    .map((code) => code.slice(0, 200).replaceAll(/[\s-]/g, "_"));
  // "8,192" is 8192.
  const messages = errors
    .flatMap(({ texts, labels }) => [...texts, ...labels])
    .slice(0, MAX_MESSAGES)
    .map((text) => text.slice(0, MAX_MESSAGE_LENGTH).replaceAll(/(?<=\d),(?=\d{3}\b)/g, ""));
  for (const { about, statuses, ...row } of ERROR_CAUSES) {
    if (statuses && status !== undefined && !statuses.includes(status)) continue;
    const matches = (row.words ?? []).flatMap((words) =>
      messages.map((message) => words.exec(message)).filter((match) => match !== null),
    );
    const isNamed =
      codes.some((code) => row.codes?.test(code)) ||
      errors.some(({ path }) => row.params?.test(path));
    const isStatus = Object.keys(row).length === 0 && status !== undefined;
    if (!isStatus && !isNamed && matches.length === 0) continue;
    // llama.cpp has the number in a field.
    const limits = [
      ...errors.map(({ limitTokens }) => limitTokens),
      ...matches.map((match) => match.groups?.["limit"]),
    ];
    const limitTokens = Number(limits.find((limit) => limit !== undefined));
    return { about, ...(about === "context" && limitTokens > 0 && { limitTokens }) };
  }
  return {};
}

/** Returns the message of an error in any JSON value; the JSON itself if it contains no text. */
export function errorMessage(error: unknown, redact: (text: string) => string): string {
  return shortPlainText(errorText(errorContent(error)) ?? textOfValue(error), redact);
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
    return !isEmptyError(error) && errorText(errorContent(error)) !== undefined;
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
