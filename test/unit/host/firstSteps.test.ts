/** Completed steps of the walkthrough: context keys set by user actions. */
import assert from "node:assert/strict";
import type { PrepareTurn, TurnSettings } from "../../../src/chat/conversation/prepareTurn";
import type { Message, Part } from "../../../src/conversation/message";
import { FirstSteps } from "../../../src/host/panel/firstSteps";

const TEXT: Part = { kind: "text", text: "Why?" };
const LINES: Part = {
  kind: "excerpt",
  path: "a.ts",
  uri: "file:///a.ts",
  languageId: "ts",
  text: "",
};
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
    assert.deepEqual(await ask(TEXT, LINES), ["hasAsked", "hasAskedSelection"]);
    assert.deepEqual(await ask(ADDRESS), ["hasAsked", "hasAskedPicture"]);
  });

  it("completes no step for a question that cannot be sent", async () => {
    const set = await keysSetBy((steps) => steps.recording(cannotAsk)(question(TEXT)));
    assert.deepEqual(set, []);
  });

  it("completes the steps of service and key when they are set, once each", async () => {
    const set = await keysSetBy((steps) => {
      steps.noteSetUp(true, false);
      steps.noteSetUp(true, true);
      steps.noteSetUp(true, true);
    });
    assert.deepEqual(set, ["hasService", "hasKey"]);
  });

  it("reports completed steps again when the walkthrough opens, with their current state", async () => {
    const changes: string[] = [];
    const steps = new FirstSteps((key, value) => changes.push(`${key.slice(12)} ${value}`));
    steps.noteSetUp(true, true);
    changes.length = 0;
    await steps.show(() => {
      changes.push("open");
      steps.noteSetUp(true, false);
      return Promise.resolve();
    });
    const [removed, added] = ["Service false, Key false", "Key false, Service true, Key false"];
    assert.equal(changes.join(", "), `${removed}, open, ${added}`);
  });
});
