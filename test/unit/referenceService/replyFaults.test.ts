import assert from "node:assert/strict";
import { RETRY_FAMILIES } from "../../service/faults/retries";
import { STATUS_FAMILIES } from "../../service/faults/status";
import { startService, type ReferenceService } from "../../service/server";
import { ask, type AskOptions } from "./ask";

describe("faults of a reply's head", () => {
  let service: ReferenceService;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.close());

  const run = (fault: string, options: AskOptions = {}) => ask(service, `/fault ${fault}`, options);
  const statusOf = async (fault: string, options: AskOptions = {}) => {
    const response = await run(fault, options);
    await response.text();
    return response.status;
  };

  it("answers every status with every kind of body", async () => {
    for (const name of STATUS_FAMILIES.flatMap((family) => family.examples)) {
      if (name.includes("407")) {
        await assert.rejects(run(name), TypeError); // fetch treats 407 as a network error
        continue;
      }
      const response = await run(name);
      const text = await response.text();
      assert.equal(response.status, Number(/\d+/.exec(name)![0]), name);
      if (name.endsWith("-json")) assert.match(text, /^\{"error":/);
      if (name.endsWith("-html")) assert.match(text, /<script>/);
      if (name.endsWith("-empty")) assert.equal(text, "");
      if (name.endsWith("-big")) assert.equal(text.length, 1024 * 1024);
      if (name.endsWith("-key")) assert.match(text, /Bearer test-key/);
    }
  });

  it("answers 200 with bodies that are not streams", async () => {
    const types: Record<string, RegExp> = {
      "html-200": /text\/html/,
      "json-200": /application\/json/,
      "json-error-200": /application\/json/,
      "text-200": /text\/plain/,
      "empty-200": /text\/event-stream/,
    };
    for (const [name, type] of Object.entries(types)) {
      const response = await run(name);
      assert.equal(response.status, 200);
      assert.match(response.headers.get("content-type") ?? "", type);
      assert.equal((await response.text()) === "", name === "empty-200");
    }
    assert.equal((await run("no-content-type")).headers.get("content-type"), null);
    assert.equal(await statusOf("status-204"), 204);
    assert.equal(await statusOf("status-201"), 201);
  });

  it("counts attempts for each key and each question", async () => {
    const other = { headers: { authorization: "Bearer other" } };
    assert.equal(await statusOf("fail-then-ok-500 first"), 500);
    assert.equal(await statusOf("fail-then-ok-500 second"), 500);
    assert.equal(await statusOf("fail-then-ok-500 first", other), 500);
    assert.equal(await statusOf("fail-then-ok-500 first"), 200);
  });

  it("sends the specified advice, then succeeds", async () => {
    const names = RETRY_FAMILIES.flatMap((family) => family.examples).filter((name) =>
      /^retry-after-[^md]/.test(name),
    );
    assert.equal(names.length, 7);
    for (const name of names) {
      const response = await run(name);
      assert.equal(response.status, 429);
      assert.equal(response.headers.get("retry-after"), name.slice("retry-after-".length));
      assert.equal(await statusOf(name), 200);
    }
    assert.equal((await run("retry-after-ms-1500")).headers.get("retry-after-ms"), "1500");
    const date = (await run("retry-after-date-3600")).headers.get("retry-after") ?? "";
    assert.match(date, / GMT$/);
    assert.ok(Date.parse(date) > Date.now() + 3_000_000);
  });

  it("redirects to an address that records requests", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const response = await run(`redirect-${status}`);
      assert.equal(response.status, status);
      assert.match(response.headers.get("location") ?? "", /^http:\/\/127.0.0.1:\d+\/redirected\//);
    }
    const other = await run("redirect-307-other");
    assert.match(other.headers.get("location") ?? "", /^http:\/\/localhost:/);
    const { length } = service.requests;
    await (await fetch((await run("redirect-307")).headers.get("location")!)).text();
    assert.equal(service.requests.length, length + 2);
    assert.match(service.requests.at(-1)!.path, /^\/redirected\/maas/);
  });

  it("sends headers that are too large, and an invalid one", async () => {
    for (const name of ["huge-header", "many-headers", "garbage-status"]) {
      await assert.rejects(run(name), TypeError, name);
    }
  });

  it("runs a fault from a script", async () => {
    service.script({ fault: "status-502" });
    assert.equal((await ask(service, "Hello")).status, 502);
  });
});
