/** Every shape of `/think` is read as thinking and answer, streamed or not. */
import assert from "node:assert/strict";
import { startService, type ReferenceService } from "../../service/server";
import { THINK_SHAPES } from "../../service/thinkReply";
import { askService } from "../service/asking";

const UNANSWERED = new Set(["unclosed", "only", "length", "filter", "cut"]);
const NOT_THINKING = new Set(["code"]);

describe("/think of the reference service", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  for (const shape of Object.keys(THINK_SHAPES).filter((name) => name !== "slow")) {
    for (const stream of [true, false]) {
      it(`sends the shape ${shape} ${stream ? "in a stream" : "without a stream"}`, async () => {
        const result = await askService(service.url, `/think ${shape} the moon`, {
          request: { stream },
        });
        let reasoning = "";
        let text = "";
        for (const event of result.events) {
          if (event.type === "text-was-reasoning") {
            reasoning += text;
            text = "";
          } else if (event.type === "reasoning-delta") reasoning += event.text;
          else if (event.type === "text-delta") text += event.text;
        }
        assert.equal(reasoning.startsWith("The user asks"), !NOT_THINKING.has(shape), reasoning);
        assert.equal(text.startsWith("This is the answer"), !UNANSWERED.has(shape), text);
        if (!NOT_THINKING.has(shape)) assert.doesNotMatch(text + reasoning, /think(?:ing)?>/);
        const isCut = shape === "cut" && stream;
        assert.equal(result.failure?.kind, isCut ? "truncated" : undefined);
      });
    }
  }
});
