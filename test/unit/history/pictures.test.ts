/**
 * Pictures by hash: stored once, verified when read, and kept in memory while the disk rejects
 * them.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { silentLog } from "../../support/fakes/silentLog";
import { Pictures } from "../../../src/history/pictures";
import { Retries } from "../../../src/history/retries";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";

const BYTES = new TextEncoder().encode("bytes of a picture");
const HASH = createHash("sha256").update(BYTES).digest("hex");

function open(files: MemoryFileSystem): Pictures {
  return new Pictures(files, new ManualClock(), silentLog, new Retries(new ManualClock()));
}

describe("Pictures", () => {
  it("stores the same bytes once, by their SHA-256, and returns them", async () => {
    const files = new MemoryFileSystem();
    const pictures = open(files);
    assert.deepEqual(await pictures.store(BYTES), { hash: HASH, isSaved: true });
    assert.deepEqual(await pictures.store(BYTES.slice()), { hash: HASH, isSaved: true });
    assert.deepEqual([...files.files.keys()], [`images/${HASH}`]);
    assert.deepEqual(await open(files).read(HASH), { kind: "found", bytes: BYTES });
  });

  it("does not return pictures that are too large, damaged or missing", async () => {
    const files = new MemoryFileSystem();
    await open(files).store(BYTES);
    assert.deepEqual(await open(files).read(HASH, BYTES.length - 1), { kind: "too-large" });
    assert.equal((await open(files).read(HASH, BYTES.length)).kind, "found");
    files.files.set(`images/${HASH}`, BYTES.slice(1));
    assert.deepEqual(await open(files).read(HASH), { kind: "damaged" });
    assert.deepEqual(await open(files).read("0".repeat(64)), { kind: "missing" });
  });

  it("repairs a damaged picture when it is stored again", async () => {
    const files = new MemoryFileSystem();
    files.files.set(`images/${HASH}`, BYTES.slice(1));
    await open(files).store(BYTES);
    assert.equal((await open(files).read(HASH)).kind, "found");
  });

  it("accepts only a hash as the name of a file", async () => {
    const files = new MemoryFileSystem();
    files.files.set("conversations/c1.jsonl", BYTES);
    for (const hash of ["../conversations/c1.jsonl", "", HASH.toUpperCase(), `${HASH}/..`]) {
      assert.deepEqual(await open(files).read(hash), { kind: "missing" }, hash);
    }
  });

  it("keeps a picture that the disk rejects, shows it, and writes it later", async () => {
    const files = new MemoryFileSystem();
    const clock = new ManualClock();
    const retries = new Retries(clock);
    const pictures = new Pictures(files, clock, silentLog, retries);
    const replace = files.replace.bind(files);
    files.replace = () => Promise.reject(Object.assign(new Error("no"), { code: "ENOSPC" }));
    assert.deepEqual(await pictures.store(BYTES), { hash: HASH, isSaved: false });
    assert.equal(retries.isSettled, false);
    assert.deepEqual(await pictures.read(HASH), { kind: "found", bytes: BYTES });
    files.replace = replace;
    await retries.retryAll();
    assert.equal(retries.isSettled, true);
    assert.equal((await open(files).read(HASH)).kind, "found");
  });
});
