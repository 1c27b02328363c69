/**
 * Record of the requests that the organization's policy asks for: one line of JSON for each, without
 * what was asked or answered, and without keys.
 */
import { parseUrl } from "../../base/parseUrl";
import type { RequestRecord } from "./requestLog";

/** Name of the file in the extension's storage. */
export const RECORD_FILE = "requests.jsonl";

/** Returns the line of a request that has ended. */
export function recordLine(record: RequestRecord): string {
  const { startedAtMs, attempt, url, model, bodyLength, pictures, answer, ending } = record;
  return JSON.stringify({
    at: new Date(startedAtMs).toISOString(),
    host: parseUrl(url)?.host ?? "",
    model,
    attempt,
    pictures: pictures.length,
    requestChars: bodyLength,
    replyBytes: record.receivedBytes,
    status: answer?.status,
    ending: ending?.kind,
    failure: ending?.failure?.kind,
    ms: ending && Math.round(ending.afterMs),
  });
}
