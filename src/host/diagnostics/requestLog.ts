/**
 * The last exchanges with the service, in memory alone and bounded: what was sent without the bytes
 * of pictures, what answered, when each block came, and how it ended.
 */
import * as z from "zod/mini";
import type { Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";
import type { ExchangeEvent } from "../../service/exchange";
import type { ServiceFailure } from "../../service/types";
import { shownBody, type PictureFacts } from "./shownBody";

/** How many exchanges are kept. */
export const MAX_RECORDS = 50;

/** Most UTF-16 units of bodies kept together; the oldest exchanges go first. */
const MAX_KEPT_LENGTH = 8 * 1024 * 1024;

/** Blocks whose time is kept: the first and the last ones. */
export const MAX_FIRST_BLOCKS = 200;
export const MAX_LAST_BLOCKS = 50;

/** One block of a reply's body, as the network gave it. */
export interface LoggedBlock {
  /** 1 for the first. */
  readonly number: number;
  /** Milliseconds since the start. */
  readonly afterMs: number;
  readonly bytes: number;
}

/** One exchange; every try is one. All times are milliseconds since its start. */
export interface RequestRecord {
  /** Counted from 1 in this window. */
  readonly id: number;
  readonly startedAtMs: number;
  readonly attempt: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The code in the body's `model`; empty when it is not known. */
  readonly model: string;
  /** The JSON with marks for pictures; undefined when it was too long to keep. */
  readonly body: string | undefined;
  readonly bodyLength: number;
  pictures: readonly PictureFacts[];
  answer?: {
    readonly afterMs: number;
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly firstBlocks: LoggedBlock[];
  lastBlocks: LoggedBlock[];
  blockCount: number;
  receivedBytes: number;
  ending?: {
    readonly afterMs: number;
    readonly kind: "complete" | "stopped" | "left" | "failed";
    readonly failure?: ServiceFailure;
  };
}

const modelSchema = z.object({ model: z.string() });

/** Keeps the last exchanges of all observed clients. */
export class RequestLog implements Disposable {
  private records: RequestRecord[] = [];
  private count = 0;
  private readonly changes = new Emitter<RequestRecord>();

  /** Tells that an exchange began, was answered or ended, and that its pictures are hashed. */
  readonly onChanged = this.changes.event;

  /** The kept exchanges, newest first. */
  newestFirst(): readonly RequestRecord[] {
    return this.records.toReversed();
  }

  /** One exchange, while it is kept. */
  get(id: number): RequestRecord | undefined {
    return this.records.find((record) => record.id === id);
  }

  /** What a client is to tell of its exchanges; each client counts its own, so each asks once. */
  observer(): (event: ExchangeEvent) => void {
    const running = new Map<number, RequestRecord>();
    return (event) => {
      if (event.type === "exchange-started") {
        running.set(event.exchangeId, this.open(event));
        return;
      }
      const record = running.get(event.exchangeId);
      if (record === undefined) return;
      if (event.type === "exchange-ended") running.delete(event.exchangeId);
      take(event, record);
      if (event.type !== "exchange-received") this.changes.fire(record);
    };
  }

  dispose(): void {
    this.changes.dispose();
    this.records = [];
  }

  private open(event: Extract<ExchangeEvent, { type: "exchange-started" }>): RequestRecord {
    const body = shownBody(event.body);
    const record: RequestRecord = {
      id: ++this.count,
      startedAtMs: event.atMs,
      attempt: event.attempt,
      url: event.url,
      headers: event.headers,
      model: modelOf(body.json),
      body: body.json,
      bodyLength: body.length,
      pictures: body.pictures,
      firstBlocks: [],
      lastBlocks: [],
      blockCount: 0,
      receivedBytes: 0,
    };
    if (body.pictures.length > 0) {
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
    let keptLength = this.records.reduce((sum, { body }) => sum + (body?.length ?? 0), 0);
    while (this.records.length > MAX_RECORDS || keptLength > MAX_KEPT_LENGTH) {
      keptLength -= this.records.shift()?.body?.length ?? 0;
    }
  }
}

function take(
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
      const block = { number: ++record.blockCount, afterMs, bytes };
      record.receivedBytes += bytes;
      if (record.firstBlocks.length < MAX_FIRST_BLOCKS) record.firstBlocks.push(block);
      else {
        record.lastBlocks.push(block);
        // Cut now and then rather than at each of a million blocks.
        if (record.lastBlocks.length >= 2 * MAX_LAST_BLOCKS) {
          record.lastBlocks = record.lastBlocks.slice(-MAX_LAST_BLOCKS);
        }
      }
      return;
    }
    case "exchange-ended": {
      const { afterMs, ending: kind, failure } = event;
      record.lastBlocks = record.lastBlocks.slice(-MAX_LAST_BLOCKS);
      record.ending = { afterMs, kind, ...(failure && { failure }) };
      return;
    }
    default:
      event satisfies never;
  }
}

function modelOf(json: string | undefined): string {
  if (json === undefined) return "";
  try {
    const read = z.safeParse(modelSchema, JSON.parse(json));
    return read.success ? read.data.model : "";
  } catch {
    return ""; // a secret that was taken out may have stood across the JSON's own signs
  }
}
