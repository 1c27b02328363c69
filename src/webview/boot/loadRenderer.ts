/**
 * Brings the Markdown driver in after the first paint and joins it with one highlighter for all
 * replies, whose worker is a file of its own beside this page's script.
 */
import type { TokenTheme } from "../../protocol/views";
import type { CreateMarkdownStream } from "../transcript/replyRenderer";

/** The worker's script; esbuild.mjs puts it beside main.js. */
const WORKER_FILE = "highlightWorker.js";

/** The driver, and what decides the colours of its code. */
export interface LoadedRenderer {
  readonly create: CreateMarkdownStream;
  /** Shows all code in a theme's colours; without one in the editor's variables. */
  setTheme(theme: TokenTheme | undefined): void;
}

/** @param scriptUrl address of this page's own script */
export async function loadRenderer(scriptUrl: string): Promise<LoadedRenderer> {
  const [{ createMarkdownStream }, { Highlighter }, { workerStarter: workerFrom }] =
    await Promise.all([
      import("../../renderer/stream"),
      import("../../renderer/highlight/highlighter"),
      import("../../renderer/highlight/startWorker"),
    ]);
  const workerUrl = new URL(WORKER_FILE, scriptUrl).href;
  const highlighter = new Highlighter(document, workerFrom(workerUrl));
  return {
    create: (container, options) => createMarkdownStream(container, { ...options, highlighter }),
    setTheme: (theme) => highlighter.setTheme(theme),
  };
}
