/** A reply being received: collects text and thinking, writes checkpoints, and the ending once. */
import { ask, type Question, type TurnEvent } from "../../ask/ask";
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";
import type { Step } from "../../conversation/conversation";
import type { Ending } from "../../conversation/ending";
import type { Reply, ReplyPicture, Thinking } from "../../conversation/message";
import { storeReplyPicture } from "./replyPictures";
import { CollectedThinking } from "./collectedThinking";
import type { ConversationChange } from "./conversationChange";
import type { TurnOptions } from "./prepareTurn";

/** Longest time from receiving text to writing it, in milliseconds. */
const CHECKPOINT_INTERVAL_MS = 1_000;

/** The conversation of a turn; implemented by `LiveConversation`, which starts the turn. */
export interface TurnOwner {
  applySteps(steps: readonly Step[]): Promise<unknown>;
  /** Called with every event after it was applied. */
  emitStatus(replyId: string, event: TurnEvent): void;
  emit(change: ConversationChange): void;
  /** Called when the model begins or stops thinking. */
  emitReply(replyId: string): void;
  /** Called when text turned out to be thinking. */
  emitReplaced(replyId: string): void;
}

/** Starts when constructed; `finished` settles once the ending is written. */
export class RunningTurn {
  private readonly clock: Clock;
  private readonly controller = new AbortController();
  /** Text so far, including that of earlier turns. */
  text: string;
  private readonly thought: CollectedThinking;
  private readonly stored: TurnOptions["pictures"];
  /** Number of stored pictures so far, including those of earlier turns. */
  private pictureCount: number;
  /** Pictures that no step has yet. */
  private unsavedPictures: ReplyPicture[] = [];
  private picturesLeftOut = 0;
  private readonly startLength: number;
  private checkpointLength: number;
  /** Time of the first text of this turn. */
  private firstTextMs: number | undefined;
  private isCutOff = false;
  private checkpoint: Disposable | undefined;
  /** Time of the first content that is not in a checkpoint. */
  private unsavedSinceMs = 0;
  /** Settles once the ending is applied and written. */
  readonly finished: Promise<void>;

  constructor(
    readonly replyId: string,
    /** Id among the turns of this reply; undefined for the first. */
    private readonly turnId: string | undefined,
    before: Pick<Reply, "text" | "thinking" | "pictures">,
    private readonly owner: TurnOwner,
    question: Question,
    { client, readImage, pictures, clock }: TurnOptions,
  ) {
    this.clock = clock;
    this.stored = pictures;
    this.text = before.text;
    this.pictureCount = before.pictures?.filter(({ kind }) => kind === "image").length ?? 0;
    this.thought = new CollectedThinking(before.thinking);
    this.startLength = before.text.length;
    this.checkpointLength = before.text.length;
    this.finished = this.run(ask(client, question, readImage, this.controller.signal));
  }

  /** Thinking so far, including that of earlier turns. */
  get thinking(): Thinking | undefined {
    return this.thought.soFar(this.clock.nowMs());
  }

  /**
   * Stops the turn; resolves once its ending is written. No effect after the end.
   * @param by user or window; a closing window ends the reply as interrupted
   */
  async stop(by: "user" | "window" = "user"): Promise<void> {
    this.isCutOff ||= by === "window";
    this.controller.abort(new Error("stopped by the user"));
    await this.finished;
  }

  /** True from the moment of `stop`, before the ending is written. */
  get isStopped(): boolean {
    return this.controller.signal.aborted;
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
        case "reasoning-delta":
          this.think(event.text);
          break;
        case "text-was-reasoning":
          this.moveTextToThinking();
          break;
        case "picture":
          await this.addPicture(event.url);
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
    const nowMs = this.clock.nowMs();
    if (this.thought.isOngoing) {
      this.thought.pause(nowMs);
      void this.owner.applySteps(this.grownSteps());
      this.owner.emitReply(this.replyId);
    }
    const offset = this.text.length;
    this.text += text;
    this.firstTextMs ??= nowMs;
    this.owner.emit({ kind: "text", replyId: this.replyId, offset, text });
    this.startCheckpoint();
  }

  private think(text: string): void {
    const isStart = !this.thought.isOngoing;
    const added = this.thought.add(text, this.clock.nowMs());
    if (isStart) this.owner.emitReply(this.replyId);
    this.owner.emit({ kind: "thinking", replyId: this.replyId, text: added });
    this.startCheckpoint();
  }

  /** Shows and saves a picture at once: the text after it may take long. */
  private async addPicture(url: string): Promise<void> {
    if (url === "") {
      this.picturesLeftOut++;
      return;
    }
    const picture = await storeReplyPicture(url, this.pictureCount + 1, this.stored);
    if (picture.kind === "image") this.pictureCount++;
    this.unsavedPictures.push(picture);
    void this.owner.applySteps(this.grownSteps());
    this.owner.emitReply(this.replyId);
  }

  private moveTextToThinking(): void {
    const nowMs = this.clock.nowMs();
    const text = this.text.slice(this.startLength).trimStart();
    this.text = this.text.slice(0, this.startLength);
    if (text !== "") this.thought.add(text, this.firstTextMs ?? nowMs);
    this.firstTextMs = undefined;
    const steps = this.thoughtSteps(false);
    if (this.checkpointLength > this.startLength) {
      this.checkpointLength = this.startLength;
      const offset = this.startLength;
      steps.push({ kind: "reply-grown", ...this.own, offset, text: "", atMs: nowMs });
    }
    void this.owner.applySteps(steps);
    this.owner.emitReplaced(this.replyId);
  }

  private startCheckpoint(): void {
    if (this.checkpoint !== undefined) return;
    this.unsavedSinceMs = this.clock.nowMs();
    this.checkpoint = this.clock.after(CHECKPOINT_INTERVAL_MS, () => {
      void this.owner.applySteps(this.grownSteps());
    });
  }

  private grownSteps(hasEnded = false): Step[] {
    this.checkpoint?.dispose();
    this.checkpoint = undefined;
    const steps = this.thoughtSteps(hasEnded);
    const offset = this.checkpointLength;
    const pictures = this.unsavedPictures;
    if (offset === this.text.length && pictures.length === 0) return steps;
    this.unsavedPictures = [];
    this.checkpointLength = this.text.length;
    const text = this.text.slice(offset);
    const atMs = this.unsavedSinceMs;
    const made = pictures.length > 0 && { pictures };
    return [...steps, { kind: "reply-grown", ...this.own, offset, text, ...made, atMs }];
  }

  private thoughtSteps(hasEnded: boolean): Step[] {
    const unsaved = this.thought.unsavedSteps(this.clock.nowMs(), hasEnded);
    return unsaved.map((step) => ({ kind: "reply-thought", ...this.own, ...step }));
  }

  private async end(event: Extract<TurnEvent, { type: "turn-ended" }>): Promise<void> {
    const { usage, toolCalls, damagedParts } = event;
    const isCutOff = this.isCutOff && event.ending.kind === "stopped";
    const ending: Ending = isCutOff
      ? { kind: "failed", failure: { kind: "interrupted" } }
      : event.ending;
    this.thought.pause(this.clock.nowMs());
    if (this.picturesLeftOut > 0) {
      const name = String(this.picturesLeftOut);
      this.unsavedPictures.push({ kind: "not-shown", name, reason: "too-many" });
    }
    await this.owner.applySteps([
      ...this.grownSteps(true),
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
