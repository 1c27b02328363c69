/** Steps created from a state restore that state, and have no effect if it is already known. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { applySteps, emptyConversation } from "../../../src/conversation/conversation";
import { stepSchema } from "../../../src/conversation/conversation";
import { toSteps } from "../../../src/conversation/toSteps";
import { anyConversation } from "./conversationArbitrary";

describe("toSteps", () => {
  it("restores the same conversation from nothing, from itself, and cut off anywhere", () => {
    fc.assert(
      fc.property(anyConversation, fc.nat(), (conversation, at) => {
        const steps = toSteps(conversation);
        for (const step of steps) stepSchema.parse(JSON.parse(JSON.stringify(step)));
        assert.deepEqual(applySteps(emptyConversation("c1", 0), steps), conversation);
        assert.deepEqual(applySteps(conversation, steps), conversation);
        const part = applySteps(emptyConversation("c1", 0), steps.slice(0, at % steps.length));
        assert.deepEqual(applySteps(part, steps), conversation);
      }),
    );
  });
});
