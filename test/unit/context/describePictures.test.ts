/** Text that describes the name, size and position of each picture to the model. */
import assert from "node:assert/strict";
import { wireMessages } from "../../../src/ask/wireMessages";
import { PicturesTooLarge } from "../../../src/ask/failure";
import type { ImagePart, Message, Part } from "../../../src/conversation/message";

const image = (name: string, more: Partial<ImagePart> = {}): ImagePart => ({
  kind: "image",
  hash: name,
  mediaType: "image/png",
  name,
  bytes: 100,
  widthPx: 1440,
  heightPx: 6060,
  ...more,
});
const tile = (index: number): ImagePart =>
  image(`page.png (${index + 1}/2)`, {
    tile: { index, count: 2, x: 0, y: index * 5940, ofWidthPx: 1440, ofHeightPx: 12_000 },
  });
const question = (id: string, ...parts: Part[]): Message => ({
  role: "user",
  id,
  parentId: null,
  sentAtMs: 0,
  parts: [{ kind: "text", text: id }, ...parts],
});

async function wired(path: readonly Message[], describesPictures = true, budgetTokens = 1e6) {
  const limits = { budgetTokens, describesPictures };
  const readImage = ({ hash }: ImagePart) => Promise.resolve({ url: hash });
  const wire = await wireMessages("", path, false, limits, "vl", readImage);
  const parts = wire.messages.map((message) =>
    message.parts.map((part) => (part.type === "text" ? part.text : `<${part.url}>`)),
  );
  return { ...wire, parts };
}

describe("descriptions of pictures", () => {
  it("name each picture and the position of each tile", async () => {
    const after = image("after.jpg", { widthPx: 1600, heightPx: 1200 });
    const { parts } = await wired([question("read it", tile(0), tile(1), after)]);
    assert.deepEqual(parts, [
      [
        "read it",
        'Picture 1: "page.png", 1440×12000 px, tile 1 of 2: columns 0-1440, rows 0-6060 (tiles overlap).',
        "<page.png (1/2)>",
        'Picture 1: "page.png", 1440×12000 px, tile 2 of 2: columns 0-1440, rows 5940-12000 (tiles overlap).',
        "<page.png (2/2)>",
        'Picture 2: "after.jpg", 1600×1200 px.',
        "<after.jpg>",
      ],
    ]);
  });

  it("are counted, and are not sent when they are switched off", async () => {
    const path = [question("what is it?", image("a.png"))];
    const [on, off] = [await wired(path), await wired(path, false)];
    assert.ok(on.estimatedTokens > off.estimatedTokens + 8);
    assert.deepEqual(off.parts, [["what is it?", "<a.png>"]]);
  });

  it("do not change the messages of the previous request", async () => {
    const first = question("one", image("a.png"));
    const second = question("two", image("b.png"));
    const before = await wired([first]);
    const after = await wired([first, second]);
    assert.deepEqual(after.parts.slice(0, 1), before.parts);
    assert.match(after.parts.at(-1)?.[1] ?? "", /^Picture 2: "b\.png"/);
  });

  it("are omitted with their picture, without renumbering the others", async () => {
    const path = [question("one", image("a.png")), question("two", image("b.png"))];
    const { parts } = await wired([...path, question("three", image("c.png"))], true, 1);
    assert.deepEqual(
      parts.flat().filter((text) => text.startsWith("Picture")),
      ['Picture 2: "b.png", 1440×6060 px.', 'Picture 3: "c.png", 1440×6060 px.'],
    );
  });
});

describe("a request with more picture bytes than fit into a string", () => {
  it("is rejected before a picture is read", async () => {
    const many = Array.from({ length: 45 }, (_, index) =>
      image(`${index}.png`, { bytes: 9_700_000 }),
    );
    await assert.rejects(wired([question("compare", ...many)]), PicturesTooLarge);
    await wired([question("compare", ...many.slice(0, 20))]);
  });
});
