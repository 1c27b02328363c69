/**
 * Ways to get the highlighting worker. In the panel its script is fetched and started as a blob, since
 * a webview's scripts come from another origin; in a bare page the renderer's own script is started
 * again as a worker, which needs no file of its own.
 */
import type { StartWorker } from "./highlighter";

/** The name by which the renderer's script knows that it runs as the worker. */
const WORKER_NAME = "core-chat-highlight";

/** Makes script addresses for the panel's policy, which takes no plain strings. */
interface ScriptPolicy {
  createScriptURL(url: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): ScriptPolicy;
}

let policy: ScriptPolicy | undefined;

/** A script's address in the form workers take; only blobs and this page's own scripts get here. */
function scriptAddress(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return url;
  policy ??= trustedTypes.createPolicy("core-chat-worker", { createScriptURL: (same) => same });
  return policy.createScriptURL(url);
}

function workerOf(script: string, options: WorkerOptions): Worker {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  try {
    return new Worker(scriptAddress(address), { ...options, name: WORKER_NAME });
  } finally {
    // The worker holds its script from here on; a module's is fetched a moment later.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }
}

/** Starts the worker whose whole script is at `url`. */
export function workerFrom(url: string): StartWorker {
  return async () => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`the highlighting worker: status ${response.status}`);
    return workerOf(await response.text(), {});
  };
}

/** Starts the script this code is part of, once more as a worker. */
export function workerFromOwnScript(): StartWorker {
  return () => {
    const url = import.meta.url as string | undefined;
    if (url === undefined || new URL(url).origin !== location.origin) {
      return Promise.reject(new Error("the script has no address of its own"));
    }
    // By way of a blob: where the page's policy forbids it, only the worker learns of it.
    return Promise.resolve(workerOf(`import ${JSON.stringify(url)};`, { type: "module" }));
  };
}

/** Whether this very script runs as the worker. */
export function isHighlightWorker(): boolean {
  const scope = globalThis as { name?: unknown };
  return !("document" in globalThis) && scope.name === WORKER_NAME;
}
