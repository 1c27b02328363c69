/** Cleaned color profiles keep their colors but no names of devices and programs. */
import assert from "node:assert/strict";
import { deflateSync, inflateSync } from "node:zlib";
import { cleanJpeg } from "../../../src/pictures/cleanJpeg";
import { cleanPng } from "../../../src/pictures/cleanPng";
import { cleanWebp } from "../../../src/pictures/cleanWebp";
import { decompressed, neutralProfile } from "../../../src/pictures/colorProfile";
import { madePng } from "../../support/pictures/madePng";

const latin = (text: string): Buffer => Buffer.from(text, "latin1");

/** Creates a display profile like those of macOS: colors, names and serial numbers. */
function displayProfile(): Buffer {
  const curve = Buffer.from([...latin("curv"), 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0]);
  const color = Buffer.from([...latin("XYZ "), ...Array<number>(16).fill(7)]);
  const tags: [string, Buffer][] = [
    ["desc", latin("desc\0\0\0\0\0\0\0\x10SECRET-DISPLAY!\0")],
    ["cprt", latin("text\0\0\0\0SECRET-OWNER")],
    ["mmod", latin("mmod\0\0\0\0SECRET-SERIAL...")],
    ["rXYZ", color],
    ["gXYZ", color],
    ["rTRC", curve],
    ["gTRC", curve],
  ];
  const header = Buffer.alloc(128);
  header.write("appl", 4, "latin1");
  header.write("mntrRGB XYZ ", 12, "latin1");
  header.write("acspAPPL", 36, "latin1");
  header.write("SECRDEVC", 48, "latin1");
  const table = Buffer.alloc(4 + tags.length * 12);
  table.writeUInt32BE(tags.length);
  let start = 128 + table.length;
  tags.forEach(([name, data], index) => {
    table.write(name, 4 + index * 12, "latin1");
    table.writeUInt32BE(start, 8 + index * 12);
    table.writeUInt32BE(data.length, 12 + index * 12);
    start += data.length;
  });
  const profile = Buffer.concat([header, table, ...tags.map(([, data]) => data)]);
  profile.writeUInt32BE(profile.length);
  return profile;
}

function tagOf(profile: Uint8Array, name: string): Buffer | undefined {
  const bytes = Buffer.from(profile);
  for (let at = 132; at < 132 + bytes.readUInt32BE(128) * 12; at += 12) {
    if (bytes.toString("latin1", at, at + 4) !== name) continue;
    const start = bytes.readUInt32BE(at + 4);
    return bytes.subarray(start, start + bytes.readUInt32BE(at + 8));
  }
  return undefined;
}

function assertNeutral(profile: Uint8Array): void {
  for (const name of ["rXYZ", "gXYZ", "rTRC", "gTRC"]) {
    assert.deepEqual(tagOf(profile, name), tagOf(displayProfile(), name), name);
  }
  assert.doesNotMatch(Buffer.from(profile).toString("latin1"), /SECR|APPL|appl/);
  assert.equal(Buffer.from(profile).readUInt32BE(0), profile.length);
}

const jpegSegment = (marker: number, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([255, marker, (data.length + 2) >> 8, (data.length + 2) & 255]),
    data,
  ]);

describe("a color profile", () => {
  it("keeps its colors and loses names, dates and serial numbers", () => {
    const neutral = neutralProfile(displayProfile());
    assert.ok(neutral);
    assertNeutral(neutral);
    assert.deepEqual(neutralProfile(neutral), neutral);
  });

  it("is dropped when it is damaged", () => {
    const profile = displayProfile();
    for (let length = 0; length < profile.length - 12; length += 7) {
      const neutral = neutralProfile(profile.subarray(0, length));
      if (neutral) assert.doesNotMatch(Buffer.from(neutral).toString("latin1"), /SECR/);
    }
    assert.equal(neutralProfile(latin("SECRET".repeat(100))), undefined);
  });

  it("does not keep the device's name in a PNG", async () => {
    const data = Buffer.concat([latin("SECRET\0\0"), deflateSync(displayProfile())]);
    const cleaned = (await cleanPng(madePng(3, 2, { extra: [["iCCP", data]] })))?.bytes;
    assert.ok(cleaned);
    const at = Buffer.from(cleaned).indexOf("iCCP");
    const chunk = Buffer.from(cleaned).subarray(
      at + 4,
      at + 4 + Buffer.from(cleaned).readUInt32BE(at - 4),
    );
    assertNeutral(inflateSync(chunk.subarray(chunk.indexOf(0) + 2)));
    assert.equal((await cleanPng(cleaned))?.bytes, cleaned);
  });

  it("does not keep the device's name in a JPEG, in one segment or several", () => {
    const profile = displayProfile();
    for (const cut of [profile.length, 200]) {
      const pieces =
        cut < profile.length ? [profile.subarray(0, cut), profile.subarray(cut)] : [profile];
      const segments = pieces.map((piece, index) =>
        jpegSegment(
          0xe2,
          Buffer.concat([latin("ICC_PROFILE\0"), Buffer.from([index + 1, pieces.length]), piece]),
        ),
      );
      const rest = Buffer.from("ffc0000b080010002001011100ffda0008010100003f000102ffd9", "hex");
      const cleaned = cleanJpeg(
        Buffer.concat([Buffer.from("ffd8", "hex"), ...segments, rest]),
      )?.bytes;
      assert.ok(cleaned);
      assertNeutral(cleaned.subarray(20, cleaned.length - rest.length));
      assert.equal(cleanJpeg(cleaned)?.bytes, cleaned);
    }
  });

  it("does not keep the device's name in a WebP", () => {
    const chunk = (name: string, data: Buffer) => {
      const head = Buffer.alloc(8);
      head.write(name, "latin1");
      head.writeUInt32LE(data.length, 4);
      return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
    };
    const body = Buffer.concat([
      latin("WEBP"),
      chunk("VP8X", Buffer.from([0x20, 0, 0, 0, 1, 0, 0, 1, 0, 0])),
      chunk("ICCP", displayProfile()),
      chunk("VP8L", Buffer.alloc(6)),
    ]);
    const cleaned = cleanWebp(chunk("RIFF", body))?.bytes;
    assert.ok(cleaned);
    assertNeutral(cleaned.subarray(38, cleaned.length - 14));
    assert.equal(cleaned[20], 0x20);
    assert.equal(cleanWebp(cleaned)?.bytes, cleaned);
  });
});

describe("the decompression of profiles", () => {
  it("stops at its limit and returns nothing for damaged streams", async () => {
    const packed = deflateSync(Buffer.alloc(5_000_000));
    assert.equal(await decompressed(packed, 1_000_000), undefined);
    const small = deflateSync(latin("the quick brown fox"));
    assert.deepEqual(
      Buffer.from((await decompressed(small, 1_000)) ?? []),
      latin("the quick brown fox"),
    );
    for (let length = 0; length < small.length; length++) {
      assert.equal(await decompressed(small.subarray(0, length), 1_000), undefined);
    }
  });
});
