/**
 * The one policy of the page that turns strings into what it runs: addresses of its own scripts, and
 * the constant page of the frame for diagrams. Nothing of a reply comes near it.
 */

/** The policy's name; the page's Content-Security-Policy allows this one alone. */
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
    createScriptURL: (same) => same,
    createHTML: (same) => same,
  });
  return policy;
}

/** A script's address in the form workers take; only blobs and this page's own scripts get here. */
export function trustedScriptUrl(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  return trustedTypes === undefined ? url : policyIn(trustedTypes).createScriptURL(url);
}

/** A page of this program's own in the form frames take. */
export function trustedPage(html: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  return trustedTypes === undefined ? html : policyIn(trustedTypes).createHTML(html);
}
