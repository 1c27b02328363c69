/**
 * Port for writing an edit session's text into a document: implemented with VS Code in `host`, and
 * with a fake document in tests.
 */
import type { TextChange } from "./trackedRange";

/** Undo stops before and after a write. Writes without a stop between them are undone together. */
export interface UndoStops {
  readonly before: boolean;
  readonly after: boolean;
}

/**
 * `done`: written, and the session has received the change event. `moved`: the document has a newer
 * version; nothing was written. `hidden`: no editor shows the document; nothing was written, and
 * the session is notified of a visible editor. `refused`: the document is not writable.
 */
export type WriteResult = "done" | "moved" | "hidden" | "refused";

/** Writes into a single document. */
export interface TextSink {
  current(): { readonly text: string; readonly version: number };
  /**
   * Writes only if the document still has this version.
   * @param changes the last in the document first; offsets relative to the text of this version
   */
  replace(changes: readonly TextChange[], version: number, stops: UndoStops): Promise<WriteResult>;
}

/** Target of an edit: whole lines in a given version of a document. */
export interface EditTarget {
  /** 0-based offset of the first line's start, in UTF-16 units. */
  readonly start: number;
  /** Current lines without line ends; a single empty line for an empty range. */
  readonly lines: readonly string[];
  readonly eol: "\n" | "\r\n";
  readonly version: number;
  /**
   * Delay of auto save after a change, in milliseconds. Saving ends an undo step. Undefined without
   * auto save.
   */
  readonly savedAfterMs?: number;
  /**
   * Lines of the range that stay before and after the written lines, for generating next to a line.
   */
  readonly frame?: { readonly before: readonly string[]; readonly after: readonly string[] };
}

/** Texts of a document around an answer that one undo does not remove. */
export interface TornAnswer {
  /** Text before the answer. */
  readonly original: string;
  /** Text to which undo of the answer's last part leads. */
  readonly torn: string;
  /** That text without the other parts of the answer. */
  readonly typed: string;
}
