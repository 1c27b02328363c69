/** Compares generated pages, drawn by a real browser, whose differences are known. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Area } from "../../src/webview/pictures/marks";
import { findRegions, type PixelRegion } from "../../src/webview/pictures/compare/findRegions";
import type { Pixels } from "../../src/webview/pictures/compare/pixelAreas";
import { pageBrowser } from "./support/pageBrowser";

/** Pages for each kind of difference. */
const PAGES = 5;

const WORDS = "alpha Beta gamma delta Order invoice Total save 42 1,337 name e-mail Kappa".split(
  " ",
);
const FONTS = ["sans-serif", "serif", "monospace"];

/** Pseudo-random numbers from a seed; a failure names the seed. */
class Choices {
  constructor(private state: number) {}

  below(limit: number): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * limit);
  }

  words(count: number): string {
    return Array.from({ length: count }, () => WORDS[this.below(WORDS.length)]).join(" ");
  }

  color(): string {
    const level = () => (30 + this.below(190)).toString(16).padStart(2, "0");
    return `#${level()}${level()}${level()}`;
  }
}

/** A page with paragraphs and something at a known position. */
interface Sample {
  readonly chosen: Choices;
  readonly paragraphs: readonly string[];
  readonly box: Area;
  readonly color: string;
  readonly otherColor: string;
  readonly text: string;
}

function sampleOf(seed: number): Sample {
  const chosen = new Choices(seed * 7919);
  const [x, y] = [30 + chosen.below(300), 380 + chosen.below(100)];
  return {
    chosen,
    paragraphs: Array.from({ length: 5 }, () => `<p>${chosen.words(20)}</p>`),
    box: { x, y, width: 60 + chosen.below(200), height: 24 + chosen.below(60) },
    color: chosen.color(),
    otherColor: chosen.color(),
    text: chosen.words(2),
  };
}

function htmlOf({ paragraphs }: Sample, rest = ""): string {
  const font = `${11 + ((paragraphs[0]?.length ?? 0) % 8)}px ${FONTS[(paragraphs[1]?.length ?? 0) % 3]}`;
  return `<style>body { margin: 0; font: ${font}; background: #fff; color: #222 }
    p { margin: 12px 24px } div { position: absolute; overflow: hidden }</style>${paragraphs.join("")}${rest}`;
}

function boxOf({ box: { x, y, width, height }, text }: Sample, style: string): string {
  return `<div style="left: ${x}px; top: ${y}px; width: ${width}px; height: ${height}px; ${style}">${text}</div>`;
}

describe("regions of difference of drawn pages", () => {
  let page: Page;
  before(async () => {
    const browser = await pageBrowser();
    page = await browser.newPage({ viewport: { width: 900, height: 600 } });
  });
  after(() => page.close());

  async function pixelsOf(html: string): Promise<Pixels> {
    await page.setContent(html);
    const png = (await page.screenshot({ fullPage: true })).toString("base64");
    const { width, height, base64 } = await page.evaluate(async (data) => {
      const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")!;
      context.drawImage(bitmap, 0, 0);
      const pixels = context.getImageData(0, 0, bitmap.width, bitmap.height).data;
      let text = "";
      for (let at = 0; at < pixels.length; at += 8192) {
        text += String.fromCharCode(...pixels.subarray(at, at + 8192));
      }
      return { width: bitmap.width, height: bitmap.height, base64: btoa(text) };
    }, png);
    const bytes = new Uint8Array(Buffer.from(base64, "base64"));
    return { width, height, data: new Uint32Array(bytes.buffer, 0, width * height) };
  }

  /** Checks the regions of generated pairs. */
  function checkPairs(
    make: (sample: Sample) => readonly [earlier: string, later: string],
    check: (regions: readonly PixelRegion[], sample: Sample, message: string) => void,
  ) {
    return async () => {
      for (let seed = 1; seed <= PAGES; seed++) {
        const [earlier, later] = make(sampleOf(seed));
        const regions = findRegions(await pixelsOf(earlier), await pixelsOf(later));
        check(regions, sampleOf(seed), `seed ${seed}: ${JSON.stringify(regions)}`);
      }
    };
  }

  const shiftOf = ({ paragraphs: [first = "", second = ""] }: Sample) =>
    [(first.length % 29) - 30, (second.length % 17) + 1] as const;

  it(
    "finds a moved box and its exact offset, also where the places overlap",
    checkPairs(
      (sample) => {
        const [dx, dy] = shiftOf(sample);
        const at = boxOf(sample, `background: ${sample.color}; color: #fff`);
        return [
          htmlOf(sample, at),
          htmlOf(sample, at.replace('<div style="', `<div style="margin: ${dy}px 0 0 ${dx}px; `)),
        ];
      },
      (regions, sample, message) => {
        const [dx, dy] = shiftOf(sample);
        assert.equal(regions.length, 1, message);
        assert.deepEqual(regions[0]?.change, { kind: "moved", dx, dy }, message);
        assert.deepEqual(regions[0].first, sample.box, message);
      },
    ),
  );

  it(
    "finds a moved antialiased text and its exact offset",
    checkPairs(
      (sample) => {
        const [dx, dy] = shiftOf(sample);
        const at = boxOf(sample, "color: #111");
        return [
          htmlOf(sample, at),
          htmlOf(sample, at.replace('<div style="', `<div style="margin: ${dy}px 0 0 ${dx}px; `)),
        ];
      },
      (regions, sample, message) => {
        const [dx, dy] = shiftOf(sample);
        assert.deepEqual(
          regions.map(({ change }) => change),
          [{ kind: "moved", dx, dy }],
          message,
        );
      },
    ),
  );

  it(
    "finds another background of a rounded button and both colors",
    checkPairs(
      (sample) => {
        const style = "border-radius: 6px; color: #fff; background: ";
        return [
          htmlOf(sample, boxOf(sample, style + sample.color)),
          htmlOf(sample, boxOf(sample, style + sample.otherColor)),
        ];
      },
      (regions, { color, otherColor, box }, message) => {
        assert.equal(regions.length, 1, message);
        const [{ change, first } = {}] = regions;
        assert.ok(change?.kind === "recolored", message);
        assert.deepEqual([hexOf(change.from), hexOf(change.to)], [color, otherColor], message);
        assert.deepEqual(first, box, message);
      },
    ),
  );

  it(
    "finds another color of antialiased text",
    checkPairs(
      (sample) => [
        htmlOf(sample, boxOf(sample, `color: ${sample.color}`)),
        htmlOf(sample, boxOf(sample, `color: ${sample.otherColor}`)),
      ],
      (regions, { color, otherColor }, message) => {
        assert.ok(regions.length > 0, message);
        for (const { change } of regions) {
          assert.ok(change.kind === "recolored", message);
          // Thin letters cover no pixel in whole, so that no pixel has the color itself.
          assert.ok(distance(hexOf(change.from), color) <= 8, message);
          assert.ok(distance(hexOf(change.to), otherColor) <= 8, message);
        }
      },
    ),
  );

  it(
    "finds an inserted paragraph, and what follows as moved, in pages of different heights",
    checkPairs(
      (sample) => {
        const after = Array.from({ length: 12 }, () => `<p>${sample.chosen.words(30)}</p>`).join(
          "",
        );
        const rest = [...sample.paragraphs];
        rest.splice(2, 0, `<p style="color: ${sample.color}">${sample.chosen.words(9)}</p>`);
        return [htmlOf(sample, after), htmlOf({ ...sample, paragraphs: rest }, after)];
      },
      (regions, _, message) => {
        assert.deepEqual(
          regions.map(({ change }) => change.kind),
          ["appeared", "moved"],
          message,
        );
      },
    ),
  );

  it(
    "finds what is gone, at its exact pixels",
    checkPairs(
      (sample) => [htmlOf(sample, boxOf(sample, `background: ${sample.color}`)), htmlOf(sample)],
      (regions, { box }, message) => {
        assert.deepEqual(regions, [{ change: { kind: "gone" }, first: box }], message);
      },
    ),
  );

  it(
    "finds a changed digit and does not name a reason",
    checkPairs(
      (sample) => [
        htmlOf(sample, boxOf({ ...sample, text: "Total 308 EUR" }, "width: 300px")),
        htmlOf(sample, boxOf({ ...sample, text: "Total 388 EUR" }, "width: 300px")),
      ],
      (regions, { box }, message) => {
        assert.deepEqual(
          regions.map(({ change }) => change.kind),
          ["changed"],
          message,
        );
        const area = regions[0]?.second;
        assert.ok(area && area.width < 20 && area.y >= box.y, message);
      },
    ),
  );

  it(
    "ignores text whose edges are drawn a tenth of a pixel elsewhere",
    checkPairs(
      (sample) => {
        const at = (px: number) =>
          `<style>p { transform: translate(${px}px, 0) rotate(0.0001deg) }</style>`;
        return [htmlOf(sample, at(0)), htmlOf(sample, at(0.1))];
      },
      (regions, _, message) => assert.deepEqual(regions, [], message),
    ),
  );
});

function hexOf(color: number): string {
  return `#${[color & 255, (color >>> 8) & 255, (color >>> 16) & 255]
    .map((level) => level.toString(16).padStart(2, "0"))
    .join("")}`;
}

/** Returns the largest difference of a channel. */
function distance(one: string, other: string): number {
  const levels = (color: string) =>
    (color.match(/\w\w/g) ?? []).map((level) => parseInt(level, 16));
  const others = levels(other);
  return Math.max(...levels(one).map((level, index) => Math.abs(level - (others[index] ?? 0))));
}
