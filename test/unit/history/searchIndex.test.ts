/**
 * The search index next to the journal: same results as without an index for random texts and
 * queries, after changes, with damaged files and with two windows.
 */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { silentLog } from "../../../src/base/log";
import { ConversationIndex } from "../../../src/history/conversationIndex";
import { termsOf } from "../../../src/history/matches";
import { normalizeText } from "../../../src/history/normalizeText";
import { Search, type SearchQuery } from "../../../src/history/search";
import { MAX_DOCUMENTS, SearchSegment } from "../../../src/history/searchSegment";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { readsDuring } from "../../support/fakes/readsDuring";
import { openJournal } from "./openJournal";
import { question, turn } from "./turns";

const NEVER = new AbortController().signal;

/** A window with the given files. */
class Window {
  readonly clock = new ManualClock();
  readonly index: ConversationIndex;
  readonly search: Search;

  constructor(readonly files: MemoryFileSystem) {
    this.index = new ConversationIndex(files, this.clock, silentLog);
    this.search = new Search(files, this.index, this.clock, silentLog);
  }

  build(): Promise<void> {
    return this.search.buildIndex(NEVER);
  }

  /** Returns the complete result, without the internals of the texts. */
  async answer(text: string, more: Partial<SearchQuery> = {}): Promise<unknown> {
    let last;
    for await (last of this.search.search({ text, maxHits: 1_000, ...more }, NEVER));
    return last;
  }
}

async function write(files: MemoryFileSystem, id: string, ...texts: string[]): Promise<void> {
  const steps = texts.map((text, at) =>
    question(`${id}-${at}`, at === 0 ? null : `${id}-${at - 1}`, text, Number(id.slice(1)) % 7),
  );
  await openJournal(files).append(id, steps);
}

/**
 * Writes enough conversations for a segment, most of them without any text that a test searches.
 */
async function fill(files: MemoryFileSystem, count = 70, first = 0): Promise<void> {
  for (let number = first; number < first + count; number++)
    await write(files, `f${number}`, `filler ${number}`);
}

function segmentsOf(files: MemoryFileSystem): string[] {
  return [...files.files.keys()].filter((path) => path.endsWith(".segment"));
}

/** Returns true if each term occurs in a text. */
function isFoundNaively(texts: readonly string[], query: string): boolean {
  const folded = texts.map((text) => normalizeText(text).text);
  const terms = termsOf(query);
  return terms.length > 0 && terms.every((term) => folded.some((text) => text.includes(term)));
}

describe("SearchIndex", () => {
  it("returns the same as a naive scan and as a search without it, for random texts", async function () {
    this.timeout(60_000);
    const unit = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...Array.from("aAbé ")) },
      { weight: 3, arbitrary: fc.constantFrom(...Array.from("中文写。 ")) },
      { weight: 2, arbitrary: fc.constantFrom(...Array.from("(){}=>._-\n\u201c\u0301ß")) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }) },
    );
    const text = fc.string({ unit, maxLength: 30 });
    const query = fc.oneof(
      fc.string({ unit, minLength: 1, maxLength: 4 }),
      fc.string({ unit, minLength: 1, maxLength: 4 }).map((words) => `"${words}"`),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 }),
        fc.array(query, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (conversations, queries, maxHits) => {
          const files = new MemoryFileSystem();
          await fill(files);
          for (const [at, texts] of conversations.entries()) await write(files, `c${at}`, ...texts);
          const plain = new Window(files);
          const indexed = new Window(files);
          await indexed.build();
          assert.equal(segmentsOf(files).length, 1);
          // This window was opened before the index existed and does not load it.
          plain.search["searchIndex"].load = () => Promise.resolve();
          for (const query of queries) {
            const expected = await plain.answer(query);
            const found = (expected as { hits: { entry: { id: string } }[] }).hits
              .map(({ entry }) => entry.id)
              .filter((id) => id.startsWith("c"));
            const expectedIds = conversations.flatMap((texts, at) => {
              const all = [...texts, plain.index.get(`c${at}`)?.title ?? ""];
              return isFoundNaively(all, query) ? [`c${at}`] : [];
            });
            assert.deepEqual(found.sort(), expectedIds.sort(), JSON.stringify(query));
            assert.deepEqual(await indexed.answer(query), expected, JSON.stringify(query));
            const { hits } = (await indexed.answer(query, { maxHits })) as { hits: unknown[] };
            assert.deepEqual(hits, (expected as { hits: unknown[] }).hits.slice(0, maxHits));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("reads no conversation in a search once it is built", async () => {
    const files = new MemoryFileSystem();
    await fill(files);
    await write(files, "c1", "The needle 写入磁盘");
    await new Window(files).build();
    const window = new Window(files);
    await window.index.refresh();
    const reads = await readsDuring(files, async () => {
      for (const text of ["needle", "n", "写入", "磁", '"the needle"', "filler 7"]) {
        const answer = (await window.answer(text)) as { foundCount: number };
        assert.ok(answer.foundCount > 0, text);
      }
    });
    assert.deepEqual(reads, []);
  });

  it("finds changes since it was built, and is extended after enough of them", async () => {
    const files = new MemoryFileSystem();
    await fill(files);
    const window = new Window(files);
    await window.build();
    const [segment] = segmentsOf(files);
    const journal = openJournal(files, window.clock);
    await journal.append("f3", [question("more", "f3-0", "Changed needle")]);
    files.files.delete("conversations/f4.jsonl");
    await window.index.refresh();
    assert.equal(((await window.answer("needle")) as { foundCount: number }).foundCount, 1);
    assert.equal(
      ((await window.answer('"filler 4"')) as { foundCount: number }).foundCount,
      0 + 10,
    );
    await window.build();
    assert.deepEqual(segmentsOf(files), [segment], "too few changes for a new segment");
    for (let number = 0; number < 70; number++) await write(files, `c${number}`, `more ${number}`);
    await window.index.refresh();
    await window.build();
    assert.equal(segmentsOf(files).length, 1, "small segments are merged");
    assert.notEqual(segmentsOf(files)[0], segment);
    const reads = await readsDuring(files, async () => {
      assert.equal(((await window.answer("needle")) as { foundCount: number }).foundCount, 1);
      assert.equal(((await window.answer("more")) as { foundCount: number }).foundCount, 70);
    });
    assert.deepEqual(reads, []);
  });

  it("is shared with a second window, which does not build it again", async () => {
    const files = new MemoryFileSystem();
    await fill(files);
    const first = new Window(files);
    const second = new Window(files);
    await second.index.refresh();
    await first.build();
    await second.build();
    assert.equal(segmentsOf(files).length, 1);
    assert.deepEqual(await second.answer("filler"), await first.answer("filler"));
    for (let number = 0; number < 70; number++) await write(files, `c${number}`, `more ${number}`);
    await first.build();
    const reads = await readsDuring(files, async () => {
      assert.deepEqual(await second.answer("filler 1"), await first.answer("filler 1"));
    });
    assert.deepEqual(reads, [], "the second window reads the merged segment");
  });

  it("returns the same results after damage to any part of its file, and is rebuilt", async () => {
    const files = new MemoryFileSystem();
    await fill(files);
    for (let number = 0; number < 5; number++)
      await write(files, `c${number}`, `needle ${number} 写入`);
    const whole = new Window(files);
    await whole.build();
    const [path = ""] = segmentsOf(files);
    const bytes = files.files.get(path)!;
    const queries = ["needle", "写", "filler 6", "e"];
    const expected = await Promise.all(queries.map((query) => whole.answer(query)));
    const damages: Uint8Array[] = [new Uint8Array(), bytes.slice(0, bytes.length >> 1)];
    for (let part = 0; part < 40; part++) {
      const at = Math.min(bytes.length - 1, Math.floor((bytes.length * part) / 39));
      damages.push(bytes.map((byte, index) => (index === at ? byte ^ 0x10 : byte)));
    }
    for (const damaged of damages) {
      files.files.clear();
      await fill(files);
      for (let number = 0; number < 5; number++)
        await write(files, `c${number}`, `needle ${number} 写入`);
      files.files.set(path, damaged);
      const window = new Window(files);
      await window.index.refresh();
      for (const [at, query] of queries.entries())
        assert.deepEqual(await window.answer(query), expected[at], query);
      await window.build();
      const reads = await readsDuring(files, () => new Window(files).answer("needle"));
      assert.deepEqual(reads.filter((read) => !read.includes("/f")).slice(5), []);
    }
  });

  it("stops after enough hits and estimates the rest", async () => {
    const files = new MemoryFileSystem();
    for (let number = 0; number < 400; number++)
      await write(files, `c${number}`, `needle ${number}`, "in the hay");
    const window = new Window(files);
    await window.build();
    const answer = (await window.answer("needle", { maxHits: 10 })) as Record<string, unknown>;
    assert.equal((answer["hits"] as unknown[]).length, 10);
    assert.deepEqual([answer["foundCount"], answer["isEstimate"]], [400, false]);
    const many = (await window.answer("hay", { maxHits: 10 })) as Record<string, unknown>;
    assert.equal((many["hits"] as unknown[]).length, 10);
    assert.deepEqual([many["foundCount"], many["isEstimate"]], [400, true]);
    const title = (await window.answer("lost", { maxHits: 10 })) as Record<string, unknown>;
    assert.deepEqual([title["foundCount"], title["isEstimate"]], [0, false]);
  });

  it("returns a part of the hits for a scrolled list", async () => {
    const files = new MemoryFileSystem();
    for (let number = 0; number < 90; number++)
      await write(files, `c${number}`, ...["x", `needle ${number}`]);
    const window = new Window(files);
    await window.build();
    const all = (await window.answer("needle")) as { hits: unknown[] };
    const part = (await window.answer("needle", { firstHit: 40, maxHits: 20 })) as {
      hits: unknown[];
    };
    assert.deepEqual(part.hits, all.hits.slice(40, 60));
  });

  it("is built by one window, and by another when that window has closed", async () => {
    const files = new MemoryFileSystem();
    await fill(files);
    await files.replace("search-1/building", new TextEncoder().encode("another window"));
    const window = new Window(files);
    files.nowMs = () => window.clock.nowMs();
    await files.replace("search-1/building", new TextEncoder().encode("another window"));
    await window.build();
    assert.deepEqual(segmentsOf(files), []);
    window.clock.advance(61_000);
    await window.build();
    assert.equal(segmentsOf(files).length, 1);
  });

  it("merges small segments of several windows up to the maximum size", async () => {
    const files = new MemoryFileSystem();
    for (let number = 0; number < 3; number++) {
      const own = new MemoryFileSystem();
      await fill(own, 2_000, 2_000 * number);
      await new Window(own).build();
      for (const [path, bytes] of own.files)
        if (!path.startsWith("index")) files.files.set(path, bytes);
    }
    assert.equal(segmentsOf(files).length, 3);
    await fill(files, 200, 6_000);
    const window = new Window(files);
    await window.build();
    const counts = await Promise.all(
      segmentsOf(files).map(async (path) => (await SearchSegment.open(files, path))!.count),
    );
    assert.deepEqual(counts.sort(), [2_104, MAX_DOCUMENTS]);
    const reads = await readsDuring(files, async () => {
      const answer = (await window.answer("filler")) as { foundCount: number };
      assert.equal(answer.foundCount, 6_200);
    });
    assert.deepEqual(reads, []);
  });

  it("stops building, and searches the files, when the disk damages each part", async () => {
    const files = new MemoryFileSystem();
    await fill(files);
    const replace = files.replace.bind(files);
    files.replace = (path, bytes) =>
      replace(path, path.endsWith(".segment") ? bytes.subarray(0, -1) : bytes);
    const window = new Window(files);
    await window.build();
    assert.deepEqual(segmentsOf(files), []);
    assert.equal(((await window.answer("filler")) as { foundCount: number }).foundCount, 70);
  });

  it("finds every conversation after the host exits during the build", async () => {
    const files = new MemoryFileSystem();
    await fill(files);
    await write(files, "c1", ...[turn].map(() => "needle"));
    for (let call = 0; call < 400; call += 37) {
      const window = new Window(files);
      await window.index.refresh();
      files.fault = { atCall: files.calls + call, kind: "die", writtenBytes: 7 };
      await window.build().catch(() => undefined);
      files.fault = undefined;
      const next = new Window(files);
      assert.equal(((await next.answer("needle")) as { foundCount: number }).foundCount, 1);
    }
  });
});
