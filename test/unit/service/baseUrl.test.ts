/** Validation and normalization of base URLs. */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  endpointUrl,
  isEndpointPath,
  isLoopback,
  originOf,
  readBaseUrl,
} from "../../../src/service/baseUrl";

describe("readBaseUrl", () => {
  const accepts = (typed: string, baseUrl: string, path?: string): void => {
    it(`accepts ${JSON.stringify(typed)}`, () => {
      assert.deepEqual(readBaseUrl(typed), { ok: true, baseUrl, ...(path && { path }) });
    });
  };
  accepts("https://api.example.com", "https://api.example.com");
  accepts("  https://API.example.com/  ", "https://api.example.com");
  accepts("https://api.example.com:8443/team//", "https://api.example.com:8443/team");
  const specified = "/maas/v1/chat/completions";
  accepts(`https://api.example.com${specified}`, "https://api.example.com", specified);
  accepts(`https://api.example.com/x${specified}/`, "https://api.example.com/x", specified);
  // Ollama, vLLM, OpenRouter and DashScope. Source: the documentation of each.
  const compatible = "/v1/chat/completions";
  accepts(`http://localhost:11434${compatible}`, "http://localhost:11434", compatible);
  accepts(`http://127.0.0.1:8000${compatible}/`, "http://127.0.0.1:8000", compatible);
  accepts(
    "https://openrouter.ai/api/v1/chat/completions",
    "https://openrouter.ai",
    "/api/v1/chat/completions",
  );
  accepts(
    "https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions",
    "https://dashscope.aliyuncs.com",
    "/compatible-mode/v1/chat/completions",
  );
  accepts("https://api.example.com/maas/v1", "https://api.example.com");
  accepts("https://bücher.example", "https://xn--bcher-kva.example");
  accepts("http://127.0.0.1:8321", "http://127.0.0.1:8321");
  accepts("http://[::1]:9", "http://[::1]:9");
  accepts("https://10.0.0.1/a/../b", "https://10.0.0.1/b");

  const rejects = (typed: string, problem: string): void => {
    it(`rejects ${JSON.stringify(typed.slice(0, 60))} as ${problem}`, () => {
      assert.deepEqual(readBaseUrl(typed), { ok: false, problem });
    });
  };
  rejects("", "empty");
  rejects(" \n ", "empty");
  rejects(`https://${"a".repeat(3000)}`, "too-long");
  rejects("api.example.com", "no-scheme");
  rejects("localhost:8080", "no-scheme");
  rejects("javascript:alert(1)", "no-scheme");
  rejects("file:///etc/passwd", "not-http");
  rejects("http://api.example.com", "not-https");
  rejects("http://127.0.0.1.example.com", "not-https");
  rejects("http://localhost.example.com", "not-https");
  rejects("http://0.0.0.0", "not-https");
  rejects("http://192.168.0.1", "not-https");
  rejects("https://user:pass@api.example.com", "user-info");
  rejects("http://127.0.0.1:80@evil.example", "user-info");
  rejects("https://api.example.com?key=1", "query");
  rejects("https://api.example.com/#", "fragment");
  rejects("https://api.exa\nmple.com", "not-a-url");
  rejects("https://api.example.com\u202e/x", "not-a-url");
  rejects("https:///path", "not-a-url");
  rejects("https://exa mple.com", "not-a-url");

  it("returns a value that is read unchanged again, for any input", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          fc.string().map((s) => `https://${s}`),
        ),
        (typed) => {
          const reading = readBaseUrl(typed);
          if (!reading.ok) return;
          const url = new URL(endpointUrl(reading.baseUrl, reading.path));
          assert.equal(endpointUrl(reading.baseUrl, reading.path), url.href);
          assert.equal(url.origin, originOf(typed));
          assert.ok(url.pathname.endsWith("/chat/completions"));
          assert.ok(url.protocol === "https:" || isLoopback(url.href));
          assert.equal(url.username + url.password + url.search + url.hash, "");
        },
      ),
      { seed: 20_260_801, numRuns: 2000 },
    );
  });
});

describe("isEndpointPath", () => {
  it("accepts only a path that is sent as it is", () => {
    for (const path of ["/v1/chat/completions", "/", "/a%20b"]) {
      assert.ok(isEndpointPath(path), path);
    }
    const rejected = [
      "",
      "v1",
      "//other.example/v1",
      "/v1/../v2",
      "/v1?key=1",
      "/v1#a",
      "/a b",
      "/a\\b",
    ];
    for (const path of [...rejected, `/${"a".repeat(600)}`]) {
      assert.equal(isEndpointPath(path), false, path);
    }
  });
});

describe("isLoopback", () => {
  it("recognizes the local machine in every form of a URL", () => {
    for (const host of ["localhost", "LOCALHOST", "127.0.0.1", "127.1", "2130706433", "[::1]"]) {
      assert.equal(isLoopback(`http://${host}/`), true, host);
    }
    for (const host of [
      "127.0.0.1.nip.io",
      // Requests to these addresses can go through a proxy, without encryption.
      "127.0.0.2",
      "127.255.255.254",
      "localhost.evil",
      "[::ffff:7f00:1]",
      "0.0.0.0",
      "128.0.0.1",
    ]) {
      assert.equal(isLoopback(`http://${host}/`), false, host);
    }
    assert.equal(isLoopback("not a url"), false);
  });
});
