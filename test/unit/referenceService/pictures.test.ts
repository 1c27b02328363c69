import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readPictureHeader } from "../../service/pictureHeader";
import { startService, type ReferenceService } from "../../service/server";
import { post } from "./ask";

/** Headers of pictures of 300 × 200 pixels, written according to each format's specification. */
const PICTURES: Readonly<Record<string, Buffer>> = {
  PNG: Buffer.concat([
    Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
    Buffer.from("0000012c000000c80806000000", "hex"),
    Buffer.alloc(4),
    Buffer.from("0000000574455874", "hex"),
    Buffer.from("a\0bcd"),
    Buffer.alloc(4),
  ]),
  JPEG: Buffer.concat([
    Buffer.from("ffd8ffe1000a457869660000abcd", "hex"),
    Buffer.from("ffc4000400aaffc2000b0800c8012c01011100", "hex"),
  ]),
  GIF: Buffer.concat([Buffer.from("GIF89a"), Buffer.from("2c01c800", "hex")]),
  WebP: webp("VP8X", Buffer.from("000000002b0100c70000", "hex")),
  BMP: Buffer.concat([
    Buffer.from("BM"),
    Buffer.alloc(16),
    Buffer.from("2c01000038ffffff", "hex"), // a height of -200: rows from top to bottom
  ]),
};

function webp(name: string, data: Buffer): Buffer {
  const sizes = [Buffer.alloc(4), Buffer.alloc(4)];
  sizes[0]!.writeUInt32LE(data.length + 12);
  sizes[1]!.writeUInt32LE(data.length);
  const riff = [Buffer.from("RIFF"), sizes[0]!, Buffer.from("WEBP")];
  return Buffer.concat([...riff, Buffer.from(name), sizes[1]!, data]);
}

describe("the reference service's picture report", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  async function show(...urls: string[]): Promise<string> {
    const images = urls.map((url) => ({ type: "image_url", image_url: { url } }));
    const messages = [{ role: "user", content: [{ type: "text", text: "What?" }, ...images] }];
    const body = JSON.stringify({ model: "core_vl", stream: false, messages });
    const reply = (await (await post(service, body)).json()) as {
      choices: { message: { content: string } }[];
    };
    return reply.choices[0]!.message.content;
  }

  for (const [format, bytes] of Object.entries(PICTURES)) {
    it(`contains format, pixels, bytes and SHA-256 of a ${format}`, async () => {
      const type = `image/${format.toLowerCase()}`;
      const text = await show(`data:${type};base64,${bytes.toString("base64")}`);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      assert.ok(text.includes(`| ${format} | 300 × 200 | ${bytes.length} | \`${sha256}\` |`), text);
      assert.equal(/sent as/.test(text), false);
      const picture = service.requests.at(-1)!.pictures[0]!;
      assert.equal(picture.format, format);
      assert.equal(picture.sha256, sha256);
      assert.equal(picture.source, "data");
    });
  }

  it("lists metadata in the received file", () => {
    assert.deepEqual(readPictureHeader(PICTURES["PNG"]!)?.metadata, ["tEXt"]);
    assert.deepEqual(readPictureHeader(PICTURES["JPEG"]!)?.metadata, ["Exif"]);
  });

  it("reports a picture whose format differs from its data URL", async () => {
    const gif = PICTURES["GIF"]!.toString("base64");
    assert.match(await show(`data:image/png;base64,${gif}`), /sent as image\/png/);
    assert.match(await show("data:image/png;base64,AAAA"), /header could not be read/);
  });
});
