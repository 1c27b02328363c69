/**
 * The token budget: old pictures are left out first, then old turns. The question and the previous
 * pictures are always complete.
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
  it("includes everything that fits the budget", () => {
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

  it("leaves out the oldest turns next, question and reply together", () => {
    const pictures = costOf(question("x", picture)).pictures;
    const fitted = fitToBudget(path, 0, whole - pictures - 1);
    assert.deepEqual(
      fitted.path.map(({ id }) => id),
      ["b", "rb", "c"],
    );
    assert.deepEqual([fitted.turnsLeftOut, fitted.imagesLeftOut], [1, 1]);
    assert.ok(total(fitted.cost) <= whole - pictures - 1);
  });

  it("keeps the whole question and the pictures of the previous one for any budget", () => {
    const fitted = fitToBudget(path, 1_000_000, 1);
    assert.deepEqual(
      fitted.path.map(({ id }) => id),
      ["b", "rb", "c"],
    );
    assert.deepEqual([...fitted.withoutPictures], ["a"]);
  });

  it("keeps a large screenshot in its conversation even after many turns of text", () => {
    const large: Part = { ...picture, widthPx: 7680, heightPx: 4320 };
    const turns = Array.from({ length: 200 }, (_unused, index) => [
      question(`t${index}`),
      reply(`rt${index}`),
    ]).flat();
    const long = [question("a", large, large), reply("ra"), ...turns, question("z")];
    const fitted = fitToBudget(long, 0, 32_000);
    assert.equal(fitted.path[0]?.id, "a");
    assert.equal(fitted.imagesLeftOut, 0);
    assert.equal(fitted.path.at(-1)?.id, "z");
    assert.ok(fitted.turnsLeftOut > 0);
    // The pictures alone exceed the budget, but part of it is reserved for text.
    assert.equal(fitted.cost.pictures, 2 * 16_384);
    assert.ok(fitted.cost.text > 4_000 && fitted.cost.text <= 8_000, String(fitted.cost.text));
  });

  it("keeps the picture to which a question compares another one", () => {
    const wide: Part = { ...picture, widthPx: 10_000, heightPx: 4000 };
    const compared = [question("a", wide), reply("ra"), question("b", wide)];
    assert.equal(fitToBudget(compared, 0, 32_000).imagesLeftOut, 0);
  });
});
