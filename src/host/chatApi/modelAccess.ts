/**
 * Permissions of other extensions to use the models with the user's key.
 *
 * A Memento writes the values of all its keys at once: of two windows that write at the same time,
 * one write is lost. So each window keeps what it read and wrote, joins it with what is stored, and
 * stores again what is missing. Joining in any order gives the same result.
 */
import type * as vscode from "vscode";
import * as z from "zod/mini";
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";

const CALLERS_KEY = "coreChat.modelAccess";

/** Time in milliseconds until a write is checked, and between checks while requests are running. */
const CHECK_AFTER_MS = 1_000;

export type ModelDecision = "allowed" | "refused";

const callerSchema = z.object({
  permission: z.enum(["allowed", "refused"]),
  decidedAtMs: z.number(),
});
type Caller = z.infer<typeof callerSchema>;

const callersSchema = z.record(z.string(), callerSchema);

export interface PermittedRequest {
  /** Aborted when the permission ends, also in another window. */
  readonly signal: AbortSignal;
  readonly end: () => void;
}

export class ModelAccess implements Disposable {
  private callers = new Map<string, Caller>();
  private readonly questions = new Map<string, Promise<unknown>>();
  private readonly running = new Map<AbortController, string>();
  private check: Disposable | undefined;

  /** @param storage the user's, shared by all windows */
  constructor(
    private readonly storage: vscode.Memento,
    private readonly clock: Clock,
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
    const storedCaller = this.callers.get(caller);
    if (storedCaller !== undefined) return storedCaller.permission;
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
    const earlierMs = this.callers.get(caller)?.decidedAtMs ?? 0;
    const decidedAtMs = Math.max(this.clock.nowMs(), earlierMs + 1);
    this.callers.set(caller, { permission, decidedAtMs });
    this.synchronize();
  }

  /** Begins a request, which ends when the permission ends. */
  begin(caller: string): PermittedRequest {
    const controller = new AbortController();
    this.running.set(controller, caller);
    this.synchronize();
    return { signal: controller.signal, end: () => void this.running.delete(controller) };
  }

  /** Returns the decisions, by caller: the id of an extension; "" for those that VS Code does not name. */
  list(): (readonly [caller: string, permission: ModelDecision])[] {
    this.synchronize();
    return [...this.callers]
      .map(([caller, { permission }]) => [caller, permission] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
  }

  dispose(): void {
    this.check?.dispose();
    for (const controller of this.running.keys()) controller.abort();
  }

  /** Joins what is known and what is stored, and ends requests whose permission has ended. */
  private synchronize(): void {
    const parsed = callersSchema.safeParse(this.storage.get(CALLERS_KEY) ?? {});
    const stored = parsed.success ? parsed.data : {};
    for (const [caller, other] of Object.entries(stored)) {
      const here = this.callers.get(caller);
      this.callers.set(caller, here === undefined ? other : laterDecision(here, other));
    }
    const current = Object.fromEntries([...this.callers].sort(([a], [b]) => (a < b ? -1 : 1)));
    const isStored = JSON.stringify(current) === JSON.stringify(stored);
    if (!isStored) void this.storage.update(CALLERS_KEY, current);
    for (const [controller, caller] of this.running) {
      if (this.callers.get(caller)?.permission !== "allowed") controller.abort();
    }
    if (isStored && this.running.size === 0) return;
    this.check?.dispose();
    this.check = this.clock.after(CHECK_AFTER_MS, () => this.synchronize());
  }
}

/** Returns the later decision; of two at one time, the refusal. */
function laterDecision(a: Caller, b: Caller): Caller {
  if (a.decidedAtMs === b.decidedAtMs) return a.permission === "refused" ? a : b;
  return a.decidedAtMs > b.decidedAtMs ? a : b;
}
