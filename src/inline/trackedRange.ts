/**
 * A range of whole lines that stays where it belongs while its document changes around it.
 * Offsets are 0-based and count UTF-16 units, as VS Code's do.
 */

/** A stretch of text and where it stands. */
export interface TrackedRange {
  readonly start: number;
  readonly text: string;
}

/** One change of a document: `length` units from `offset` were replaced by `text`. */
export interface TextChange {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** What a change meant for the range. */
export interface Tracking {
  /**
   * `elsewhere`: the range may have moved, its text is the same. `inside`: its text was changed.
   * `replaced`: it went together with text around it.
   */
  readonly kind: "elsewhere" | "inside" | "replaced";
  readonly range: TrackedRange;
}

/**
 * The range after one change. A line typed right before or after it is elsewhere, except for
 * `isGreedy`: then whatever touches the range is inside.
 */
export function track(range: TrackedRange, change: TextChange, isGreedy = false): Tracking {
  const end = range.start + range.text.length;
  const changeEnd = change.offset + change.length;
  const isLineBefore = changeEnd === range.start && !isGreedy && /[\r\n]$/.test(change.text);
  if (changeEnd < range.start || isLineBefore) {
    const moved = range.start + change.text.length - change.length;
    return { kind: "elsewhere", range: { start: moved, text: range.text } };
  }
  const isLineAfter = change.offset === end && !isGreedy && /^[\r\n]/.test(change.text);
  if (change.offset > end || isLineAfter) {
    return { kind: "elsewhere", range };
  }
  const isExact = change.offset === range.start && changeEnd === end;
  if (change.offset <= range.start && changeEnd >= end && change.length > 0 && !isExact) {
    return trackReplaced(range, change);
  }
  const before = range.text.slice(0, Math.max(0, change.offset - range.start));
  const after = range.text.slice(Math.max(0, changeEnd - range.start));
  return {
    kind: "inside",
    range: { start: Math.min(range.start, change.offset), text: before + change.text + after },
  };
}

/** Everything was replaced at once, as a formatter or a reload does: is the text still in there? */
function trackReplaced(range: TrackedRange, change: TextChange): Tracking {
  const found = range.text.trim() === "" ? -1 : change.text.indexOf(range.text);
  if (found === -1 || change.text.indexOf(range.text, found + 1) !== -1) {
    return { kind: "replaced", range: { start: change.offset, text: change.text } };
  }
  return { kind: "elsewhere", range: { start: change.offset + found, text: range.text } };
}
