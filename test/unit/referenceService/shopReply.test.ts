/** Prepared replies of the reference service about the sample workspace. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CompletionRequest } from "../../service/completionRequest";
import { shopReply } from "../../service/shopReply";

const SHOP = "test/fixtures/sample-workspace";
const CART = readFileSync(join(SHOP, "shop/cart.ts"), "utf8").trimEnd();
const CHECKOUT = readFileSync(join(SHOP, "pictures/checkout.png"));

function reply(question: string, more: Partial<CompletionRequest> = {}): string | undefined {
  const request = { question, previousReply: "", pictures: [], ...more };
  return shopReply(request as unknown as CompletionRequest);
}

const about = (question: string, code = CART) =>
  `${question}\n\nshop/cart.ts (lines 1-30):\n\`\`\`typescript\n${code}\n\`\`\``;

describe("shopReply", () => {
  const sha256 = createHash("sha256").update(CHECKOUT).digest("hex");
  const pictures = [{ sha256 }] as unknown as CompletionRequest["pictures"];

  it("points into the sample's screenshot, and into no other picture", () => {
    assert.match(reply("What is wrong with the sum?", { pictures }) ?? "", /"bbox_2d":\[104,425/);
    assert.match(reply("合计哪里错了？", { pictures }) ?? "", /漏掉了最后一行/);
    const other = [{ sha256: "0" }] as unknown as CompletionRequest["pictures"];
    assert.equal(reply("What is wrong with the sum?", { pictures: other }), undefined);
  });

  it("fixes the code that is in the question, and nothing that is right", () => {
    const fixed = reply(about("Find and fix what is wrong in this code.")) ?? "";
    assert.match(fixed, /for \(const item of items\) \{/);
    assert.match(fixed, />= DISCOUNT_FROM/);
    const code = /```ts shop\/cart\.ts\n([^]*?)\n```/.exec(fixed)?.[1] ?? "";
    assert.match(reply(about("Find and fix what is wrong.", code)) ?? "", /This code is right/);
  });

  it("says once in a conversation that there is no model", () => {
    assert.match(reply(about("Explain this code")) ?? "", /There is no model/);
    const later = reply(about("Explain this code"), { previousReply: "Something." }) ?? "";
    assert.doesNotMatch(later, /no model/);
  });

  it("leaves other questions to the sample reply", () => {
    assert.equal(reply("Hello"), undefined);
    assert.equal(reply(about("Explain this", "const a = 1;")), undefined);
  });
});
