/** Permissions of other extensions, in windows that store at the same time. */
import assert from "node:assert/strict";
import type { Memento } from "vscode";
import { ModelAccess, type ModelDecision } from "../../../src/host/chatApi/modelAccess";
import { ManualClock } from "../../support/fakes/manualClock";

const NOT_CANCELED = new AbortController().signal;

/**
 * VS Code's globalState: each window has a copy, a write stores the whole copy, and all windows
 * receive it later.
 */
class SharedState {
  private readonly copies: { values: Record<string, unknown>; isChanged: boolean }[] = [];
  private stored = "{}";

  open(): Memento {
    const copy = { values: JSON.parse(this.stored) as Record<string, unknown>, isChanged: false };
    this.copies.push(copy);
    return {
      keys: () => Object.keys(copy.values),
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- VS Code's type
      get: <T>(key: string) => copy.values[key] as T | undefined,
      update: (key, value) => {
        copy.values[key] = JSON.parse(JSON.stringify(value));
        copy.isChanged = true;
        return Promise.resolve();
      },
    };
  }

  /** Delivers all writes so far; returns true if there were any. */
  deliver(): boolean {
    const writers = this.copies.filter(({ isChanged }) => isChanged);
    for (const text of writers.map(({ values }) => JSON.stringify(values))) this.stored = text;
    for (const copy of this.copies) {
      copy.values = JSON.parse(this.stored) as Record<string, unknown>;
      copy.isChanged = false;
    }
    return writers.length > 0;
  }
}

describe("ModelAccess", () => {
  let state: SharedState;
  let clock: ManualClock;
  let first: ModelAccess;
  let second: ModelAccess;

  beforeEach(() => {
    state = new SharedState();
    clock = new ManualClock();
    first = new ModelAccess(state.open(), clock);
    second = new ModelAccess(state.open(), clock);
  });

  /** Delivers and checks writes until there are none; fails if they do not end. */
  function settle(): void {
    for (let rounds = 0; state.deliver(); rounds += 1) {
      assert.ok(rounds < 10, "the windows overwrite each other for ever");
      clock.advance(1_000);
    }
  }

  /** A question that counts how often it is asked, with one answer for each time. */
  function question(...answers: (ModelDecision | undefined)[]) {
    const asked = { count: 0 };
    return Object.assign(() => Promise.resolve(answers[asked.count++]), { asked });
  }

  const permissionOf = (access: ModelAccess, caller: string) => new Map(access.list()).get(caller);

  it("asks once for requests that wait together, and never again in any window", async () => {
    const ask = question("allowed");
    const decide = (access: ModelAccess) => access.decisionAbout("a.one", ask, NOT_CANCELED);
    const waiting = [decide(first), decide(first)];
    assert.deepEqual(await Promise.all(waiting), ["allowed", "allowed"]);
    settle();
    assert.equal(await decide(second), "allowed");
    assert.equal(
      await new ModelAccess(state.open(), clock).decisionAbout("a.one", ask, NOT_CANCELED),
      "allowed",
    );
    assert.equal(ask.asked.count, 1);
  });

  it("asks for each extension, and for the callers without a name", async () => {
    const ask = question("allowed", "refused", "refused");
    const decide = (caller: string) => first.decisionAbout(caller, ask, NOT_CANCELED);
    assert.equal(await decide("a.one"), "allowed");
    assert.equal(await decide("b.two"), "refused");
    assert.equal(await decide(""), "refused");
    assert.equal(await decide("b.two"), "refused");
    assert.equal(ask.asked.count, 3);
  });

  it("asks again at the next request if the question was closed", async () => {
    const ask = question(undefined, "allowed");
    assert.equal(await first.decisionAbout("a.one", ask, NOT_CANCELED), undefined);
    assert.deepEqual(first.list(), []);
    assert.equal(await first.decisionAbout("a.one", ask, NOT_CANCELED), "allowed");
  });

  it("stops waiting for the question when the request is canceled", async () => {
    const never = new Promise<ModelDecision>(() => undefined);
    const controller = new AbortController();
    const waiting = first.decisionAbout("a.one", () => never, controller.signal);
    controller.abort();
    assert.equal(await waiting, undefined);
    assert.equal(await first.decisionAbout("a.one", () => never, controller.signal), undefined);
  });

  it("loses no revocation when another window decides about another extension at once", () => {
    first.decide("a.one", "allowed");
    settle();
    first.decide("a.one", "refused");
    second.decide("b.two", "allowed");
    settle();
    for (const access of [first, second, new ModelAccess(state.open(), clock)]) {
      assert.equal(permissionOf(access, "a.one"), "refused");
      assert.equal(permissionOf(access, "b.two"), "allowed");
    }
  });

  it("ends a running request when its permission is revoked, in this or another window", () => {
    first.decide("a.one", "allowed");
    first.decide("b.two", "allowed");
    settle();
    const [here, there, other] = [
      first.begin("a.one"),
      second.begin("a.one"),
      second.begin("b.two"),
    ];
    assert.equal(here.signal.aborted || there.signal.aborted, false);
    first.decide("a.one", "refused");
    assert.equal(here.signal.aborted, true);
    state.deliver();
    clock.advance(1_000);
    settle();
    assert.equal(there.signal.aborted, true);
    assert.equal(other.signal.aborted, false);
  });
});
