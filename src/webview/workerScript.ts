/**
 * Starts workers under the panel's policy: a webview's scripts come from another origin, so a script
 * is fetched and started as a blob.
 */

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

/** Starts a worker of this script. */
export function workerOf(script: string, options: WorkerOptions): Worker {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  try {
    return new Worker(scriptAddress(address), options);
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
