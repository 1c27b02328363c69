/**
 * What VS Code gives the page: a pipe to the host and a small memory that outlives the page.
 */

/** Taken once, at the start; kept private to the page's own modules. */
export interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** May be called once in the life of a page; VS Code throws the second time. */
export function acquireEditorApi(): EditorApi {
  return acquireVsCodeApi();
}
