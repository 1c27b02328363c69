/** What a long conversation sends: each request begins with the one before, except after a cut. */
import assert from "node:assert/strict";
import { requestPath } from "../../../src/ask/requestPath";
import { total } from "../../../src/context/budget";
import { itWithRounds } from "../../support/depth";
import { firstSeed, randomOf, type Random } from "../../support/fakes/seeded";
import { excerpt, mixedTurns, picture, requestsOf, textTurns, turn } from "./longConversation";

/** Returns the number of requests that do not begin with the one before. */
function broken(requests: readonly string[][]): number {
  const isBroken = (before: readonly string[], at: number) =>
    before.some((text, index) => requests[at + 1]?.[index] !== text);
  return requests.slice(0, -1).filter(isBroken).length;
}

describe("the cut of a long conversation", () => {
  it("breaks at most one of eight requests with text, and none below the budget", async () => {
    const messages = textTurns();
    const requests = await requestsOf(messages, "llm");
    assert.ok(broken(requests) > 0);
    assert.ok(broken(requests) <= requests.length / 8, `${broken(requests)} broken`);
    assert.equal(broken(await requestsOf(messages, "llm", 1_000_000)), 0);
  });

  it("breaks at most one of eight requests with pictures and excerpts", async () => {
    const requests = await requestsOf(mixedTurns(), "vl");
    assert.ok(broken(requests) > 0);
    assert.ok(broken(requests) <= requests.length / 8, `${broken(requests)} broken`);
  });

  const trees = { quick: 100, all: 500 };
  const title = "refers to earlier text only if it is sent, and fits the budget, in random trees";
  itWithRounds(title, trees, (count) => {
    const seed = firstSeed();
    const random = randomOf(seed);
    for (let round = 0; round < count; round++) checkRandom(random, `seed ${seed}, ${round}`);
  });
});

function checkRandom(random: Random, name: string): void {
  const count = 1 + random(30);
  const messages = Array.from({ length: count }, (_, index) =>
    turn(index, [
      ...(random(3) === 0 ? [picture(`p${random(9)}.png`)] : []),
      ...(random(2) === 0 ? [excerpt(`f${random(3)}.ts`, random(2))] : []),
    ]),
  ).flat();
  const isContinuing = random(4) === 0;
  const path = isContinuing ? messages : messages.slice(0, -1);
  const budgetTokens = 500 + random(16_000);
  const limits = { takesPictures: random(2) === 0, otherTokens: random(300), budgetTokens };
  const sent = requestPath(path, { ...limits, continuationTokens: isContinuing ? 40 : 0 });
  const question = path.findLast(({ role }) => role === "user");
  assert.equal(sent.path.findLast(({ role }) => role === "user")?.id, question?.id, name);
  const whole = new Set<string>();
  for (const message of sent.path) {
    for (const part of message.role === "user" ? message.parts : []) {
      if (part.kind === "excerpt") whole.add(part.path);
      if (part.kind === "note") assert.ok(whole.has(part.label), `${name}: ${part.label}`);
    }
  }
  const isLeft = sent.path.filter(({ role }) => role === "user").length + sent.turnsLeftOut;
  assert.equal(isLeft, count, name);
  // The question, and the pictures of the last question that had any, are always sent.
  const isMore = sent.path.filter(({ role }) => role === "user").length > 1;
  const tokens = limits.otherTokens + total(sent.cost);
  if (isMore && sent.cost.pictures === 0) assert.ok(tokens <= budgetTokens, `${name}: ${tokens}`);
}
