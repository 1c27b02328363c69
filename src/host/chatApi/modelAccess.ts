/**
 * Permissions of other extensions to use the models with the user's key, and counts of their use.
 *
 * A Memento writes the values of all its keys at once: of two windows that write at the same time,
 * one write is lost. So each window keeps what it read and wrote, joins it with what is stored, and
 * stores again what is missing. Joining in any order gives the same result.
 */
import type * as vscode from "vscode";
import * as z from "zod/mini";
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";

/** Storage key of all callers. */
const CALLERS_KEY = "coreChat.modelAccess";

/** Time in milliseconds until a write is checked, and between checks while requests are running. */
const CHECK_AFTER_MS = 1_000;

const DAY_MS = 24 * 60 * 60 * 1000;

/** A decision of the user. */
export type ModelDecision = "allowed" | "refused";

const countsSchema = z.object({ requests: z.number(), tokens: z.number() });
type Counts = z.infer<typeof countsSchema>;

const callerSchema = z.object({
  permission: z.enum(["allowed", "refused"]),
  decidedAtMs: z.number(),
  usedAtMs: z.number(),
  /** Last of the days whose counts are summed up in `past`; days are numbers, in local time. */
  pastDay: z.number(),
  past: countsSchema,
  /** Counts after `pastDay`, by day and window: "20413 WINDOW". */
  recent: z.record(z.string(), countsSchema),
});
type Caller = z.infer<typeof callerSchema>;

const callersSchema = z.record(z.string(), callerSchema);

/** Use of the models by an extension. Tokens are estimated where the service does not count them. */
export interface ModelUse {
  /** Id of the extension; "" for callers that VS Code does not name. */
  readonly caller: string;
  readonly permission: ModelDecision;
  /** 0 before the first request. */
  readonly usedAtMs: number;
  readonly today: Counts;
  readonly total: Counts;
}

/** A counted request. */
export interface CountedRequest {
  /** Aborted when the permission ends, also in another window. */
  readonly signal: AbortSignal;
  /** Ends the request and adds its tokens. */
  readonly end: (tokens: number) => void;
}

const NO_COUNTS: Counts = { requests: 0, tokens: 0 };

export class ModelAccess implements Disposable {
  private callers = new Map<string, Caller>();
  private readonly questions = new Map<string, Promise<unknown>>();
  private readonly running = new Map<AbortController, string>();
  private check: Disposable | undefined;

  /**
   * @param storage the user's, shared by all windows
   * @param windowId different in each window
   */
  constructor(
    private readonly storage: vscode.Memento,
    private readonly clock: Clock,
    private readonly windowId: string,
  ) {}

  /**
   * Resolves to the user's decision about `caller`, after a question if there is none. Requests of a
   * caller wait for the same question; without an answer the next request asks again.
   * @param ask resolves to the answer; undefined if there is none
   * @param signal ends the wait
   */
  async decisionAbout(
    caller: string,
    ask: () => Promise<ModelDecision | undefined>,
    signal: AbortSignal,
  ): Promise<ModelDecision | undefined> {
    this.synchronize();
    const known = this.callers.get(caller);
    if (known !== undefined) return known.permission;
    let question = this.questions.get(caller);
    if (question === undefined) {
      question = ask()
        .then((answer) => answer && this.decide(caller, answer))
        .finally(() => this.questions.delete(caller));
      this.questions.set(caller, question);
    }
    const canceled = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    await Promise.race([question, canceled]);
    this.synchronize(); // Another window may have asked too.
    return this.callers.get(caller)?.permission;
  }

  /** Stores a decision. Ends running requests of a caller that is no longer allowed. */
  decide(caller: string, permission: ModelDecision): void {
    this.synchronize();
    const known = this.callerOf(caller);
    const decidedAtMs = Math.max(this.clock.nowMs(), known.decidedAtMs + 1);
    this.callers.set(caller, { ...known, permission, decidedAtMs });
    this.synchronize();
  }

  /** Counts a request that begins. */
  begin(caller: string): CountedRequest {
    const controller = new AbortController();
    this.running.set(controller, caller);
    this.count(caller, { requests: 1, tokens: 0 });
    return {
      signal: controller.signal,
      end: (tokens) => {
        this.running.delete(controller);
        this.count(caller, { requests: 0, tokens });
      },
    };
  }

  /** Returns all callers, the last used first. */
  list(): ModelUse[] {
    this.synchronize();
    const today = this.today();
    return [...this.callers]
      .map(([caller, { permission, usedAtMs, past, recent }]) => {
        const ofToday = Object.entries(recent).filter(([key]) => dayOf(key) === today);
        return {
          caller,
          permission,
          usedAtMs,
          today: ofToday.map(([, counts]) => counts).reduce(sum, NO_COUNTS),
          total: Object.values(recent).reduce(sum, past),
        };
      })
      .sort((a, b) => b.usedAtMs - a.usedAtMs);
  }

  dispose(): void {
    this.check?.dispose();
    for (const controller of this.running.keys()) controller.abort();
  }

  private count(caller: string, added: Counts): void {
    this.synchronize();
    const known = this.callerOf(caller);
    const key = `${this.today()} ${this.windowId}`;
    const recent = { ...known.recent, [key]: sum(known.recent[key] ?? NO_COUNTS, added) };
    const usedAtMs = this.clock.nowMs();
    // Other windows may still count for yesterday, so only earlier days are summed up.
    const counted = withPast({ ...known, usedAtMs, recent }, this.today() - 2);
    this.callers.set(caller, counted);
    this.synchronize();
  }

  private callerOf(caller: string): Caller {
    const nothing = { decidedAtMs: 0, usedAtMs: 0, pastDay: 0, past: NO_COUNTS, recent: {} };
    return this.callers.get(caller) ?? { permission: "refused", ...nothing };
  }

  /** Joins what is known and what is stored, and ends requests whose permission has ended. */
  private synchronize(): void {
    const read = callersSchema.safeParse(this.storage.get(CALLERS_KEY) ?? {});
    const stored = read.success ? read.data : {};
    for (const [caller, other] of Object.entries(stored)) {
      const own = this.callers.get(caller);
      this.callers.set(caller, own === undefined ? other : joined(own, other));
    }
    const known = Object.fromEntries([...this.callers].sort(([a], [b]) => (a < b ? -1 : 1)));
    const isStored = JSON.stringify(known) === JSON.stringify(stored);
    if (!isStored) void this.storage.update(CALLERS_KEY, known);
    for (const [controller, caller] of this.running) {
      if (this.callerOf(caller).permission !== "allowed") controller.abort();
    }
    if (isStored && this.running.size === 0) return;
    this.check?.dispose();
    this.check = this.clock.after(CHECK_AFTER_MS, () => this.synchronize());
  }

  private today(): number {
    const nowMs = this.clock.nowMs();
    return Math.floor(nowMs / DAY_MS - new Date(nowMs).getTimezoneOffset() / (24 * 60));
  }
}

function dayOf(key: string): number {
  return Number.parseInt(key, 10);
}

function sum(a: Counts, b: Counts): Counts {
  return { requests: a.requests + b.requests, tokens: a.tokens + b.tokens };
}

/** Counts only grow, so the larger ones are the newer ones. */
function larger(a: Counts = NO_COUNTS, b: Counts = NO_COUNTS): Counts {
  return { requests: Math.max(a.requests, b.requests), tokens: Math.max(a.tokens, b.tokens) };
}

/** Returns the caller with the days up to `pastDay` summed up. */
function withPast(caller: Caller, pastDay: number): Caller {
  if (caller.pastDay >= pastDay) return caller;
  const days = Object.entries(caller.recent);
  const ended = days.filter(([key]) => dayOf(key) <= pastDay).map(([, counts]) => counts);
  const recent = Object.fromEntries(days.filter(([key]) => dayOf(key) > pastDay));
  return { ...caller, pastDay, past: ended.reduce(sum, caller.past), recent };
}

/** Joins what two windows know. The later decision holds. */
function joined(a: Caller, b: Caller): Caller {
  const isSame = a.decidedAtMs === b.decidedAtMs;
  const isLater = isSame ? b.permission === "refused" : b.decidedAtMs > a.decidedAtMs;
  const { permission, decidedAtMs } = isLater ? b : a;
  const pastDay = Math.max(a.pastDay, b.pastDay);
  const summed = [a, b].filter((one) => one.pastDay === pastDay).map(({ past }) => past);
  const keys = [...new Set([...Object.keys(a.recent), ...Object.keys(b.recent)])].sort();
  const recent = keys
    .filter((key) => dayOf(key) > pastDay)
    .map((key) => [key, larger(a.recent[key], b.recent[key])] as const);
  return {
    permission,
    decidedAtMs,
    usedAtMs: Math.max(a.usedAtMs, b.usedAtMs),
    pastDay,
    past: summed.reduce((one, other) => larger(one, other), NO_COUNTS),
    recent: Object.fromEntries(recent),
  };
}
