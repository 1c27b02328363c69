/**
 * The record of what reached the service: every request but the service's own debugging calls,
 * with the moment its caller hung up. Old records go when there are too many or they are too big.
 */
import type { RecordedPicture } from "./pictures";

export interface RecordedRequest {
  /** Counted from 1 since the start or the last reset. */
  readonly number: number;
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  /** Lower-case names; repeated headers are joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  bodyText: string;
  /** The parsed JSON, or undefined when the body is none. */
  body: unknown;
  /** Everything the spec does not allow in this request, one sentence each. */
  problems: string[];
  pictures: RecordedPicture[];
  /** Milliseconds since 1970. */
  readonly receivedAtMs: number;
  /** When the caller closed the connection before the reply was over. */
  closedByClientAtMs?: number;
}

const KEPT_REQUESTS = 1000;
const KEPT_CHARACTERS = 256 * 1024 * 1024;

interface Waiter {
  readonly number: number;
  readonly event: "read" | "closed";
  resolve(record: RecordedRequest): void;
  reject(reason: Error): void;
}

/** Owned by one service; its `requests` array is the same object for ever. */
export class Ledger {
  readonly requests: RecordedRequest[] = [];
  private count = 0;
  private waiters: Waiter[] = [];
  private readonly reached = new Map<RecordedRequest, Set<Waiter["event"]>>();

  open(method: string, path: string, headers: Record<string, string>): RecordedRequest {
    const record: RecordedRequest = {
      number: ++this.count,
      method,
      path,
      headers,
      bodyText: "",
      body: undefined,
      problems: [],
      pictures: [],
      receivedAtMs: Date.now(),
    };
    this.requests.push(record);
    this.reached.set(record, new Set());
    this.dropOld();
    return record;
  }

  /** Says that the body of `record` is complete, or that its exchange is over. */
  mark(record: RecordedRequest, event: Waiter["event"]): void {
    this.reached.get(record)?.add(event);
    this.waiters = this.waiters.filter((waiter) => {
      const isDone = waiter.number === record.number && waiter.event === event;
      if (isDone) waiter.resolve(record);
      return !isDone;
    });
  }

  /** Resolves when request `number` has been read, or its exchange is over, past or future. */
  waitFor(number: number, event: Waiter["event"]): Promise<RecordedRequest> {
    const record = this.requests.find((one) => one.number === number);
    if (record !== undefined && this.reached.get(record)?.has(event))
      return Promise.resolve(record);
    return new Promise((resolve, reject) => {
      this.waiters.push({ number, event, resolve, reject });
    });
  }

  /** Removes every record and counts from 1 again; rejects pending waits. */
  reset(reason: string): void {
    this.requests.length = 0;
    this.reached.clear();
    this.count = 0;
    this.abandonWaiters(reason);
  }

  /** Rejects pending waits and keeps the records. */
  abandonWaiters(reason: string): void {
    const waiters = this.waiters;
    this.waiters = [];
    for (const waiter of waiters) {
      waiter.reject(new Error(`request ${waiter.number} never came to that point: ${reason}`));
    }
  }

  private dropOld(): void {
    let characters = this.requests.reduce((sum, record) => sum + record.bodyText.length, 0);
    while (this.requests.length > KEPT_REQUESTS || characters > KEPT_CHARACTERS) {
      const oldest = this.requests.shift();
      if (oldest === undefined) return;
      characters -= oldest.bodyText.length;
      this.reached.delete(oldest);
    }
  }
}
