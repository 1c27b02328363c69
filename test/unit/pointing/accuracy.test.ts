/**
 * Every notation on every kind of picture, for services that make pictures smaller by any cap: each
 * position is right or nearly, or the user is asked. None is silently wrong.
 */
import assert from "node:assert/strict";
import { pictureTokenRange } from "../../../src/context/countedPictures";
import { estimateImageTokens } from "../../../src/base/tokens";
import { MARKED_PICTURE_SIZE, MARKS } from "../../../src/host/diagnostics/testPicture";
import { calibrate } from "../../../src/pointing/calibrate";
import {
  numbersOf,
  readingsOf,
  regionOf,
  type CoordinateScale,
  type Reading,
  type Region,
  type Size,
} from "../../../src/pointing/coordinates";
import {
  placePoints,
  type PlacedPoint,
  type PlacingOptions,
} from "../../../src/pointing/placePointing";
import type { SeenPicture } from "../../../src/pointing/pictureArea";
import { PointingReader } from "../../../src/pointing/readPointing";
import { itWithRounds } from "../../support/depth";
import { firstSeed, randomOf, type Random } from "../../support/fakes/seeded";
import { WRITTEN_NOTATIONS, type WrittenNotation } from "./writtenNotations";

const base = { name: "page.png", number: 1, isOfQuestion: true };
const hash = "o".repeat(64);
const whole = (widthPx: number, heightPx: number): SeenPicture[] => [
  { ...base, hash, widthPx, heightPx },
];
const part = (widthPx: number, heightPx: number, area: Partial<Region> & Size): SeenPicture => ({
  ...base,
  hash: "s".repeat(64),
  widthPx,
  heightPx,
  area: {
    hash,
    x: 0,
    y: 0,
    ofWidthPx: 5000,
    ofHeightPx: 4000,
    ...area,
  },
});

const PICTURES: Readonly<Record<string, readonly SeenPicture[]>> = {
  phone: whole(1170, 2532),
  desktop: whole(1440, 900),
  "4K": whole(3840, 2160),
  "8K wide": whole(7680, 2160),
  tiny: whole(120, 90),
  "less than 1000 px": whole(800, 600),
  tiles: [0, 1].flatMap((row) =>
    [0, 1].map((column) => ({
      ...part(2600, 2100, { x: column * 2400, y: row * 1900, widthPx: 2600, heightPx: 2100 }),
      hash: `${row}${column}`.padEnd(64, "t"),
      tile: row * 2 + column + 1,
    })),
  ),
  crop: [part(1080, 1100, { x: 400, y: 700, widthPx: 1080, heightPx: 1100 })],
  scaled: [part(1568, 1254, { widthPx: 5000, heightPx: 4000 })],
  turned: whole(2160, 3840),
  "a multiple of every patch": whole(2240, 1344),
  "smaller than the minimum": whole(400, 200),
};

/** What is known about a service: nothing, its count of tokens, or the result of Test Connection. */
const KNOWLEDGE = ["auto", "usage", "test", "test and usage"] as const;

/** Random boxes for each notation and picture. */
const BOXES = { quick: 1, all: 3 };

function randomBox(random: Random, { widthPx, heightPx }: Size, isPoint: boolean): Region {
  const x = 5 + random(Math.floor(widthPx * 0.8));
  const y = 5 + random(Math.floor(heightPx * 0.8));
  if (isPoint) return { x, y, width: 0, height: 0 };
  const extent = (at: number, side: number) => Math.ceil(side * 0.07) + random(side - at) * 0.8;
  const width = Math.min(widthPx - x, extent(x, widthPx));
  return { x, y, width, height: Math.min(heightPx - y, extent(y, heightPx)) };
}

function written(region: Region, reading: Reading, size: Size, digits: number): string[] {
  return numbersOf(region, reading, size).map((number) => number.toFixed(digits));
}

/** Returns the scales that Test Connection saves for a model that answers in this scale. */
function tested({ digits = 0 }: WrittenNotation, scale: CoordinateScale): CoordinateScale[] {
  const [reading] = readingsOf(scale, MARKED_PICTURE_SIZE);
  const boxes = MARKS.map((mark) =>
    written(mark, reading!, MARKED_PICTURE_SIZE, digits).map(Number),
  );
  return calibrate(boxes, MARKS, MARKED_PICTURE_SIZE);
}

/** Returns the range in which the tokens of the pictures are, after an inexact estimate of the text. */
function counted(random: Random, pictures: readonly SeenPicture[], scale: CoordinateScale) {
  const textTokens = 60 + random(400);
  const promptTokens = pictures
    .map((picture) => readingsOf(scale, picture)[0]?.tokens ?? 500 + random(3_000))
    .reduce((sum, tokens) => sum + tokens + 2, textTokens + random(40));
  const estimates = pictures.map(({ widthPx, heightPx }) => estimateImageTokens(widthPx, heightPx));
  const estimatedTokens =
    estimates.reduce((sum, tokens) => sum + tokens, 0) +
    Math.round(textTokens * (0.85 + random(300) / 1000));
  return pictureTokenRange({
    usage: { promptTokens },
    receipt: {
      modelKind: "vl",
      modelCode: "m",
      host: "",
      bodyBytes: 1,
      messageCount: 1,
      imageCount: pictures.length,
      imagesLeftOut: 0,
      turnsLeftOut: 0,
      estimatedTokens,
      pictures: pictures.map((picture) => ({
        kind: "bytes" as const,
        mediaType: "image/png",
        bytes: 1,
        hash: picture.hash,
        widthPx: picture.widthPx,
        heightPx: picture.heightPx,
      })),
    },
  });
}

/** Overlap with the right box from which a similar box is shown without a question, less an error of floats. */
const SAME_OVERLAP = 0.6 - 1e-9;

/**
 * Returns true if a position is right within a unit of its scale and a pixel of the sent picture, or overlaps
 * the right box.
 * @param region what the reply's rounded numbers name, in pixels of the sent picture
 */
function isRight(
  found: PlacedPoint | undefined,
  region: Region,
  sent: SeenPicture,
  unit: { readonly x: number; readonly y: number },
): boolean {
  if (found === undefined) return false;
  const { x: left, y: top } = sent.area ?? { x: 0, y: 0 };
  const growX = (sent.area?.widthPx ?? sent.widthPx) / sent.widthPx;
  const growY = (sent.area?.heightPx ?? sent.heightPx) / sent.heightPx;
  const nearX = (a: number, b: number) => Math.abs(a - left - b * growX) <= (1 + unit.x) * growX;
  const nearY = (a: number, b: number) => Math.abs(a - top - b * growY) <= (1 + unit.y) * growY;
  const { x, y, width, height } = found.region;
  const right = { x: left + region.x * growX, y: top + region.y * growY };
  const size = { width: region.width * growX, height: region.height * growY };
  const across = Math.min(x + width, right.x + size.width) - Math.max(x, right.x);
  const down = Math.min(y + height, right.y + size.height) - Math.max(y, right.y);
  const common = Math.max(0, across) * Math.max(0, down);
  if (common / (width * height + size.width * size.height - common) > SAME_OVERLAP) return true;
  return (
    nearX(x, region.x) &&
    nearY(y, region.y) &&
    nearX(x + width, region.x + region.width) &&
    nearY(y + height, region.y + region.height)
  );
}

describe("positions in every notation", () => {
  const seed = firstSeed();
  const random = randomOf(seed);
  const caps = [
    ...[
      "resized28:1003520-1003520",
      "resized28:2007040-2007040",
      "resized32:2621440-2621440",
      "resized28:12845056-12845056",
      "resized32:16777216-16777216",
    ],
    ...["resized28min256:1003520-1003520", "resized32min64:16777216-16777216"],
    ...Array.from({ length: 5 }, () => {
      const patchPx = random(2) ? 28 : 32;
      const cap = (300 + random(16_000)) * patchPx ** 2;
      return `resized${patchPx}:${cap}-${cap}`;
    }),
  ];

  for (const knowledge of KNOWLEDGE) {
    itWithRounds(`are right or asked for, with ${knowledge}`, BOXES, (boxes) => {
      let certain = 0;
      for (const notation of WRITTEN_NOTATIONS) {
        const { isPoint = false, digits = 0 } = notation;
        for (const scale of notation.scale === "resized" ? caps : [notation.scale]) {
          const scales = knowledge.includes("test") ? tested(notation, scale) : [];
          for (const [kind, pictures] of Object.entries(PICTURES)) {
            for (let round = 0; round < boxes; round++) {
              const sent = pictures[random(pictures.length)]!;
              const box = randomBox(random, sent, isPoint);
              const reading = readingsOf(scale, sent)[0]!;
              const numbers = written(box, reading, sent, digits);
              if (!isPoint && (numbers[0] === numbers[2] || numbers[1] === numbers[3])) continue;
              const about = sent.tile === undefined ? "" : `In tile ${sent.tile}:\n\n`;
              const text = about + notation.write(numbers);
              const tokens = knowledge.includes("usage") && counted(random, pictures, scale);
              const options: PlacingOptions = {
                isAsked: true,
                ...(scales.length > 0 && { scales }),
                ...(tokens && { tokens }),
              };
              const reader = new PointingReader();
              const read = [...reader.append(text), ...reader.end()];
              const placed = placePoints(read, pictures, options);
              const details = `seed ${seed}: ${JSON.stringify({ name: notation.name, kind, scale, text, sent, box, options, placed })}`;
              assert.equal(read.length, 1, details);
              if (placed.choices.length > 0) {
                assert.equal(placed.choices.length, 2, details);
                continue;
              }
              // Shown with the question "Marks beside their place?".
              if (placed.isAskedScale) {
                assert.ok(
                  !scales.length && numbers.every((number) => Number(number) <= 1000),
                  details,
                );
                continue;
              }
              certain++;
              const unit = {
                x: (notation.unit ?? 1 / reading.unit.widthPx / 10 ** digits) * sent.widthPx,
                y: (notation.unit ?? 1 / reading.unit.heightPx / 10 ** digits) * sent.heightPx,
              };
              assert.equal(placed.points.length, 1, details);
              const named = regionOf(numbers.map(Number), reading, sent);
              assert.ok(named && isRight(placed.points[0], named, sent, unit), details);
            }
          }
        }
      }
      assert.ok(certain > 0, "nothing is ever certain");
    });
  }
});
