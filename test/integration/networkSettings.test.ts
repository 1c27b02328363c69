/**
 * The network settings of VS Code in a real extension host: the proxy with its password, and a certificate of
 * an authority that the system does not trust. docs/administrator.md says what was tried by hand.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import * as vscode from "vscode";
import { createClient } from "../../src/service/client";
import { ServiceError } from "../../src/service/types";
import { startTlsFault, type TlsFaultServer } from "../service/tls";
import { connectionTo, requestOf } from "../unit/service/asking";
import { poll } from "./editing";

const NAMES = ["proxy", "proxyStrictSSL", "noProxy"];

describe("the network settings of VS Code", () => {
  let service: TlsFaultServer;
  let proxy: Server;
  /** Targets and credentials of the tunnels that the proxy was asked for. */
  const tunnels: string[] = [];

  before(async () => {
    service = await startTlsFault("trusted");
    proxy = createServer();
    proxy.on("connect", ({ url, headers }, socket, head) => {
      tunnels.push(`${url} ${headers["proxy-authorization"]}`);
      const target = connect(Number(new URL(service.url).port), "localhost", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        target.write(head);
        target.pipe(socket).pipe(target);
      });
      target.on("error", () => socket.destroy());
      socket.on("error", () => target.destroy());
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
  });
  afterEach(async () => {
    for (const name of NAMES) await set(name, undefined);
  });
  after(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await service.close();
  });

  async function set(name: string, value: unknown): Promise<void> {
    const http = vscode.workspace.getConfiguration("http");
    await http.update(name, value, vscode.ConfigurationTarget.Global);
  }

  /** Asks with the client of the product; returns the cause of the failure. */
  async function causeAt(baseUrl: string): Promise<string> {
    const client = createClient({ fetch: globalThis.fetch });
    const reply = client.complete(
      requestOf("?"),
      connectionTo(baseUrl, { retries: 0 }),
      new AbortController().signal,
    );
    try {
      await reply.next().then(() => reply.next());
      return "none";
    } catch (error) {
      assert.ok(error instanceof ServiceError);
      const { failure } = error;
      return failure.kind === "network" ? failure.cause : failure.kind;
    } finally {
      await reply.return();
    }
  }

  it("lead a request through the proxy, with its password, and not for a host of noProxy", async () => {
    const { port } = new URL(service.url);
    const host = `maas.corp.test:${port}`;
    await set("proxy", `http://user:word@127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    const expected = `${host} Basic ${Buffer.from("user:word").toString("base64")}`;
    await poll(async () => {
      await causeAt(`https://${host}`);
      return tunnels.length > 0;
    }, "a request through the proxy");
    assert.equal(tunnels[0], expected);
    await set("noProxy", ["maas.corp.test"]);
    await poll(async () => (await causeAt(`https://${host}`)) === "dns", "no proxy");
  });

  it("do not accept an authority that the system does not know, also without proxyStrictSSL", async () => {
    assert.equal(await causeAt(service.url), "tls-unknown-issuer");
    await set("proxyStrictSSL", false);
    assert.equal(await causeAt(service.url), "tls-unknown-issuer");
    assert.equal(service.requestCount(), 0);
  });
});
