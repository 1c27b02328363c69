/**
 * Starts workers under the panel's policy: a webview's scripts come from another origin, so a script
 * is fetched and started as a blob.
 */

import { trustedScriptUrl } from "./trusted";

/** Starts a worker of this script. */
export function workerOf(script: string, options: WorkerOptions): Worker {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  try {
    return new Worker(trustedScriptUrl(address), options);
  } finally {
    // The worker holds its script from here on; a module's is fetched a moment later.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }
}

/** Starts the worker whose whole script is at `url`; one of the extension's own files. */
export async function workerAt(url: string, name: string): Promise<Worker> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the worker ${name}: status ${response.status}`);
  return workerOf(await response.text(), { name });
}
