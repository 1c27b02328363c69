/**
 * Records the requests that reached the service, except its own debugging calls, with the time at
 * which a client disconnected. The oldest records are deleted when there are too many or they are
 * too large.
 */
import type { RecordedPicture } from "./pictures";

export interface RecordedRequest {
  /** Number of the request, counted from 1 since the start or the last reset. */
  readonly number: number;
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  /** Headers by lower-case name; repeated headers are joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  bodyText: string;
  /** Parsed JSON, or undefined for an invalid body. */
  body: unknown;
  /** Violations of the specification, a sentence each. */
  problems: string[];
  pictures: RecordedPicture[];
  /** Time in milliseconds since 1970. */
  readonly receivedAtMs: number;
  /** Time at which the client closed the connection before the end of the reply. */
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

/** The ledger of a service; `requests` is always the same array. */
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
    this.deleteOldest();
    return record;
  }

  /** Marks the body of `record` as complete, or its exchange as closed. */
  mark(record: RecordedRequest, event: Waiter["event"]): void {
    this.reached.get(record)?.add(event);
    this.waiters = this.waiters.filter((waiter) => {
      const isDone = waiter.number === record.number && waiter.event === event;
      if (isDone) waiter.resolve(record);
      return !isDone;
    });
  }

  /**
   * Resolves when request `number` has been read, or when its exchange is closed, in the past or
   * future.
   */
  waitFor(number: number, event: Waiter["event"]): Promise<RecordedRequest> {
    const record = this.requests.find((one) => one.number === number);
    if (record !== undefined && this.reached.get(record)?.has(event))
      return Promise.resolve(record);
    return new Promise((resolve, reject) => {
      this.waiters.push({ number, event, resolve, reject });
    });
  }

  /** Deletes all records and restarts the numbers at 1; rejects pending waits. */
  reset(reason: string): void {
    this.requests.length = 0;
    this.reached.clear();
    this.count = 0;
    this.rejectWaiters(reason);
  }

  /** Rejects pending waits and keeps the records. */
  rejectWaiters(reason: string): void {
    const waiters = this.waiters;
    this.waiters = [];
    for (const waiter of waiters) {
      waiter.reject(new Error(`request ${waiter.number} never came to that point: ${reason}`));
    }
  }

  private deleteOldest(): void {
    let characters = this.requests.reduce((sum, record) => sum + record.bodyText.length, 0);
    while (this.requests.length > KEPT_REQUESTS || characters > KEPT_CHARACTERS) {
      const oldest = this.requests.shift();
      if (oldest === undefined) return;
      characters -= oldest.bodyText.length;
      this.reached.delete(oldest);
    }
  }
}
