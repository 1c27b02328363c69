/**
 * One pending edit of one place: answers stream into it line by line, then it is kept or discarded,
 * whole or hunk by hunk. The document's text is the proposal all the time; as soon as the person
 * types in it, it is theirs and the answer stops. Knows neither the editor (textSink.ts) nor the
 * service (answer.ts).
 */
import type { Clock } from "../base/clock";
import { coalesce, type Coalescer } from "../base/coalesce";
import type { Disposable } from "../base/disposables";
import { Emitter } from "../base/event";
import { AnswerLines, intactFrame, sameLines, type Frame, type StreamMarks } from "./answerLines";
import { hunksBetween, type Hunk } from "./hunks";
import { TrackedText } from "./trackedText";
import type { EditPlace, TextSink } from "./textSink";
import type { TextChange } from "./trackedRange";

/** Shortest time between two writes into the document, in milliseconds: at most 7 a second. */
export const WRITE_INTERVAL_MS = 150;

/** Why a session is over. */
export type Closing =
  | "kept"
  | "discarded"
  /** Undo took the answer back. */
  | "undone"
  /** The answer changes nothing, or there was none. */
  | "unchanged"
  /** The person wrote in the place before anything had come. */
  | "taken-over"
  /** The document cannot be written to, and holds nothing of the answer. */
  | "refused"
  /** The text went together with text around it, or its document is gone. */
  | "lost"
  /** The file was read from the disk again, with other text here. */
  | "reloaded";

/** `streaming`: an answer comes. `pending`: it is there and waits for the person. */
export type Phase =
  | { readonly kind: "streaming" }
  | { readonly kind: "pending" }
  | { readonly kind: "closed"; readonly why: Closing };

/** `whole`: the arrived lines are all. `part`: below them stays what they did not get to. */
export type AnswerOutcome = "whole" | "part" | "withdrawn";

const NO_FRAME: Frame = { before: [], after: [] };
const STOP_BOTH = { before: true, after: true };

/** One place being edited; it lives until it is closed. */
export class EditSession implements Disposable {
  private readonly changes = new Emitter<void>();
  private readonly flusher: Coalescer;
  private readonly place: TrackedText;
  private readonly frame: Frame;
  private state: Phase = { kind: "pending" };
  private original: readonly string[];
  private answer: AnswerLines;
  /** Texts the range had at rest, oldest first: undo and redo lead back to these. */
  private readonly rests: (readonly string[])[];
  private isFlushing = false;
  private hunkCache: readonly Hunk[] | undefined;
  private touched = false;
  private refused = false;

  /** Tells that anything below may differ: phase, place, hunks. */
  readonly onChanged = this.changes.event;

  constructor(place: EditPlace, sink: TextSink, clock: Clock) {
    this.place = new TrackedText(place, sink, clock);
    this.frame = place.frame ?? NO_FRAME;
    this.original = place.lines;
    this.answer = new AnswerLines(place.lines, this.frame);
    this.rests = [place.lines];
    this.flusher = coalesce(clock, WRITE_INTERVAL_MS, () => void this.flush());
  }

  get phase(): Phase {
    return this.state;
  }

  /** 0-based offset of the range's start, in UTF-16 units. */
  get startOffset(): number {
    return this.place.startOffset;
  }

  /** Lines the document holds here now; at least one. */
  get proposedLines(): readonly string[] {
    return this.place.lines;
  }

  /** What the range held before, hunks that were kept already in it. */
  get originalLines(): readonly string[] {
    return this.original;
  }

  /** What an answer that begins now would replace: the proposal without the lines beside it. */
  get answerableLines(): readonly string[] {
    const { lines } = this.place;
    const { before, after } = intactFrame(this.frame, lines);
    return lines.slice(before.length, lines.length - after.length);
  }

  /** True when the person changed the text of the proposal: discarding it asks first. */
  get isTouched(): boolean {
    return this.touched;
  }

  /** True when the document did not take what was written last. */
  get isRefused(): boolean {
    return this.refused;
  }

  /** What is pending, in order. While an answer comes this is costly and soon wrong. */
  get hunks(): readonly Hunk[] {
    this.hunkCache ??= hunksBetween(this.original, this.place.lines);
    return this.hunkCache;
  }

  /** What to mark while an answer comes. */
  get streamMarks(): StreamMarks {
    return this.answer.marks;
  }

  /** Makes room for an answer to what the range holds now. */
  begin(): void {
    if (this.state.kind !== "pending") return;
    const { lines } = this.place;
    this.answer = new AnswerLines(lines, intactFrame(this.frame, lines));
    this.place.startSeries();
    this.refused = false;
    this.setPhase({ kind: "streaming" });
  }

  /** Takes lines of the answer, without their ends. */
  take(lines: readonly string[]): void {
    if (this.state.kind !== "streaming" || lines.length === 0) return;
    this.answer.take(lines);
    this.flusher.push();
  }

  /** Takes back the lines that were taken so far; others come in their place. */
  restart(): void {
    if (this.state.kind !== "streaming") return;
    this.answer = this.answer.emptied();
    this.flusher.push();
  }

  /** The answer is over; resolves when the document holds it, or when it no longer can. */
  async finish(outcome: AnswerOutcome): Promise<void> {
    const phase = this.state;
    if (phase.kind !== "streaming") return;
    const { place, answer } = this;
    const goal = outcome === "withdrawn" ? answer.base : answer.range(outcome === "part");
    const isStill = () => this.state === phase;
    const result = await place.inTurn(async () => {
      const last = await place.write(
        goal,
        { before: false, after: true },
        isStill,
        place.hasWritten,
      );
      if (last !== "done" || !place.isUndoTorn || sameLines(goal, answer.base)) return last;
      // The person's typing stands between our writes on the undo stack: write the answer once
      // more in one piece, so that one undo removes it and nothing else.
      const back = await place.write(answer.base, STOP_BOTH, isStill);
      return back === "done" ? place.write(goal, STOP_BOTH, isStill) : back;
    });
    if (result === "refused") this.refuse();
    else if (result === "done" && isStill()) this.rest();
  }

  /** Keeps everything, or one hunk of now; the document does not change. */
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

  /** Brings back everything, or one hunk of now; false when the document did not take it. */
  async discard(hunk?: Hunk): Promise<boolean> {
    if (hunk === undefined) return this.replaceBy(this.original, "discarded");
    if (!this.hunks.includes(hunk)) return false;
    const { proposedStart, proposedLines, originalLines } = hunk;
    const lines = this.place.lines.toSpliced(proposedStart, proposedLines.length, ...originalLines);
    return this.replaceBy(lines.length === 0 ? [""] : lines, "discarded");
  }

  /** Puts other lines in the proposal's place (cleaned ones), in one step for undo. */
  async amend(lines: readonly string[]): Promise<boolean> {
    return this.replaceBy(lines, "unchanged");
  }

  /**
   * Takes in one event of the document.
   * @param changes all of them against the text before the event, in any order
   * @param isFromDisk true if the document has the text of its file with them, read again
   */
  documentChanged(version: number, changes: readonly TextChange[], isFromDisk = false): void {
    if (this.state.kind === "closed") return;
    const isTouched = isFromDisk && this.place.isTouchedBy(changes);
    const event = this.place.documentChanged(version, changes, this.rests);
    if (event !== "elsewhere") this.hunkCache = undefined;
    // Other text is nobody's proposal: neither kept nor discarded with the edit.
    const isReloaded = isTouched || (isFromDisk && event !== "elsewhere");
    if (isReloaded && event !== "own") this.close("reloaded");
    else if (event === "replaced") this.close("lost");
    else if (event === "inside") this.takenOver();
    else this.changes.fire();
  }

  /** The document was saved or its caret moved: for undo, what is written next is a step of its own. */
  undoStopped(): void {
    this.place.undoStopped();
  }

  /** The document's line ends were changed, so every offset is another one. */
  rebase(start: number, eol: EditPlace["eol"], version: number): void {
    this.place.rebase(start, eol, version);
    this.changes.fire();
  }

  /** An editor shows the document again. */
  wake(): void {
    this.place.wake();
  }

  /** Ends the session because its document is gone. */
  dispose(): void {
    this.close("lost");
    this.changes.dispose();
  }

  /** The person typed in the proposal, or undid or redid it. */
  private takenOver(): void {
    const rest = this.rests.findIndex((lines) => sameLines(lines, this.place.lines));
    if (rest === 0) this.close("undone");
    else if (this.rests.length === 1 && !this.place.hasWritten) this.close("taken-over");
    else {
      this.touched = rest === -1;
      this.setPhase({ kind: "pending" });
    }
  }

  /** The answer is in the document: from here on undo leads back to it. */
  private rest(): void {
    this.rests.push(this.place.lines);
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
    const { place } = this;
    const isStill = () => this.state === phase;
    const result = await place.inTurn(() => place.write(lines, STOP_BOTH, isStill));
    if (result === "refused") this.refuse();
    if (result !== "done") return false;
    this.rests.push(place.lines);
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
    this.setPhase({ kind: "closed", why });
    this.place.wake();
  }

  private setPhase(phase: Phase): void {
    this.state = phase;
    this.changes.fire();
  }

  /** Writes what has arrived; what arrives meanwhile goes with the next one. */
  private async flush(): Promise<void> {
    const phase = this.state;
    if (this.isFlushing || phase.kind !== "streaming") return;
    this.isFlushing = true;
    const { place, answer } = this;
    const { count } = answer;
    const stops = { before: false, after: false };
    const isStill = () => this.state === phase;
    const result = await place.inTurn(() => place.write(answer.range(true), stops, isStill));
    this.isFlushing = false;
    if (result === "refused") this.refuse();
    else if (isStill() && (answer !== this.answer || answer.count > count)) this.flusher.push();
  }
}
