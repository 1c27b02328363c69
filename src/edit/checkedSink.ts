/**
 * Asks before a write makes another kind of file of a document, such as configuration that names
 * programs. Asking on Keep would be too late: the document can be saved at any time before.
 */
import type { TextSink, UndoStops, WriteResult } from "./textSink";
import type { TextChange } from "./trackedRange";

export interface CheckedSinkOptions {
  readonly sink: TextSink;
  /** Returns true if this may become the whole text of the document. */
  readonly mayBecome: (text: string) => Promise<boolean>;
}

export class CheckedSink implements TextSink {
  private declined = false;

  constructor(private readonly options: CheckedSinkOptions) {}

  get isDeclined(): boolean {
    return this.declined;
  }

  current(): ReturnType<TextSink["current"]> {
    return this.options.sink.current();
  }

  async replace(
    changes: readonly TextChange[],
    version: number,
    stops: UndoStops,
  ): Promise<WriteResult> {
    const { sink, mayBecome } = this.options;
    const { text, version: currentVersion } = sink.current();
    const becomes = changes.reduce(
      (rest, { offset, length, text: own }) =>
        rest.slice(0, offset) + own + rest.slice(offset + length),
      text,
    );
    // The sink refuses a change of an earlier version.
    this.declined = currentVersion === version && !(await mayBecome(becomes));
    return this.declined ? "refused" : sink.replace(changes, version, stops);
  }
}
