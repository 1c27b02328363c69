/** API of VS Code for webviews: messages to the host, and state that survives a hidden page. */
export interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** Acquired once; VS Code throws at a second call. */
export const editorApi: EditorApi = acquireVsCodeApi();
