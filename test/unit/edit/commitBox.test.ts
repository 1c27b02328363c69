/**
 * The commit message in the source control input box, which reports every write late while the user
 * may type.
 */
import assert from "node:assert/strict";
import { BOX_ECHO_MS, BOX_WRITE_INTERVAL_MS, CommitBox } from "../../../src/edit/commitBox";
import { ManualClock } from "../../support/fakes/manualClock";
import { firstSeed, randomOf } from "../../support/fakes/seeded";

/** VS Code's input box: the window and the extension host each receive the other's changes late. */
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

  /** Changes the window's text: the user typed, or a write arrived. */
  type(text: string): void {
    if (text === this.window) return;
    this.window = text;
    this.later("back", () => (this.copy = text));
  }

  /** Reports a change to the extension host. */
  report(text: string): void {
    this.copy = text;
  }

  /** Messages of the same direction keep their order. */
  private readonly lastMs = { there: 0, back: 0 };
  private later(direction: "there" | "back", run: () => void): void {
    const atMs = Math.max(this.clock.nowMs() + this.delayMs(), this.lastMs[direction] + 1);
    this.lastMs[direction] = atMs;
    this.clock.after(atMs - this.clock.nowMs(), run);
  }
}

const MESSAGE = "fix(money): format amounts with two decimals\n\n" + "Round half up. ".repeat(12);

function start(delayMs: () => number, text = "") {
  const clock = new ManualClock();
  const box = new EchoingBox(clock, delayMs, text);
  let takeovers = 0;
  const writer = new CommitBox(box, clock, () => takeovers++);
  const stream = (intervalMs: number, until = MESSAGE.length) => {
    for (let end = 4; end < until; end += 4) {
      clock.advance(intervalMs);
      writer.show(MESSAGE.slice(0, end));
    }
  };
  return { clock, box, writer, stream, takeovers: () => takeovers };
}

async function settled(clock: ManualClock, settling: Promise<boolean>): Promise<boolean> {
  let result: boolean | undefined;
  void settling.then((value) => (result = value));
  for (let tries = 0; tries < 200 && result === undefined; tries++) {
    clock.advance(BOX_WRITE_INTERVAL_MS);
    await Promise.resolve();
    await Promise.resolve();
  }
  assert.ok(result !== undefined, "the box does not settle");
  return result;
}

describe("CommitBox", () => {
  it("writes the whole message even if change events arrive late and irregularly", async () => {
    const seed = firstSeed();
    const random = randomOf(seed);
    for (let round = 0; round < 200; round++) {
      const latestMs = [5, 60, 300, 1_500][random(4)] ?? 0;
      const setup = start(() => random(latestMs) + 1);
      setup.stream(1 + random(40));
      const isWritten = await settled(setup.clock, setup.writer.settle(MESSAGE));
      setup.clock.advance(20_000);
      assert.ok(isWritten, `seed ${seed}, round ${round}`);
      assert.equal(setup.takeovers(), 0);
      assert.equal(setup.box.window, MESSAGE);
      assert.equal(setup.box.value, MESSAGE);
    }
  });

  it("recognizes the change event of the text that was in the box before", async () => {
    const setup = start(() => 30, "started");
    setup.writer.show("fix: a");
    setup.clock.after(100, () => setup.box.report("started"));
    setup.clock.after(110, () => setup.box.report("fix: a"));
    assert.ok(await settled(setup.clock, setup.writer.settle("fix: a b")));
    setup.clock.advance(1_000);
    assert.equal(setup.box.window, "fix: a b");
  });

  it("recognizes the change event of a text from before the start", async () => {
    const setup = start(() => 30, "started");
    setup.box.report("older");
    setup.writer.show("fix: a");
    setup.clock.after(100, () => setup.box.report("started"));
    assert.ok(await settled(setup.clock, setup.writer.settle("fix: a b")));
    setup.clock.advance(1_000);
    assert.equal(setup.box.window, "fix: a b");
  });

  it("stops when the user types before the reply starts", async () => {
    const setup = start(() => 30, "started");
    setup.box.type("started with care");
    setup.clock.advance(100);
    assert.equal(await settled(setup.clock, setup.writer.settle("fix: a b")), false);
    assert.equal(setup.box.window, "started with care");
  });

  it("writes a few times a second, not for each chunk of the reply", () => {
    const setup = start(() => 5);
    setup.stream(10);
    assert.ok(setup.box.writes <= MESSAGE.length / 4 / 25 + 2, `${setup.box.writes} writes`);
  });

  it("stops when the user types, and reports it once", async () => {
    const setup = start(() => 20);
    setup.stream(20, 80);
    setup.clock.advance(1_000);
    setup.box.type("my own");
    setup.clock.advance(100);
    setup.writer.show(MESSAGE.slice(0, 84));
    assert.ok(setup.writer.isTakenOver);
    assert.equal(await setup.writer.settle(MESSAGE), false);
    setup.clock.advance(10_000);
    assert.equal(setup.box.window, "my own");
    assert.equal(setup.takeovers(), 1);
  });

  it("stops when the user clears the box, and leaves it empty", async () => {
    const setup = start(() => 20);
    setup.writer.show("fix: a");
    setup.clock.advance(1_000);
    setup.box.type("");
    setup.clock.advance(100);
    assert.equal(await settled(setup.clock, setup.writer.settle("fix: a b")), false);
    setup.clock.advance(BOX_ECHO_MS);
    assert.equal(setup.box.window, "");
  });

  it("restores what the user typed just before a write arrived", () => {
    const setup = start(() => 50);
    setup.writer.show("fix: a");
    setup.clock.advance(200);
    setup.writer.observe("fix: a");
    setup.clock.advance(1_000);
    setup.box.type("fix: a!");
    setup.writer.show("fix: a b");
    setup.writer.observe("fix: a!");
    setup.clock.advance(1_000);
    assert.equal(setup.box.window, "fix: a!");
    assert.equal(setup.takeovers(), 1);
  });
});
