/**
 * Undoes an answer that is several steps of the undo stack, because the user typed elsewhere or the
 * file was saved while it arrived. The user's typing stays, as the step below.
 */
import type { TextSink, TornAnswer } from "./textSink";
import { lineChanges } from "./trackedText";

/** Document whose last changes can be undone; the user has just undone one, so it has the focus. */
export interface UndoableText extends Pick<TextSink, "current" | "replace"> {
  undo(): Promise<void>;
  redo(): Promise<void>;
}

/** Completes the undo of an answer whose last part the user has undone. */
export async function undoRest(
  document: UndoableText,
  { original, typed }: TornAnswer,
): Promise<void> {
  const isOriginal = () => document.current().text === original;
  let steps = 0;
  for (let version = -1; !isOriginal() && version !== document.current().version; steps++) {
    ({ version } = document.current());
    await document.undo();
  }
  if (!isOriginal()) {
    // The last undo had no effect.
    for (; steps > 1; steps--) await document.redo();
    return;
  }
  const changes = lineChanges(original.split("\n"), typed.split("\n"), "\n");
  if (changes.length === 0) return;
  await document.replace(changes, document.current().version, { before: true, after: true });
}
