/**
 * The lines of one answer as they arrive, and what the edited range holds with them: what stays
 * around, the answer, and below it what the answer has not got to.
 */
import { StreamProgress } from "./streamProgress";

/** Lines of the range that stay before and after what is written. */
export interface Frame {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Lines of the range to mark while an answer comes; 0-based from its start. */
export interface StreamMarks {
  readonly changedLines: readonly number[];
  /** The first line that is still to come, or undefined when there is none below. */
  readonly frontier: number | undefined;
}

/** One answer to one state of the range. */
export class AnswerLines {
  private readonly arrived: string[] = [];
  private readonly changed: number[] = [];
  private readonly replaced: readonly string[];
  private readonly alignment: StreamProgress;

  /** @param base all lines of the range, its frame included */
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

  /** The same range without any line of the answer. */
  emptied(): AnswerLines {
    return new AnswerLines(this.base, this.frame);
  }

  take(lines: readonly string[]): void {
    for (const line of lines) {
      if (!this.alignment.take(line)) this.changed.push(this.arrived.length);
      this.arrived.push(line);
    }
  }

  /** The range with the answer as all there is, or with what it did not get to below it. */
  range(withRest: boolean): readonly string[] {
    const rest = withRest ? this.replaced.slice(this.alignment.consumed) : [];
    const lines = [...this.frame.before, ...this.arrived, ...rest, ...this.frame.after];
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

/** The frame if the range still has it; none when the person changed it. */
export function intactFrame(frame: Frame, lines: readonly string[]): Frame {
  const end = lines.length - frame.after.length;
  const isIntact =
    end >= frame.before.length &&
    sameLines(lines.slice(0, frame.before.length), frame.before) &&
    sameLines(lines.slice(end), frame.after);
  return isIntact ? frame : { before: [], after: [] };
}

/** True when two texts have the same lines. */
export function sameLines(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}
