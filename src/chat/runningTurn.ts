/**
 * A reply while it comes: gathers the text, writes a checkpoint now and then, and its ending once.
 */
import type { TurnEvent } from "../ask/ask";
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposables";
import type { Step } from "../conversation/conversation";
import type { Ending } from "../conversation/ending";

/** Longest time between text arriving and its being on disk, in milliseconds. */
const CHECKPOINT_INTERVAL_MS = 1_000;

/** What a running turn needs of its conversation. */
export interface RunningTurnOptions {
  /** Asks the question; ends with exactly one `turn-ended`. */
  readonly run: (signal: AbortSignal) => AsyncGenerator<TurnEvent, void, void>;
  /** Applies steps and writes them. */
  readonly take: (steps: readonly Step[]) => Promise<unknown>;
  /** Hears every event after it was taken in. */
  readonly tell: (event: TurnEvent) => void;
  readonly textArrived: (offset: number, text: string) => void;
}

/** One turn; it starts at once and `finished` settles when its ending is written. */
export class RunningTurn {
  private readonly controller = new AbortController();
  private checkpointLength: number;
  private isCutOff = false;
  private checkpoint: Disposable | undefined;
  /** When the first text that is not yet in a checkpoint arrived. */
  private unsavedSinceMs = 0;
  /** Settles when the ending is applied and written. */
  readonly finished: Promise<void>;

  constructor(
    readonly replyId: string,
    /** Its name among the turns of this reply; the first has none. */
    private readonly turnId: string | undefined,
    /** All text of the reply so far; that of an earlier part included. */
    public text: string,
    private readonly clock: Clock,
    private readonly ports: RunningTurnOptions,
  ) {
    this.checkpointLength = text.length;
    this.finished = this.run();
  }

  /**
   * Stops the turn; resolves when its ending is written. Harmless when it has ended.
   * @param by the person, or the window that closes: the reply then counts as cut off
   */
  async stop(by: "person" | "window" = "person"): Promise<void> {
    this.isCutOff ||= by === "window";
    this.controller.abort(new Error("stopped by the user"));
    await this.finished;
  }

  private get own(): { messageId: string; turnId?: string } {
    const { replyId: messageId, turnId } = this;
    return { messageId, ...(turnId !== undefined && { turnId }) };
  }

  private async run(): Promise<void> {
    for await (const event of this.ports.run(this.controller.signal)) {
      switch (event.type) {
        case "request-sent": {
          const { receipt } = event;
          void this.ports.take([{ kind: "request-sent", ...this.own, receipt }]);
          break;
        }
        case "text-delta":
          this.grow(event.text);
          break;
        case "turn-ended":
          await this.end(event);
          break;
        case "still-waiting":
        case "uploading":
        case "retry-scheduled":
          break;
        default:
          event satisfies never;
      }
      this.ports.tell(event);
    }
  }

  private grow(text: string): void {
    const offset = this.text.length;
    this.text += text;
    this.ports.textArrived(offset, text);
    if (this.checkpoint !== undefined) return;
    this.unsavedSinceMs = this.clock.nowMs();
    this.checkpoint = this.clock.after(CHECKPOINT_INTERVAL_MS, () => {
      void this.ports.take(this.grownSteps());
    });
  }

  /** The text since the last checkpoint; no step where there is none. */
  private grownSteps(): Step[] {
    this.checkpoint?.dispose();
    this.checkpoint = undefined;
    const offset = this.checkpointLength;
    if (offset === this.text.length) return [];
    this.checkpointLength = this.text.length;
    const text = this.text.slice(offset);
    const atMs = this.unsavedSinceMs;
    return [{ kind: "reply-grown", ...this.own, offset, text, atMs }];
  }

  private async end(event: Extract<TurnEvent, { type: "turn-ended" }>): Promise<void> {
    const { usage, toolCalls, damagedParts } = event;
    const isCutOff = this.isCutOff && event.ending.kind === "stopped";
    const ending: Ending = isCutOff
      ? { kind: "failed", failure: { kind: "interrupted" } }
      : event.ending;
    await this.ports.take([
      ...this.grownSteps(),
      {
        kind: "reply-ended",
        ...this.own,
        atMs: this.clock.nowMs(),
        ending,
        usage,
        toolCalls,
        damagedParts,
      },
    ]);
  }
}
