/**
 * The source control input box, which reports every write back late, with a user who may type.
 */
import assert from "node:assert/strict";
import { BOX_ECHO_MS, BOX_WRITE_INTERVAL_MS, CommitBox } from "../../../src/inline/commitBox";
import { ManualClock } from "../../support/manualClock";
import { firstSeed, randomOf } from "../../support/seeded";

/** VS Code's box in its window, and the extension host's copy of it: each hears the other late. */
class EchoingBox {
  /** Text in the window. */
  window: string;
  writes = 0;
  private copy: string;

  constructor(
    private readonly clock: ManualClock,
    private readonly delayMs: () => number,
    text = "",
  ) {
    this.window = text;
    this.copy = text;
  }

  get value(): string {
    return this.copy;
  }

  set value(text: string) {
    this.writes++;
    this.copy = text;
    this.later("there", () => this.type(text));
  }

  /** The window's text changes, by a key or by a write that arrived. */
  type(text: string): void {
    if (text === this.window) return;
    this.window = text;
    this.later("back", () => (this.copy = text));
  }

  /** An echo arrives. */
  report(text: string): void {
    this.copy = text;
  }

  /** Messages of one direction never overtake each other. */
  private readonly lastMs = { there: 0, back: 0 };
  private later(way: "there" | "back", run: () => void): void {
    const atMs = Math.max(this.clock.nowMs() + this.delayMs(), this.lastMs[way] + 1);
    this.lastMs[way] = atMs;
    this.clock.after(atMs - this.clock.nowMs(), run);
  }
}

const MESSAGE = "fix(money): format amounts with two decimals\n\n" + "Round half up. ".repeat(12);

function start(delayMs: () => number, text = "") {
  const clock = new ManualClock();
  const box = new EchoingBox(clock, delayMs, text);
  let timesTaken = 0;
  const writer = new CommitBox(box, clock, () => timesTaken++);
  const stream = (everyMs: number, until = MESSAGE.length) => {
    for (let end = 4; end < until; end += 4) {
      clock.advance(everyMs);
      writer.show(MESSAGE.slice(0, end));
    }
  };
  return { clock, box, writer, stream, timesTaken: () => timesTaken };
}

async function settled(clock: ManualClock, settling: Promise<boolean>): Promise<boolean> {
  let result: boolean | undefined;
  void settling.then((value) => (result = value));
  for (let tries = 0; tries < 200 && result === undefined; tries++) {
    clock.advance(BOX_WRITE_INTERVAL_MS);
    await Promise.resolve();
    await Promise.resolve();
  }
  assert.ok(result !== undefined, "the box never settles");
  return result;
}

describe("CommitBox", () => {
  it("writes the whole message, however late and unevenly its change events arrive", async () => {
    const seed = firstSeed();
    const random = randomOf(seed);
    for (let round = 0; round < 200; round++) {
      const latestMs = [5, 60, 300, 1_500][random(4)] ?? 0;
      const one = start(() => random(latestMs) + 1);
      one.stream(1 + random(40));
      const isWritten = await settled(one.clock, one.writer.settle(MESSAGE));
      one.clock.advance(20_000);
      assert.ok(isWritten, `seed ${seed}, round ${round}`);
      assert.equal(one.timesTaken(), 0);
      assert.equal(one.box.window, MESSAGE);
      assert.equal(one.box.value, MESSAGE);
    }
  });

  it("recognizes the change event of the text that was in the box before", async () => {
    const one = start(() => 30, "begun");
    one.writer.show("fix: a");
    one.clock.after(100, () => one.box.report("begun"));
    one.clock.after(110, () => one.box.report("fix: a"));
    assert.ok(await settled(one.clock, one.writer.settle("fix: a b")));
    one.clock.advance(1_000);
    assert.equal(one.box.window, "fix: a b");
  });

  it("recognizes the change event of a text from before the start", async () => {
    const one = start(() => 30, "begun");
    one.box.report("older");
    one.writer.show("fix: a");
    one.clock.after(100, () => one.box.report("begun"));
    assert.ok(await settled(one.clock, one.writer.settle("fix: a b")));
    one.clock.advance(1_000);
    assert.equal(one.box.window, "fix: a b");
  });

  it("stops when the user types before the reply starts", async () => {
    const one = start(() => 30, "begun");
    one.box.type("begun with care");
    one.clock.advance(100);
    assert.equal(await settled(one.clock, one.writer.settle("fix: a b")), false);
    assert.equal(one.box.window, "begun with care");
  });

  it("writes a few times a second, not for each chunk of the reply", () => {
    const one = start(() => 5);
    one.stream(10);
    assert.ok(one.box.writes <= MESSAGE.length / 4 / 25 + 2, `${one.box.writes} writes`);
  });

  it("stops when the user types, and reports it once", async () => {
    const one = start(() => 20);
    one.stream(20, 80);
    one.clock.advance(1_000);
    one.box.type("my own");
    one.clock.advance(100);
    one.writer.show(MESSAGE.slice(0, 84));
    assert.ok(one.writer.isTakenOver);
    assert.equal(await one.writer.settle(MESSAGE), false);
    one.clock.advance(10_000);
    assert.equal(one.box.window, "my own");
    assert.equal(one.timesTaken(), 1);
  });

  it("stops when the user clears the box, and leaves it empty", async () => {
    const one = start(() => 20);
    one.writer.show("fix: a");
    one.clock.advance(1_000);
    one.box.type("");
    one.clock.advance(100);
    assert.equal(await settled(one.clock, one.writer.settle("fix: a b")), false);
    one.clock.advance(BOX_ECHO_MS);
    assert.equal(one.box.window, "");
  });

  it("restores text that the user typed just before a write", () => {
    const one = start(() => 50);
    one.writer.show("fix: a");
    one.clock.advance(200);
    one.writer.observe("fix: a");
    one.clock.advance(1_000);
    one.box.type("fix: a!");
    one.writer.show("fix: a b");
    one.writer.observe("fix: a!");
    one.clock.advance(1_000);
    assert.equal(one.box.window, "fix: a!");
    assert.equal(one.timesTaken(), 1);
  });
});
