/**
 * Loads the Markdown renderer after the first paint, with a single syntax highlighter for all
 * replies.
 */
import type { TokenTheme } from "../../protocol/views";
import type { CreateMarkdownStream } from "../transcript/replyRenderer";

/** Script of the highlighter's worker; esbuild.mjs writes it next to main.js. */
const WORKER_FILE = "highlightWorker.js";

/**
 * @param scriptUrl address of this page's own script
 * @param report receives failures by name, never with content
 */
export async function loadRenderer(scriptUrl: string, report: (where: string) => void) {
  const { createMarkdownStream, Highlighter, startWorkerFromUrl } = await import("./renderer");
  const workerUrl = new URL(WORKER_FILE, scriptUrl).href;
  const start = () => startWorkerFromUrl(workerUrl, "core-chat-highlight");
  const highlighter = new Highlighter(document, start, (scopeName) =>
    report(`highlighting of ${scopeName}`),
  );
  const create: CreateMarkdownStream = (container, options) =>
    createMarkdownStream(container, { ...options, highlighter });
  /** Applies a theme to all code; undefined applies the CSS variables of VS Code. */
  const setTheme = (theme: TokenTheme | undefined) => highlighter.setTheme(theme);
  return { create, setTheme };
}
