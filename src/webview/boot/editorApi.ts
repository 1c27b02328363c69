/**
 * What VS Code gives the page: a pipe to the host and a small memory that outlives the page.
 */

/** Kept private to the page's own modules. */
export interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** Taken once, at the start; VS Code throws the second time. */
export const editorApi: EditorApi = acquireVsCodeApi();
