/** Retries of failed writes, with a disk that the test controls. */
import assert from "node:assert/strict";
import { Retries } from "../../../src/history/retries";
import { ManualClock } from "../../support/fakes/manualClock";

describe("Retries", () => {
  it("repeats a write that failed while a slow pass was running", async () => {
    const clock = new ManualClock();
    const retries = new Retries(clock);
    let isDiskFull = true;
    let finishPicture: () => void = () => undefined;
    const pictureWrite = new Promise<void>((resolve) => {
      finishPicture = resolve;
    });
    const writeText = () => {
      if (isDiskFull) retries.add("conversation", "text", writeText);
      else retries.done("text");
      return Promise.resolve();
    };
    const writePicture = async () => {
      await pictureWrite;
      retries.done("picture");
    };
    retries.add("conversation", "text", writeText);
    retries.add("picture", "picture", writePicture);
    clock.advance(5_000);
    await Promise.resolve();
    clock.advance(5_000);
    isDiskFull = false;
    const pass = retries.retryAll();
    finishPicture();
    await pass;
    assert.equal(retries.isSettled, true);
    assert.equal(clock.timerCount, 0);
  });

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
