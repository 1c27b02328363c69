/**
 * Reports when a `fetch` starts to connect and when its connection is open, and turns off the time
 * limits of `fetch`, from the diagnostics channels of undici: Node's own, or the copy that VS Code
 * substitutes for a proxy. With any other `fetch` nothing is reported.
 * Channels: https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import * as z from "zod/mini";
import { Disposables } from "../../base/disposables";
import type { ConnectionFact, WatchConnection } from "../../service/client";

/** A request is created, in the async context of its caller; it has no connection yet. */
const REQUEST_CREATED = "undici:request:create";

/** A request is sent, so its connection is open. Older undici reports only the second for HTTP/2. */
const REQUEST_SENT = ["undici:client:sendHeaders", "undici:request:bodySent"];

/** Excludes other requests of the same context, such as a proxy's CONNECT. */
const messageSchema = z.object({ request: z.object({ method: z.literal("POST") }) });

/** Subscribes to the channels until disposed. */
export function createConnectionWatch() {
  const owned = new Disposables();
  const listeners = new AsyncLocalStorage<(fact: ConnectionFact) => void>();
  const pending = new WeakMap<object, (fact: ConnectionFact) => void>();

  const subscribeTo = (channel: string, onRequest: (request: object) => void): void => {
    const onMessage = (message: unknown): void => {
      if (!messageSchema.safeParse(message).success) return;
      onRequest((message as { request: object }).request);
    };
    subscribe(channel, onMessage);
    owned.add({ dispose: () => unsubscribe(channel, onMessage) });
  };
  subscribeTo(REQUEST_CREATED, (request) => {
    const listener = listeners.getStore();
    if (listener === undefined) return; // a request of other code
    pending.set(request, listener);
    // undici ends a request after 300 s without data, whatever the settings say. The dispatcher, where
    // these limits are options, belongs to VS Code: a dispatcher of our own would bypass its proxy.
    Object.assign(request, { headersTimeout: 0, bodyTimeout: 0 });
    listener("connecting");
  });
  for (const channel of REQUEST_SENT) {
    subscribeTo(channel, (request) => {
      pending.get(request)?.("connected");
      pending.delete(request);
    });
  }

  const watch: WatchConnection = (fetch, listener) => listeners.run(listener, fetch);
  // VS Code uses undici for requests with `redirect: "manual"`, see ClientOptions.
  return { watch, canStreamUpload: true, dispose: () => owned.dispose() };
}
