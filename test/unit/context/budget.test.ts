/**
 * The token budget: old pictures go first, then old turns, and the question always goes whole.
 */
import assert from "node:assert/strict";
import { costOf, fitToBudget, total } from "../../../src/context/budget";
import type { Message, Part } from "../../../src/conversation/message";

const picture: Part = {
  kind: "image",
  hash: "0".repeat(64),
  mediaType: "image/png",
  widthPx: 1000,
  heightPx: 1000,
  bytes: 1,
  name: "a.png",
};

function question(id: string, ...parts: Part[]): Message {
  const text: Part = { kind: "text", text: `question ${id}` };
  return { role: "user", id, parentId: null, parts: [text, ...parts], sentAtMs: 0 };
}

function reply(id: string): Message {
  return {
    role: "assistant",
    id,
    parentId: null,
    text: "word ".repeat(200),
    modelKind: "vl",
    modelCode: "core_vl",
    startedAtMs: 0,
  };
}

const path = [
  question("a", picture),
  reply("ra"),
  question("b", picture),
  reply("rb"),
  question("c", picture),
];
const whole = total(fitToBudget(path, 0, Infinity).cost);

describe("fitToBudget", () => {
  it("leaves everything in within the budget", () => {
    const fitted = fitToBudget(path, 0, whole);
    assert.deepEqual(fitted.path, path);
    assert.equal(fitted.turnsLeftOut + fitted.imagesLeftOut, 0);
  });

  it("leaves out the oldest picture first, and only as many as needed", () => {
    const fitted = fitToBudget(path, 0, whole - 1);
    assert.deepEqual([...fitted.withoutPictures], ["a"]);
    assert.equal(fitted.imagesLeftOut, 1);
    assert.equal(fitted.path.length, path.length);
  });

  it("then leaves out the oldest turns, question and reply together", () => {
    const pictures = costOf(question("x", picture)).pictures;
    const fitted = fitToBudget(path, 0, whole - 2 * pictures - 1);
    assert.deepEqual(
      fitted.path.map(({ id }) => id),
      ["b", "rb", "c"],
    );
    assert.deepEqual([fitted.turnsLeftOut, fitted.imagesLeftOut], [1, 2]);
    assert.ok(total(fitted.cost) <= whole - 2 * pictures - 1);
  });

  it("always lets the question go whole, whatever the budget", () => {
    const fitted = fitToBudget(path, 1_000_000, 1);
    assert.deepEqual(
      fitted.path.map(({ id }) => id),
      ["c"],
    );
    assert.equal(fitted.withoutPictures.has("c"), false);
  });

  it("counts what goes beside the path", () => {
    assert.equal(fitToBudget(path, 500, whole + 499).imagesLeftOut, 1);
  });
});
