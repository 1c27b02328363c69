/** The size to which a service scaled the pictures, calculated from its token counts. */
import assert from "node:assert/strict";
import { countedPictures } from "../../../src/context/countedPictures";
import { estimateImageTokens } from "../../../src/context/tokens";

const TEXT_TOKENS = 50;

function counted(promptTokens: number | undefined, widthPx = 3840, heightPx = 2160) {
  const size = { hash: "0", mediaType: "image/png", bytes: 1, widthPx, heightPx };
  const estimatedTokens = TEXT_TOKENS + estimateImageTokens(widthPx, heightPx);
  return countedPictures({
    ...(promptTokens !== undefined && { usage: { promptTokens } }),
    receipt: {
      ...{ modelKind: "vl", modelCode: "core_vl", host: "", bodyBytes: 1, messageCount: 1 },
      ...{ imageCount: 1, imagesLeftOut: 0, turnsLeftOut: 0, estimatedTokens },
      pictures: [{ kind: "bytes", ...size }],
    },
  });
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
