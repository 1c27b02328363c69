/**
 * Twin of node/watchConnection.ts. Browsers report nothing about connections, so the platform's
 * connect timeout applies.
 */
import type { WatchConnection } from "../../service/client";

export function createConnectionWatch() {
  const watch: WatchConnection = (fetch) => fetch();
  return { watch, canStreamUpload: false, dispose: () => undefined };
}
