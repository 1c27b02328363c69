/** An almost full disk: small files are written even if a large one does not fit. */
import assert from "node:assert/strict";
import { silentLog } from "../../support/fakes/silentLog";
import { History } from "../../../src/history/history";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { question } from "./turns";

/** A file system with limited space. A write that fails uses its space temporarily. */
class SmallDisk extends MemoryFileSystem {
  freeBytes = 0;

  override append(path: string, bytes: Uint8Array): Promise<number> {
    return this.within(bytes, () => super.append(path, bytes));
  }

  override replace(path: string, bytes: Uint8Array): Promise<void> {
    return this.within(bytes, () => super.replace(path, bytes));
  }

  private async within<T>({ length }: Uint8Array, write: () => Promise<T>): Promise<T> {
    const isTooLarge = length > this.freeBytes;
    const usedBytes = Math.min(length, this.freeBytes);
    this.freeBytes -= usedBytes;
    for (let pause = 0; pause < 20; pause++) await Promise.resolve();
    if (!isTooLarge) return write();
    this.freeBytes += usedBytes;
    throw Object.assign(new Error("disk full"), { code: "ENOSPC" });
  }
}

describe("an almost full disk", () => {
  async function refused() {
    const files = new SmallDisk();
    const clock = new ManualClock();
    const history = new History(files, clock, silentLog);
    const { hash } = await history.pictures.store(new Uint8Array(170_000));
    await history.journal.append("c1", [question("q", null, "words ".repeat(800))]);
    history.drafts.save("c1", { text: "a draft" });
    await history.drafts.flush();
    assert.equal(files.files.size, 0);
    return { files, clock, history, hash };
  }

  it("stores text first, even if a picture does not fit", async () => {
    const { files, history } = await refused();
    files.freeBytes = 100_000;
    await history.close();
    assert.deepEqual(
      [...files.files.keys()].map((path) => path.split("/")[0]),
      ["conversations", "drafts"],
    );
    assert.equal(history.canSave, false);
  });

  it("stores a referenced picture later, and no other", async () => {
    for (const isNamed of [true, false]) {
      const { files, clock, history, hash } = await refused();
      history.pictures.setUsageCheck((candidate) => isNamed && candidate === hash);
      clock.advance(60_000);
      files.freeBytes = 1_000_000;
      await history.close();
      assert.equal(files.files.has(`images/${hash}`), isNamed);
      assert.equal(history.canSave, true);
    }
  });
});
