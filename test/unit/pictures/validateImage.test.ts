/**
 * Pictures are classified by their content and cleaned byte by byte: all metadata is removed, the
 * pixels are unchanged. Damaged and huge files are rejected before decoding.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { cleanJpeg } from "../../../src/pictures/cleanJpeg";
import { cleanPng } from "../../../src/pictures/cleanPng";
import { cleanWebp } from "../../../src/pictures/cleanWebp";
import { validateImage } from "../../../src/pictures/validateImage";
import { readPictureHeader } from "../../service/pictureHeader";
import { madePng, pngChunk } from "../../support/pictures/madePng";

const LIMITS = { maxSidePx: 8000, maxBytes: 10_485_760 };
const text = (value: string): Buffer => Buffer.from(value, "latin1");
const segment = (marker: number, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255]),
    data,
  ]);

/** Returns EXIF data with nothing but the orientation. */
function exif(orientation: number): Buffer {
  return Buffer.from([
    ...[0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0],
    ...[0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0],
  ]);
}

const FRAME = segment(0xc0, Buffer.from([8, 0, 16, 0, 32, 1, 1, 0x11, 0]));
const SCAN = Buffer.concat([
  segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
  Buffer.from([1, 255, 0, 2, 255, 0xd0, 3]),
]);
const START = Buffer.from([0xff, 0xd8]);
const END = Buffer.from([0xff, 0xd9]);
const JFIF = segment(
  0xe0,
  Buffer.concat([text("JFIF\0"), Buffer.from([1, 1, 0, 0, 1, 0, 1, 0, 0])]),
);
const CLEAN_JPEG = Buffer.concat([START, JFIF, FRAME, SCAN, SCAN, END]);

function dirtyJpeg(orientation: number): Buffer {
  return Buffer.concat([
    ...[START, JFIF, segment(0xe1, Buffer.concat([text("Exif\0\0"), exif(orientation)]))],
    ...[
      segment(0xe1, text("http://ns.adobe.com/xap/1.0/\0<x/>")),
      segment(0xed, text("Photoshop 3.0")),
    ],
    ...[segment(0xfe, text("a comment")), FRAME, SCAN, segment(0xfe, text("another")), SCAN, END],
    text("a hidden film"),
  ]);
}

function webp(chunks: readonly (readonly [string, Buffer])[]): Buffer {
  const body = Buffer.concat(
    chunks.flatMap(([name, data]) => {
      const head = Buffer.alloc(8);
      head.write(name, "latin1");
      head.writeUInt32LE(data.length, 4);
      return [head, data, Buffer.alloc(data.length % 2)];
    }),
  );
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length + 4);
  return Buffer.concat([text("RIFF"), size, text("WEBP"), body]);
}

/** Creates the profile of a display with a name, the curve of sRGB and a red of this strength. */
function profileOf(red: number, length?: number): Buffer {
  const fixed = (...values: number[]) =>
    Buffer.concat(
      values.map((value) => {
        const bytes = Buffer.alloc(4);
        bytes.writeInt32BE(Math.round(value * 65_536));
        return bytes;
      }),
    );
  const xyz = (...values: number[]) => Buffer.concat([text("XYZ \0\0\0\0"), fixed(...values)]);
  const curve = Buffer.concat([
    text("para\0\0\0\0\0\x03\0\0"),
    fixed(2.4, 0.9479, 0.0521, 0.0774, 0.0405),
  ]);
  const tags: [string, Buffer][] = [
    ["desc", text("desc\0\0\0\0SECRET-DISPLAY")],
    ["rXYZ", xyz(red, 0.2225, 0.0139)],
    ["gXYZ", xyz(0.3851, 0.7169, 0.0971)],
    ["bXYZ", xyz(0.1431, 0.0606, 0.7141)],
    ...["rTRC", "gTRC", "bTRC"].map((name): [string, Buffer] => [name, curve]),
  ];
  const table = Buffer.alloc(132 + 12 * tags.length);
  table.writeUInt32BE(tags.length, 128);
  let start = table.length;
  for (const [index, [name, data]] of tags.entries()) {
    table.write(name, 132 + 12 * index, "latin1");
    table.writeUInt32BE(start, 136 + 12 * index);
    start += data.length;
  }
  return Buffer.concat([table, ...tags.map(([, data]) => data)]).subarray(0, length);
}

describe("cleaning a picture", () => {
  it("removes text, EXIF, times, animation and trailing data from a PNG", () => {
    const extra = ["tEXt", "zTXt", "iTXt", "eXIf", "tIME", "acTL", "prVt"].map(
      (name) => [name, name === "eXIf" ? exif(1) : text("secret")] as const,
    );
    const dirty = Buffer.concat([madePng(40, 30, { extra }), text("secret")]);
    const cleaned = cleanPng(dirty);
    assert.deepEqual(cleaned?.bytes, new Uint8Array(madePng(40, 30)));
    assert.equal(cleaned.orientation, 1);
  });

  it("keeps what affects the colors of a PNG", () => {
    const extra = ["gAMA", "cHRM", "sRGB"].map((name) => [name, text("x")] as const);
    const png = madePng(4, 4, { extra });
    assert.equal(cleanPng(png)?.bytes, png);
  });

  it("removes EXIF, XMP, IPTC, comments and trailing data from a JPEG", () => {
    assert.deepEqual(Buffer.from(cleanJpeg(dirtyJpeg(6))!.bytes), CLEAN_JPEG);
    assert.equal(cleanJpeg(dirtyJpeg(6))?.orientation, 6);
    assert.equal(cleanJpeg(CLEAN_JPEG)?.bytes, CLEAN_JPEG);
  });

  it("accepts a JPEG with extra bytes after a wrong segment length, and drops them", () => {
    const photoshop = segment(0xed, text("Photoshop 3.0"));
    const left = Buffer.from([4, 6, 0, 0, 255, 0, 7]);
    const broken = Buffer.concat([START, JFIF, photoshop, left, FRAME, SCAN, SCAN, END]);
    assert.deepEqual(Buffer.from(cleanJpeg(broken)!.bytes), CLEAN_JPEG);
    const result = validateImage(broken, LIMITS);
    assert.equal(result.kind, "ready");
  });

  it("can keep the orientation of a JPEG, and nothing else of its EXIF data", () => {
    const cleaned = cleanJpeg(dirtyJpeg(6), true)!.bytes;
    assert.equal(cleaned.length, CLEAN_JPEG.length + 36);
    assert.equal(cleanJpeg(cleaned)?.orientation, 6);
  });

  it("overwrites everything but the pixels of a WebP and updates its header", () => {
    const pixels = ["VP8L", Buffer.alloc(11, 1)] as const;
    const header = Buffer.alloc(10);
    header[0] = 0x2c;
    const secrets = ["EXIF", "XMP ", "ICCP", "prVt"].map(
      (name) => [name, text("SECRET!")] as const,
    );
    const dirty = Buffer.concat([webp([["VP8X", header], pixels, ...secrets]), text("SECRET!")]);
    const blank = ["JUNK", Buffer.alloc(7)] as const;
    const cleaned = Buffer.from(cleanWebp(dirty)!);
    const expected = [["VP8X", Buffer.alloc(10)] as const, pixels, blank, blank, blank, blank];
    assert.deepEqual(cleaned, webp(expected));
    assert.deepEqual(readPictureHeader(cleaned)?.metadata, []);
  });

  it("removes a color profile, which names devices and people, and says so", () => {
    const secret = text("SECRET display of SECRET");
    const png = cleanPng(madePng(3, 2, { extra: [["iCCP", secret]] }));
    assert.deepEqual(Buffer.from(png!.bytes), madePng(3, 2));
    assert.ok(png?.hadProfile);
    const jpegWith = (profile: Buffer) => {
      const pieces = [profile.subarray(0, 9), profile.subarray(9)].map((piece, index) =>
        segment(0xe2, Buffer.concat([text("ICC_PROFILE\0"), Buffer.from([index + 1, 2]), piece])),
      );
      return cleanJpeg(Buffer.concat([START, JFIF, ...pieces, FRAME, SCAN, SCAN, END]))!;
    };
    const profiles = { other: secret, wide: profileOf(0.5151), damaged: profileOf(0.4361, 200) };
    for (const [name, profile] of Object.entries(profiles)) {
      const { bytes, hadProfile } = jpegWith(profile);
      assert.deepEqual([Buffer.from(bytes), hadProfile], [CLEAN_JPEG, true], name);
    }
    const standard = jpegWith(profileOf(0.4361));
    assert.deepEqual([Buffer.from(standard.bytes), standard.hadProfile], [CLEAN_JPEG, false]);
    assert.ok(!cleanJpeg(dirtyJpeg(6))?.hadProfile);
  });

  it("rejects a picture cut anywhere, or with any byte of its chunks flipped", () => {
    const png = madePng(5, 4);
    for (let length = 0; length < png.length; length++) {
      assert.equal(cleanPng(png.subarray(0, length)), undefined, `PNG cut at ${length}`);
    }
    for (let at = 8; at < png.length; at++) {
      const flipped = Buffer.from(png);
      flipped[at]! ^= 0x10;
      assert.equal(cleanPng(flipped), undefined, `PNG flipped at ${at}`);
    }
    for (let length = 0; length < CLEAN_JPEG.length; length++) {
      assert.equal(cleanJpeg(CLEAN_JPEG.subarray(0, length)), undefined, `JPEG cut at ${length}`);
    }
  });

  it("never throws for any bytes", () => {
    const heads = [madePng(3, 3), CLEAN_JPEG, webp([["VP8L", Buffer.alloc(20)]]), text("<svg>")];
    fc.assert(
      fc.property(
        fc.constantFrom(...heads),
        fc.uint8Array({ maxLength: 200 }),
        fc.nat(60),
        (head, tail, length) => {
          validateImage(Buffer.concat([head.subarray(0, length), tail]), LIMITS);
          cleanWebp(Buffer.concat([head.subarray(0, length), tail]));
        },
      ),
    );
  });
});

describe("validating a picture", () => {
  const kindOf = (bytes: Uint8Array) => {
    const result = validateImage(bytes, LIMITS);
    return result.kind === "refused" ? result.problem : result.kind;
  };

  it("accepts PNG and JPEG unchanged, and converts other formats and rotated ones", () => {
    assert.equal(kindOf(madePng(3, 3)), "ready");
    assert.equal(kindOf(CLEAN_JPEG), "ready");
    assert.equal(kindOf(dirtyJpeg(6)), "to-draw");
    assert.equal(kindOf(madePng(3, 3, { extra: [["eXIf", exif(3)]] })), "to-draw");
    assert.equal(kindOf(madePng(3, 3, { extra: [["iCCP", text("x")]] })), "to-draw");
    assert.equal(
      kindOf(Buffer.concat([text("GIF89a"), Buffer.from([9, 0, 9, 0]), Buffer.alloc(20)])),
      "to-draw",
    );
    assert.equal(
      kindOf(text('<?xml version="1.0"?>\n<!-- x -->\n<svg width="3"></svg>')),
      "to-draw",
    );
  });

  it("rejects a PNG with header values that the format does not allow", () => {
    const headerWith = (at: number, value: number) => {
      const png = madePng(3, 3);
      const data = Buffer.from(png.subarray(16, 29));
      data[at] = value;
      return Buffer.concat([png.subarray(0, 8), pngChunk("IHDR", data), png.subarray(33)]);
    };
    assert.equal(kindOf(headerWith(8, 16)), "ready");
    const [depth, color, compression, filter, interlace] = [8, 9, 10, 11, 12];
    for (const [at, values] of [
      [depth, [0, 1, 2, 3, 4, 9, 99]],
      [color, [1, 5, 7, 9]],
      [compression, [1]],
      [filter, [1]],
      [interlace, [2]],
    ] as const) {
      for (const value of values) assert.equal(kindOf(headerWith(at, value)), "damaged");
    }
  });

  it("counts the frames of animations", () => {
    const animation = webp([
      ["VP8X", Buffer.from([0x0a, 0, 0, 0, 8, 0, 0, 8, 0, 0])],
      ["ANMF", Buffer.alloc(16)],
      ["ANMF", Buffer.alloc(16)],
    ]);
    const result = validateImage(animation, LIMITS);
    assert.ok(result.kind === "to-draw");
    assert.equal(result.frames, 2);
    const frames = Buffer.from([0, 0, 0, 3, 0, 0, 0, 0]);
    const apng = validateImage(madePng(3, 3, { extra: [["acTL", frames]] }), LIMITS);
    assert.ok(apng.kind === "ready" && apng.frames === 3);
  });

  it("does not mistake text that starts with BM for a picture", () => {
    assert.equal(kindOf(text("BM means benchmark. ".repeat(20))), "no-picture");
  });

  it("reports a picture above the limits of the settings", () => {
    const large = validateImage(madePng(9000, 2), LIMITS);
    assert.ok(large.kind === "ready" && large.isTooLarge);
    const tooLarge = validateImage(madePng(90, 90, { isNoisy: true }), {
      ...LIMITS,
      maxBytes: 1000,
    });
    assert.ok(tooLarge.kind === "ready" && tooLarge.isTooLarge);
  });

  it("rejects other files with any name", () => {
    for (const bytes of [text(""), text("%PDF-1.7 and so on"), text("hello".repeat(20))]) {
      assert.equal(kindOf(bytes), "no-picture");
    }
  });

  it("rejects a small file that would fill the memory", () => {
    const header = Buffer.from(madePng(1, 1).subarray(16, 29));
    header.writeUInt32BE(60_000, 0);
    header.writeUInt32BE(60_000, 4);
    const bomb = Buffer.concat([
      madePng(1, 1).subarray(0, 8),
      pngChunk("IHDR", header),
      Buffer.alloc(20),
    ]);
    assert.equal(kindOf(bomb), "too-many-pixels");
  });

  const NAMESPACE = '<!ENTITY ns_svg "http://www.w3.org/2000/svg">';
  const ILLUSTRATOR =
    '<?xml version="1.0" encoding="utf-8"?>\n<!-- Generator: Adobe Illustrator 19.0, it\'s -->\n' +
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [\n' +
    `  ${NAMESPACE}\n  <!-- it's > ] here --> <!ENTITY st0 'fill:#0000ff;font-family:"A"'>\n]>\n` +
    '<svg xmlns="&ns_svg;" width="8" height="8"><rect style="&st0;" width="8" height="8"/></svg>';
  const SVGS: Readonly<Record<string, Buffer>> = {
    "with entities of Illustrator": text(ILLUSTRATOR),
    "with an empty subset": text("<!DOCTYPE svg []><svg></svg>"),
    "with a prefix": text('<svg:svg xmlns:svg="http://www.w3.org/2000/svg"></svg:svg>'),
    "after long comments": text(`<!--${" long ".repeat(9_000)}--><svg></svg>`),
    "after many blanks": text(`<?xml version="1.0"?>${" ".repeat(3_000)}<svg/>`),
    "with a mark": Buffer.from("\ufeff<svg></svg>"),
    "in UTF-16": Buffer.from('\ufeff<?xml version="1.0" encoding="utf-16"?><svg></svg>', "utf16le"),
    "in UTF-16 without a mark": Buffer.from("<svg></svg>", "utf16le"),
    "in UTF-16, big end first": Buffer.from("\ufeff<svg></svg>", "utf16le").swap16(),
    "in Latin-1": text('<?xml version="1.0" encoding="ISO-8859-1"?><svg><text>\u00e4</text></svg>'),
  };
  for (const [what, bytes] of Object.entries(SVGS)) {
    it(`draws an SVG ${what}`, () => {
      const result = validateImage(bytes, LIMITS);
      assert.ok(result.kind === "to-draw");
      const drawn = Buffer.from(result.bytes).toString();
      assert.match(drawn, /^<(?:svg:)?svg/);
      if (what.includes("Illustrator")) {
        assert.match(drawn, /xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
        assert.match(drawn, /style="fill:#0000ff;font-family:&quot;A&quot;"/);
      }
      if (what.includes("Latin-1")) assert.match(drawn, /<text>\u00e4</);
    });
  }

  it("names the reason for which an SVG is refused", () => {
    const withSubset = (subset: string) => text(`<!DOCTYPE svg [${subset}]><svg>&a;&b;</svg>`);
    for (const subset of [
      '<!ENTITY a "aaa"><!ENTITY b "&a;&a;&a;">',
      '<!ENTITY a "<g/><g/>">',
      '<!ENTITY a SYSTEM "file:///etc/passwd">',
      '<!ENTITY % a "b">',
      '<!ENTITY a "unclosed>',
    ]) {
      const problem = kindOf(withSubset(subset));
      assert.ok(["svg-entities", "no-picture"].includes(problem), `${subset}: ${problem}`);
    }
    const repeated = `<!DOCTYPE svg [<!ENTITY a "${"a".repeat(90_000)}">]><svg>${"&a;".repeat(900)}</svg>`;
    assert.equal(kindOf(text(repeated)), "svg-entities");
    assert.equal(kindOf(text(`<svg>${" ".repeat(5_000_000)}</svg>`)), "svg-too-large");
    assert.equal(kindOf(text("<!DOCTYPE html><html><svg></svg></html>")), "no-picture");
    assert.equal(kindOf(text("<!-- <svg> --><p></p>")), "no-picture");
    assert.equal(kindOf(text("<!-- <svg></svg>")), "no-picture");
  });

  it("rejects drawings that expand endlessly", () => {
    const uses = (id: string) => `<use href="#${id}"/>`.repeat(10);
    const groups = Array.from({ length: 9 }, (_, n) => `<g id="g${n + 1}">${uses(`g${n}`)}</g>`);
    const copies = `<svg><g id="g0"><path/></g>${groups.join("")}</svg>`;
    assert.equal(kindOf(text(copies)), "too-many-elements");
    const escaped = copies.replace(/#g/g, "#&#x67;");
    assert.equal(kindOf(text(escaped)), "too-many-elements");
    assert.equal(kindOf(text(copies.replace(/#g/g, "#%67"))), "too-many-elements");
    assert.equal(kindOf(text(`<svg>${"<g>".repeat(500)}</svg>`)), "too-many-elements");
    assert.equal(kindOf(text('<svg><g id="a"><use href="#a"/></g></svg>')), "to-draw");
  });
});
