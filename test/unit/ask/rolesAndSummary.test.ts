/** A role and a summary in one request: each is sent once, and earlier bytes stay. */
import assert from "node:assert/strict";
import { wireMessages } from "../../../src/ask/wireMessages";
import { noRole, roleAfter, type Message, type NotePart } from "../../../src/conversation/message";
import { applySending, type Sending, type SendingStep } from "../../../src/conversation/sending";

function role(text: string): NotePart {
  return { kind: "note", source: "role", label: "Role", text };
}

const KEEPER = role("Answer like a lighthouse keeper.");
const POET = role("Rhyme.");
const NONE = noRole("no role");

/** Returns a turn for each role, numbered from 0, with the parts that the panel adds. */
function turns(...roles: readonly (NotePart | undefined)[]): Message[] {
  const path: Message[] = [];
  for (const [index, own] of roles.entries()) {
    const sentRole = roleAfter(path, own, NONE);
    const text = { kind: "text" as const, text: `Question ${index}. ${"why ".repeat(20)}` };
    const parts = [...(sentRole ? [sentRole] : []), text];
    const parentId = index === 0 ? null : `r${index - 1}`;
    path.push(
      { role: "user", id: `q${index}`, parentId, parts, sentAtMs: index },
      {
        role: "assistant",
        id: `r${index}`,
        parentId: `q${index}`,
        text: `Answer ${index}. ${"word ".repeat(20)}`,
        modelKind: "llm",
        modelCode: "core_llm",
        startedAtMs: index,
        ending: { kind: "complete" },
      },
    );
  }
  return path;
}

/** Returns the summary of the turns before one, used after another. */
function summaryOf(path: readonly Message[], before: number, usedAfter: number): SendingStep {
  const covers = path.slice(0, 2 * before).map(({ id }) => ({ messageId: id }));
  return { kind: "summary-used", id: "s", atId: `r${usedAfter}`, covers, text: "They asked." };
}

/** Returns the messages of the request for a question, as JSON. */
async function requestOf(
  all: readonly Message[],
  question: number,
  steps: readonly SendingStep[] = [],
  budgetTokens = 32_000,
): Promise<string[]> {
  const path = all.slice(0, 2 * question + 1);
  const none: Sending = { entries: [], undone: new Set() };
  const sending = steps.reduce(applySending, none);
  const read = () => Promise.reject(new Error("there are no pictures"));
  const limits = { budgetTokens, sending };
  const wired = await wireMessages("Be brief.", path, false, limits, "llm", read);
  return wired.messages.map((message) => JSON.stringify(message));
}

function count(request: readonly string[], text: string): number {
  return request.join("\n").split(text).length - 1;
}

describe("a role in a conversation with a summary", () => {
  it("goes with the summary in place of its message, once, and later questions refer to it", async () => {
    const path = turns(...Array<NotePart>(8).fill(KEEPER));
    const request = await requestOf(path, 7, [summaryOf(path, 4, 5)]);
    assert.match(request[1] ?? "", /Answer like a lighthouse keeper.*<summary>.*They asked\./);
    assert.equal(count(request, KEEPER.text), 1);
    assert.equal(count(request, "The role from an earlier message still applies."), 4);
    assert.equal(count(request, "Question 3."), 0);
  });

  it("changes no byte of the requests in the summary, and those after begin with each other", async () => {
    const path = turns(KEEPER, KEEPER, POET, POET, undefined, KEEPER, KEEPER, KEEPER);
    const summary = summaryOf(path, 4, 5);
    for (let at = 0; at < 4; at++)
      assert.deepEqual(await requestOf(path, at, [summary]), await requestOf(path, at), `${at}`);
    const [sixth, seventh] = [
      await requestOf(path, 6, [summary]),
      await requestOf(path, 7, [summary]),
    ];
    assert.deepEqual(seventh.slice(0, sixth.length), sixth);
    assert.match(sixth[1] ?? "", /Rhyme\..*<summary>/);
    assert.equal(count(sixth, "no longer applies"), 1);
    assert.equal(count(sixth, KEEPER.text), 1);
  });

  it("has no end in a request that does not have it, after a summary and at the budget", async () => {
    const path = turns(KEEPER, undefined, undefined, undefined, undefined);
    assert.equal(count(await requestOf(path, 4), "no longer applies"), 1);
    const summarized = await requestOf(path, 4, [summaryOf(path, 3, 3)]);
    assert.equal(count(summarized, "no longer applies") + count(summarized, KEEPER.text), 0);
    const left = { kind: "sending-chosen", id: "l", atId: "r3", messageId: "q0" } as const;
    const without = await requestOf(path, 4, [{ ...left, choice: "left-out" }]);
    assert.equal(count(without, "no longer applies") + count(without, KEEPER.text), 0);
    assert.equal(count(without, "Question 1."), 1);
    const cut = await requestOf(path, 4, [], 230);
    assert.equal(count(cut, "Question 0."), 0);
    assert.equal(count(cut, "no longer applies"), 0);
  });
});
