/** A segment of the search index: the documents that it names for a query, and their texts. */
import assert from "node:assert/strict";
import { applySteps, emptyConversation } from "../../../src/conversation/conversation";
import { normalizeText } from "../../../src/history/normalizeText";
import { SearchSegment, SegmentBuilder } from "../../../src/history/searchSegment";
import { SearchText } from "../../../src/history/searchText";
import { TimeSlice } from "../../../src/history/timeSlice";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { randomOf } from "../../support/fakes/seeded";
import { question } from "./turns";

const PATH = "search-1/s.segment";
const SLICE = new TimeSlice(new ManualClock(), new AbortController().signal);

/** Counts the ranges that are read. */
class CountedFiles extends MemoryFileSystem {
  rangeCount = 0;

  override readRanges(...call: Parameters<MemoryFileSystem["readRanges"]>) {
    this.rangeCount += call[1].length;
    return super.readRanges(...call);
  }
}

/** Writes a segment with a document per text, and opens it. */
async function segmentOf(
  texts: readonly string[],
  files = new CountedFiles(),
): Promise<SearchSegment> {
  const builder = new SegmentBuilder();
  for (const [number, text] of texts.entries()) {
    const steps = [
      question("a", null, text),
      { kind: "titled", title: `Title ${number}` } as const,
    ];
    const conversation = applySteps(emptyConversation(`c${number}`, 0), steps);
    const file = { id: `c${number}`, fileBytes: number, fileChangedAtMs: 1 };
    await builder.add(file, await SearchText.of(conversation, SLICE), SLICE);
  }
  await files.replace(PATH, await builder.encode(SLICE));
  return (await SearchSegment.open(files, PATH))!;
}

/** Returns the numbers of the documents that a segment names for the terms. */
async function named(segment: SearchSegment, ...terms: string[]): Promise<number[]> {
  const bits = await segment.candidates(terms);
  const isNamed = (number: number) => ((bits[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;
  return Array.from({ length: segment.count }, (_, number) => number).filter(isNamed);
}

describe("SearchSegment", () => {
  it("names the documents with all terms, and hardly any others", async () => {
    const texts = Array.from({ length: 60 }, (_, number) => {
      const even = number % 2 === 0 ? "even" : "odd";
      return `word${number} ${even} ${number % 20 === 0 ? "zebra 写入磁盘 q" : "磁写 盘入"}`;
    });
    const files = new CountedFiles();
    const segment = await segmentOf(texts, files);
    const all = [...texts.keys()];
    assert.deepEqual(
      await named(segment, "even"),
      all.filter((number) => number % 2 === 0),
    );
    for (const term of ["zebra", "ze", "q", "写入", "写入磁盘", "磁盘 q", "zebra 写"])
      assert.deepEqual(await named(segment, term), [0, 20, 40], term);
    const countBefore = files.rangeCount;
    await named(segment, "zebra 写");
    assert.equal(files.rangeCount, countBefore, "the same query reads nothing");
    assert.deepEqual(await named(segment, "word20", "zebra"), [20]);
    assert.deepEqual(await named(segment, "odd", "zebra"), []);
    assert.deepEqual(await named(segment, "磁入"), []);
    assert.deepEqual(await named(segment, "0word"), [], "end of a title and start of a message");
    for (const number of all) {
      const expected = all.filter((other) => `${other}`.startsWith(`${number}`));
      assert.deepEqual(await named(segment, `word${number}`), expected);
    }
  });

  it("names and reads each of many long texts in a large alphabet", async () => {
    const random = randomOf(7);
    const letters = Array.from({ length: 0xa00 }, (_, at) => String.fromCharCode(0x1200 + at))
      .join("")
      .match(/\p{L}/gu)!;
    // The texts have more than 300,000 different groups of letters.
    const texts = Array.from({ length: 30 }, () =>
      Array.from({ length: 5_000 }, () => letters[random(letters.length)]).join(""),
    );
    const files = new CountedFiles();
    const segment = await segmentOf(texts, files);
    for (const [number, text] of texts.entries()) {
      const term = normalizeText(text).text.slice(4_000, 4_005);
      assert.deepEqual(await named(segment, term), [number]);
    }
    const read = await segment.readTexts([29, 3, 11]);
    assert.deepEqual(
      read.map((text) => text.original(...text.bounds(1))),
      [29, 3, 11].map((number) => texts[number]),
    );
    assert.equal(segment.title(11), "title 11");
    const countBefore = files.rangeCount;
    await segment.readTexts([5, 3]);
    assert.equal(files.rangeCount - countBefore, 1, "texts close together are read at once");
    await segment.readTexts([3, 6]);
    assert.equal(files.rangeCount - countBefore, 3);
  });
});
