/**
 * Record of the requests that the organization's policy asks for: two lines of JSON for each, at its
 * start and at its end, without what was asked or answered, and without keys.
 */
import { newId } from "../../base/id";
import { describeError, type Log } from "../../base/log";
import { parseUrl } from "../../base/parseUrl";
import type { ExchangeEvent } from "../../service/exchange";
import { ServiceError } from "../../service/types";
import type { RequestRecord } from "./requestLog";

/** Name of the file in the extension's storage. */
export const RECORD_FILE = "requests.jsonl";

/** Writes the lines of observed requests. */
export class RequestRecorder {
  /** Id in the record of each request whose start is recorded. */
  private readonly ids = new WeakMap<RequestRecord, string>();
  private lastEnd: Promise<void> = Promise.resolve();

  constructor(
    private readonly isAsked: () => boolean,
    /** Resolves when the line is on disk. */
    private readonly append: (line: string) => Promise<void>,
    private readonly log: Log,
  ) {}

  /**
   * Records a start or an end. The promise of a start rejects with a ServiceError if its line cannot be
   * written, so that the request is not sent.
   */
  observe(
    type: ExchangeEvent["type"],
    request: RequestRecord | undefined,
  ): Promise<void> | undefined {
    if (request === undefined) return undefined;
    if (type === "exchange-started" && this.isAsked()) {
      this.ids.set(request, newId());
      const start = this.write(request);
      start.catch(() => undefined); // awaited by the request, unless it is stopped first
      return start;
    }
    if (type === "exchange-ended" && this.ids.has(request))
      this.lastEnd = this.write(request).catch(() => undefined);
    return undefined;
  }

  /** Resolves when the ends so far are on disk. */
  untilWritten(): Promise<void> {
    return this.lastEnd;
  }

  private async write(request: RequestRecord): Promise<void> {
    try {
      await this.append(recordLine(this.ids.get(request) ?? "", request));
    } catch (error) {
      this.log.error(`record: a request could not be recorded (${describeError(error)})`);
      throw new ServiceError({ kind: "not-allowed", problem: "not-recorded" });
    }
  }
}

export function recordLine(id: string, record: RequestRecord): string {
  const { startedAtMs, attempt, url, model, bodyLength, pictures, answer, ending } = record;
  return JSON.stringify({
    id,
    at: new Date(startedAtMs).toISOString(),
    host: parseUrl(url)?.host ?? "",
    model,
    attempt,
    pictures: pictures.length,
    requestChars: bodyLength,
    ...(ending && {
      replyBytes: record.receivedBytes,
      status: answer?.status,
      ending: ending.kind,
      failure: ending.failure?.kind,
      ms: Math.round(ending.afterMs),
    }),
  });
}
