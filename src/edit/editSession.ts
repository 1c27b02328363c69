/**
 * Pending edit of a single range: answers stream in line by line, then the user keeps or discards
 * the text, whole or by hunk. The document always contains the proposal. When the user types in the
 * range, the text becomes the user's and the answer stops. Editor access is in textSink.ts,
 * requests to the service in pendingEdit.ts.
 */
import type { Clock } from "../base/clock";
import { coalesce, type Coalescer } from "../base/coalesce";
import type { Disposable } from "../base/disposables";
import { Emitter } from "../base/event";
import { AnswerLines, intactFrame, sameLines, type Frame, type StreamMarks } from "./answerLines";
import { hunksBetween, type Hunk } from "../replyCode/hunks";
import { TrackedText } from "./trackedText";
import type { EditTarget, TextSink, TornAnswer } from "./textSink";
import type { TextChange } from "./trackedRange";

/**
 * Minimum time between two writes into the document, in milliseconds: at most 7 writes a second.
 */
export const WRITE_INTERVAL_MS = 150;

/** Reasons why a session ended. */
export type Closing =
  | "kept"
  | "discarded"
  | "undone"
  /** The answer changes nothing, or there was no answer. */
  | "unchanged"
  /** The user typed in the range before any text arrived. */
  | "taken-over"
  /** The document is not writable and contains nothing of the answer. */
  | "refused"
  /** The range was replaced together with surrounding text, or its document is gone. */
  | "lost"
  /** The file was reloaded from disk with other text in the range. */
  | "reloaded";

/**
 * `streaming`: an answer is arriving. `pending`: the answer is complete and the user has to decide.
 */
export type Phase =
  | { readonly kind: "streaming" }
  | { readonly kind: "pending" }
  | { readonly kind: "closed"; readonly why: Closing };

/**
 * `whole`: the arrived lines are the full result. `part`: the lines not reached yet stay below
 * them. `withdrawn`: the range returns to its lines before the answer.
 */
export type AnswerOutcome = "whole" | "part" | "withdrawn";

const NO_FRAME: Frame = { before: [], after: [] };
const STOP_BOTH = { before: true, after: true };

/** Session of a single edited range, from creation until closing. */
export class EditSession implements Disposable {
  private readonly changes = new Emitter<void>();
  private readonly flusher: Coalescer;
  private nextPostponement: Disposable | undefined;
  private readonly tracked: TrackedText;
  private frame: Frame;
  private state: Phase = { kind: "pending" };
  private original: readonly string[];
  private answer: AnswerLines;
  /**
   * Texts of the range without a running answer, oldest first: undo and redo can return to them.
   */
  private undoTexts: (readonly string[])[];
  private isFlushing = false;
  private hunkCache: readonly Hunk[] | undefined;
  private touched = false;
  private refused = false;

  /** Fires when any of the state below may have changed: phase, range or hunks. */
  readonly onChanged = this.changes.event;

  /** @param original lines before the edit, for an edit whose proposal is in the document already */
  constructor(
    private readonly target: EditTarget,
    sink: TextSink,
    private readonly clock: Clock,
    original: readonly string[] = target.lines,
  ) {
    this.tracked = new TrackedText(target, sink, clock);
    this.frame = target.frame ?? NO_FRAME;
    this.original = original;
    this.answer = new AnswerLines(target.lines, this.frame);
    this.undoTexts = original === target.lines ? [original] : [original, target.lines];
    this.flusher = coalesce(clock, WRITE_INTERVAL_MS, () => void this.flush());
  }

  get phase(): Phase {
    return this.state;
  }

  /** 0-based offset of the range's start, in UTF-16 units. */
  get startOffset(): number {
    return this.tracked.startOffset;
  }

  /** Current lines of the range in the document; at least one line. */
  get proposedLines(): readonly string[] {
    return this.tracked.lines;
  }

  /** Original lines of the range, including hunks that were already kept. */
  get originalLines(): readonly string[] {
    return this.original;
  }

  /** Lines that the next answer would replace: the proposal without the frame around it. */
  get answerableLines(): readonly string[] {
    const { lines } = this.tracked;
    const { before, after } = intactFrame(this.frame, lines);
    return lines.slice(before.length, lines.length - after.length);
  }

  /** Index of the first of these lines in the range. */
  get answerableStart(): number {
    return intactFrame(this.frame, this.tracked.lines).before.length;
  }

  get isUnchanged(): boolean {
    return sameLines(this.original, this.tracked.lines);
  }

  /** True when the user changed the text of the proposal; discarding then asks for confirmation. */
  get isTouched(): boolean {
    return this.touched;
  }

  get tornAnswers(): readonly TornAnswer[] {
    return this.tracked.tornAnswers;
  }

  /** True when the document rejected the last write. */
  get isRefused(): boolean {
    return this.refused;
  }

  /** Pending hunks, in document order. During streaming they are expensive and soon outdated. */
  get hunks(): readonly Hunk[] {
    this.hunkCache ??= hunksBetween(this.original, this.tracked.lines);
    return this.hunkCache;
  }

  /** Lines to mark during streaming. */
  get streamMarks(): StreamMarks {
    return this.answer.marks;
  }

  /** Starts an answer to the current text of the range. */
  begin(): void {
    if (this.state.kind !== "pending") return;
    const { lines } = this.tracked;
    this.stream(new AnswerLines(lines, intactFrame(this.frame, lines)));
  }

  /** Starts the last answer again, to the same text as before. */
  beginAgain(): void {
    if (this.state.kind === "pending") this.stream(this.answer.withoutAnswer());
  }

  /** Accepts lines of the answer, without line ends. */
  addLines(lines: readonly string[]): void {
    if (this.state.kind !== "streaming" || lines.length === 0) return;
    this.answer.addLines(lines);
    this.flusher.push();
  }

  /** Withdraws the lines accepted so far; other lines will replace them. */
  restart(): void {
    if (this.state.kind !== "streaming") return;
    this.answer = this.answer.withoutAnswer();
    this.flusher.push();
  }

  /**
   * Starts the answer again for a range with more lines of the document around it, so that one edit
   * also changes those. Returns false, without an effect, if the document has other lines there.
   */
  widen(above: readonly string[], below: readonly string[]): boolean {
    if (this.state.kind !== "streaming") return false;
    const { before, after } = this.frame;
    const more = above.slice(0, above.length - before.length);
    const linesBelow = below.slice(after.length);
    if (!this.tracked.widen(more, linesBelow)) return false;
    const widened = (lines: readonly string[]) => [...more, ...lines, ...linesBelow];
    this.original = widened(this.original);
    this.undoTexts = this.undoTexts.map(widened);
    this.frame = NO_FRAME;
    this.answer = new AnswerLines(widened(this.answer.base), NO_FRAME);
    this.flusher.push();
    return true;
  }

  /**
   * Finishes the answer; resolves when the document contains the answer or can no longer receive
   * it.
   */
  async finish(outcome: AnswerOutcome): Promise<void> {
    const phase = this.state;
    if (phase.kind !== "streaming") return;
    const { tracked, answer } = this;
    const range = outcome === "withdrawn" ? answer.base : answer.range(outcome === "part");
    const goal = () => range;
    const isCurrent = () => this.state === phase;
    const result = await tracked.inTurn(() =>
      tracked.write(goal, {
        stops: { before: false, after: true },
        isCurrent,
        isForced: tracked.hasWritten && !tracked.isUndoStopped,
        ifHidden: "wait",
      }),
    );
    if (result === "refused") this.refuse();
    else if (result === "done" && isCurrent()) this.recordText();
  }

  /** Keeps everything, or a single current hunk; the document does not change. */
  keep(hunk?: Hunk): void {
    if (this.state.kind !== "pending") return;
    if (hunk === undefined) {
      this.close("kept");
    } else if (this.hunks.includes(hunk)) {
      const { originalStart, originalLines, proposedLines } = hunk;
      this.original = this.original.toSpliced(
        originalStart,
        originalLines.length,
        ...proposedLines,
      );
      this.settle("kept");
    }
  }

  /**
   * Restores everything, or a single current hunk; returns false when the document rejects the
   * write or no editor shows the document.
   */
  async discard(hunk?: Hunk): Promise<boolean> {
    if (hunk === undefined) return this.replaceBy(this.original, "discarded");
    if (!this.hunks.includes(hunk)) return false;
    const { proposedStart, proposedLines, originalLines } = hunk;
    const lines = this.tracked.lines.toSpliced(
      proposedStart,
      proposedLines.length,
      ...originalLines,
    );
    return this.replaceBy(lines.length === 0 ? [""] : lines, "discarded");
  }

  /**
   * Replaces the proposal with other (cleaned) lines in a single undo step; returns false when the
   * document rejects the write or no editor shows the document.
   */
  async amend(lines: readonly string[]): Promise<boolean> {
    return this.replaceBy(lines, "unchanged");
  }

  /**
   * Processes one change event of the document.
   * @param changes all changes of the event in any order, relative to the text before the event
   * @param isFromDisk true if the changes reload the document from its file
   */
  documentChanged(version: number, changes: readonly TextChange[], isFromDisk = false): void {
    if (this.state.kind === "closed") return;
    const isTouched = isFromDisk && this.tracked.isTouchedBy(changes);
    const event = this.tracked.documentChanged(version, changes, this.undoTexts);
    if (event !== "elsewhere") this.hunkCache = undefined;
    // Foreign text is not part of the proposal: the edit can neither keep nor discard that text.
    const isReloaded = isTouched || (isFromDisk && event !== "elsewhere");
    if (isReloaded && event !== "own") this.close("reloaded");
    else if (event === "replaced") this.close("lost");
    else if (event === "inside") this.takenOver();
    else this.changes.fire();
  }

  /**
   * Starts a new undo step for the next write, because the document was saved or its cursor moved.
   */
  undoStopped(): void {
    this.tracked.undoStopped();
  }

  /** Adapts the range after a change of the document's line ends, which shifts every offset. */
  rebase(start: number, eol: EditTarget["eol"], version: number): void {
    this.tracked.rebase(start, eol, version);
    this.changes.fire();
  }

  /** Resumes writing when an editor shows the document again. */
  wake(): void {
    this.tracked.wake();
  }

  /** Ends the session because its document is gone. */
  dispose(): void {
    this.close("lost");
    this.changes.dispose();
  }

  private stream(answer: AnswerLines): void {
    this.answer = answer;
    this.tracked.startSeries(answer.base);
    this.refused = false;
    this.setPhase({ kind: "streaming" });
  }

  /** Handles an edit of the proposal by the user, including undo and redo. */
  private takenOver(): void {
    const at = this.undoTexts.findIndex((lines) => sameLines(lines, this.tracked.lines));
    if (at === 0) this.close("undone");
    else if (this.undoTexts.length === 1 && !this.tracked.hasWritten) this.close("taken-over");
    else {
      this.touched = at === -1;
      this.setPhase({ kind: "pending" });
    }
  }

  /** Records the finished text of the range, to which undo can return. */
  private recordText(): void {
    this.undoTexts.push(this.tracked.lines);
    this.touched = false;
    this.settle("unchanged");
  }

  private refuse(): void {
    this.refused = true;
    if (this.state.kind !== "closed") this.settle("refused");
  }

  private async replaceBy(lines: readonly string[], why: Closing): Promise<boolean> {
    const phase = this.state;
    if (phase.kind !== "pending") return false;
    const { tracked } = this;
    const isCurrent = () => this.state === phase;
    // The user waits for the result, so the write does not wait for an editor.
    const options = { stops: STOP_BOTH, isCurrent, ifHidden: "cancel" } as const;
    const result = await tracked.inTurn(() => tracked.write(() => lines, options));
    if (result === "refused") this.refuse();
    if (result !== "done") return false;
    this.undoTexts.push(tracked.lines);
    this.settle(why);
    return true;
  }

  private settle(ifNothingIsLeft: Closing): void {
    this.hunkCache = undefined;
    if (this.hunks.length === 0) this.close(ifNothingIsLeft);
    else this.setPhase({ kind: "pending" });
  }

  private close(why: Closing): void {
    if (this.state.kind === "closed") return;
    this.flusher.dispose();
    this.nextPostponement?.dispose();
    this.setPhase({ kind: "closed", why });
    this.tracked.wake();
  }

  private setPhase(phase: Phase): void {
    this.state = phase;
    this.changes.fire();
  }

  /**
   * Writes the lines that have arrived; lines that arrive during a write go with the next write.
   * @param isForced writes the last line again if nothing else is to be written
   */
  private async flush(isForced = false): Promise<void> {
    const phase = this.state;
    if (this.isFlushing || phase.kind !== "streaming") return;
    this.isFlushing = true;
    const { tracked } = this;
    let { answer } = this;
    let { count } = answer;
    let goal = answer.range(true);
    const options = {
      stops: { before: false, after: false },
      isCurrent: () => this.state === phase,
      ifHidden: isForced ? "cancel" : "wait",
      isForced,
    } as const;
    const goalNow = () => {
      // A new answer may be for a range with other lines around it.
      if (answer !== this.answer) {
        ({ answer } = this);
        ({ count } = answer);
        goal = answer.range(true);
      }
      return goal;
    };
    const result = await tracked.inTurn(() => tracked.write(goalNow, options));
    this.isFlushing = false;
    if (result === "refused") this.refuse();
    else if (options.isCurrent()) {
      if (answer !== this.answer || answer.count > count) this.flusher.push();
      this.postponeSave();
    }
  }

  /**
   * Changes the document before auto save would write half of an answer to disk and end the undo
   * step. Does nothing for auto save after less than two write intervals.
   */
  private postponeSave(): void {
    const { savedAfterMs = 0 } = this.target;
    this.nextPostponement?.dispose();
    if (savedAfterMs < 2 * WRITE_INTERVAL_MS) return;
    this.nextPostponement = this.clock.after(savedAfterMs / 2, () => {
      if (this.tracked.hasWritten && !this.tracked.isUndoStopped) void this.flush(true);
    });
  }
}
