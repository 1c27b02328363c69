/** Hand-over from the script in the page's HTML to the panel. */
import type { EditorApi } from "./editorApi";

/** Passed to the panel; VS Code allows a page to acquire its API only once. */
export interface Boot {
  readonly editorApi: EditorApi;
  /** Removes the listeners and returns what they collected. */
  readonly end: () => EarlyInput;
}

/** Input and messages from before the panel was rendered. */
export interface EarlyInput {
  readonly text: string;
  /** True if the text has not changed since Enter was pressed. */
  readonly isAsked: boolean;
  readonly received: readonly MessageEvent<unknown>[];
  readonly pasted: readonly File[];
  readonly dropped: readonly File[];
}
