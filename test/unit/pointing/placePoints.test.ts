/**
 * Boxes of made pictures, named as each kind of model names them, and found again on the original
 * through tile, crop and scale.
 */
import assert from "node:assert/strict";
import {
  calibrate,
  COORDINATE_SCALES,
  numbersOf,
  type CoordinateScale,
  type FormScale,
  type Region,
} from "../../../src/pointing/coordinates";
import { placePoints, type SeenPicture } from "../../../src/pointing/placePointing";
import { PointingReader } from "../../../src/pointing/readPointing";
import { spans } from "../../../src/webview/pictures/drawing";
import { firstSeed, randomOf, type Random } from "../../support/seeded";

/** Notation of a model with its scale, and how exact the numbers are that it writes. */
interface Convention {
  readonly scale: FormScale;
  /** Scale that the profile's setting has; by default the notation decides. */
  readonly chosen?: CoordinateScale;
  readonly write: (numbers: readonly number[]) => string;
}

const list = (numbers: readonly number[]) => `[${numbers.join(", ")}]`;
const json = (key: string) => (numbers: readonly number[]) =>
  `\`\`\`json\n[\n\t{"${key}": ${list(numbers)}, "label": "Save"}\n]\n\`\`\`\n`;
const loc = (numbers: readonly number[]) =>
  numbers.map((number) => `<loc${String(number).padStart(4, "0")}>`).join("");

const CONVENTIONS: Readonly<Record<string, Convention>> = {
  "Qwen2.5-VL": { scale: "pixels", chosen: "pixels", write: json("bbox_2d") },
  "Qwen2.5-VL, resized": {
    scale: "pixels28x1280",
    chosen: "pixels28x1280",
    write: json("bbox_2d"),
  },
  "Qwen2.5-VL, resized a little": {
    scale: "pixels28x16384",
    chosen: "pixels28x16384",
    write: json("bbox_2d"),
  },
  "Qwen3-VL": { scale: "thousand", chosen: "thousand", write: json("bbox_2d") },
  "Qwen2-VL": {
    scale: "thousand",
    write: ([a, b, c, d]) =>
      `<|object_ref_start|>Save<|object_ref_end|><|box_start|>(${a},${b}),(${c},${d})<|box_end|>`,
  },
  InternVL: { scale: "thousand", write: (n) => `<ref>Save</ref><box>[${list(n)}]</box>` },
  DeepSeek: {
    scale: "thousandLess1",
    write: (n) => `<|ref|>Save<|/ref|><|det|>[${list(n)}]<|/det|>`,
  },
  Doubao: { scale: "thousand", write: (n) => `Save <bbox>${n.join(" ")}</bbox>` },
  "GLM-V": { scale: "thousand", write: (n) => `Save <|begin_of_box|>[${list(n)}]<|end_of_box|>` },
  Gemini: { scale: "thousandYFirst", write: json("box_2d") },
  PaliGemma: { scale: "loc1024YFirst", write: (n) => `${loc(n)} Save` },
  "Florence-2": {
    scale: "thousand",
    write: (n) => `Save${n.map((one) => `<loc_${one}>`).join("")}`,
  },
  "plain, 0 to 1000": {
    scale: "thousand",
    chosen: "thousand",
    write: (n) => `Save: bbox ${list(n)}`,
  },
  "plain, y first": {
    scale: "thousandYFirst",
    chosen: "thousandYFirst",
    write: (n) => `The bounding box is ${list(n)}.`,
  },
};

/** Original of 3840×6000 or so, and the pictures that were sent of it. */
function madePictures(random: Random): SeenPicture[] {
  const ofWidthPx = 400 + random(6_000);
  const ofHeightPx = 400 + random(6_000);
  const hash = "o".repeat(64);
  const area = {
    hash,
    x: 0,
    y: 0,
    widthPx: ofWidthPx,
    heightPx: ofHeightPx,
    ofWidthPx,
    ofHeightPx,
  };
  const base = { name: "page.png", number: 1, isOfQuestion: true };
  switch (random(4)) {
    case 0:
      return [{ ...base, hash, widthPx: ofWidthPx, heightPx: ofHeightPx }];
    case 1: {
      const scale = 0.2 + random(800) / 1000;
      const widthPx = Math.floor(ofWidthPx * scale);
      const heightPx = Math.floor(ofHeightPx * scale);
      return [{ ...base, hash: "s".repeat(64), widthPx, heightPx, area }];
    }
    case 2: {
      const [x, y] = [random(ofWidthPx - 300), random(ofHeightPx - 300)];
      const widthPx = 100 + random(ofWidthPx - x - 100);
      const heightPx = 100 + random(ofHeightPx - y - 100);
      const cropped = { ...area, x, y, widthPx, heightPx };
      return [{ ...base, hash: "c".repeat(64), widthPx, heightPx, area: cropped }];
    }
    default: {
      const sidePx = 512 + random(2_000);
      const tiles = spans(ofHeightPx, sidePx).flatMap(([y, heightPx]) =>
        spans(ofWidthPx, sidePx).map(([x, widthPx]) => ({ x, y, widthPx, heightPx })),
      );
      return tiles.map(({ x, y, widthPx, heightPx }, index) => ({
        ...{ ...base, hash: `t${index}`.padEnd(64, "t"), widthPx, heightPx },
        ...(tiles.length > 1 && { tile: index + 1 }),
        area: { ...area, x, y, widthPx, heightPx },
      }));
    }
  }
}

function madeBox(random: Random, { widthPx, heightPx }: SeenPicture): Region {
  const x = random(widthPx - 40);
  const y = random(heightPx - 40);
  return { x, y, width: 20 + random(widthPx - x - 20), height: 20 + random(heightPx - y - 20) };
}

function read(text: string) {
  const reader = new PointingReader();
  return [...reader.append(text), ...reader.end()];
}

describe("placePoints", () => {
  for (const [name, { scale, chosen, write }] of Object.entries(CONVENTIONS)) {
    it(`finds 200 random boxes of ${name} to one pixel or one unit of the model`, () => {
      const seed = firstSeed();
      const random = randomOf(seed);
      for (let round = 0; round < 200; round++) {
        const pictures = madePictures(random);
        const sent = pictures[random(pictures.length)]!;
        const box = madeBox(random, sent);
        const exact = numbersOf(box, scale, sent);
        const numbers = exact.map(Math.round);
        if (numbers[2]! <= numbers[0]! || numbers[3]! <= numbers[1]!) continue;
        const about = sent.tile === undefined ? "" : `In tile ${sent.tile}:\n\n`;
        const options = chosen ? { scale: chosen, isScaleChosen: true } : {};
        const found = read(about + write(numbers));
        const placed = placePoints(found, pictures, options);
        const why = `seed ${seed}, round ${round}: ${JSON.stringify({ sent, box, numbers, found, placed })}`;
        assert.equal(placed.points.length, 1, why);
        const { region, hash, label } = placed.points[0]!;
        assert.equal(hash, sent.area?.hash ?? sent.hash, why);
        if (name !== "plain, y first") assert.equal(label, "Save", why);
        const { x: left, y: top } = sent.area ?? { x: 0, y: 0 };
        const growX = (sent.area?.widthPx ?? sent.widthPx) / sent.widthPx;
        const growY = (sent.area?.heightPx ?? sent.heightPx) / sent.heightPx;
        // The written numbers are rounded: half a unit of the model's scale at each edge.
        const [unitX = 0, unitY = 0] = unitOf(scale, sent);
        const nearX = 1 + (unitX * growX) / 2;
        const nearY = 1 + (unitY * growY) / 2;
        const near = (a: number, b: number, by: number) => assert.ok(Math.abs(a - b) <= by, why);
        near(region.x, left + box.x * growX, nearX);
        near(region.y, top + box.y * growY, nearY);
        near(region.x + region.width, left + (box.x + box.width) * growX, nearX);
        near(region.y + region.height, top + (box.y + box.height) * growY, nearY);
      }
    });
  }

  it("maps unrounded coordinates to one pixel, whatever the scale, the tile and the crop", () => {
    const seed = firstSeed();
    const random = randomOf(seed);
    for (let round = 0; round < 2_000; round++) {
      const pictures = madePictures(random);
      const sent = pictures[random(pictures.length)]!;
      const scale = COORDINATE_SCALES[random(COORDINATE_SCALES.length)]!;
      const box = madeBox(random, sent);
      const point = {
        numbers: numbersOf(box, scale, sent),
        ...{ scale: undefined, certainty: "default" as const },
        ...{ label: "", picture: 1, tile: sent.tile, before: "" },
      };
      const [placed] = placePoints([point], pictures, { scale, isScaleChosen: true }).points;
      const { x, y } = sent.area ?? { x: 0, y: 0 };
      const growX = (sent.area?.widthPx ?? sent.widthPx) / sent.widthPx;
      assert.ok(placed, `seed ${seed}, round ${round}`);
      assert.ok(Math.abs(placed.region.x - x - box.x * growX) < 1e-6, `seed ${seed}`);
      assert.ok(Math.abs(placed.region.width - box.width * growX) < 1e-6, `seed ${seed}`);
      assert.ok(placed.region.y >= y, `seed ${seed}`);
    }
  });

  const picture = (more: Partial<SeenPicture> = {}): SeenPicture => ({
    ...{ hash: "h", name: "a.png", widthPx: 2000, heightPx: 1000, number: 1, isOfQuestion: true },
    ...more,
  });
  const placedIn = (text: string, pictures: readonly SeenPicture[], options = {}) =>
    placePoints(read(text), pictures, options);
  const regions = (text: string, pictures: readonly SeenPicture[]) =>
    placedIn(text, pictures).points.map(({ region: { x, y, width, height } }) => [
      ...[x, y, width, height],
    ]);

  it("decides by form and range", () => {
    assert.deepEqual(regions("bbox [100, 100, 200, 200]", [picture()]), [[200, 100, 200, 100]]);
    assert.deepEqual(regions("bbox [100, 100, 1200, 200]", [picture()]), [[100, 100, 1100, 100]]);
    assert.deepEqual(regions('{"box_2d": [100, 200, 300, 400]}', [picture()]), [
      [400, 100, 400, 200],
    ]);
    assert.deepEqual(regions("box [0.1, 0.2, 0.5, 0.6]", [picture()]), [[200, 200, 800, 400]]);
    const small = picture({ widthPx: 800, heightPx: 600 });
    const unsure = placedIn("bbox [100, 100, 200, 200]", [small]);
    assert.equal(unsure.isScaleUnsure, true);
    assert.deepEqual(Object.values(unsure.points[0]!.region), [100, 100, 100, 100]);
    const sure = placedIn("bbox [100, 100, 900, 900]", [small]);
    assert.equal(sure.isScaleUnsure, false);
    assert.deepEqual(Object.values(sure.points[0]!.region), [80, 60, 640, 480]);
  });

  it("leaves numbers that fit no picture as text", () => {
    for (const text of [
      "bbox [10, 10, 5, 20]",
      "bbox [-200, 10, 500, 20]",
      "bbox [10, 10, 5000, 20]",
      "<box>[[1, 2, 3]]</box>",
    ]) {
      assert.deepEqual(regions(text, [picture()]), [], text);
    }
    assert.deepEqual(regions("bbox [10, 10, 50, 20]", []), []);
    const many = Array.from({ length: 201 }, (_, n) => `bbox [${n}, 10, 900, 20]`).join("\n");
    assert.deepEqual(regions(many, [picture()]), []);
  });

  it("places coordinates on the picture that the reply names, or on none", () => {
    const two = [picture(), picture({ hash: "i", name: "after.png", number: 2 })];
    const hashes = (text: string) => placedIn(text, two).points.map(({ hash }) => hash);
    assert.deepEqual(hashes("In picture 2 the box is [1, 2, 30, 40]"), ["i"]);
    assert.deepEqual(hashes('{"bbox_2d": [1, 2, 30, 40], "picture": 2}'), ["i"]);
    assert.deepEqual(hashes("In after.png, box [1, 2, 30, 40]"), ["i"]);
    assert.deepEqual(hashes("box [1, 2, 30, 40]"), []);
    assert.equal(placedIn("box [1, 2, 30, 40]", two).isPictureUnsure, true);
    const chosen = placedIn("box [1, 2, 30, 40]", two, { chosenHash: "i" });
    assert.equal(chosen.points[0]?.hash, "i");
    const older = [picture({ isOfQuestion: false }), picture({ hash: "i", number: 2 })];
    assert.equal(placedIn("box [1, 2, 30, 40]", older).points[0]?.hash, "i");
  });

  it("assigns the same number to a box that is visible in two tiles", () => {
    const whole = { hash: "o", widthPx: 1000, heightPx: 600, ofWidthPx: 1000, ofHeightPx: 1080 };
    const tiles = [
      picture({ hash: "1", tile: 1, widthPx: 1000, heightPx: 600, area: { ...whole, x: 0, y: 0 } }),
      picture({
        hash: "2",
        tile: 2,
        widthPx: 1000,
        heightPx: 600,
        area: { ...whole, x: 0, y: 480 },
      }),
    ];
    const text =
      "Tile 1: <ref>Save</ref><box>[[100, 833, 200, 917]]</box>\n" +
      "Tile 2: <ref>Save</ref><box>[[100, 33, 200, 117]]</box>\n" +
      "Tile 2: <ref>Close</ref><box>[[500, 500, 600, 600]]</box>";
    const placed = placedIn(text, tiles);
    assert.deepEqual(
      placed.points.map(({ number, label }) => [number, label]),
      [
        [1, "Save"],
        [2, "Close"],
      ],
    );
    assert.deepEqual([...placed.numbers.values()], [1, 1, 2]);
  });
});

/** Pixels of the sent picture that one unit of the scale takes. */
function unitOf(scale: FormScale, sent: SeenPicture): number[] {
  const units = numbersOf({ x: 0, y: 0, width: sent.widthPx, height: sent.heightPx }, scale, sent);
  const [first = 1, second = 1] = units.slice(2);
  const isYFirst = scale.endsWith("YFirst");
  return [sent.widthPx / (isYFirst ? second : first), sent.heightPx / (isYFirst ? first : second)];
}

describe("calibrate", () => {
  const size = { widthPx: 1600, heightPx: 900 };
  const region = { x: 1200, y: 300, width: 160, height: 160 };

  for (const scale of COORDINATE_SCALES) {
    it(`recognizes ${scale}`, () => {
      const exact = numbersOf(region, scale, size);
      const numbers = scale === "one" ? exact : exact.map(Math.round);
      const found = calibrate(numbers, region, size);
      assert.ok(found);
      // Other scales can be the same for this picture.
      assert.deepEqual(numbersOf(region, found, size).map(Math.round), exact.map(Math.round));
    });
  }

  it("returns undefined for another place", () => {
    assert.equal(calibrate([100, 100, 200, 200], region, size), undefined);
    assert.equal(calibrate([1200, 300], region, size), undefined);
  });
});
