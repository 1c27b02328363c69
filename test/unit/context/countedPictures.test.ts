/** The size to which a service scaled the pictures, calculated from its token counts. */
import assert from "node:assert/strict";
import { countedPictures, pictureTokenRange } from "../../../src/context/countedPictures";
import { estimateImageTokens } from "../../../src/base/tokens";

const TEXT_TOKENS = 50;

function replyOf(promptTokens: number | undefined, widthPx: number, heightPx: number) {
  const size = { hash: "0", mediaType: "image/png", bytes: 1, widthPx, heightPx };
  const estimatedTokens = TEXT_TOKENS + estimateImageTokens(widthPx, heightPx);
  return {
    ...(promptTokens !== undefined && { usage: { promptTokens } }),
    receipt: {
      modelKind: "vl" as const,
      modelCode: "core_vl",
      host: "",
      bodyBytes: 1,
      messageCount: 1,
      imageCount: 1,
      imagesLeftOut: 0,
      turnsLeftOut: 0,
      estimatedTokens,
      pictures: [{ kind: "bytes" as const, ...size }],
    },
  };
}

function counted(promptTokens: number | undefined, widthPx = 3840, heightPx = 2160) {
  return countedPictures(replyOf(promptTokens, widthPx, heightPx));
}

describe("countedPictures", () => {
  it("reports the size at which a service with a low limit saw a picture", () => {
    const found = counted(1_280 + TEXT_TOKENS);
    assert.equal(found?.sentPx, 3840 * 2160);
    assert.equal(Math.round(found.countedPx / 1e6), 1);
  });

  it("reports nothing if the count is close to the estimate, absent, or of a small picture", () => {
    assert.equal(counted(estimateImageTokens(3840, 2160)), undefined);
    assert.equal(counted(undefined), undefined);
    assert.equal(counted(100, 800, 600), undefined);
  });
});

describe("pictureTokenRange", () => {
  it("includes the tokens of the picture, whatever the error of the text's estimate", () => {
    for (const textTokens of [TEXT_TOKENS * 0.8, TEXT_TOKENS, TEXT_TOKENS * 1.25 + 30]) {
      const range = pictureTokenRange(replyOf(1_222 + textTokens, 3840, 2160));
      assert.ok(range && range.least <= 1_222 && range.most >= 1_222, JSON.stringify(range));
      assert.ok(range.most - range.least < 200);
    }
  });
});
