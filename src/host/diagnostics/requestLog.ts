/**
 * Last exchanges with the service, bounded and in memory only: requests without the bytes of
 * pictures, headers of responses, arrival times and endings.
 */
import type { Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";
import type { ExchangeEvent } from "../../service/exchange";
import type { ServiceFailure } from "../../service/types";
import { createShownBody, type PictureFacts } from "./shownBody";

export const MAX_RECORDS = 50;

/** Maximum length of all stored requests, in UTF-16 units; the oldest exchanges are dropped first. */
const MAX_KEPT_LENGTH = 8 * 1024 * 1024;

/** Record of an exchange; every try is an exchange. Times are milliseconds since its start. */
export interface RequestRecord {
  /** Number from 1 in this window. */
  readonly id: number;
  readonly startedAtMs: number;
  readonly attempt: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly model: string;
  /** Beginning of what the user typed; empty if private. */
  readonly words: string;
  /** JSON with marks for pictures; undefined if too long to keep or private. */
  readonly body: string | undefined;
  /** True if the body is not kept. */
  readonly isPrivate: boolean;
  readonly bodyLength: number;
  pictures: readonly PictureFacts[];
  answer?: {
    readonly afterMs: number;
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
  };
  /** Arrival of the first block of a reply's body, as read from the network. */
  firstBlockAfterMs?: number;
  blockCount: number;
  receivedBytes: number;
  ending?: {
    readonly afterMs: number;
    readonly kind: "complete" | "stopped" | "left" | "failed";
    readonly failure?: ServiceFailure;
  };
}

/** Keeps the last exchanges of all observed clients. */
export class RequestLog implements Disposable {
  private records: RequestRecord[] = [];
  private count = 0;
  private readonly changes = new Emitter<RequestRecord>();

  /** Fires when an exchange starts, is answered or ends, and when its pictures are hashed. */
  readonly onChanged = this.changes.event;

  /** Returns the stored exchanges, newest first. */
  newestFirst(): readonly RequestRecord[] {
    return this.records.toReversed();
  }

  /** Returns an exchange; undefined if it was dropped. */
  get(id: number): RequestRecord | undefined {
    return this.records.find((record) => record.id === id);
  }

  /**
   * Returns an observer for a client; each client numbers its own exchanges. The observer returns the
   * record of an event's exchange.
   */
  observer(): (event: ExchangeEvent) => RequestRecord | undefined {
    const running = new Map<number, RequestRecord>();
    return (event) => {
      if (event.type === "exchange-started") {
        const opened = this.openRecord(event);
        running.set(event.exchangeId, opened);
        return opened;
      }
      const record = running.get(event.exchangeId);
      if (record === undefined) return undefined;
      if (event.type === "exchange-ended") running.delete(event.exchangeId);
      applyEvent(event, record);
      if (event.type === "exchange-ended") this.dropOld();
      if (event.type !== "exchange-received") this.changes.fire(record);
      return record;
    };
  }

  dispose(): void {
    this.changes.dispose();
    this.records = [];
  }

  private openRecord(event: Extract<ExchangeEvent, { type: "exchange-started" }>): RequestRecord {
    const body = createShownBody(event.body, event.pictures);
    const { isPrivate = false } = event;
    const record: RequestRecord = {
      id: ++this.count,
      startedAtMs: event.atMs,
      attempt: event.attempt,
      url: event.url,
      headers: event.headers,
      model: event.model,
      words: isPrivate ? "" : (event.questionText?.slice(0, 200) ?? ""),
      body: isPrivate ? undefined : body.json,
      isPrivate,
      bodyLength: body.length,
      pictures: body.pictures,
      blockCount: 0,
      receivedBytes: 0,
    };
    // The hash of a private picture would identify the picture.
    if (body.pictures.length > 0 && !isPrivate) {
      void body.hashed.then((pictures) => {
        record.pictures = pictures;
        this.changes.fire(record);
      });
    }
    this.records.push(record);
    this.dropOld();
    this.changes.fire(record);
    return record;
  }

  private dropOld(): void {
    let keptLength = this.records.reduce((sum, record) => sum + keptLengthOf(record), 0);
    while (this.records.length > MAX_RECORDS || keptLength > MAX_KEPT_LENGTH) {
      const oldest = this.records.shift();
      keptLength -= oldest === undefined ? 0 : keptLengthOf(oldest);
    }
  }
}

function keptLengthOf({ body = "" }: RequestRecord): number {
  return body.length;
}

function applyEvent(
  event: Exclude<ExchangeEvent, { type: "exchange-started" }>,
  record: RequestRecord,
): void {
  switch (event.type) {
    case "exchange-answered": {
      const { afterMs, status, headers } = event;
      record.answer = { afterMs, status, headers };
      return;
    }
    case "exchange-received": {
      const { afterMs, bytes } = event;
      record.blockCount++;
      record.receivedBytes += bytes;
      record.firstBlockAfterMs ??= afterMs;
      return;
    }
    case "exchange-ended": {
      const { afterMs, ending: kind, failure } = event;
      // A message of the service can quote the request or the reply.
      const shownFailure =
        failure && record.isPrivate && "message" in failure ? { ...failure, message: "" } : failure;
      record.ending = { afterMs, kind, ...(shownFailure && { failure: shownFailure }) };
      return;
    }
    default:
      event satisfies never;
  }
}
