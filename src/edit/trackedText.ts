/**
 * Tracks and writes whole lines of a document that changes in parallel. Maintains their position
 * and content, separates own changes from foreign changes, and writes through a TextSink with
 * correct undo stops. Callers decide on the text to write.
 */
import type { Clock } from "../base/clock";
import { sameLines } from "./answerLines";
import { hunksBetween } from "../replyCode/hunks";
import type { EditTarget, TextSink, TornAnswer, UndoStops } from "./textSink";
import { track, type TextChange } from "./trackedRange";

/** Effect of a document event on the range. */
export type TrackedChange = "elsewhere" | "own" | "inside" | "replaced";

export interface WriteOptions {
  readonly stops: UndoStops;
  /** Called before each attempt; false cancels the write. */
  readonly isCurrent: () => boolean;
  /** Writes the last line even if nothing differs, to create the undo stop. */
  readonly isForced?: boolean;
  /** While no editor shows the document, `wait` waits for an editor, `cancel` writes nothing. */
  readonly ifHidden: "wait" | "cancel";
}

/** Upper limit of stored stops of a series; each has three texts of the document. */
const MAX_STOPS = 3;

/** Tracked range of lines with a writer. */
export class TrackedText {
  private start: number;
  private version: number;
  private currentLines: readonly string[];
  /** Changes of the running write that the document has not reported yet. */
  private expected: readonly TextChange[] = [];
  private waiting: (() => void)[] = [];
  private queue: Promise<unknown> = Promise.resolve();
  private needsStop = true;
  private hasWrittenNow = false;
  /** Lines of the range and text of the document before the current series. */
  private base: readonly string[] = [];
  private original = "";
  private torn: readonly TornAnswer[] = [];
  /** Time when the last successful write was sent, in milliseconds. */
  private sentAtMs = 0;
  private readonly savedAfterMs: number;
  eol: EditTarget["eol"];

  constructor(
    target: EditTarget,
    private readonly sink: TextSink,
    private readonly clock: Clock,
  ) {
    this.savedAfterMs = target.savedAfterMs ?? Infinity;
    this.start = target.start;
    this.version = target.version;
    this.currentLines = target.lines;
    this.eol = target.eol;
  }

  /** 0-based offset of the first line, in UTF-16 units. */
  get startOffset(): number {
    return this.start;
  }

  /** Current lines of the range in the document; at least one line. */
  get lines(): readonly string[] {
    return this.currentLines;
  }

  get text(): string {
    return this.currentLines.join(this.eol);
  }

  get hasWritten(): boolean {
    return this.hasWrittenNow;
  }

  /** True when undo already stops after the last write. */
  get isUndoStopped(): boolean {
    return this.needsStop;
  }

  /** Texts around the series, for each undo that may lead into it: other changes came between its writes. */
  get tornAnswers(): readonly TornAnswer[] {
    return this.torn;
  }

  /** Starts a series of writes that undo removes together. */
  startSeries(base: readonly string[]): void {
    this.needsStop = true;
    this.hasWrittenNow = false;
    this.base = base;
    this.torn = [];
  }

  /**
   * Extends the range by lines that stand directly around it in the document; returns false, without
   * an effect, if the document has other lines there.
   */
  widen(above: readonly string[], below: readonly string[]): boolean {
    const { text, version } = this.sink.current();
    const head = above.map((line) => line + this.eol).join("");
    const tail = below.map((line) => this.eol + line).join("");
    const start = this.start - head.length;
    const isThere = text.startsWith(head + this.text + tail, start);
    if (version !== this.version || start < 0 || !isThere) return false;
    this.start = start;
    this.currentLines = [...above, ...this.currentLines, ...below];
    this.base = [...above, ...this.base, ...below];
    return true;
  }

  /** Runs a function after all previously requested writes. */
  inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.queue.then(run);
    this.queue = turn.catch(() => undefined);
    return turn;
  }

  /**
   * Writes until the range holds certain lines.
   * @param goalNow returns the lines, which change when the range is widened during the write
   */
  async write(
    goalNow: () => readonly string[],
    { stops, isCurrent, isForced = false, ifHidden }: WriteOptions,
  ): Promise<"done" | "canceled" | "refused"> {
    let isSameTried = !isForced;
    for (;;) {
      if (!isCurrent()) return "canceled";
      const changes = this.changesTo(goalNow());
      if (changes.length === 0 && !isSameTried) changes.push(...this.sameAgain());
      if (changes.length === 0) return "done";
      const { version } = this;
      this.expected = changes;
      const sentAtMs = this.clock.nowMs();
      const { needsStop } = this;
      const before = stops.before || needsStop;
      const texts = stops.before ? undefined : this.textsNow();
      this.needsStop = false; // A stop during the write may come before or after it.
      const result = await this.sink.replace(changes, version, { before, after: stops.after });
      const wasReported = this.expected.length < changes.length;
      this.expected = [];
      let isStopped = before || this.needsStop;
      if (result !== "done") this.needsStop ||= needsStop;
      switch (result) {
        case "done":
          // The document may have been saved since the last write, which ends an undo step.
          isStopped ||= this.clock.nowMs() - this.sentAtMs >= this.savedAfterMs;
          if (texts && isStopped) this.torn = [...this.torn, texts].slice(-MAX_STOPS);
          this.sentAtMs = sentAtMs;
          // A write without its expected change event was swallowed.
          if (!wasReported && !sameLines(goalNow(), this.currentLines)) return "refused";
          isSameTried = true;
          break;
        case "moved":
          if (this.version === version) await this.nextWake();
          break;
        case "hidden":
          if (ifHidden === "cancel") return "canceled";
          await this.nextWake();
          break;
        case "refused":
          return "refused";
        default:
          result satisfies never;
      }
    }
  }

  /** Returns true if a change replaces text of the range, even with the same text. */
  isTouchedBy(changes: readonly TextChange[]): boolean {
    const end = this.start + this.text.length;
    return changes.some(({ offset, length }) => offset < end && offset + length > this.start);
  }

  /**
   * Processes one change event of the document.
   * @param changes all changes of the event in any order, relative to the text before the event
   * @param undoTexts texts to which undo and redo may return
   */
  documentChanged(
    version: number,
    changes: readonly TextChange[],
    undoTexts: readonly (readonly string[])[],
  ): TrackedChange {
    this.version = version;
    const sorted = changes.toSorted((a, b) => b.offset - a.offset);
    const event = this.returnTo(undoTexts, sorted) ?? this.follow(sorted);
    this.wake();
    return event;
  }

  /**
   * Applies an undo or redo to one of the `undoTexts`, even if its changes begin at the edge of the
   * range. Returns undefined for other changes.
   */
  private returnTo(
    undoTexts: readonly (readonly string[])[],
    changes: readonly TextChange[],
  ): TrackedChange | undefined {
    if (changes.some((change) => this.isExpected(change))) return undefined;
    let range = { start: this.start, text: this.text };
    let isTouched = false;
    for (const change of changes) {
      const tracking = track(range, change, true);
      if (tracking.kind === "replaced") return undefined;
      if (tracking.kind === "inside") isTouched = true;
      range = tracking.range;
    }
    const undoneLines = undoTexts.find((lines) => lines.join(this.eol) === range.text);
    if (!isTouched || undoneLines === undefined) return undefined;
    this.undoStopped();
    this.start = range.start;
    this.currentLines = undoneLines;
    return "inside";
  }

  private follow(changes: readonly TextChange[]): TrackedChange {
    let event: TrackedChange = "elsewhere";
    const isOwn = changes.some((change) => this.isExpected(change));
    for (const change of changes) {
      if (this.isExpected(change)) {
        this.applyOwn(change);
        if (event === "elsewhere") event = "own";
        continue;
      }
      const { kind, range } = track({ start: this.start, text: this.text }, change);
      // With a change, VS Code also removes indentation that it had inserted into an empty line.
      const [before, after] = [this.text, range.text].map((text) => text.replaceAll(/[ \t]/g, ""));
      const isTrim = isOwn && kind === "inside" && before === after;
      if (!isTrim) this.undoStopped();
      this.start = range.start;
      if (kind === "elsewhere") continue;
      this.currentLines = range.text.split(/\r\n|\n/);
      if (event !== "replaced" && !isTrim) event = kind;
    }
    return event;
  }

  private applyOwn(change: TextChange): void {
    this.expected = this.expected.filter((other) => !isSameChange(change, other));
    this.hasWrittenNow = true;
    const { text } = this;
    const from = change.offset - this.start;
    const after = text.slice(from + change.length);
    this.currentLines = (text.slice(0, from) + change.text + after).split(this.eol);
  }

  private isExpected(change: TextChange): boolean {
    return this.expected.some((other) => isSameChange(change, other));
  }

  /**
   * Records a possible end of an undo step between two writes. Events that VS Code does not report,
   * such as a key that leaves the cursor in place, go unnoticed.
   */
  undoStopped(): void {
    this.needsStop = true;
  }

  /** Adapts the offsets after a change of the document's line ends. */
  rebase(start: number, eol: EditTarget["eol"], version: number): void {
    this.start = start;
    this.eol = eol;
    this.version = version;
    this.undoStopped();
    this.wake();
  }

  /** Resumes a waiting write, after a newer document version or a visible editor. */
  wake(): void {
    const { waiting } = this;
    this.waiting = [];
    for (const run of waiting) run();
  }

  /** Returns the texts to which undo of the next write leads; undefined for the first write. */
  private textsNow(): TornAnswer | undefined {
    const { text } = this.sink.current();
    if (!this.hasWrittenNow) {
      this.original = text;
      return undefined;
    }
    const { start, original, eol } = this;
    const end = start + this.text.length;
    const typed = text.slice(0, start) + this.base.join(eol) + text.slice(end);
    return { original, torn: text, typed };
  }

  private nextWake(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }

  private changesTo(goal: readonly string[]): TextChange[] {
    return lineChanges(this.currentLines, goal, this.eol, this.start);
  }

  private sameAgain(): TextChange[] {
    const last = this.currentLines.at(-1) ?? "";
    const offset = this.start + this.text.length - last.length;
    return last === "" ? [] : [{ offset, length: last.length, text: last }];
  }
}

/**
 * Returns the changes of whole lines that produce the goal, the last first; empty when nothing
 * differs. Lines between them keep what VS Code attached to them, such as breakpoints.
 * @param start offset of the first line
 */
export function lineChanges(
  held: readonly string[],
  goal: readonly string[],
  eol: string,
  start = 0,
): TextChange[] {
  if (sameLines(goal, held)) return [];
  const hunks = hunksBetween(held, goal);
  return hunks.reverse().map(({ originalStart, originalLines: before, proposedLines: after }) => {
    const offset = held
      .slice(0, originalStart)
      .reduce((sum, line) => sum + line.length + eol.length, start);
    if (originalStart + before.length < held.length) {
      // Lines are replaced together with the line ends after them …
      const spell = (lines: readonly string[]) => lines.map((line) => line + eol).join("");
      return { offset, length: spell(before).length, text: spell(after) };
    }
    if (originalStart > 0) {
      // … the last lines with the line ends before them …
      const spell = (lines: readonly string[]) => lines.map((line) => eol + line).join("");
      return { offset: offset - eol.length, length: spell(before).length, text: spell(after) };
    }
    // … and a range without adjacent lines has no further line ends.
    return { offset, length: before.join(eol).length, text: after.join(eol) };
  });
}

function isSameChange(one: TextChange, other: TextChange): boolean {
  return one.offset === other.offset && one.length === other.length && one.text === other.text;
}
