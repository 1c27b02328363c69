/**
 * Starts workers in a webview. Its scripts have another origin, so that a worker must be started
 * from a blob.
 */

import { trustedScriptUrl } from "./trusted";

/** Starts a worker from the text of a script. */
export function startWorkerFromText(script: string, options: WorkerOptions): Worker {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  try {
    return new Worker(trustedScriptUrl(address), options);
  } finally {
    // A classic worker has its script by now; a module worker fetches it a moment later.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }
}

/** Starts a worker from a script of the extension without imports. */
export async function startWorkerFromUrl(url: string, name: string): Promise<Worker> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the worker ${name}: status ${response.status}`);
  return startWorkerFromText(await response.text(), { name });
}
