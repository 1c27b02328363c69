/**
 * Tracks a range of whole lines while its document changes. Offsets are 0-based and count UTF-16
 * units, as in VS Code.
 */

export interface TrackedRange {
  readonly start: number;
  readonly text: string;
}

/** Single change of a document: `text` replaced `length` units at `offset`. */
export interface TextChange {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

export interface Tracking {
  /**
   * `elsewhere`: the range may have moved; its text is the same. `inside`: its text changed.
   * `replaced`: the range was replaced together with surrounding text.
   */
  readonly kind: "elsewhere" | "inside" | "replaced";
  readonly range: TrackedRange;
}

/**
 * Returns the range after a change. A line typed directly before or after the range is elsewhere,
 * unless `isGreedy` is set: then every change that touches the range is inside.
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

/** Searches the range's text in a larger replacement, as made by a formatter or a reload. */
function trackReplaced(range: TrackedRange, change: TextChange): Tracking {
  const textAt = range.text.trim() === "" ? -1 : change.text.indexOf(range.text);
  if (textAt === -1 || change.text.indexOf(range.text, textAt + 1) !== -1) {
    return { kind: "replaced", range: { start: change.offset, text: change.text } };
  }
  return { kind: "elsewhere", range: { start: change.offset + textAt, text: range.text } };
}
