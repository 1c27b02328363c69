/** Thinking of a running reply: its text within the limit, its time, and what is not on disk yet. */
import { MAX_THINKING, type Thinking } from "../../conversation/message";

/** Beginning and end that are kept of a thinking beyond the limit, in UTF-16 units each. */
const HALF = MAX_THINKING / 2;

/** Text in place of the middle that was left out. */
const LEFT_OUT = "\n\n[…]\n\n";

/** Text above the limit that is collected before the middle is cut again, in UTF-16 units. */
const SLACK = 100_000;

/** Step without the ids of its reply. */
type ThoughtStep = { readonly offset: number; readonly text: string; readonly durationMs: number };

export class CollectedThinking {
  private text: string;
  private durationMs: number;
  /** Start of the current stretch of thinking; undefined while the model does not think. */
  private sinceMs: number | undefined;
  private savedLength: number;
  private savedMs: number;
  private isLong = false;

  constructor(before: Thinking | undefined) {
    this.text = before?.text ?? "";
    this.durationMs = before?.durationMs ?? 0;
    this.savedLength = this.text.length;
    this.savedMs = this.durationMs;
  }

  get isOngoing(): boolean {
    return this.sinceMs !== undefined;
  }

  /** Returns the thinking so far; undefined without any. */
  soFar(nowMs: number): Thinking | undefined {
    if (this.text === "") return undefined;
    const { isOngoing } = this;
    const durationMs = this.timeAt(nowMs);
    return { text: this.text, durationMs, ...(isOngoing && { isOngoing }) };
  }

  /**
   * Adds text; returns the text to append to the view.
   * @param sinceMs start of the stretch, if it begins with this text
   */
  add(text: string, sinceMs: number): string {
    const isNewStretch = !this.isOngoing;
    this.sinceMs ??= sinceMs;
    const added = isNewStretch && this.text !== "" ? `\n\n${text}` : text;
    this.text += added;
    if (this.text.length > MAX_THINKING) this.isLong = true;
    if (this.text.length > MAX_THINKING + SLACK) this.leaveOutMiddle();
    return added;
  }

  /** Ends the stretch: an answer begins, or the reply ended. */
  pause(nowMs: number): void {
    this.durationMs = this.timeAt(nowMs);
    this.sinceMs = undefined;
  }

  /** Returns what is not on disk; of a long thinking only its beginning until the reply ends. */
  unsavedSteps(nowMs: number, hasEnded: boolean): readonly ThoughtStep[] {
    const durationMs = this.timeAt(nowMs);
    if (this.isLong) {
      if (!hasEnded) return [];
      this.leaveOutMiddle();
      const offset = Math.min(HALF, this.savedLength);
      return [{ offset, text: this.text.slice(offset), durationMs }];
    }
    const offset = this.savedLength;
    if (offset === this.text.length && durationMs === this.savedMs) return [];
    this.savedLength = this.text.length;
    this.savedMs = durationMs;
    return [{ offset, text: this.text.slice(offset), durationMs }];
  }

  private timeAt(nowMs: number): number {
    return this.durationMs + (this.sinceMs === undefined ? 0 : Math.max(0, nowMs - this.sinceMs));
  }

  private leaveOutMiddle(): void {
    const shortened = this.text.slice(0, HALF) + LEFT_OUT + this.text.slice(-HALF);
    this.text = shortened.toWellFormed();
  }
}
