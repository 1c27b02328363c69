/**
 * Twin of node/watchConnection.ts. Browsers report nothing about connections, so the platform's
 * connect timeout applies.
 */
import type { Disposable } from "../../base/disposables";
import type { WatchConnection } from "../../service/client";

export function createConnectionWatch(): Disposable & {
  readonly watch: WatchConnection;
  readonly canStreamUpload: boolean;
} {
  return { watch: (fetch) => fetch(), canStreamUpload: false, dispose: () => undefined };
}
