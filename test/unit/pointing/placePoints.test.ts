/**
 * Chooses the picture and the scale of positions, asks where several are possible, and calibrates a
 * model. accuracy.test.ts has every notation on every kind of picture.
 */
import assert from "node:assert/strict";
import { calibrate } from "../../../src/pointing/calibrate";
import {
  numbersOf,
  readingsOf,
  smartResize,
  type CoordinateScale,
} from "../../../src/pointing/coordinates";
import { placePoints } from "../../../src/pointing/placePointing";
import type { SeenPicture } from "../../../src/pointing/pictureArea";
import { PointingReader } from "../../../src/pointing/readPointing";
import { MARKED_PICTURE_SIZE, MARKS } from "../../../src/host/diagnostics/testPicture";
import { itWithRounds } from "../../support/depth";
import { firstSeed, randomOf } from "../../support/fakes/seeded";

const SCALES = [
  ...["pixels", "thousand", "thousandYFirst", "one", "percent", "side:1568"],
  ...["resized28:1003520-1003520", "resized28:12845056-12845056", "resized32:2621440-2621440"],
];

function read(text: string) {
  const reader = new PointingReader();
  return [...reader.append(text), ...reader.end()];
}

describe("placePoints", () => {
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
      // A service that allows 4,593 patches gives this box another place; no usual cap does.
      [[2600, 2100], '{"bbox_2d": [1667, 531, 2400, 1127]}', ["pixels", "resized"]],
    ] as const) {
      const [widthPx, heightPx] = size;
      const every = { isAsked: true, isEveryScale: true };
      const placed = placeIn(text, [picture({ widthPx, heightPx })], every);
      assert.deepEqual(placed.points, [], text);
      assert.equal(placed.choices.length, 2);
      for (const scale of scales) {
        assert.ok(
          placed.choices.some((choice) => choice.scale.startsWith(scale)),
          `${text}: ${placed.choices.map((choice) => choice.scale).join()}`,
        );
      }
    }
  });

  it("places whole numbers in the scale that the question named, and says that it was not tested", () => {
    const unknown = { isAsked: true };
    const box = '{"bbox_2d": [100, 100, 200, 200]}';
    const asked = placeIn(box, [picture()], unknown);
    assert.deepEqual(
      [asked.isAskedScale, asked.points[0]?.region, asked.choices],
      [true, { x: 200, y: 100, width: 200, height: 100 }, []],
    );
    for (const [text, options] of [
      [box, {}],
      [box, { ...unknown, isEveryScale: true }],
      [box, { ...unknown, scales: ["thousand"] }],
      ['{"bbox_2d": [100, 100, 1200, 200]}', unknown],
      ['{"bbox_2d": [0.1, 0.1, 0.5, 0.2]}', unknown],
      ['{"bbox_2d": [10.5, 10, 50, 20]}', unknown],
      ["<box>[[100, 100, 200, 200]]</box>", {}],
    ] as const) {
      assert.equal(placeIn(text, [picture()], options).isAskedScale, false, text);
    }
  });

  it("places labeled boxes of JSON and tables if the scale is known and a picture was asked about", () => {
    const known = { scales: ["thousand"] } as const;
    const table = "| what | box |\n|---|---|\n| Save | [100, 100, 200, 200] |\n";
    for (const text of [
      '```json\n{"label": "Save", "x1": 100, "y1": 100, "x2": 200, "y2": 200}\n```\n',
      '```json\n{"name": "Save", "x": 100, "y": 100, "width": 100, "height": 100}\n```\n',
      table,
    ]) {
      assert.deepEqual(regions(text, [picture()], known), [[200, 100, 200, 100]], text);
      assert.deepEqual(regions(text, [picture()]), [], text);
      assert.deepEqual(regions(text, [picture({ isOfQuestion: false })], known), [], text);
    }
    for (const text of [
      '```json\n{"x": 100, "y": 100, "width": 100, "height": 100}\n```\n',
      '```json\n{"label": "Save", "x": 100, "y": 100}\n```\n',
      '```json\n{"label": "Save", "bbox": [100, 100, 200, 200]}\n```\n',
      table.replace("box", "values"),
      table.replace("what | box", "id | x"),
    ]) {
      assert.deepEqual(regions(text, [picture()], known), [], text);
    }
  });

  it("asks for the axis order only where the notation leaves it open", () => {
    const yFirst = (text: string) =>
      placeIn(text, [picture({ widthPx: 1000, heightPx: 1000 })], {
        isAsked: true,
        isEveryScale: true,
      }).choices.some(({ scale }) => scale.endsWith("YFirst"));
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

  const anyCap = "solves for any cap, up to a size that is not resized";
  itWithRounds(anyCap, { quick: 40, all: 200 }, (rounds) => {
    const seed = firstSeed();
    const random = randomOf(seed);
    for (let round = 0; round < rounds; round++) {
      const patchPx = random(2) === 0 ? 28 : 32;
      const cap = 300 + random(16_000);
      const capPx = cap * patchPx ** 2;
      const scale = `resized${patchPx}:${capPx}-${capPx}`;
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

  const inexact = "accepts an answer that is a little inexact, and no other";
  itWithRounds(inexact, { quick: 25, all: 100 }, (rounds) => {
    const seed = firstSeed();
    const random = randomOf(seed);
    for (let round = 0; round < rounds; round++) {
      const shaken = answer("resized28:1003520-1003520").map((box) =>
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
