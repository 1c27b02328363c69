/**
 * Formats an exchange as a Markdown document: request, response and ending.
 */
import type { Translate } from "../../base/translate";
import { fenceFor } from "../../base/backticks";
import type { RequestRecord } from "./requestLog";
import { PICTURE_MARK, type PictureFacts } from "./shownBody";

/** Sentences of other modules. */
export interface DocumentMessages {
  readonly t: Translate;
  /** Returns the ending of an exchange; the panel's sentence for a failure. */
  readonly ending: (record: RequestRecord) => string;
}

/** Response headers that are useful for diagnosis; all others are omitted. */
const SHOWN_HEADERS =
  /^(?:content-(?:type|length|encoding)|transfer-encoding|retry-after(?:-ms)?|location|server|via|date|age|cache-control|connection|x-cache|cf-ray|(?:www|proxy)-authenticate|x-accel-buffering|(?:x-)?ratelimit-[\w-]+|(?:x-)?(?:amzn-)?(?:request|trace|correlation)-?id|traceparent)$/;

export function requestDocument(record: RequestRecord, messages: DocumentMessages): string {
  const { t } = messages;
  const sections = [
    `# ${t("Request {0}", record.id)}`,
    `\`POST ${record.url}\``,
    summary(record, messages),
    `## ${t("Request headers")}`,
    fenced("http", headerLines(Object.entries(record.headers))),
    `## ${t("Request body")}`,
    record.body === undefined
      ? record.isPrivate
        ? t("The body of this request is not kept.")
        : t("The body was too long to keep ({0} characters).", record.bodyLength)
      : fenced("json", withPictures(pretty(record.body), record.pictures, t)),
    ...answerSections(record, t),
  ];
  return sections.join("\n\n") + "\n";
}

/** Formats a picture as a line: type, size in pixels, bytes, hash. */
export function pictureLine(picture: PictureFacts, t: Translate): string {
  const { mediaType, widthPx, heightPx, bytes, sha256 } = picture;
  return [
    mediaType,
    ...(widthPx === undefined || heightPx === undefined ? [] : [`${widthPx} × ${heightPx} px`]),
    t("{0} bytes", bytes),
    ...(sha256 === undefined ? [] : [`SHA-256 ${sha256}`]),
  ].join(", ");
}

function summary(record: RequestRecord, { t, ending }: DocumentMessages): string {
  const { answer, blockCount } = record;
  const rows: [string, string | number][] = [
    [t("Started"), new Date(record.startedAtMs).toISOString()],
    [t("Model"), record.model],
    [t("Attempt"), record.attempt],
    [t("Status"), answer?.status ?? "–"],
    [t("Result"), ending(record)],
    [t("Headers after"), duration(answer?.afterMs)],
    [t("First block after"), duration(record.firstBlockAfterMs)],
    [t("Duration"), duration(record.ending?.afterMs)],
    [t("Received"), t("{0} bytes; blocks: {1}", record.receivedBytes, blockCount)],
  ];
  return rows.map(([name, value]) => `- ${name}: ${value}`).join("\n");
}

function answerSections(record: RequestRecord, t: Translate): string[] {
  if (record.answer === undefined) return [];
  const shown = Object.entries(record.answer.headers).filter(([name]) => SHOWN_HEADERS.test(name));
  return [
    `## ${t("Response headers")}`,
    shown.length === 0 ? "–" : fenced("http", headerLines(shown)),
  ];
}

function duration(ms: number | undefined): string {
  return ms === undefined ? "–" : `${Math.round(ms)} ms`;
}

function headerLines(headers: readonly (readonly [string, string])[]): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join("\n");
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json; // redaction may have damaged the JSON syntax
  }
}

function withPictures(text: string, pictures: readonly PictureFacts[], t: Translate): string {
  return pictures.reduce(
    (result, picture, index) =>
      result.replace(`,${PICTURE_MARK}${index + 1})"`, () => `,(${pictureLine(picture, t)})"`),
    text,
  );
}

/** Wraps `text` in a fence that no line of `text` can close. */
function fenced(language: string, text: string): string {
  const fence = fenceFor(text);
  return `${fence}${language}\n${text}\n${fence}`;
}
