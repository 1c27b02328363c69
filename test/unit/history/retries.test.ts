/** Retries of failed writes, with a disk that the test controls. */
import assert from "node:assert/strict";
import { Retries } from "../../../src/history/retries";
import { ManualClock } from "../../support/fakes/manualClock";

describe("Retries", () => {
  it("saves text that the disk rejected when the window closes during a pass", async () => {
    const retries = new Retries(new ManualClock());
    let isDiskFull = true;
    const writeText = () => {
      if (isDiskFull) retries.add("draft", "text", writeText);
      else retries.done("text");
      return Promise.resolve();
    };
    retries.add("draft", "text", writeText);
    const timedPass = retries.retryAll();
    isDiskFull = false;
    await Promise.all([timedPass, retries.retryAll()]);
    assert.equal(retries.isSettled, true);
  });
});
