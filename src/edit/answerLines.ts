/**
 * Lines of an answer as they arrive, and the resulting text of the edited range. That text is the
 * unchanged frame, the answer, and the lines the answer has not reached yet.
 */
import { StreamProgress } from "./streamProgress";

/** Lines of the range that stay before and after the written lines. */
export interface Frame {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Lines of the range to mark during streaming; 0-based from its start. */
export interface StreamMarks {
  readonly changedLines: readonly number[];
  /** First line the answer has not reached yet; undefined when no line is left below. */
  readonly frontier: number | undefined;
}

export class AnswerLines {
  private readonly arrived: string[] = [];
  private readonly changed: number[] = [];
  private readonly replaced: readonly string[];
  private readonly alignment: StreamProgress;

  /** @param base all lines of the range, including its frame */
  constructor(
    readonly base: readonly string[],
    private readonly frame: Frame,
  ) {
    this.replaced = base.slice(frame.before.length, base.length - frame.after.length);
    this.alignment = new StreamProgress(this.replaced);
  }

  get count(): number {
    return this.arrived.length;
  }

  /** Returns the same range without the lines of the answer. */
  withoutAnswer(): AnswerLines {
    return new AnswerLines(this.base, this.frame);
  }

  addLines(lines: readonly string[]): void {
    for (const line of lines) {
      if (!this.alignment.consumeLine(line)) this.changed.push(this.arrived.length);
      this.arrived.push(line);
    }
  }

  /**
   * Returns the frame and the answer, with the lines not reached yet below if `withRest` is set.
   */
  range(withRest: boolean): readonly string[] {
    const unreplaced = withRest ? this.replaced.slice(this.alignment.consumed) : [];
    const lines = [...this.frame.before, ...this.arrived, ...unreplaced, ...this.frame.after];
    return lines.length === 0 ? [""] : lines;
  }

  get marks(): StreamMarks {
    const above = this.frame.before.length;
    const isRestLeft = this.alignment.consumed < this.replaced.length;
    return {
      changedLines: this.changed.map((line) => line + above),
      frontier: isRestLeft ? above + this.arrived.length : undefined,
    };
  }
}

/**
 * Returns the frame if the range still has these lines; an empty frame after a user changed them.
 */
export function intactFrame(frame: Frame, lines: readonly string[]): Frame {
  const end = lines.length - frame.after.length;
  const isIntact =
    end >= frame.before.length &&
    sameLines(lines.slice(0, frame.before.length), frame.before) &&
    sameLines(lines.slice(end), frame.after);
  return isIntact ? frame : { before: [], after: [] };
}

export function sameLines(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}
