/** The vocabulary of all segments and the dictionaries of each: the lists of the terms with a text. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { TimeSlice } from "../../../src/base/timeSlice";
import { hasBit, isBitSet, setBit } from "../../../src/search/bits";
import { Dictionary, dictionaryEntry } from "../../../src/search/dictionary";
import { Vocabulary } from "../../../src/search/vocabulary";
import { ManualClock } from "../../support/fakes/manualClock";

const SLICE = new TimeSlice(new ManualClock(), new AbortController().signal);

const term = fc.string({
  unit: fc.constantFrom("a", "b", "é", "函", "🦉"),
  minLength: 1,
  maxLength: 4,
});
const terms = fc.uniqueArray(term, { maxLength: 40 });

/** Returns the entries of terms whose lists follow each other, each as long as its size. */
function encoded(terms: readonly string[], sizes: readonly number[], start: number): Uint8Array {
  let end = start;
  const entries = terms.map((term, at) => dictionaryEntry((end += sizes[at - 1] ?? 0), term));
  const last = dictionaryEntry(end + (terms.length > 0 ? (sizes[terms.length - 1] ?? 0) : 0));
  return new TextEncoder().encode(entries.join("") + last);
}

describe("Vocabulary", () => {
  it("finds the lists of the terms that contain, begin or end with a text, for several segments", async () => {
    const sizes = [1, 127, 128, 20_000, 3_000_000];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(terms, terms), { minLength: 1, maxLength: 3 }),
        term,
        fc.boolean(),
        fc.boolean(),
        async (segments, text, isOpenStart, isOpenEnd) => {
          const vocabulary = new Vocabulary();
          const piece = { text, isOpenStart, isOpenEnd };
          const sought = (isOpenStart ? "" : "\0") + text + (isOpenEnd ? "" : "\0");
          const isSought = (term: string) => `\0${term}\0`.includes(sought);
          const dictionaries = [];
          for (const [narrow, others] of segments) {
            const wide = others.filter((term) => !narrow.includes(term));
            const all = [...narrow, ...wide];
            const own = all.map((_, at) => sizes[at % sizes.length] ?? 0);
            const middle = own.slice(0, narrow.length).reduce((sum, size) => sum + size, 7);
            const parts = [
              encoded(narrow, own, 7),
              encoded(wide, own.slice(narrow.length), middle),
            ];
            const dictionary = await Dictionary.read(parts, vocabulary, SLICE);
            // The terms of the next segment must not change what is found in this one.
            dictionary.find(piece);
            dictionaries.push({ all, own, dictionary });
          }
          // As typed, letter by letter.
          const letters = Array.from(text);
          for (let end = 1; end < letters.length; end++)
            vocabulary.find({ ...piece, text: letters.slice(0, end).join("") });
          for (const { all, own, dictionary } of dictionaries) {
            const starts = own.map((_, at) =>
              own.slice(0, at).reduce((sum, size) => sum + size, 7),
            );
            const found = [...all.keys()].filter((at) => isSought(all[at] ?? ""));
            assert.deepEqual(dictionary.find(piece), {
              starts: found.map((at) => starts[at]),
              ends: found.map((at) => (starts[at] ?? 0) + (own[at] ?? 0)),
              bytes: found.reduce((sum, at) => sum + (own[at] ?? 0), 0),
            });
          }
        },
      ),
    );
  });

  it("numbers each term once, also after the tables grew", () => {
    const vocabulary = new Vocabulary();
    const all = Array.from({ length: 20_000 }, (_, at) => new TextEncoder().encode(`term ${at}`));
    const ids = () => all.map((bytes) => vocabulary.idOf(bytes, 0, bytes.length));
    assert.deepEqual(ids(), [...all.keys()]);
    assert.deepEqual(ids(), [...all.keys()]);
    const found = vocabulary.find({ text: "term 19999", isOpenStart: false, isOpenEnd: false });
    assert.ok(found && isBitSet(found, 19_999) && !hasBit(found, 0, 19_999));
    assert.equal(vocabulary.find({ text: "none", isOpenStart: true, isOpenEnd: true }), undefined);
  });
});

describe("hasBit", () => {
  it("finds a bit in a range as a look at each bit does", () => {
    const number = fc.nat({ max: 39 });
    fc.assert(
      fc.property(fc.array(number, { maxLength: 3 }), number, number, (set, start, end) => {
        const bits = new Uint8Array(5);
        for (const number of set) setBit(bits, number);
        const isIn = set.some((number) => number >= start && number < end);
        assert.equal(hasBit(bits, start, end), isIn);
      }),
    );
  });
});
