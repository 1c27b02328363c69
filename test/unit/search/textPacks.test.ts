/**
 * The search index next to the journal: same results as without an index for random texts and
 * queries, after changes, with damaged files and with two windows.
 */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { silentLog } from "../../../src/base/log";
import { Removals } from "../../../src/history/removals";
import { ConversationList } from "../../../src/search/conversationList";
import { termsOf } from "../../../src/search/matches";
import { normalizeText } from "../../../src/search/normalizeText";
import { Search, type SearchAnswer, type SearchQuery } from "../../../src/search/search";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { readsDuring } from "../../support/fakes/readsDuring";
import { openJournal } from "../history/openJournal";
import { openPacks } from "./openPacks";
import { question, turn } from "../history/turns";

const NEVER = new AbortController().signal;

const MIN_PACK_BYTES = 600;

/** A window with the given files. */
class Window {
  readonly clock = new ManualClock();
  readonly index: ConversationList;
  readonly search: Search;

  constructor(
    readonly files: MemoryFileSystem,
    /** Size of texts that are written; less stay in memory. */
    minPackBytes = MIN_PACK_BYTES,
  ) {
    const { clock } = this;
    this.index = new ConversationList(files, clock, silentLog);
    const texts = openPacks(files, this.index, clock, minPackBytes);
    this.search = new Search(this.index, texts, clock);
  }

  build(): Promise<void> {
    return this.search.texts.build(NEVER, () => undefined);
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

function packsOf(files: MemoryFileSystem): string[] {
  return [...files.files.keys()].filter((path) => path.endsWith(".texts"));
}

/** True if a file of a folder has a text, in any case. */
function holdsText(files: MemoryFileSystem, folder: string, text: string): boolean {
  return [...files.files].some(
    ([path, bytes]) =>
      path.startsWith(folder) &&
      new TextDecoder("latin1").decode(bytes).toLowerCase().includes(text),
  );
}

/** Returns true if each term occurs in a text. */
function isFoundNaively(texts: readonly string[], query: string): boolean {
  const folded = texts.map((text) => normalizeText(text).text);
  const terms = termsOf(query);
  return terms.length > 0 && terms.every((term) => folded.some((text) => text.includes(term)));
}

describe("TextPacks", () => {
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
          const plain = new Window(files, Infinity);
          const indexed = new Window(files);
          await indexed.build();
          assert.ok(packsOf(files).length >= 1);
          // This window was opened before the index existed and does not load it.
          plain.search["texts"]["loadNow"] = () => Promise.resolve();
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
    const window = new Window(files, 800);
    await window.build();
    const before = packsOf(files);
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
    assert.deepEqual(packsOf(files), before, "too few changes for a new segment");
    for (let number = 0; number < 70; number++) await write(files, `c${number}`, `more ${number}`);
    await window.index.refresh();
    await window.build();
    assert.ok(packsOf(files).length > before.length);
    const reads = await readsDuring(files, async () => {
      assert.equal(((await window.answer("needle")) as { foundCount: number }).foundCount, 1);
      assert.equal(((await window.answer("more")) as { foundCount: number }).foundCount, 70);
    });
    assert.deepEqual(reads, []);
  });

  it("is shared with a second window, which does not build it again", async () => {
    const files = new MemoryFileSystem();
    await fill(files);
    const first = new Window(files, 1);
    const second = new Window(files, 1);
    await second.index.refresh();
    await first.build();
    const builtByFirst = packsOf(files);
    await second.build();
    assert.deepEqual(packsOf(files), builtByFirst);
    assert.deepEqual(await second.answer("filler"), await first.answer("filler"));
    for (let number = 0; number < 70; number++) await write(files, `c${number}`, `more ${number}`);
    await first.index.refresh();
    await second.index.refresh();
    await first.build();
    const reads = await readsDuring(files, async () => {
      assert.deepEqual(await second.answer("filler 1"), await first.answer("filler 1"));
    });
    assert.ok(reads.length < 10, `the second window reads the segments: ${reads.length} reads`);
  });

  it("returns the same results after damage to any part of its file, and is rebuilt", async () => {
    const files = new MemoryFileSystem();
    await fill(files);
    for (let number = 0; number < 5; number++)
      await write(files, `c${number}`, `needle ${number} 写入`);
    const whole = new Window(files);
    await whole.build();
    const [path = ""] = packsOf(files);
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

  it("counts all hits, however many are shown", async () => {
    const files = new MemoryFileSystem();
    for (let number = 0; number < 400; number++)
      await write(files, `c${number}`, `needle ${number}`, "in the hay");
    const window = new Window(files);
    await window.build();
    for (const [text, count] of [
      ["needle", 400],
      ["hay", 400],
      ['"in the" 39', 14],
      ["lost", 0],
    ] as const) {
      const answer = (await window.answer(text, { maxHits: 10 })) as SearchAnswer;
      assert.equal(answer.hits.length, Math.min(10, count), text);
      assert.equal(answer.foundCount, count, text);
    }
  });

  it("returns a part of the hits for a scrolled list", async () => {
    const files = new MemoryFileSystem();
    for (let number = 0; number < 90; number++)
      await write(files, `c${number}`, "x", `needle ${number}`);
    const window = new Window(files);
    await window.build();
    const all = (await window.answer("needle")) as { hits: unknown[] };
    const part = (await window.answer("needle", { firstHit: 40, maxHits: 20 })) as {
      hits: unknown[];
    };
    assert.deepEqual(part.hits, all.hits.slice(40, 60));
  });

  it("is complete and without copies after two windows build at the same time", async () => {
    const files = new MemoryFileSystem();
    await fill(files, 140);
    const windows = [new Window(files), new Window(files)];
    await Promise.all(windows.map((window) => window.build()));
    for (const window of windows) {
      const answer = (await window.answer("filler")) as SearchAnswer;
      assert.equal(answer.foundCount, 140);
      await window.search.texts.removeOutdated();
    }
    const bytes = packsOf(files).reduce((sum, path) => sum + files.files.get(path)!.length, 0);
    const single = new MemoryFileSystem();
    await fill(single, 140);
    await new Window(single).build();
    const singleBytes = packsOf(single).reduce(
      (sum, path) => sum + single.files.get(path)!.length,
      0,
    );
    assert.ok(bytes < 1.2 * singleBytes, `${bytes} bytes, ${singleBytes} of one window`);
  });

  it("packs small packs together with the cleanup", async () => {
    const files = new MemoryFileSystem();
    const window = new Window(files);
    for (let number = 0; number < 20; number++) {
      await fill(files, 60, 60 * number);
      await window.index.refresh();
      await window.build();
    }
    assert.ok(packsOf(files).length >= 10);
    await window.search.texts.removeOutdated();
    assert.equal(packsOf(files).length, 1);
    const next = new Window(files);
    await next.index.refresh();
    const reads = await readsDuring(files, async () => {
      const answer = (await next.answer("filler")) as SearchAnswer;
      assert.equal(answer.foundCount, 1_200);
    });
    assert.deepEqual(reads, []);
  });

  it("has no byte of a removed conversation and of former text", async () => {
    const files = new MemoryFileSystem();
    await fill(files, 140);
    await write(files, "c1", "a password: Correct Horse 42");
    await write(files, "c2", "another password: Battery Staple");
    const window = new Window(files);
    await window.build();
    assert.ok(holdsText(files, "search-6/", "correct"));
    await files.remove("conversations/c1.jsonl");
    await files.remove("conversations/c2.jsonl");
    await write(files, "c2", "nothing to see");
    await window.index.refresh();
    await window.search.texts.removeForever(new Set(["c1", "c2"]));
    for (const text of ["correct", "horse", "battery", "staple"])
      assert.ok(!holdsText(files, "search", text), text);
    assert.equal(((await window.answer("filler")) as SearchAnswer).foundCount, 140);
    assert.equal(((await window.answer("nothing")) as SearchAnswer).foundCount, 1);
    assert.equal(((await window.answer("password")) as SearchAnswer).foundCount, 0);
  });

  it("has no byte of any former text after the cleanup", async () => {
    const files = new MemoryFileSystem();
    await fill(files, 140);
    await write(files, "c1", "a secret");
    const window = new Window(files);
    await window.build();
    await files.remove("conversations/c1.jsonl");
    await write(files, "c1", "a plain text");
    await window.index.refresh();
    await window.search.texts.removeOutdated();
    assert.ok(!holdsText(files, "search", "secret"));
    assert.equal(((await window.answer("plain text")) as SearchAnswer).foundCount, 1);
  });

  it("removes texts that another window packs at the same time, also if that window is killed", async () => {
    for (const isKilled of [false, true]) {
      const files = new MemoryFileSystem();
      await fill(files, 140);
      await write(files, "c1", "a secret");
      const slow = new Window(files);
      await slow.index.refresh();
      const replace = files.replace.bind(files);
      // The other window removes the conversation after this one has read it, before it writes.
      files.replace = async (path, bytes) => {
        const isFirst = path.endsWith(".texts") && files.files.has("conversations/c1.jsonl");
        if (isFirst) {
          files.replace = replace;
          const record = { conversations: ["c1"], forgotten: [], pictures: [] };
          await new Removals(files, new ManualClock()).begin(record);
          await files.remove("conversations/c1.jsonl");
          const window = new Window(files);
          await window.index.refresh();
          await window.search.texts.removeForever(new Set(["c1"]));
        }
        await replace(path, bytes);
        if (isFirst && isKilled)
          files.fault = { atCall: files.calls, kind: "die", writtenBytes: 0 };
      };
      await slow.build().catch(() => undefined);
      files.fault = undefined;
      files.replace = replace;
      assert.equal(holdsText(files, "search", "secret"), isKilled);
      await new Window(files).build();
      assert.ok(!holdsText(files, "search", "secret"));
    }
  });

  it("stops building, and searches the files, when the disk damages each part", async () => {
    const files = new MemoryFileSystem();
    await fill(files);
    const replace = files.replace.bind(files);
    files.replace = (path, bytes) =>
      replace(path, path.endsWith(".texts") ? bytes.subarray(0, -1) : bytes);
    const window = new Window(files);
    await window.build();
    assert.deepEqual(packsOf(files), []);
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
