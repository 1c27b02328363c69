/**
 * Redirects are never followed: no request, and especially no key, is sent to the target (row S25).
 */
import assert from "node:assert/strict";
import { startService, type ReferenceService } from "../../service/server";
import { askService, CANARY, startRaw } from "./asking";

describe("a redirect", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  beforeEach(() => service.reset());
  after(() => service.close());

  for (const status of [301, 302, 303, 307, 308]) {
    it(`with ${status} is reported and not followed, to the same host or another`, async () => {
      const same = await askService(service.url, `/fault redirect-${status}`);
      assert.deepEqual(same.failure, { kind: "redirect", host: new URL(service.url).host, status });
      const other = await askService(service.url, `/fault redirect-${status}-other`);
      const host = new URL(service.url).host.replace("127.0.0.1", "localhost");
      assert.deepEqual(other.failure, { kind: "redirect", host, status });
      assert.equal(service.requests.length, 2, "nothing is sent to the target");
    });
  }

  it("to another origin opens no connection there", async () => {
    const otherServer = await startRaw((socket) => socket.end());
    const server = await startRaw((socket) =>
      socket.end(`HTTP/1.1 307 x\r\nlocation: ${otherServer.url}/x\r\ncontent-length: 0\r\n\r\n`),
    );
    const result = await askService(server.url, "x");
    assert.deepEqual(result.failure, {
      kind: "redirect",
      host: new URL(otherServer.url).host,
      status: 307,
    });
    assert.equal(otherServer.connections(), 0);
    assert.equal(server.connections(), 1);
    await Promise.all([server.close(), otherServer.close()]);
  });

  for (const [name, location, host] of [
    ["that cannot be read", "http://[", ""],
    ["that repeats the key", `https://${CANARY}.evil.test/`, "[redacted].evil.test"],
    ["with user info", "https://user:pass@evil.test:99/", "evil.test:99"],
    ["to a script", "javascript:alert(1)", ""],
  ] as const) {
    it(`${name} is rejected as well`, async () => {
      const server = await startRaw((socket) =>
        socket.end(`HTTP/1.1 302 x\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`),
      );
      const result = await askService(server.url, "x");
      assert.ok(result.failure?.kind === "redirect");
      assert.equal(result.failure.host.toLowerCase(), host.toLowerCase());
      await server.close();
    });
  }

  it("that a browser hides is rejected without a host", async () => {
    const hidden = Object.assign(Object.create(Response.prototype) as object, {});
    Object.defineProperties(hidden, {
      type: { value: "opaqueredirect" },
      status: { value: 0 },
      headers: { value: new Headers() },
      body: { value: null },
    });
    const fetch = () => Promise.resolve(hidden as Response);
    const result = await askService("https://service.test", "x", { fetch });
    assert.deepEqual(result.failure, { kind: "redirect", host: "", status: 0 });
  });

  it("is requested as manual, without cookies and without a referrer", async () => {
    let init: RequestInit | undefined;
    const fetch: typeof globalThis.fetch = (_url, given) => {
      init = given;
      return Promise.resolve(new Response(""));
    };
    await askService("https://service.test", "x", { fetch });
    assert.equal(init?.redirect, "manual");
    assert.equal(init.credentials, "omit");
    assert.equal(init.referrerPolicy, "no-referrer");
  });
});
