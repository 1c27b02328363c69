/**
 * Maps boxes in the notation of each model back to the original picture, through tile, crop and
 * scale.
 */
import assert from "node:assert/strict";
import { calibrate } from "../../../src/pointing/calibrate";
import {
  numbersOf,
  readingsOf,
  smartResize,
  type CoordinateScale,
  type Region,
} from "../../../src/pointing/coordinates";
import { NAMED } from "../../../src/pointing/notations";
import { placePoints } from "../../../src/pointing/placePointing";
import type { SeenPicture } from "../../../src/pointing/pictureArea";
import { PointingReader } from "../../../src/pointing/readPointing";
import { MARKED_PICTURE_SIZE, MARKS } from "../../../src/host/diagnostics/testPicture";
import { spans } from "../../../src/webview/pictures/drawing";
import { firstSeed, randomOf, type Random } from "../../support/fakes/seeded";

/** Notation of a model with its scale and the precision of its numbers. */
interface Convention {
  readonly scale: CoordinateScale;
  /** Scale in the setting of the profile; by default the notation decides. */
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
  Doubao: { scale: "thousandLess1", write: (n) => `Save <bbox>${n.join(" ")}</bbox>` },
  "GLM-V": { scale: "thousand", write: (n) => `Save <|begin_of_box|>[${list(n)}]<|end_of_box|>` },
  Gemini: { scale: "thousandYFirst", write: json("box_2d") },
  PaliGemma: { scale: "loc1024YFirst", write: (n) => `${loc(n)} Save` },
  "Florence-2": {
    scale: "bins",
    write: (n) => `Save${n.map((number) => `<loc_${number}>`).join("")}`,
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

const SCALES = [
  ...["pixels", "thousand", "thousandYFirst", "one", "percent", "side:1568"],
  ...["pixels28x1280", "pixels28x16384", "pixels32x2560"],
];

/** Returns an original of random size and the pictures that were sent of it. */
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
        ...base,
        hash: `t${index}`.padEnd(64, "t"),
        widthPx,
        heightPx,
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
        const exact = numbersOf(box, readingsOf(scale, sent)[0]!, sent);
        const numbers = exact.map(Math.round);
        if (numbers[2]! <= numbers[0]! || numbers[3]! <= numbers[1]!) continue;
        const about = sent.tile === undefined ? "" : `In tile ${sent.tile}:\n\n`;
        const options = {
          ...(chosen && { scales: [chosen], isScaleChosen: true }),
          isAsked: true,
        };
        const found = read(about + write(numbers));
        const placed = placePoints(found, pictures, options);
        const details = `seed ${seed}, round ${round}: ${JSON.stringify({ sent, box, numbers, found, placed })}`;
        assert.equal(placed.points.length, 1, details);
        const { region, hash, label } = placed.points[0]!;
        assert.equal(hash, sent.area?.hash ?? sent.hash, details);
        if (!/^(?:plain|Doubao|GLM-V)/.test(name)) assert.equal(label, "Save", details);
        const { x: left, y: top } = sent.area ?? { x: 0, y: 0 };
        const growX = (sent.area?.widthPx ?? sent.widthPx) / sent.widthPx;
        const growY = (sent.area?.heightPx ?? sent.heightPx) / sent.heightPx;
        // The written numbers are rounded: up to half a unit of the model's scale at each edge.
        const [unitX = 0, unitY = 0] = unitOf(scale, sent);
        const nearX = 1 + (unitX * growX) / 2;
        const nearY = 1 + (unitY * growY) / 2;
        const near = (a: number, b: number, by: number) =>
          assert.ok(Math.abs(a - b) <= by, details);
        near(region.x, left + box.x * growX, nearX);
        near(region.y, top + box.y * growY, nearY);
        near(region.x + region.width, left + (box.x + box.width) * growX, nearX);
        near(region.y + region.height, top + (box.y + box.height) * growY, nearY);
      }
    });
  }

  it("maps unrounded coordinates to one pixel for any scale, tile and crop", () => {
    const seed = firstSeed();
    const random = randomOf(seed);
    for (let round = 0; round < 2_000; round++) {
      const pictures = madePictures(random);
      const sent = pictures[random(pictures.length)]!;
      const scale = SCALES[random(SCALES.length)]!;
      const box = madeBox(random, sent);
      const point = {
        numbers: numbersOf(box, readingsOf(scale, sent)[0]!, sent),
        convention: { ...NAMED, order: "unknown" as const },
        label: "",
        picture: 1,
        tile: sent.tile,
        before: "",
      };
      const [placed] = placePoints([point], pictures, { scales: [scale], isAsked: true }).points;
      const { x, y } = sent.area ?? { x: 0, y: 0 };
      const growX = (sent.area?.widthPx ?? sent.widthPx) / sent.widthPx;
      assert.ok(placed, `seed ${seed}, round ${round}`);
      assert.ok(Math.abs(placed.region.x - x - box.x * growX) < 1e-6, `seed ${seed}`);
      assert.ok(Math.abs(placed.region.width - box.width * growX) < 1e-6, `seed ${seed}`);
      assert.ok(placed.region.y >= y, `seed ${seed}`);
    }
  });

  const ASKED = { isAsked: true, scales: ["thousand"] };
  const picture = (more: Partial<SeenPicture> = {}): SeenPicture => ({
    hash: "h",
    name: "a.png",
    widthPx: 2000,
    heightPx: 1000,
    number: 1,
    isOfQuestion: true,
    ...more,
  });
  const placeIn = (text: string, pictures: readonly SeenPicture[], options = {}) =>
    placePoints(read(text), pictures, options);
  const regions = (text: string, pictures: readonly SeenPicture[], options = {}) =>
    placeIn(text, pictures, options).points.map(({ region: { x, y, width, height } }) => [
      ...[x, y, width, height],
    ]);

  it("is certain where the notation, a test or the range of the numbers leaves one scale", () => {
    const thousand = { scales: ["thousand"], isAsked: true };
    assert.deepEqual(regions("bbox [100, 100, 200, 200]", [picture()], thousand), [
      [200, 100, 200, 100],
    ]);
    assert.deepEqual(regions('{"box_2d": [100, 200, 300, 400]}', [picture()]), [
      [400, 100, 400, 200],
    ]);
    assert.deepEqual(regions('{"bbox_2d": [0.1, 0.2, 0.5, 0.6]}', [picture()]), [
      [200, 200, 800, 400],
    ]);
  });

  it("asks between the scales in which a box without a scale is inside the picture", () => {
    for (const [size, text, scales] of [
      [[2000, 1000], '{"bbox_2d": [100, 100, 200, 200]}', ["thousand", "pixels"]],
      [[800, 600], '{"bbox_2d": [100, 100, 200, 200]}', ["thousand", "pixels"]],
      [[3840, 2160], '{"bbox_2d": [100, 100, 1200, 200]}', ["pixels", "resized28:"]],
      [[3840, 2160], '{"x1": 100, "y1": 100, "x2": 200, "y2": 200}', ["thousand", "pixels"]],
    ] as const) {
      const [widthPx, heightPx] = size;
      const placed = placeIn(text, [picture({ widthPx, heightPx })], { isAsked: true });
      assert.deepEqual(placed.points, [], text);
      for (const scale of scales) {
        assert.ok(
          placed.choices.some((choice) => choice.scale.startsWith(scale)),
          `${text}: ${placed.choices.map((choice) => choice.scale).join()}`,
        );
      }
    }
  });

  it("asks for the axis order only where the notation leaves it open", () => {
    const yFirst = (text: string) =>
      placeIn(text, [picture()], { isAsked: true }).choices.some(({ scale }) =>
        scale.endsWith("YFirst"),
      );
    assert.equal(yFirst("The box is [100, 200, 300, 400]"), true);
    assert.equal(yFirst('{"bbox_2d": [100, 200, 300, 400]}'), false);
    assert.equal(yFirst("from (100, 200) to (300, 400)"), false);
  });

  it("takes the size from the tokens that the service counted", () => {
    const seen = [picture({ widthPx: 3840, heightPx: 2160 })];
    const text = '{"bbox_2d": [100, 200, 1300, 400]}';
    const { choices } = placeIn(text, seen, { tokens: { least: 2425, most: 2460 } });
    const units = choices.map(({ unit }) => `${unit.widthPx}×${unit.heightPx}`);
    // 66 × 37 patches.
    assert.ok(units.includes("1848×1036"), units.join());
    assert.ok(!units.includes("1316×728"), units.join());
  });

  it("asks on a picture whose sides are multiples of every patch, which no usual cap changes", () => {
    const seen = [picture({ widthPx: 2240, heightPx: 1344 })];
    const { choices } = placeIn('{"bbox_2d": [1400, 300, 1800, 500]}', seen);
    assert.ok(choices.some(({ scale }) => scale === "pixels"));
    assert.ok(choices.some(({ unit }) => unit.widthPx < 2240 && unit.widthPx > 1800));
  });

  it("asks on a small picture, which services enlarge in several ways", () => {
    const seen = [picture({ widthPx: 400, heightPx: 200 })];
    const { choices } = placeIn('{"bbox_2d": [450, 100, 600, 160]}', seen);
    const scales = choices.map(({ scale }) => scale.replace(/:.*/, ""));
    assert.deepEqual(scales, ["thousand", "resized28min256", "resized32min256"]);
  });

  it("shows the usual cap among the sizes that the counted tokens allow", () => {
    const seen = [picture({ widthPx: 3840, heightPx: 2160 })];
    const text = '{"bbox_2d": [100, 200, 1250, 400]}';
    const { choices } = placeIn(text, seen, { tokens: { least: 1100, most: 1500 } });
    const units = choices.map(({ unit }) => `${unit.widthPx}×${unit.heightPx}`);
    assert.ok(units.includes("1316×728"), units.join());
  });

  it("treats numbers that fit no picture as text", () => {
    for (const text of [
      "bbox [10, 10, 5, 20]",
      "bbox [-200, 10, 500, 20]",
      "bbox [10, 10, 5000, 20]",
      "<box>[[1, 2, 3]]</box>",
    ]) {
      assert.deepEqual(placeIn(text, [picture()], ASKED).choices, [], text);
      assert.deepEqual(regions(text, [picture()], ASKED), [], text);
    }
    assert.deepEqual(regions("bbox [10, 10, 50, 20]", [], ASKED), []);
    const many = Array.from({ length: 201 }, (_, n) => `bbox [${n}, 10, 900, 20]`).join("\n");
    assert.deepEqual(regions(many, [picture()], ASKED), []);
  });

  it("places coordinates on the picture that the reply names, or on none", () => {
    const bothPictures = [picture(), picture({ hash: "i", name: "after.png", number: 2 })];
    const hashes = (text: string) =>
      placeIn(text, bothPictures, ASKED).points.map(({ hash }) => hash);
    assert.deepEqual(hashes("In picture 2 the box is [1, 2, 30, 40]"), ["i"]);
    assert.deepEqual(hashes('{"bbox_2d": [1, 2, 30, 40], "picture": 2}'), ["i"]);
    assert.deepEqual(hashes("In after.png, box [1, 2, 30, 40]"), ["i"]);
    assert.deepEqual(hashes("box [1, 2, 30, 40]"), []);
    assert.equal(placeIn("box [1, 2, 30, 40]", bothPictures, ASKED).isPictureUnsure, true);
    const chosen = placeIn("box [1, 2, 30, 40]", bothPictures, { ...ASKED, chosenHash: "i" });
    assert.equal(chosen.points[0]?.hash, "i");
    const older = [picture({ isOfQuestion: false }), picture({ hash: "i", number: 2 })];
    assert.equal(placeIn("box [1, 2, 30, 40]", older, ASKED).points[0]?.hash, "i");
  });

  it("assigns one number to a box that is in two tiles", () => {
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
    const placed = placeIn(text, tiles);
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

/** Returns the size of a scale unit, in pixels of the sent picture. */
function unitOf(scale: CoordinateScale, sent: SeenPicture): number[] {
  const { unit } = readingsOf(scale, sent)[0]!;
  return [sent.widthPx / unit.widthPx, sent.heightPx / unit.heightPx];
}

describe("calibrate", () => {
  const size = MARKED_PICTURE_SIZE;
  const answer = (scale: CoordinateScale, digits = 0) =>
    MARKS.map((mark) =>
      numbersOf(mark, readingsOf(scale, size)[0]!, size).map((number) =>
        Number(number.toFixed(digits)),
      ),
    );

  for (const scale of SCALES) {
    it(`recognizes ${scale}, in any order of the marks`, () => {
      const boxes = answer(scale, scale === "one" ? 3 : scale === "percent" ? 1 : 0);
      for (const given of [boxes, boxes.toReversed()]) {
        const found = calibrate(given, MARKS, size);
        const units = found.map((name) => readingsOf(name, size)[0]!.unit);
        assert.ok(found.length > 0);
        for (const unit of units) assert.deepEqual(unit, readingsOf(scale, size)[0]!.unit);
      }
    });
  }

  it("solves for any cap, up to a size that is not resized", () => {
    const seed = firstSeed();
    const random = randomOf(seed);
    for (let round = 0; round < 200; round++) {
      const patchPx = random(2) === 0 ? 28 : 32;
      const cap = 300 + random(16_000);
      const scale = `pixels${patchPx}x${cap}`;
      const found = calibrate(answer(scale), MARKS, size);
      const details = `seed ${seed}, ${scale}: ${found.join()}`;
      assert.ok(
        found.some((name) => name.startsWith(`resized${patchPx}:`)),
        details,
      );
      const { unit } = readingsOf(scale, size)[0]!;
      for (const name of found) assert.deepEqual(readingsOf(name, size)[0]!.unit, unit, details);
    }
  });

  it("accepts an answer that is a little inexact, and no other", () => {
    const seed = firstSeed();
    const random = randomOf(seed);
    for (let round = 0; round < 100; round++) {
      const shaken = answer("pixels28x1280").map((box) =>
        box.map((number) => number + random(5) - 2),
      );
      const found = calibrate(shaken, MARKS, size);
      const units = found.map((name) => readingsOf(name, size)[0]!.unit.widthPx);
      assert.ok(units.includes(1316), `seed ${seed}: ${found.join()}`);
    }
    const far = answer("thousand").map((box) => box.map((number) => number + 30));
    assert.deepEqual(calibrate(far, MARKS, size), []);
  });

  it("finds nothing in a reply about other positions, or about one mark", () => {
    const [box = []] = answer("thousand");
    assert.deepEqual(calibrate([[100, 100, 200, 200], box], MARKS, size), []);
    assert.deepEqual(calibrate([box], MARKS, size), []);
    assert.deepEqual(calibrate([box, box], MARKS, size), []);
  });
});

describe("smartResize", () => {
  // Values of qwen-vl-utils 0.0.11, smart_resize(height, width, factor, 4 tokens, cap).
  it("gives the sizes of the published formula", () => {
    const cap = (tokens: number, patchPx: number) => tokens * patchPx * patchPx;
    const sized = (widthPx: number, heightPx: number, patchPx: number, maxPx: number) => {
      const size = smartResize({ widthPx, heightPx }, patchPx, maxPx);
      return [size.widthPx, size.heightPx];
    };
    assert.deepEqual(sized(1920, 1080, 28, cap(16_384, 28)), [1932, 1092]);
    assert.deepEqual(sized(3840, 2160, 28, cap(1280, 28)), [1316, 728]);
    assert.deepEqual(sized(3840, 2160, 32, cap(2560, 32)), [2144, 1184]);
    // Python rounds 2.5 patches to 2.
    assert.deepEqual(sized(70, 280, 28, cap(1280, 28)), [56, 280]);
  });
});
