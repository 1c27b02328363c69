/** A reply being received: collects text, writes checkpoints, and the ending once. */
import { ask, type Question, type TurnEvent } from "../ask/ask";
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposables";
import type { Step } from "../conversation/conversation";
import type { Ending } from "../conversation/ending";
import type { TurnOptions } from "./prepareTurn";

/** Longest time from receiving text to writing it, in milliseconds. */
const CHECKPOINT_INTERVAL_MS = 1_000;

/** The conversation of a turn; implemented by `LiveConversation`, which starts the turn. */
export interface TurnOwner {
  /** Applies steps and writes them. */
  applySteps(steps: readonly Step[]): Promise<unknown>;
  /** Called with every event after it was applied. */
  emitStatus(replyId: string, event: TurnEvent): void;
  emitText(replyId: string, offset: number, text: string): void;
}

/** Starts when constructed; `finished` settles once the ending is written. */
export class RunningTurn {
  private readonly clock: Clock;
  private readonly controller = new AbortController();
  private checkpointLength: number;
  private isCutOff = false;
  private checkpoint: Disposable | undefined;
  /** Time of the first text that is not in a checkpoint. */
  private unsavedSinceMs = 0;
  /** Settles once the ending is applied and written. */
  readonly finished: Promise<void>;

  constructor(
    readonly replyId: string,
    /** Id among the turns of this reply; undefined for the first. */
    private readonly turnId: string | undefined,
    /** Text of the reply so far, including that of earlier turns. */
    public text: string,
    private readonly owner: TurnOwner,
    question: Question,
    { client, readImage, clock }: TurnOptions,
  ) {
    this.clock = clock;
    this.checkpointLength = text.length;
    this.finished = this.run(ask(client, question, readImage, this.controller.signal));
  }

  /**
   * Stops the turn; resolves once its ending is written. No effect after the end.
   * @param by user or window; a closing window ends the reply as interrupted
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

  private async run(events: AsyncIterable<TurnEvent>): Promise<void> {
    for await (const event of events) {
      switch (event.type) {
        case "request-sent": {
          const { receipt } = event;
          void this.owner.applySteps([{ kind: "request-sent", ...this.own, receipt }]);
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
      this.owner.emitStatus(this.replyId, event);
    }
  }

  private grow(text: string): void {
    const offset = this.text.length;
    this.text += text;
    this.owner.emitText(this.replyId, offset, text);
    if (this.checkpoint !== undefined) return;
    this.unsavedSinceMs = this.clock.nowMs();
    this.checkpoint = this.clock.after(CHECKPOINT_INTERVAL_MS, () => {
      void this.owner.applySteps(this.grownSteps());
    });
  }

  /** Returns the step for the text since the last checkpoint; empty if there is none. */
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
    await this.owner.applySteps([
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
