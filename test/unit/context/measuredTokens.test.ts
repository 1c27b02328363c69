/** Tokens of the next pictures, from the first count of a service. */
import assert from "node:assert/strict";
import { requestPath } from "../../../src/ask/requestPath";
import { total } from "../../../src/context/budget";
import { measuredTokens } from "../../../src/context/measuredTokens";
import type { ImagePart, Message, Reply } from "../../../src/conversation/message";
import { estimateImageTokens } from "../../../src/base/tokens";

type Size = readonly [widthPx: number, heightPx: number];
const FULL_HD: Size = [1920, 1080];
const UHD: Size = [3840, 2160];
const TEXT_TOKENS = 60;

function image([widthPx, heightPx]: Size): ImagePart {
  const hash = `${widthPx}x${heightPx}`;
  return {
    kind: "image",
    hash,
    mediaType: "image/png",
    widthPx,
    heightPx,
    bytes: 1,
    name: "a.png",
  };
}

function question(id: string, ...sizes: Size[]): Message {
  const parts = [{ kind: "text" as const, text: "Where is it?" }, ...sizes.map(image)];
  return { role: "user", id, parentId: null, sentAtMs: 0, parts };
}

/** Reply of a service that counts `tokens` for a picture; `estimate` is that of the request. */
function reply(
  sizes: Size[],
  tokens: (size: Size) => number,
  estimate = estimateImageTokens,
): Reply {
  const sum = (count: (size: Size) => number) =>
    sizes.map(count).reduce((all, one) => all + one, 0);
  const pictureTokens = sum((size) => estimate(...size));
  return {
    role: "assistant",
    id: "r",
    parentId: null,
    text: "there",
    modelKind: "vl",
    modelCode: "core_vl",
    startedAtMs: 0,
    usage: { promptTokens: TEXT_TOKENS + sum(tokens) },
    receipt: {
      modelKind: "vl",
      modelCode: "core_vl",
      host: "service",
      bodyBytes: 1,
      messageCount: 1,
      imageCount: sizes.length,
      imagesLeftOut: 0,
      turnsLeftOut: 0,
      estimatedTokens: TEXT_TOKENS + pictureTokens,
      pictureTokens,
      pictures: sizes.map((size) => ({ ...image(size), kind: "bytes" as const })),
    },
  };
}

/** Returns the estimate for a picture after the replies. */
function after(replies: Message[], size: Size): number {
  return estimateImageTokens(...size, measuredTokens([question("q", FULL_HD), ...replies]));
}

const capped = (most: number) => (size: Size) => Math.min(estimateImageTokens(...size), most);

describe("measuredTokens", () => {
  it("corrects an estimate that is many times too high for the next 4K picture", () => {
    const measured = after([reply([UHD], capped(1_224))], UHD);
    assert.ok(Math.abs(measured - 1_224) <= 1, `${measured}`);
    assert.ok(estimateImageTokens(...UHD) > 8 * measured);
    assert.equal(after([reply([UHD], capped(1_224))], [400, 300]), estimateImageTokens(400, 300));
  });

  it("follows a service with larger patches, and one with fixed tiles", () => {
    const patches = ([widthPx, heightPx]: Size) => Math.ceil((widthPx * heightPx) / 1024);
    assert.ok(Math.abs(after([reply([FULL_HD], patches)], UHD) - patches(UHD)) <= 10);
    assert.ok(Math.abs(after([reply([[800, 600]], () => 3_328)], UHD) - 3_328) <= 10);
  });

  it("stays with the first count, whatever later requests were estimated with", () => {
    const first = reply([UHD], capped(1_224));
    const later = reply([FULL_HD], capped(1_190), () => 1_224);
    assert.equal(after([first, later], UHD), after([first], UHD));
    const other: Message = { ...later, receipt: { ...later.receipt!, modelCode: "other" } };
    assert.ok(after([first, other], UHD) < 1_200);
  });

  it("needs a count that the error of the text's estimate cannot explain", () => {
    assert.equal(measuredTokens([question("q"), reply([[40, 40]], () => 3)]), undefined);
    const uncounted: Message = { ...reply([UHD], capped(1_224)), usage: {} };
    assert.equal(measuredTokens([uncounted]), undefined);
  });

  it("keeps pictures of earlier questions that the estimate alone would leave out", () => {
    const limits = { takesPictures: true, otherTokens: 0, budgetTokens: 8_000 };
    const path = [question("a", UHD), reply([UHD], capped(1_224)), question("b", UHD)];
    const fitted = requestPath([...path, question("c", UHD)], limits);
    assert.equal(fitted.imagesLeftOut, 0);
    assert.ok(total(fitted.cost) < 4_000);
    const without = path.filter(({ role }) => role === "user");
    assert.equal(requestPath([...without, question("c", UHD)], limits).imagesLeftOut, 1);
  });
});
