/** Completed steps of the walkthrough: context keys set by user actions. */
import assert from "node:assert/strict";
import type { PrepareTurn, TurnSettings } from "../../../src/chat/conversation/prepareTurn";
import type { Message, Part } from "../../../src/conversation/message";
import { FirstSteps } from "../../../src/host/panel/firstSteps";

const TEXT: Part = { kind: "text", text: "Why?" };
const ADDRESS: Part = { kind: "image-address", url: "https://example.com/a.png" };

const canAsk: PrepareTurn = () => Promise.resolve({} as TurnSettings);
const cannotAsk: PrepareTurn = () => Promise.resolve({ kind: "no-service" });

function question(...parts: Part[]): Message[] {
  return [{ role: "user", id: "q", parentId: null, parts, sentAtMs: 0 }];
}

/** Returns the context keys that `act` sets to true, without their prefix. */
async function keysSetBy(act: (steps: FirstSteps) => unknown): Promise<string[]> {
  const set: string[] = [];
  await act(
    new FirstSteps((key, value) => {
      if (value) set.push(key.replace("coreChat.", ""));
    }),
  );
  return set;
}

describe("FirstSteps", () => {
  it("completes the step of a first question, and of its topic", async () => {
    const ask = (...parts: Part[]) =>
      keysSetBy((steps) => steps.recording(canAsk)(question(...parts)));
    assert.deepEqual(await ask(TEXT), ["hasAsked"]);
    assert.deepEqual(await ask(ADDRESS), ["hasAsked", "hasAskedPicture"]);
    const aside = question(TEXT).map((message) => ({ ...message, isAside: true as const }));
    const set = await keysSetBy((steps) => steps.recording(canAsk)(aside));
    assert.deepEqual(set, ["hasAsked", "hasAskedAside"]);
  });

  it("completes no step for a question that cannot be sent", async () => {
    const set = await keysSetBy((steps) => steps.recording(cannotAsk)(question(TEXT)));
    assert.deepEqual(set, []);
  });

  it("completes the step of the service when it has what it needs, once", async () => {
    const set = await keysSetBy((steps) => {
      steps.noteSetUp(false);
      steps.noteSetUp(true);
      steps.noteSetUp(true);
    });
    assert.deepEqual(set, ["hasKey"]);
  });

  it("reports completed steps again when the walkthrough opens, then opens it with them", async () => {
    const changes: string[] = [];
    const steps = new FirstSteps((key, value) => changes.push(`${key.slice(12)} ${value}`));
    const open = () => {
      changes.push("open");
      return Promise.resolve();
    };
    await steps.show(open);
    assert.deepEqual(changes, ["open"]);
    steps.noteSetUp(true);
    changes.length = 0;
    await steps.show(open);
    assert.deepEqual(changes, ["Key false", "open", "Key true", "open"]);
    changes.length = 0;
    await steps.show(() => {
      if (!changes.includes("open")) steps.noteSetUp(false);
      return open();
    });
    assert.deepEqual(changes, ["Key false", "Key false", "open", "Key false", "open"]);
  });
});
