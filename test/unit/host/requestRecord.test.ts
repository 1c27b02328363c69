/** The record that an organization's policy asks for has no content, no key and no address beyond the host. */
import assert from "node:assert/strict";
import { recordLine } from "../../../src/host/diagnostics/requestRecord";
import { RequestLog } from "../../../src/host/diagnostics/requestLog";

describe("the record of requests", () => {
  it("has one line for a request, without what was asked, answered or proven", () => {
    const requests = new RequestLog();
    const observe = requests.observer();
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "a secret" }] });
    observe({
      type: "exchange-started",
      exchangeId: 1,
      atMs: 0,
      attempt: 1,
      url: "https://user@maas.test/private-path?token=secret",
      headers: { authorization: "Bearer secret" },
      body,
    });
    observe({ type: "exchange-received", exchangeId: 1, afterMs: 5, bytes: Buffer.from("secret") });
    observe({ type: "exchange-ended", exchangeId: 1, afterMs: 7.4, ending: "complete" });
    const [request] = requests.newestFirst();
    assert.ok(request !== undefined);
    const line = recordLine(request);
    assert.doesNotMatch(line, /secret|private|user|\n/);
    assert.deepEqual(JSON.parse(line), {
      at: "1970-01-01T00:00:00.000Z",
      host: "maas.test",
      model: "m",
      attempt: 1,
      pictures: 0,
      requestChars: body.length,
      replyBytes: 6,
      ending: "complete",
      ms: 7,
    });
    requests.dispose();
  });
});
