/**
 * Tests every picture format that the panel accepts, with the host's validation and the page's
 * canvas in a real Chromium: the result is a PNG or JPEG, upright and at full resolution.
 */
import assert from "node:assert/strict";
import { inflateRawSync } from "node:zlib";
import { fromBase64 } from "../../src/base/base64";
import { orientationSegment } from "../../src/pictures/exifOrientation";
import { validateImage } from "../../src/pictures/validateImage";
import { pngChunk } from "../support/pictures/madePng";
import type { FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const LIMITS = { maxSidePx: 8000, maxBytes: 10_485_760 };

/** Corners of the test picture, row by row from the top left. */
const RED = "red";
const GREEN = "green";
const BLUE = "blue";
const WHITE = "white";
const CORNERS = [RED, GREEN, BLUE, WHITE];

const WIDTH = 48;
const HEIGHT = 32;

/** A 2×2 picture encoded with libavif. */
const AVIF =
  "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAA" +
  "AAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAB0AAAAoaWluZgAAAAAAAQAA" +
  "ABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAIAAAACAAAAEHBpeGkAAAAA" +
  "AwgICAAAAAxhdjFDgQ0MAAAAABNjb2xybmNseAACAAIAAYAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAACVtZGF0EgAKCBgA" +
  "NogQEAwgMg8f8D///8WfhwB8+ErK42A=";

/** The test picture in formats that Chromium does not write: deflated, in Base64. */
const DEFLATED: Readonly<Record<string, string>> = {
  BMP:
    "7dahEYAwFATRpQUUMhKJ+gXE01M6h5n4uIvbnSvgyetvncwKuIEHaMDBxaovtVR69OjRo0ePHj2bPbEHNMhMjx49" +
    "evTo0aNns+cH",
  "BMP with the header of OS/2":
    "7c6xDQAQFADR06tUojKCGfR2sjmJGb7uLjfAm6sVXg3IwKCTqByCjkqPHj169OjRo+ezJ4rDJmY9evTo0aNHj57P" +
    "ngs=",
  "BMP with masks, top row first, as WSLg writes it":
    "7c+xCYBAEAXREZswNDS0hs3tyVLt5IuCoXDJZjPchw3f1VELbwVswA5cSSZWZv7K9547rTvpnX79+vXr169fv379" +
    "+ofX/oHu9OvXr1+/fv369evXP9wN",
  "BMP with masks and the fifth header":
    "7c+xCYBAEAXREZswtARrML+ODIyvSjv5gmAoXOBmM+zP3+6tLzx14AA24EoysTLzVd77saR0J7XTr1+/fv369evX" +
    "r1//8MofqE6/fv369evXr1+/fv3D3Q==",
  GIF:
    "c/d0s7BMNGBQYGhkYPjPwMDQwMDA8P////86QDYDSJyB6T8Lh4CCQwMDIxOIcaCFU1jNZ4ZB4iEQYyRI/R9yrp+i" +
    "EbjIpVNI1QvEONIrbZ53Z0fh42MgBhlS/8nTNmykUuhgGSuDNQA=",
};

describe("pictures of every format", () => {
  const open = usePanel();

  /** Returns the picture that the page draws from a file which the host does not send unchanged. */
  async function drawn(host: FakeHost, file: Uint8Array) {
    const judgement = validateImage(file, LIMITS);
    assert.ok(judgement.kind === "to-draw");
    const { mediaType } = judgement;
    const bytes = Uint8Array.from(judgement.bytes);
    const job = { type: "picture-job" as const, jobId: "j1", fit: "draw" as const };
    const count = host.receivedOf("picture-drawn").length;
    await host.send({ ...job, mediaType, ...LIMITS, bytes });
    const made = validateImage((await host.waitFor("picture-drawn", count + 1)).bytes, LIMITS);
    assert.ok(made.kind === "ready");
    return made.picture;
  }

  /** Returns the names of the colors in the four corners. */
  function corners(host: FakeHost, bytes: Uint8Array): Promise<string[]> {
    return host.page.evaluate(async (base64) => {
      const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([content]), { imageOrientation: "none" });
      const { width, height } = bitmap;
      const context = new OffscreenCanvas(width, height).getContext("2d")!;
      context.drawImage(bitmap, 0, 0);
      const places = [4, height - 5].flatMap((y) => [4, width - 5].map((x) => [x, y] as const));
      return places.map(([x, y]) => {
        const [red = 0, green = 0, blue = 0] = context.getImageData(x, y, 1, 1).data;
        if (Math.min(red, green, blue) > 180) return "white";
        return red > 120 ? "red" : green > 80 ? "green" : blue > 120 ? "blue" : "none";
      });
    }, Buffer.from(bytes).toString("base64"));
  }

  /** Returns the test picture in an encoding of Chromium. */
  async function encoded(host: FakeHost, type: string): Promise<Buffer> {
    const base64 = await host.page.evaluate(
      async ({ colors, width, height, wanted }) => {
        const canvas = new OffscreenCanvas(width, height);
        const context = canvas.getContext("2d")!;
        colors.forEach((color, index) => {
          context.fillStyle = color;
          const [x, y] = [(index % 2) * (width / 2), index > 1 ? height / 2 : 0];
          context.fillRect(x, y, width / 2, height / 2);
        });
        const blob = await canvas.convertToBlob({ type: wanted, quality: 1 });
        const bytes = new Uint8Array(await blob.arrayBuffer());
        return btoa(String.fromCharCode(...bytes));
      },
      { colors: CORNERS, width: WIDTH, height: HEIGHT, wanted: type },
    );
    return Buffer.from(base64, "base64");
  }

  const made: Record<string, (host: FakeHost) => Buffer | Promise<Buffer>> = {
    WebP: (host) => encoded(host, "image/webp"),
    SVG: () =>
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">` +
          CORNERS.map(
            (color, index) =>
              `<rect x="${(index % 2) * 24}" y="${index > 1 ? 16 : 0}" width="24" height="16" fill="${color}"/>`,
          ).join("") +
          "</svg>",
      ),
  };
  it("become PNG from BMP, GIF, SVG, WebP and AVIF", async () => {
    const host = await open();
    for (const [format, text] of Object.entries(DEFLATED))
      made[format] = () => inflateRawSync(Buffer.from(text, "base64"));
    for (const [format, make] of Object.entries(made)) {
      const { mediaType, widthPx, heightPx, bytes } = await drawn(host, await make(host));
      assert.deepEqual([mediaType, widthPx, heightPx], ["image/png", WIDTH, HEIGHT], format);
      assert.deepEqual(await corners(host, bytes), CORNERS, format);
    }
    const { mediaType, widthPx, heightPx } = await drawn(host, fromBase64(AVIF)!);
    assert.deepEqual([mediaType, widthPx, heightPx], ["image/png", 2, 2], "AVIF");
  });

  /** Colors of the corners after rotation, by EXIF orientation. */
  const UPRIGHT: Readonly<Record<number, string[]>> = {
    2: [GREEN, RED, WHITE, BLUE],
    3: [WHITE, BLUE, GREEN, RED],
    4: [BLUE, WHITE, RED, GREEN],
    5: [RED, BLUE, GREEN, WHITE],
    6: [BLUE, RED, WHITE, GREEN],
    7: [WHITE, GREEN, BLUE, RED],
    8: [GREEN, WHITE, RED, BLUE],
  };
  it("are rotated upright from each EXIF orientation, and stay JPEG", async () => {
    const host = await open();
    const plain = await encoded(host, "image/jpeg");
    for (const [orientation, upright] of Object.entries(UPRIGHT)) {
      const segment = orientationSegment(Number(orientation));
      const turned = Buffer.concat([plain.subarray(0, 2), segment, plain.subarray(2)]);
      const { mediaType, widthPx, heightPx, bytes } = await drawn(host, turned);
      const size = Number(orientation) > 4 ? [HEIGHT, WIDTH] : [WIDTH, HEIGHT];
      assert.deepEqual([mediaType, widthPx, heightPx], ["image/jpeg", ...size], orientation);
      assert.deepEqual(await corners(host, bytes), upright, orientation);
      assert.ok(!Buffer.from(bytes).includes("Exif"), orientation);
    }
  });

  it("are rotated upright from the EXIF data of a PNG", async () => {
    const host = await open();
    const plain = await encoded(host, "image/png");
    const chunk = pngChunk("eXIf", Buffer.from(orientationSegment(6)).subarray(10));
    const turned = Buffer.concat([plain.subarray(0, 33), chunk, plain.subarray(33)]);
    const { mediaType, widthPx, heightPx, bytes } = await drawn(host, turned);
    assert.deepEqual([mediaType, widthPx, heightPx], ["image/png", HEIGHT, WIDTH]);
    assert.deepEqual(await corners(host, bytes), UPRIGHT[6]);
  });

  it("show their colors in sRGB if they have a color profile, which is removed", async () => {
    const host = await open();
    for (const type of ["image/png", "image/jpeg"]) {
      const file = await wideGamut(host, type);
      assert.match(file.toString("latin1"), /iCCP|ICC_PROFILE/);
      const { mediaType, bytes } = await drawn(host, file);
      assert.equal(mediaType, type);
      assert.doesNotMatch(Buffer.from(bytes).toString("latin1"), /iCCP|ICC_PROFILE/);
      const [color = ""] = await spots(host, bytes);
      const [red = 0, green = 0, blue = 0] = color.split(",").map(Number);
      // 200, 100, 100 of Display P3.
      const isSrgb = Math.abs(red - 214) < 4 && Math.abs(green - 95) < 4 && Math.abs(blue - 97) < 4;
      assert.ok(isSrgb, `${type}: ${color}`);
    }
  });

  /** Returns a picture of 40 × 40 pixels in the color space Display P3. */
  async function wideGamut(host: FakeHost, type: string): Promise<Buffer> {
    const base64 = await host.page.evaluate(async (wanted) => {
      const canvas = new OffscreenCanvas(40, 40);
      const context = canvas.getContext("2d", { colorSpace: "display-p3" })!;
      context.fillStyle = "color(display-p3 0.7843 0.3922 0.3922)";
      context.fillRect(0, 0, 40, 40);
      const blob = await canvas.convertToBlob({ type: wanted, quality: 1 });
      return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
    }, type);
    return Buffer.from(base64, "base64");
  }

  /** Returns the colors of a picture's middle and of its corner. */
  async function spots(host: FakeHost, bytes: Uint8Array): Promise<string[]> {
    return host.page.evaluate(async (base64) => {
      const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([content]));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")!;
      context.drawImage(bitmap, 0, 0);
      return [
        [bitmap.width / 2, bitmap.height / 2],
        [0, 0],
      ].map(([x = 0, y = 0]) => context.getImageData(x, y, 1, 1).data.join());
    }, Buffer.from(bytes).toString("base64"));
  }

  const DRAWN = '<circle cx="50%" cy="50%" r="40%" fill="#0000ff"/>';
  const XMLNS = 'xmlns="http://www.w3.org/2000/svg"';
  const SVGS: Readonly<Record<string, readonly [tag: string, inside: string, ...number[]]>> = {
    "HTML inside": [
      `${XMLNS} width="200" height="100"`,
      `<foreignObject width="200" height="100"><div xmlns="http://www.w3.org/1999/xhtml">A</div></foreignObject>${DRAWN}`,
      ...[200, 100],
    ],
    "a view box and no size": [`${XMLNS} viewBox="0 0 1200 800"`, DRAWN, 1200, 800],
    "a view box and a relative size": [
      `${XMLNS} width="100%" viewBox="0 0 1600 200" style="max-width: 1600px"`,
      ...[DRAWN, 1600, 200],
    ] as [string, string, number, number],
    "a small view box": [`${XMLNS} viewBox="0 0 24 24"`, DRAWN, 1024, 1024],
    "one side": [`viewBox='0,0,10,5' ${XMLNS} width='2in'`, DRAWN, 192, 96],
  };
  it("become PNG on white from an SVG of any size, at a readable size", async () => {
    const host = await open();
    for (const [what, [tag, inside, width, height]] of Object.entries(SVGS)) {
      const svg = Buffer.from(`<?xml version="1.0"?><svg ${tag}>${inside}</svg>`);
      const { widthPx, heightPx, bytes } = await drawn(host, svg);
      assert.deepEqual([widthPx, heightPx], [width, height], what);
      assert.deepEqual(await spots(host, bytes), ["0,0,255,255", "255,255,255,255"], what);
    }
  });

  const ENCODED: Readonly<Record<string, Buffer>> = {
    "entities of Illustrator": Buffer.from(
      '<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg"><!ENTITY blue "fill:#0000ff">]>' +
        `<svg xmlns="&ns;" width="9" height="9"><rect style="&blue;" x="2" width="9" height="9"/></svg>`,
    ),
    "a prefix": Buffer.from(
      '<s:svg xmlns:s="http://www.w3.org/2000/svg" width="9" height="9"><s:rect fill="#0000ff" x="2" width="9" height="9"/></s:svg>',
    ),
    "UTF-16": Buffer.from(
      `\ufeff<?xml version="1.0" encoding="UTF-16"?><svg ${XMLNS} width="9" height="9"><rect fill="#0000ff" x="2" width="9" height="9"/></svg>`,
      "utf16le",
    ),
  };
  it("become PNG from an SVG with entities, with a prefix and in UTF-16", async () => {
    const host = await open();
    for (const [what, svg] of Object.entries(ENCODED)) {
      const { bytes } = await drawn(host, svg);
      assert.deepEqual(await spots(host, bytes), ["0,0,255,255", "255,255,255,255"], what);
    }
  });

  const CONTRASTS: Readonly<Record<string, readonly [inside: string, background: string]>> = {
    "a white icon": [DRAWN.replace("#0000ff", "#fff"), "0,0,0,255"],
    "a light gray icon": [DRAWN.replace("#0000ff", "#eee"), "0,0,0,255"],
    "a black icon": [DRAWN.replace("#0000ff", "#000"), "255,255,255,255"],
    "a half transparent black icon": [DRAWN.replace("#0000ff", "#00000080"), "255,255,255,255"],
    "white beside black": [
      `<circle cx="50%" cy="50%" r="20%" fill="#fff"/><circle cx="80%" cy="50%" r="20%"/>`,
      "128,128,128,255",
    ],
    nothing: ["", "255,255,255,255"],
  };
  it("get a background with contrast from a transparent SVG and WebP", async () => {
    const host = await open();
    for (const [what, [inside, background]] of Object.entries(CONTRASTS)) {
      const svg = `<svg ${XMLNS} width="90" height="90">${inside}</svg>`;
      const fromSvg = await drawn(host, Buffer.from(svg));
      assert.equal((await spots(host, fromSvg.bytes))[1], background, `SVG with ${what}`);
      const webp = await host.page.evaluate(async (source) => {
        const image = new Image();
        image.src = `data:image/svg+xml,${encodeURIComponent(source)}`;
        await image.decode();
        const canvas = new OffscreenCanvas(90, 90);
        canvas.getContext("2d")!.drawImage(image, 0, 0);
        const blob = await canvas.convertToBlob({ type: "image/webp", quality: 1 });
        return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
      }, svg);
      const fromWebp = await drawn(host, Buffer.from(webp, "base64"));
      assert.equal((await spots(host, fromWebp.bytes))[1], background, `WebP with ${what}`);
    }
  });
});
