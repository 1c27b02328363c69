/**
 * The browser's twin of node/watchConnection.ts: a browser tells nothing of its connections, so the
 * platform's own limit of connecting holds.
 */
import type { Disposable } from "../../base/disposables";
import type { WatchConnection } from "../../service/client";

/** Tells nothing. */
export function createConnectionWatch(): Disposable & { readonly watch: WatchConnection } {
  return { watch: (fetch) => fetch(), dispose: () => undefined };
}
