/**
 * The page's only Trusted Types policy. Converts the addresses of the extension's own scripts and
 * the constant page of the diagram frame; never text of a reply.
 */

/** Name of the policy; the content security policy allows no other. */
export const POLICY_NAME = "core-chat-worker";

interface Policy {
  createScriptURL(url: string): string;
  createHTML(html: string): string;
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string; createHTML: (html: string) => string },
  ): Policy;
}

let policy: Policy | undefined;

function policyIn(trustedTypes: TrustedTypes): Policy {
  policy ??= trustedTypes.createPolicy(POLICY_NAME, {
    createScriptURL: (text) => text,
    createHTML: (text) => text,
  });
  return policy;
}

/**
 * Converts a script address for a worker. Callers pass only blob addresses of the extension's own
 * scripts.
 */
function trustedScriptUrl(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  return trustedTypes === undefined ? url : policyIn(trustedTypes).createScriptURL(url);
}

/** Converts a constant HTML page for a frame. */
export function trustedHtml(html: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  return trustedTypes === undefined ? html : policyIn(trustedTypes).createHTML(html);
}

/**
 * Starts a worker from the text of a script, through a blob: scripts of a webview have another
 * origin, from which no worker can be started.
 */
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
