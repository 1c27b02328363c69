/** Usage: each request counts once, whatever copies of its conversation there are. */
import assert from "node:assert/strict";
import { estimateTextTokens } from "../../../src/base/tokens";
import { applySteps, emptyConversation, type Step } from "../../../src/conversation/conversation";
import { forkAt } from "../../../src/conversation/fork";
import { UsageSums, type ModelUsage } from "../../../src/conversation/usage";

const MODEL = { modelKind: "llm" as const, modelCode: "core_llm" };
const MINUTE_MS = 60_000;

interface Turn {
  readonly messageId: string;
  readonly turnId?: string;
}

function sent(turn: Turn, estimatedTokens: number): Step {
  const counts = { bodyBytes: 1, messageCount: 1, imagesLeftOut: 0, turnsLeftOut: 0 };
  const receipt = { ...MODEL, host: "h", ...counts, imageCount: 1, estimatedTokens };
  return { kind: "request-sent", ...turn, receipt };
}

function grown(turn: Turn, offset: number, text: string): Step {
  return { kind: "reply-grown", ...turn, offset, text, atMs: 1 };
}

function ended(turn: Turn, usage?: { promptTokens: number; completionTokens: number }): Step {
  return { kind: "reply-ended", ...turn, atMs: 1, ending: { kind: "stopped" }, usage };
}

const asked: Step = {
  kind: "message-added",
  message: { role: "user", id: "q", parentId: null, parts: [], sentAtMs: 1 },
};
const begun: Step = {
  kind: "message-added",
  message: { role: "assistant", id: "r", parentId: "q", text: "", ...MODEL, startedAtMs: 1 },
};
const first = { messageId: "r" };

/** A reply of two requests: the first one with an estimate, the second with counts. */
function continuedReply(turnId?: string): Step[] {
  const second = { ...first, ...(turnId !== undefined && { turnId }) };
  return [
    asked,
    begun,
    sent(first, 100),
    grown(first, 0, "The ferry leaves "),
    ended(first),
    { kind: "reply-continued", ...second, atMs: 3 * MINUTE_MS },
    sent(second, 120),
    grown(second, 17, "at nine."),
    ended(second, { promptTokens: 90, completionTokens: 3 }),
  ];
}

/** Returns the sums by minute. */
async function sumsOf(...conversations: readonly Step[][]): Promise<Record<string, ModelUsage>> {
  const sums = new UsageSums((_model, atMs) => [String(Math.floor(atMs / MINUTE_MS))]);
  for (const steps of conversations) await sums.add(steps);
  return Object.fromEntries([...sums.sums].map(([key, { usage }]) => [key, usage]));
}

describe("the usage of a conversation", () => {
  for (const [name, turnId] of [
    ["", "t2"],
    [" of an older version, which wrote no ids of turns", undefined],
  ] as const) {
    it(`counts each request of a continued reply${name}, at its own time`, async () => {
      assert.deepEqual(await sumsOf(continuedReply(turnId)), {
        0: {
          requests: 1,
          sentTokens: 100,
          receivedTokens: estimateTextTokens("The ferry leaves "),
          isSentEstimated: true,
          isReceivedEstimated: true,
          pictures: 1,
        },
        3: {
          requests: 1,
          sentTokens: 90,
          receivedTokens: 3,
          isSentEstimated: false,
          isReceivedEstimated: false,
          pictures: 1,
        },
      });
    });
  }

  it("counts the requests of a fork once", async () => {
    const steps = continuedReply("t2");
    const original = applySteps(emptyConversation("c", 0), steps);
    const fork = forkAt(original, "r", { id: "f", atMs: 9 * MINUTE_MS, title: undefined });
    assert.deepEqual(await sumsOf(steps, [...(fork?.steps ?? [])]), await sumsOf(steps));
  });

  it("estimates the text that stays after a checkpoint was written again", async () => {
    const steps = [asked, begun, sent(first, 5), grown(first, 0, "one two three four five")];
    const { receivedTokens } = (await sumsOf([...steps, grown(first, 4, "2")]))[0] ?? {};
    assert.equal(receivedTokens, estimateTextTokens("one 2"));
  });

  it("has no request that was not sent", async () => {
    assert.deepEqual(await sumsOf([asked, begun, ended(first)]), {});
  });
});
