/**
 * Starts the highlighting worker: from its own script in the panel, or from the renderer's script
 * in a page without the extension.
 */
import { startWorkerFromUrl, startWorkerFromText } from "../trusted";
import type { StartWorker } from "./highlighter";

/** Worker name by which the renderer's script detects that it runs as the worker. */
const WORKER_NAME = "core-chat-highlight";

/** Returns a starter for the worker script at `url`. */
export function workerStarter(url: string): StartWorker {
  return () => startWorkerFromUrl(url, WORKER_NAME);
}

/** Returns a starter that runs this script again as a worker. */
export function ownScriptStarter(): StartWorker {
  return () => {
    const url = import.meta.url as string | undefined;
    if (url === undefined || new URL(url).origin !== location.origin) {
      return Promise.reject(new Error("the script has no address of its own"));
    }
    // Through a blob, so that a policy that forbids the import fails only the worker.
    const script = `import ${JSON.stringify(url)};`;
    return Promise.resolve(startWorkerFromText(script, { type: "module", name: WORKER_NAME }));
  };
}

/** Checks if this script runs as the worker. */
export function isHighlightWorker(): boolean {
  const scope = globalThis as { name?: unknown };
  return !("document" in globalThis) && scope.name === WORKER_NAME;
}
