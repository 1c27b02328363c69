/** A segment of the search index: the messages that it finds for a term, and their texts. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { normalizeText } from "../../../src/search/normalizeText";
import { isBitSet } from "../../../src/search/bits";
import { Segment, SegmentBuilder } from "../../../src/search/segment";
import { Vocabulary } from "../../../src/search/vocabulary";
import { TimeSlice } from "../../../src/base/timeSlice";
import { ManualClock } from "../../support/fakes/manualClock";
import { randomOf } from "../../support/fakes/seeded";

const SLICE = new TimeSlice(new ManualClock(), new AbortController().signal);

/**
 * Returns a segment with a message per text, ten in each conversation.
 * @param onRead called with the size of what is read
 */
async function segmentOf(
  texts: readonly string[],
  onRead: (bytes: number) => void = () => undefined,
): Promise<Segment> {
  const builder = new SegmentBuilder();
  for (let first = 0; first < texts.length; first += 10) {
    const messages = texts.slice(first, first + 10).map((text, at) => {
      const { original, text: folded } = normalizeText(text);
      return { id: `m${first + at}`, original, folded };
    });
    await builder.add({ id: `c${first}`, fileBytes: 1, fileChangedAtMs: 1 }, messages, SLICE);
  }
  const bytes = (await builder.encode(SLICE)).slice();
  const readRanges = (ranges: readonly (readonly [number, number])[]) => {
    onRead(ranges.reduce((sum, [start, end]) => sum + end - start, 0));
    return Promise.resolve(ranges.map(([start, end]) => bytes.subarray(start, end)));
  };
  return Segment.open(readRanges, bytes.length, new Vocabulary(), SLICE);
}

/** Returns the numbers of the messages with a term. */
async function found(segment: Segment, term: string): Promise<number[]> {
  const bits = await segment.messagesWith(term);
  return Array.from({ length: segment.messageCount }, (_, at) => at).filter((at) =>
    isBitSet(bits, at),
  );
}

function scanned(texts: readonly string[], term: string): number[] {
  return [...texts.keys()].filter((at) => normalizeText(texts[at] ?? "").text.includes(term));
}

describe("Segment", () => {
  it("finds what a scan of the texts finds, for words, parts, signs, phrases and scripts", async () => {
    const texts = [
      "const value = items.map((item) => item.value);",
      "a b c",
      "a-b c",
      "a  b c",
      "ab c",
      "e.g. the value, i.e. values",
      "don't use C++ or C#; see node:fs",
      "src/history/search.ts:12 snake_case camelCase x2",
      "写入磁盘的函数，返回一个值",
      "写入 磁盘",
      "这个函数 return value",
      "がんばって テスト テキスト",
      "한국어 텍스트에서",
      "ภาษาไทยไม่มีช่องว่าง",
      "🦉🦊 owl🦉fox",
      "нет слов Привет",
      "abababab banana nana",
      "=== undefined) return",
      "",
      "deadbeef".repeat(5_000),
    ];
    const terms = texts
      .flatMap((text) => {
        const { text: folded } = normalizeText(text.slice(0, 60));
        return Array.from({ length: folded.length }, (_, at) =>
          [1, 2, 3, 4, 6, 9].map((length) => folded.slice(at, at + length)),
        ).flat();
      })
      .filter((term) => term.trim() === term && term !== "" && !/ {2}/.test(term))
      .filter((term) => !/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(term));
    const segment = await segmentOf(texts);
    for (const term of new Set([...terms, "zebra", "b c a", "q", "磁写", "va ue"]))
      assert.deepEqual(await found(segment, term), scanned(texts, term), JSON.stringify(term));
  });

  it("finds what a scan finds, for random texts of few letters", async () => {
    const unit = fc.constantFrom("a", "a", "b", " ", " ", ".", ".", "(", "_", "的", "写", "é");
    const texts = fc.array(fc.string({ unit, maxLength: 12 }), { minLength: 1, maxLength: 12 });
    const term = fc
      .string({ unit, minLength: 1, maxLength: 6 })
      .map((text) => normalizeText(text).text.replaceAll(/ +/g, " ").trim())
      .filter((text) => text !== "");
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.array(term, { minLength: 1, maxLength: 10 }),
        async (texts, terms) => {
          const segment = await segmentOf(texts);
          for (const term of terms)
            assert.deepEqual(
              await found(segment, term),
              scanned(texts, term),
              JSON.stringify(term),
            );
        },
      ),
      { numRuns: 300 },
    );
  });

  it("reads a short list for letters that are in many words, and for a letter behind a sign", async () => {
    const random = randomOf(11);
    const texts = Array.from({ length: 100 }, (_, at) =>
      Array.from({ length: 600 }, (_, word) => {
        const name = random(100_000).toString(36);
        return at % 10 === 7 ? `${name}zzz` : `${word % 500 === at ? "ab.s" : name}tion`;
      }).join(" "),
    );
    let bytes = 0;
    const segment = await segmentOf(texts, (more) => (bytes += more));
    for (const term of ["tio", "tion", "zzz", "b.s", "ab.s"]) {
      bytes = 0;
      assert.deepEqual(await found(segment, term), scanned(texts, term), term);
      assert.ok(bytes <= 64 * 1024, `${bytes} bytes for ${term}`);
    }
  });

  it("finds and reads messages in a segment of many blocks and long lists", async () => {
    const random = randomOf(7);
    const words = Array.from({ length: 3_000 }, (_, at) => `w${at.toString(36)}`);
    const texts = Array.from({ length: 300 }, () =>
      Array.from({ length: 1_000 }, () => `${words[random(words.length)]}.x`).join(" "),
    );
    const segment = await segmentOf(texts);
    for (const term of ["w1a.x", "w1a", "a.x w1", ".x w", "wzz.x wa", "x"])
      assert.deepEqual(await found(segment, term), scanned(texts, term), term);
    const read = await segment.readMessages([3, 11, 299]);
    assert.deepEqual(
      read,
      [3, 11, 299].map((at) => ({ id: `m${at}`, original: texts[at] })),
    );
  });
});
