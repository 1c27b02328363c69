/** Heartbeats of running replies, seen by another window. */
import assert from "node:assert/strict";
import { Heartbeats } from "../../../src/history/heartbeats";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";

const MAX_MS = 10_000;

function twoWindows() {
  const files = new MemoryFileSystem();
  const clock = new ManualClock();
  files.nowMs = () => clock.nowMs();
  return { files, clock, own: new Heartbeats(files, clock), other: new Heartbeats(files, clock) };
}

describe("Heartbeats", () => {
  it("show another window the time since the last one, until the reply ends", async () => {
    const { clock, own, other } = twoWindows();
    assert.equal(await other.msSince("c1", MAX_MS), Infinity);
    await own.beat("c1");
    clock.advance(MAX_MS);
    assert.equal(await other.msSince("c1", MAX_MS), MAX_MS);
    await own.beat("c1");
    await other.end("c1");
    assert.equal(await other.msSince("c1", MAX_MS), 0, "only its own window ends a reply");
    await own.end("c1");
    assert.equal(await other.msSince("c1", MAX_MS), Infinity);
  });

  it("are removed after a crash of their window", async () => {
    const { files, clock, own, other } = twoWindows();
    await own.beat("c1");
    clock.advance(MAX_MS + 1);
    assert.equal(await other.msSince("c1", MAX_MS), MAX_MS + 1);
    assert.equal(files.files.size, 0);
  });

  it("show a running reply although the clock of the file server differs by an hour", async () => {
    const { files, clock, own, other } = twoWindows();
    files.nowMs = () => clock.nowMs() - 3_600_000;
    await own.beat("c1");
    clock.advance(MAX_MS);
    assert.equal(await other.msSince("c1", MAX_MS), MAX_MS);
    clock.advance(1);
    assert.equal(await other.msSince("c1", MAX_MS), MAX_MS + 1);
    assert.equal(files.files.size, 0);
  });
});
