/**
 * Tells when a `fetch` begins to connect and when its connection stands, by what Node's fetch (undici,
 * also the copy VS Code puts in its place where a proxy is set) publishes about its requests. Where
 * another fetch is used, nothing is told.
 * Channels: https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import * as z from "zod/mini";
import { Disposables, type Disposable } from "../../base/disposables";
import type { ConnectionFact, WatchConnection } from "../../service/client";

/** A request is made, in the context of who asked; a connection is still to be found for it. */
const REQUEST_MADE = "undici:request:create";

/** A request leaves, so its connection stands; older copies of undici tell only the second of HTTP/2. */
const REQUEST_LEAVES = ["undici:client:sendHeaders", "undici:request:bodySent"];

/** Other requests, as a proxy's tunnel, are made in the same context. */
const messageSchema = z.object({ request: z.object({ method: z.literal("POST") }) });

/** Watches until disposed. */
export function createConnectionWatch(): Disposable & { readonly watch: WatchConnection } {
  const owned = new Disposables();
  const asking = new AsyncLocalStorage<(fact: ConnectionFact) => void>();
  const told = new WeakMap<object, (fact: ConnectionFact) => void>();

  const listen = (name: string, hear: (request: object) => void): void => {
    const onMessage = (message: unknown): void => {
      if (!messageSchema.safeParse(message).success) return;
      hear((message as { request: object }).request);
    };
    subscribe(name, onMessage);
    owned.add({ dispose: () => unsubscribe(name, onMessage) });
  };
  listen(REQUEST_MADE, (request) => {
    const tell = asking.getStore();
    if (tell === undefined) return; // somebody else's request
    told.set(request, tell);
    tell("connecting");
  });
  for (const name of REQUEST_LEAVES) {
    listen(name, (request) => {
      told.get(request)?.("connected");
      told.delete(request);
    });
  }

  return {
    watch: (fetch, tell) => asking.run(tell, fetch),
    dispose: () => owned.dispose(),
  };
}
