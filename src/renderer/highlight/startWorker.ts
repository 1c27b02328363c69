/**
 * Ways to get the highlighting worker: in the panel it is a script of its own; in a bare page the
 * renderer's own script is started again as a worker, which needs no file of its own.
 */
import { workerAt, workerOf } from "../workerScript";
import type { StartWorker } from "./highlighter";

/** The name by which the renderer's script knows that it runs as the worker. */
const WORKER_NAME = "core-chat-highlight";

/** Starts the worker whose whole script is at `url`. */
export function workerFrom(url: string): StartWorker {
  return () => workerAt(url, WORKER_NAME);
}

/** Starts the script this code is part of, once more as a worker. */
export function workerFromOwnScript(): StartWorker {
  return () => {
    const url = import.meta.url as string | undefined;
    if (url === undefined || new URL(url).origin !== location.origin) {
      return Promise.reject(new Error("the script has no address of its own"));
    }
    // By way of a blob: where the page's policy forbids it, only the worker learns of it.
    const script = `import ${JSON.stringify(url)};`;
    return Promise.resolve(workerOf(script, { type: "module", name: WORKER_NAME }));
  };
}

/** Whether this very script runs as the worker. */
export function isHighlightWorker(): boolean {
  const scope = globalThis as { name?: unknown };
  return !("document" in globalThis) && scope.name === WORKER_NAME;
}
