/**
 * Several windows continue the same reply at once, with every order of their steps in the file: the
 * text of each turn is complete in exactly one version, after the text that its window had read.
 */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import {
  applySteps,
  emptyConversation,
  type Conversation,
  type Step,
} from "../../../src/conversation/conversation";
import { shownPath } from "../../../src/conversation/paths";
import { toSteps } from "../../../src/conversation/toSteps";
import { question, replyStarted } from "../history/turns";

const BASE = "base ";

const initialSteps = [question("q", null, "q"), replyStarted("r", "q")];

function grown(turnId: string | undefined, offset: number, text: string): Step {
  return { kind: "reply-grown", messageId: "r", ...(turnId && { turnId }), offset, text, atMs: 2 };
}

function ended(turnId: string | undefined, kind: "complete" | "stopped"): Step {
  const turn = turnId === undefined ? {} : { turnId };
  return { kind: "reply-ended", messageId: "r", ...turn, atMs: 3, ending: { kind } };
}

/** Returns the steps of a window that continues the reply from the state `seen`. */
function continuing(name: string, seen: Conversation, pieces: number): Step[] {
  const reply = seen.messages.get("r");
  assert.ok(reply?.role === "assistant");
  const afterTurnId = seen.turns?.writers.get("r")?.turnId;
  const { length } = reply.text;
  const steps: Step[] = [
    { kind: "reply-continued", messageId: "r", turnId: name, afterTurnId, length, atMs: 2 },
  ];
  let offset = length;
  for (let piece = 0; piece < pieces; piece++) {
    const text = `<${name}${piece}>`;
    steps.push(grown(name, offset, text));
    offset += text.length;
  }
  return [...steps, ended(name, "complete")];
}

function replay(steps: readonly Step[], before = emptyConversation("c", 0)): Conversation {
  return applySteps(before, steps);
}

function texts(conversation: Conversation): string[] {
  const replies = [...conversation.messages.values()].filter((each) => each.role === "assistant");
  return replies.map(({ text }) => text).sort();
}

function textOfWindow(name: string, pieces: number): string {
  return Array.from({ length: pieces }, (_, piece) => `<${name}${piece}>`).join("");
}

describe("turns that write the same reply", () => {
  it("create no other version if there is no other writer", () => {
    const before = replay([
      ...initialSteps,
      grown(undefined, 0, BASE),
      ended(undefined, "stopped"),
    ]);
    const after = replay(continuing("a", before, 2), before);
    assert.deepEqual(texts(after), [BASE + "<a0><a1>"]);
    const again = replay(continuing("z", replay([ended("a", "stopped")], after), 1), after);
    assert.equal(again.children.get("q")?.length, 2, "a complete reply does not change");
  });

  it("never mix, in any order of the steps of several windows", () => {
    const sizes = fc.record({
      first: fc.nat({ max: 4 }),
      seenAt: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
      pieces: fc.nat({ max: 3 }),
      order: fc.array(fc.nat(), { maxLength: 40 }),
    });
    fc.assert(
      fc.property(sizes, ({ first, seenAt, pieces, order }) => {
        // The first window sends the question and writes its reply, independent of the others.
        const own: Step[] = [grown(undefined, 0, BASE)];
        let offset = BASE.length;
        for (let piece = 0; piece < first; piece++) {
          own.push(grown(undefined, offset, `<first${piece}>`));
          offset += `<first${piece}>`.length;
        }
        own.push(ended(undefined, "complete"));
        const expected = [BASE + textOfWindow("first", first)];
        const queues = [own.slice(1)];
        for (const [at, seen] of seenAt.entries()) {
          const state = replay([...initialSteps, ...own.slice(0, 1 + (seen % (first + 1)))]);
          const seenReply = state.messages.get("r");
          assert.ok(seenReply?.role === "assistant");
          const name = "abc".charAt(at);
          queues.push(continuing(name, state, pieces));
          expected.push(seenReply.text + textOfWindow(name, pieces));
        }
        const file: Step[] = [...initialSteps, own[0]!];
        // A window continues only text that it has read, so that text must be written first.
        const isReady = (queue: Step[]): boolean => {
          const [next] = queue;
          if (next?.kind !== "reply-continued") return next !== undefined;
          const written = file.filter((step) => step.kind === "reply-grown" && !step.turnId);
          return (
            replay([...initialSteps, ...written]).messages.get("r") !== undefined &&
            lengthOf(written) >= (next.length ?? 0)
          );
        };
        for (const pick of [...order, ...Array.from({ length: 60 }, (_, at) => at)]) {
          const ready = queues.filter(isReady);
          const queue = ready[pick % Math.max(ready.length, 1)];
          if (queue) file.push(queue.shift()!);
        }
        assert.ok(queues.every((queue) => queue.length === 0));
        const all = replay(file);
        for (const text of expected) assert.ok(texts(all).includes(text), `${text} is missing`);
        for (const text of texts(all)) assert.ok(expected.includes(text), `${text} is made up`);
        // Applying single steps has the same result, and so has converting the state back to steps.
        const single = file.reduce((state, step) => replay([step], state), replay([]));
        assert.deepEqual(single, all);
        assert.deepEqual(texts(replay(toSteps(all), all)), texts(all));
        assert.deepEqual(texts(replay(toSteps(all))), texts(all));
        assert.equal(shownPath(all).at(-1)?.id, "r");
      }),
      { numRuns: 300 },
    );
  });
});

function lengthOf(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => sum + (step.kind === "reply-grown" ? step.text.length : 0), 0);
}
