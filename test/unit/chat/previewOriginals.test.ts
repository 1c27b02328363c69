import assert from "node:assert/strict";
import { originalsBefore } from "../../../src/chat/pictures/previewOriginals";
import { applySteps, emptyConversation } from "../../../src/conversation/conversation";
import type { ImagePart, Reply } from "../../../src/conversation/message";
import { replyStarted } from "../history/turns";

function image(letter: string, name: string, more: Partial<ImagePart> = {}): ImagePart {
  const hash = letter.repeat(64);
  const size = { widthPx: 100, heightPx: 50, bytes: 9 };
  return { kind: "image", hash, mediaType: "image/png", name, ...size, ...more };
}

const whole = { x: 0, y: 0, widthPx: 4000, heightPx: 2000, ofWidthPx: 4000, ofHeightPx: 2000 };
const big = { hash: "f".repeat(64), mediaType: "image/png", ...whole };

function originals(...questions: ImagePart[][]) {
  let conversation = emptyConversation("c1", 0);
  let last: Reply | undefined;
  for (const [index, parts] of questions.entries()) {
    const id = `q${index}`;
    const asked = { role: "user" as const, id, parentId: last?.id ?? null, parts, sentAtMs: 0 };
    conversation = applySteps(conversation, [
      { kind: "message-added", message: asked },
      replyStarted(`r${index}`, id),
    ]);
    last = conversation.messages.get(`r${index}`) as Reply;
  }
  return originalsBefore(conversation, last!).map(
    ({ hash, name, widthPx, heightPx }) => `${hash[0]} ${name} ${widthPx}×${heightPx}`,
  );
}

describe("originalsBefore", () => {
  it("begins with the latest question, and has each picture once", () => {
    assert.deepEqual(
      originals([image("a", "old.png")], [image("b", "new.png"), image("a", "old.png")]),
      ["b new.png 100×50", "a old.png 100×50"],
    );
  });

  it("has the whole picture for its tiles and for a scaled picture", () => {
    const tiles = [0, 1].map((index) =>
      image(String(index), `big.png (${index + 1}/2)`, {
        tile: { index, count: 2, x: index * 2000, y: 0, ofWidthPx: 4000, ofHeightPx: 2000 },
        original: { ...big, x: index * 2000, widthPx: 2000 },
      }),
    );
    assert.deepEqual(originals(tiles), ["f big.png 4000×2000"]);
    assert.deepEqual(originals([image("c", "big.png", { original: big })]), [
      "f big.png 4000×2000",
    ]);
  });

  it("has a crop as it was sent", () => {
    const crop = image("c", "big.png", { original: { ...big, x: 10, widthPx: 100, heightPx: 50 } });
    assert.deepEqual(originals([crop]), ["c big.png 100×50"]);
  });
});
