import assert from "node:assert/strict";
import { get } from "node:https";
import { startTlsFault, type TlsFault, type TlsFaultServer } from "../../service/tls";

/** Error codes of Node's TLS client for each fault; "none" if the connection succeeds. */
const EXPECTED: Readonly<Record<TlsFault, string>> = {
  expired: "CERT_HAS_EXPIRED",
  "self-signed": "DEPTH_ZERO_SELF_SIGNED_CERT",
  "wrong-name": "ERR_TLS_CERT_ALTNAME_INVALID",
  "unknown-issuer": "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  trusted: "none",
};

function problemOf(server: TlsFaultServer): Promise<string> {
  return new Promise((resolve) => {
    const trust = server.authorityPem === "" ? {} : { ca: server.authorityPem };
    get(server.url, { ...trust, agent: false }, (response) => {
      response.resume();
      resolve("none");
    }).on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

/** Starts the server; returns undefined if openssl is not installed and the error says so. */
async function startIfPossible(kind: TlsFault): Promise<TlsFaultServer | undefined> {
  try {
    return await startTlsFault(kind);
  } catch (error) {
    assert.match(String(error), /need the program openssl, which is not installed/);
    return undefined;
  }
}

describe("TLS faults", () => {
  for (const [kind, code] of Object.entries(EXPECTED)) {
    it(`present a certificate that is ${kind}`, async () => {
      const server = await startIfPossible(kind as TlsFault);
      if (server === undefined) return;
      try {
        assert.equal(await problemOf(server), code);
        assert.equal(server.requestCount(), kind === "trusted" ? 1 : 0);
      } finally {
        await server.close();
      }
    });
  }

  it("report that openssl is missing", async () => {
    const path = process.env["PATH"];
    process.env["PATH"] = "";
    try {
      await assert.rejects(startTlsFault("expired"), /need the program openssl/);
    } finally {
      process.env["PATH"] = path;
    }
  });
});
