/**
 * Brings the Markdown driver in after the first paint and joins it with one highlighter for all
 * replies, whose worker is a file of its own beside this page's script.
 */
import type { CreateMarkdownStream } from "./transcript/replyRenderer";

/** The worker's script; esbuild.mjs puts it beside main.js. */
const WORKER_FILE = "highlightWorker.js";

/** @param scriptUrl address of this page's own script */
export async function loadMarkdown(scriptUrl: string): Promise<CreateMarkdownStream> {
  const [{ createMarkdownStream }, { Highlighter }, { workerFrom }] = await Promise.all([
    import("./markdown/stream"),
    import("./markdown/highlight/highlighter"),
    import("./markdown/highlight/startWorker"),
  ]);
  const workerUrl = new URL(WORKER_FILE, scriptUrl).href;
  const highlighter = new Highlighter(document, workerFrom(workerUrl));
  return (container, options) => createMarkdownStream(container, { ...options, highlighter });
}
