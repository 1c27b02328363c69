/**
 * A request that is too large for the service (413) is explained with the pictures that were sent
 * (row S19).
 */
import assert from "node:assert/strict";
import { ask, type Question, type TurnEvent } from "../../../src/ask/ask";
import type { Message, Part } from "../../../src/conversation/message";
import { TEST_PICTURE_URL } from "../../../src/host/diagnostics/testPicture";
import { createClient } from "../../../src/service/client";
import { startService, type ReferenceService } from "../../service/server";
import { connectionTo } from "../service/asking";

const picture = (name: string, bytes: number): Part => ({
  kind: "image",
  hash: "0".repeat(64),
  mediaType: "image/png",
  widthPx: 64,
  heightPx: 64,
  bytes,
  name,
});

describe("a request that is too large", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  async function failureOf(modelKind: "llm" | "vl", parts: readonly Part[]): Promise<unknown> {
    const text: Part = { kind: "text", text: "/fault status-413" };
    const path: Message[] = [
      { role: "user", id: "1", parentId: null, sentAtMs: 0, parts: [...parts, text] },
    ];
    const question: Question = {
      path,
      isContinuing: false,
      modelKind,
      modelCode: `core_${modelKind}`,
      systemPrompt: "",
      sampling: {},
      isStreamed: true,
      budgetTokens: 32_000,
      contentFilter: "withdraw",
      connection: connectionTo(service.url),
    };
    const client = createClient({ fetch: globalThis.fetch });
    const readImage = () => Promise.resolve({ url: TEST_PICTURE_URL });
    let last: TurnEvent | undefined;
    for await (const event of ask(client, question, readImage, new AbortController().signal)) {
      last = event;
    }
    assert.ok(last?.type === "turn-ended" && last.ending.kind === "failed");
    return last.ending.failure;
  }

  const message = "Status 413 was asked for.";
  const parts: Part[] = [
    picture("checkout.png", 2_000_000),
    { kind: "image-address", url: "https://example.com/a.png" },
  ];

  it("names the pictures that were sent, with their sizes", async () => {
    assert.deepEqual(await failureOf("vl", parts), {
      kind: "too-large",
      message,
      pictures: [{ name: "checkout.png", bytes: 2_000_000 }, { name: "https://example.com/a.png" }],
    });
  });

  it("names the tile of a picture that was sent in tiles", async () => {
    const tile = { count: 4, x: 0, y: 0, ofWidthPx: 64, ofHeightPx: 256 };
    const tiles = [0, 3].map((index): Part => {
      const part = picture("page.png", 1_000_000);
      return part.kind === "image" ? { ...part, tile: { ...tile, index } } : part;
    });
    assert.deepEqual(await failureOf("vl", tiles), {
      kind: "too-large",
      message,
      pictures: [
        { name: "page.png (1/4)", bytes: 1_000_000 },
        { name: "page.png (4/4)", bytes: 1_000_000 },
      ],
    });
  });

  it("names no picture if the text model received none", async () => {
    assert.deepEqual(await failureOf("llm", parts), { kind: "too-large", message });
    assert.deepEqual(await failureOf("vl", []), { kind: "too-large", message });
  });
});
