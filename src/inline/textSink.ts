/**
 * The way from an edit session into a document, as a port: VS Code behind it in `host`, a fake
 * document in tests.
 */
import type { TextChange } from "./trackedRange";

/** Where undo may stop: before and after one write. Writes without a stop between are undone together. */
export interface UndoStops {
  readonly before: boolean;
  readonly after: boolean;
}

/**
 * `done`: written, and the session has heard of the change. `moved`: the document is newer than the
 * version, nothing was written. `hidden`: no editor shows the document, nothing was written; the
 * session is told when that changes. `refused`: it cannot be written to.
 */
export type WriteResult = "done" | "moved" | "hidden" | "refused";

/** Writes into one document. */
export interface TextSink {
  /** Writes only if the document still has this version. */
  replace(change: TextChange, version: number, stops: UndoStops): Promise<WriteResult>;
}

/** Where an edit goes: whole lines of one version of a document. */
export interface EditPlace {
  /** 0-based offset of the first line's start, in UTF-16 units. */
  readonly start: number;
  /** The lines as they are, without their ends; one empty line for an empty place. */
  readonly lines: readonly string[];
  readonly eol: "\n" | "\r\n";
  readonly version: number;
  /** How long after a change the document is saved by itself, which ends an undo step; if it is. */
  readonly savedAfterMs?: number;
  /** Lines of the place that stay before and after what is written (generating beside a line). */
  readonly frame?: { readonly before: readonly string[]; readonly after: readonly string[] };
}
