/**
 * Causes of failed connections, with Node's fetch over real sockets and by error code for other
 * platforms (rows S23, S24, S31).
 */
import assert from "node:assert/strict";
import { connectFailure, isUndecodable } from "../../../src/service/networkFailure";
import type { NetworkCause } from "../../../src/service/types";
import { startTlsFault, type TlsFault } from "../../service/tls";
import { askService, startRaw } from "./asking";

describe("a connection over real sockets", () => {
  it("that is refused is reported as refused", async () => {
    const server = await startRaw(() => undefined);
    await server.close();
    const result = await askService(server.url, "x");
    const { host } = new URL(server.url);
    assert.deepEqual(result.failure, { kind: "network", cause: "refused", host });
  });

  const TLS: readonly (readonly [TlsFault, NetworkCause])[] = [
    ["self-signed", "tls-self-signed"],
    ["unknown-issuer", "tls-unknown-issuer"],
  ];
  for (const [fault, cause] of TLS) {
    it(`to a server whose certificate is ${fault} sends nothing and is reported as such`, async () => {
      const server = await startTlsFault(fault);
      try {
        const result = await askService(server.url, "x");
        const { host } = new URL(server.url);
        assert.deepEqual(result.failure, { kind: "network", cause, host });
        assert.equal(server.requestCount(), 0);
      } finally {
        await server.close();
      }
    });
  }

  it("to a server without TLS over https is reported as such", async () => {
    const server = await startRaw((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    server.server.on("connection", (socket) => socket.end("no TLS here\r\n"));
    const result = await askService(server.url.replace("http:", "https:"), "x");
    assert.ok(result.failure?.kind === "network");
    assert.equal(result.failure.cause, "tls");
    await server.close();
  });

  for (const [name, reply, cause] of [
    ["garbage", "HELLO\r\n\r\n", "bad-response"],
    ["no bytes", "", "reset"],
    ["an incomplete head", "HTTP/1.1 200 OK\r\ncontent-ty", "reset"],
  ] as const) {
    it(`with ${name} as the answer is reported as ${cause}`, async () => {
      const server = await startRaw((socket) => socket.end(reply));
      const result = await askService(server.url, "x", { connection: { retries: 0 } });
      assert.ok(result.failure?.kind === "network", JSON.stringify(result.failure));
      assert.equal(result.failure.cause, cause);
      await server.close();
    });
  }
});

describe("connectFailure", () => {
  const error = (code: string): Error =>
    new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code }) });

  const check = (cause: NetworkCause, ...codes: string[]): void => {
    for (const code of codes) {
      it(`reads ${code} as ${cause}`, () => {
        const expected = { kind: "network", cause, host: "h" };
        assert.deepEqual(connectFailure(error(code), "h", 5), expected);
        // Electron's fetch has the codes in its message only.
        if (code.startsWith("ERR_") && !code.startsWith("ERR_TLS")) {
          assert.deepEqual(connectFailure(new Error(`net::${code}`), "h", 5), expected);
        }
      });
    }
  };
  check("refused", "ECONNREFUSED", "ERR_CONNECTION_REFUSED");
  check("dns", "ENOTFOUND", "EAI_AGAIN", "ERR_NAME_NOT_RESOLVED", "ERR_DNS_TIMED_OUT");
  check("reset", "ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "ERR_CONNECTION_RESET");
  check("reset", "ERR_CONNECTION_CLOSED", "ERR_EMPTY_RESPONSE");
  check("tls-expired", "CERT_HAS_EXPIRED", "ERR_CERT_DATE_INVALID");
  check("tls-self-signed", "DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN");
  check("tls-wrong-name", "ERR_TLS_CERT_ALTNAME_INVALID", "ERR_CERT_COMMON_NAME_INVALID");
  check("tls-unknown-issuer", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "ERR_CERT_AUTHORITY_INVALID");
  check("tls-unknown-issuer", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY");
  check("tls", "EPROTO", "CERT_NOT_YET_VALID", "ERR_SSL_PROTOCOL_ERROR", "ERR_CERT_REVOKED");
  check("proxy", "ERR_PROXY_CONNECTION_FAILED", "ERR_TUNNEL_CONNECTION_FAILED", "UND_ERR_ABORTED");
  check("bad-response", "HPE_INVALID_CONSTANT", "ERR_INVALID_HTTP_RESPONSE");
  check("other", "ENETUNREACH", "ERR_INTERNET_DISCONNECTED", "SOMETHING_NEW", "");

  it("reads a platform's own timeouts as timeouts", () => {
    for (const code of ["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT", "ERR_CONNECTION_TIMED_OUT"]) {
      assert.deepEqual(connectFailure(error(code), "h", 10_000.4), {
        kind: "timeout",
        phase: "connect",
        limitMs: 10_000,
      });
    }
    assert.equal(connectFailure(error("UND_ERR_HEADERS_TIMEOUT"), "h", 5).kind, "timeout");
  });

  it("checks the parts of an error for several addresses", () => {
    const parts = new AggregateError([error("ECONNREFUSED"), error("ENETUNREACH")], "");
    assert.deepEqual(connectFailure(new TypeError("x", { cause: parts }), "h", 5), {
      kind: "network",
      cause: "refused",
      host: "h",
    });
  });

  it("distinguishes a browser's fetch, which has no reason, from Node's", () => {
    const browsers = connectFailure(new TypeError("Failed to fetch"), "h", 5);
    assert.deepEqual(browsers, { kind: "network", cause: "browser", host: "h" });
    const nodes = connectFailure(new TypeError("fetch failed", { cause: new Error("x") }), "h", 5);
    assert.deepEqual(nodes, { kind: "network", cause: "other", host: "h" });
  });

  it("recognizes a decompression error", () => {
    assert.ok(isUndecodable(error("Z_DATA_ERROR")));
    assert.ok(isUndecodable(new Error("net::ERR_CONTENT_DECODING_FAILED")));
    assert.ok(!isUndecodable(error("Z_BUF_ERROR")));
  });
});
