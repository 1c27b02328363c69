/**
 * Notes on a picture, as the model gets them: read back and placed by the code that draws the positions of
 * replies, each is where the user set it.
 */
import assert from "node:assert/strict";
import { sentParts, type Attachment } from "../../../src/conversation/draft";
import { withoutPictures, type ImagePart } from "../../../src/conversation/message";
import { regionOf, readingsOf, type Region } from "../../../src/pointing/coordinates";
import type { PictureNote } from "../../../src/pointing/pictureNote";
import { spans } from "../../../src/webview/pictures/drawing";
import { notesOf } from "../../../src/webview/pictures/editor/noteMarks";
import type { Mark } from "../../../src/webview/pictures/marks";
import { firstSeed, randomOf, type Random } from "../../support/fakes/seeded";

const CASES = 200;
const SCALES = ["thousand", "thousandYFirst", "one", "percent", "pixels", "resized28:0-1003520"];

function image(widthPx: number, heightPx: number, more: Partial<ImagePart> = {}): ImagePart {
  const hash = "a".repeat(64);
  const same = { mediaType: "image/png", bytes: 1, name: "page.png" };
  return { kind: "image", hash, widthPx, heightPx, ...same, ...more };
}

function note(number: number, region: Partial<Region>, text = "why?"): PictureNote {
  return { number, text, x: 0, y: 0, width: 0, height: 0, ...region };
}

/** Attaches a picture with notes, cropped to an area, as tiles of at most `sidePx`. */
function attachment(
  part: ImagePart,
  items: PictureNote[],
  scale: string,
  area = { x: 0, y: 0, widthPx: part.widthPx, heightPx: part.heightPx },
  sidePx = Infinity,
): Attachment {
  const places = spans(area.heightPx, sidePx).flatMap(([y, heightPx]) =>
    spans(area.widthPx, sidePx).map(([x, widthPx]) => ({ x, y, widthPx, heightPx })),
  );
  const count = places.length;
  const of = { ofWidthPx: area.widthPx, ofHeightPx: area.heightPx };
  const sent = places.map(({ x, y, widthPx, heightPx }, index) =>
    image(widthPx, heightPx, count === 1 ? {} : { tile: { index, count, x, y, ...of } }),
  );
  const notes = { label: "in the picture", scale, items };
  return { id: "a", part, picture: { fit: "tiles", sent, area }, notes };
}

function textOf(attached: Attachment): string {
  const last = sentParts(attached).at(-1);
  return last?.kind === "note" ? last.text : "";
}

/** Returns the regions of a note in pixels of the attached picture, as a model understands the text. */
function placed(attached: Attachment, number: number, scale: string): Region[] {
  const line = textOf(attached)
    .split("\n")
    .find((one) => one.startsWith(`${number}. `));
  assert.ok(line !== undefined, textOf(attached));
  const { x, y, widthPx, heightPx } = attached.picture!.area!;
  return [...line.matchAll(/\{"\w+": \[[^\]]*\][^}]*\}/g)].map(([json]) => {
    const { tile, ...boxes } = JSON.parse(json) as Record<string, number[]> & { tile?: number };
    const sent = attached.picture!.sent[(tile ?? 1) - 1]!;
    const region = regionOf(Object.values(boxes)[0]!, readingsOf(scale, sent)[0]!, sent)!;
    if (sent.tile)
      return { ...region, x: x + sent.tile.x + region.x, y: y + sent.tile.y + region.y };
    const [across, down] = [widthPx / sent.widthPx, heightPx / sent.heightPx];
    return {
      x: x + region.x * across,
      y: y + region.y * down,
      width: region.width * across,
      height: region.height * down,
    };
  });
}

function randomAttachment(random: Random) {
  const [widthPx, heightPx] = [200 + random(8000), 200 + random(8000)];
  const area = { x: 0, y: 0, widthPx, heightPx };
  if (random(2) === 1) {
    area.x = random(widthPx - 120);
    area.y = random(heightPx - 120);
    area.widthPx = 100 + random(widthPx - area.x - 100);
    area.heightPx = 100 + random(heightPx - area.y - 100);
  }
  const region = {
    x: area.x + random(area.widthPx),
    y: area.y + random(area.heightPx),
    width: 0,
    height: 0,
  };
  if (random(2) === 1) {
    region.width = 1 + random(Math.min(90, area.x + area.widthPx - region.x - 1) + 1);
    region.height = 1 + random(Math.min(90, area.y + area.heightPx - region.y - 1) + 1);
  }
  const scale = SCALES[random(SCALES.length)]!;
  const sidePx = random(2) === 1 ? 600 + random(3000) : Infinity;
  const part = image(widthPx, heightPx);
  return { region, scale, attached: attachment(part, [note(7, region)], scale, area, sidePx) };
}

describe("notes on a picture", () => {
  const seed = firstSeed();

  it(`are exact to a pixel through ${CASES} random crops, tiles and scales (seed ${seed})`, () => {
    const random = randomOf(seed);
    for (let at = 0; at < CASES; at++) {
      const { region, scale, attached } = randomAttachment(random);
      const [found, ...others] = placed(attached, 7, scale);
      const seen = JSON.stringify({ seed, at, scale, region, found, text: textOf(attached) });
      assert.equal(others.length, 0, seen);
      const edges = ({ x, y, width, height }: Region) => [x, y, x + width, y + height];
      for (const [index, edge] of edges(found!).entries()) {
        assert.ok(Math.abs(edge - edges(region)[index]!) <= 1, seen);
      }
    }
  });

  it("are in the words of the model: box_2d with y first, and pixels of a resized picture", () => {
    const part = image(2000, 1000);
    const items = [note(1, { x: 500, y: 250 }), note(2, { x: 0, y: 0, width: 1000, height: 500 })];
    const text = (scale: string) => textOf(attachment(part, items, scale));
    assert.match(text("thousandYFirst"), /^1\. \{"point": \[250, 250\]\}: why\?$/m);
    assert.match(text("thousandYFirst"), /^2\. \{"box_2d": \[0, 0, 500, 500\]\}: why\?$/m);
    assert.match(text("thousand"), /from 0 to 1000 across the width/);
    assert.match(text("pixels"), /^2\. \{"bbox_2d": \[0, 0, 1000, 500\]\}: why\?$/m);
  });

  it("in a frame over several tiles name its part in each", () => {
    const frame = note(1, { x: 100, y: 100, width: 50, height: 2500 });
    const attached = attachment(image(800, 3000), [frame], "pixels", undefined, 1200);
    const parts = placed(attached, 1, "pixels");
    assert.ok(parts.length > 1);
    assert.equal(Math.min(...parts.map(({ y }) => y)), 100);
    assert.equal(Math.max(...parts.map(({ y, height }) => y + height)), 2600);
  });

  it("are not sent where the picture is blacked out or cropped off", () => {
    const marks: Mark[] = [
      { kind: "redaction", x: 100, y: 100, width: 200, height: 200 },
      { kind: "crop", x: 0, y: 0, width: 500, height: 500 },
      { kind: "note", ...note(1, { x: 150, y: 150, width: 20, height: 20 }, "the name") },
      { kind: "note", ...note(2, { x: 700, y: 50 }, "outside") },
      { kind: "note", ...note(3, { x: 90, y: 150, width: 20, height: 20 }, "at the edge") },
    ];
    const items = notesOf(marks, 1000, 1000);
    assert.deepEqual(
      items.map(({ leftOut }) => leftOut),
      ["covered", "cropped", undefined],
    );
    const text = textOf(attachment(image(1000, 1000), items, "thousand"));
    assert.match(text, /^3\. .*at the edge$/m);
    assert.doesNotMatch(text, /the name|outside|^[12]\./m);
  });

  it("are left out of a request with their picture", () => {
    const parts = sentParts(attachment(image(100, 100), [note(1, { x: 5, y: 5 })], "thousand"));
    const text = { kind: "text" as const, text: "Why?" };
    const message = { role: "user" as const, id: "q", parentId: null, sentAtMs: 0 };
    const without = withoutPictures({ ...message, parts: [text, ...parts] });
    assert.deepEqual(without.role === "user" && without.parts, [text]);
  });

  it("are not sent while the marks of the picture are not drawn", () => {
    const attached = attachment(image(100, 100), [note(1, { x: 5, y: 5 })], "thousand");
    assert.deepEqual(sentParts({ ...attached, picture: { fit: "marked", sent: [] } }), []);
  });
});
