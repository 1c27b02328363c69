import assert from "node:assert/strict";
import type { Failure } from "../../../src/conversation/ending";
import type { Reply } from "../../../src/conversation/message";
import { SettledFailures } from "../../../src/host/settings/settledFailures";

const UNAUTHORIZED: Failure = { kind: "unauthorized", host: "maas.test", message: "" };

function failed(failure: Failure, text = ""): Reply {
  return {
    role: "assistant",
    id: "r",
    parentId: "q",
    modelKind: "llm",
    modelCode: "core_llm",
    startedAtMs: 1000,
    endedAtMs: 2000,
    text,
    ending: { kind: "failed", failure },
  };
}

describe("SettledFailures", () => {
  let settled: SettledFailures;
  beforeEach(() => (settled = new SettledFailures()));

  it("offers to try again after the key was set", () => {
    assert.equal(settled.noticeFor(failed(UNAUTHORIZED), ""), undefined);
    settled.noteSet("set-api-key", "", 3000);
    const notice = settled.noticeFor(failed(UNAUTHORIZED), "");
    assert.equal(notice?.text, "API key saved.");
    assert.equal(notice.tone, "info");
    assert.equal(notice.action?.id, "try-again");
  });

  it("offers to try again after the model ID or another setting was changed", () => {
    const unknownModel: Failure = {
      kind: "rejected",
      status: 404,
      url: "",
      message: "",
      about: "model",
    };
    const outOfRange: Failure = { kind: "bad-request", problem: "temperature" };
    assert.equal(settled.noticeFor(failed(unknownModel), ""), undefined);
    settled.noteSet("set-model", "", 3000);
    settled.noteSet("open-settings", "", 3000);
    for (const failure of [unknownModel, outOfRange]) {
      const notice = settled.noticeFor(failed(failure), "");
      assert.deepEqual([notice?.text, notice?.action?.id], ["Settings saved.", "try-again"]);
    }
  });

  it("offers to continue if part of the reply exists", () => {
    settled.noteSet("set-api-key", "", 3000);
    assert.equal(settled.noticeFor(failed(UNAUTHORIZED, "Half a"), "")?.action?.id, "continue");
  });

  it("keeps the failure of a request made with that key", () => {
    settled.noteSet("set-api-key", "", 1500);
    assert.equal(settled.noticeFor(failed(UNAUTHORIZED), ""), undefined);
  });

  it("keeps failures of other services and of other causes", () => {
    settled.noteSet("set-api-key", "work", 3000);
    assert.equal(settled.noticeFor(failed(UNAUTHORIZED), ""), undefined);
    assert.equal(settled.noticeFor(failed({ kind: "no-service" }), "work"), undefined);
    settled.noteSet("set-base-url", "", 3000);
    assert.equal(settled.noticeFor(failed({ kind: "no-service" }), "")?.text, "Address saved.");
  });
});
