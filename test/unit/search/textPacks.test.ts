/**
 * The packed texts next to the journal: same results as without them for random texts and queries, after
 * changes, with damaged files and with two windows.
 */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { itWithRounds } from "../../support/depth";
import { Removals } from "../../../src/history/removals";
import { termsOf } from "../../../src/search/matches";
import { normalizeText } from "../../../src/search/normalizeText";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { readsDuring } from "../../support/fakes/readsDuring";
import { SearchWindow } from "./searchWindow";

/** Opens a window that writes texts of this size. */
function open(files: MemoryFileSystem, minPackBytes = 600): SearchWindow {
  return new SearchWindow(files, new ManualClock(), minPackBytes);
}

/** Writes conversations, enough for a pack, most of them without any text that a test searches. */
async function fill(
  files: MemoryFileSystem,
  count = 70,
  name = "filler",
  first = 0,
): Promise<void> {
  const window = open(files);
  for (let number = first; number < first + count; number++)
    await window.ask(`${name.charAt(0)}${number}`, `${name} ${number}`);
}

async function filled(count?: number): Promise<MemoryFileSystem> {
  const files = new MemoryFileSystem();
  await fill(files, count);
  return files;
}

function packsOf(files: MemoryFileSystem): string[] {
  return [...files.files.keys()].filter((path) => path.endsWith(".texts"));
}

function bytesOfPacks({ files }: MemoryFileSystem): number {
  return [...files].reduce(
    (sum, [path, { length }]) => sum + (path.endsWith(".texts") ? length : 0),
    0,
  );
}

/** True if a file of the index has a text, in any case. */
function hasText(files: MemoryFileSystem, text: string): boolean {
  const content = ([path, bytes]: [string, Uint8Array]) =>
    path.startsWith("search") ? Buffer.from(bytes).toString("latin1").toLowerCase() : "";
  return [...files.files].some((file) => content(file).includes(text));
}

/** Returns true if each term occurs in a text. */
function isFoundNaively(texts: readonly string[], query: string): boolean {
  const folded = texts.map((text) => normalizeText(text).text);
  const terms = termsOf(query);
  return terms.length > 0 && terms.every((term) => folded.some((text) => text.includes(term)));
}

describe("TextPacks", () => {
  const packTitle = "returns the same as a naive scan and as a search without it, for random texts";
  itWithRounds(packTitle, { quick: 15, all: 60 }, async (numRuns) => {
    const unit = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...Array.from("aAbé ")) },
      { weight: 3, arbitrary: fc.constantFrom(...Array.from("中文写。 ")) },
      { weight: 2, arbitrary: fc.constantFrom(...Array.from("(){}=>._-\n\u201c\u0301ß")) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }) },
    );
    const text = fc.string({ unit, maxLength: 30 });
    const words = fc.string({ unit, minLength: 1, maxLength: 4 });
    const query = fc.oneof(
      words,
      words.map((phrase) => `"${phrase}"`),
    );
    const property = fc.asyncProperty(
      fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 }),
      fc.array(query, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (conversations, queries, maxHits) => {
        const files = await filled();
        const [plain, packed] = [open(files, Infinity), open(files)];
        for (const [at, texts] of conversations.entries()) await plain.ask(`c${at}`, ...texts);
        await packed.build();
        assert.ok(packsOf(files).length >= 1);
        // This window was opened before there were packs and does not load them.
        plain.texts["loadNow"] = () => Promise.resolve();
        for (const query of queries) {
          const expected = await plain.answer(query);
          const ids = expected.hits.map(({ entry }) => entry.id).filter((id) => id.startsWith("c"));
          const expectedIds = conversations.flatMap((texts, at) => {
            const all = [...texts, plain.list.get(`c${at}`)?.title ?? ""];
            return isFoundNaively(all, query) ? [`c${at}`] : [];
          });
          assert.deepEqual(ids.sort(), expectedIds.sort(), JSON.stringify(query));
          assert.deepEqual(await packed.answer(query), expected, JSON.stringify(query));
          const { hits } = await packed.answer(query, { maxHits });
          assert.deepEqual(hits, expected.hits.slice(0, maxHits));
        }
      },
    );
    await fc.assert(property, { numRuns });
  });

  it("finds changes since it was built, and is extended after enough of them", async () => {
    const files = await filled();
    const window = open(files, 800);
    await window.build();
    const before = packsOf(files);
    await window.ask("f3", "filler 3", "Changed needle");
    files.files.delete("conversations/f4.jsonl");
    await window.list.refresh();
    assert.equal(await window.count("needle"), 1);
    assert.equal(await window.count('"filler 4"'), 10, "f40 to f49");
    await window.build();
    assert.deepEqual(packsOf(files), before, "too few changes for a new pack");
    await fill(files, 70, "more");
    await window.list.refresh();
    await window.build();
    assert.ok(packsOf(files).length > before.length);
    const reads = await readsDuring(files, async () => {
      assert.equal(await window.count("needle"), 1);
      assert.equal(await window.count("more"), 70);
    });
    assert.deepEqual(reads, []);
  });

  it("returns the same results after damage to any part of its file, and is rebuilt", async () => {
    const files = await filled();
    await fill(files, 5, "needle 写入");
    const whole = open(files);
    await whole.build();
    const [path = ""] = packsOf(files);
    const bytes = files.files.get(path)!;
    const conversations = [...files.files].filter(([name]) => name.startsWith("conversations/"));
    const queries = ["needle", "写", "filler 6", "e"];
    const expected = await Promise.all(queries.map((query) => whole.answer(query)));
    const damages: Uint8Array[] = [new Uint8Array(), bytes.slice(0, bytes.length >> 1)];
    for (let part = 0; part < 40; part++) {
      const at = Math.min(bytes.length - 1, Math.floor((bytes.length * part) / 39));
      damages.push(bytes.map((byte, index) => (index === at ? byte ^ 0x10 : byte)));
    }
    for (const damaged of damages) {
      files.files.clear();
      for (const [name, content] of [...conversations, [path, damaged] as const])
        files.files.set(name, content);
      const window = open(files);
      await window.list.refresh();
      for (const [at, query] of queries.entries())
        assert.deepEqual(await window.answer(query), expected[at], query);
      await window.build();
      const reads = await readsDuring(files, () => open(files).answer("needle"));
      assert.deepEqual(reads.filter((read) => !read.includes("/f")).slice(5), []);
    }
  });

  it("counts all hits, however many are shown, and returns a part for a scrolled list", async () => {
    const files = new MemoryFileSystem();
    const window = open(files);
    for (let number = 0; number < 400; number++)
      await window.ask(`c${number}`, `needle ${number}`, "in the hay");
    await window.build();
    const counts = { needle: 400, hay: 400, '"in the" 39': 14, lost: 0 };
    for (const [text, count] of Object.entries(counts)) {
      const { hits, foundCount } = await window.answer(text, { maxHits: 10 });
      assert.deepEqual([hits.length, foundCount], [Math.min(10, count), count], text);
    }
    const { hits } = await window.answer("needle");
    const part = await window.answer("needle", { firstHit: 40, maxHits: 20 });
    assert.deepEqual(part.hits, hits.slice(40, 60));
  });

  it("is complete and without copies after two windows build at the same time", async () => {
    const files = await filled(140);
    const windows = [open(files), open(files)];
    await Promise.all(windows.map((window) => window.build()));
    for (const window of windows) {
      assert.equal(await window.count("filler"), 140);
      await window.texts.removeOutdated();
    }
    const single = await filled(140);
    await open(single).build();
    const share = bytesOfPacks(files) / bytesOfPacks(single);
    assert.ok(share < 1.2, `${share} of the bytes of one window`);
  });

  it("has no byte of a removed conversation and of former text", async () => {
    const files = await filled(140);
    const window = open(files);
    await window.ask("c1", "a password: Correct Horse 42");
    await window.ask("c2", "another password: Battery Staple");
    await window.build();
    assert.ok(hasText(files, "correct"));
    await files.remove("conversations/c1.jsonl");
    await files.remove("conversations/c2.jsonl");
    await window.ask("c2", "nothing to see");
    await window.list.refresh();
    await window.texts.removeForever(new Set(["c1", "c2"]));
    for (const text of ["correct", "horse", "battery", "staple"])
      assert.ok(!hasText(files, text), text);
    assert.equal(await window.count("filler"), 140);
    assert.equal(await window.count("nothing"), 1);
    assert.equal(await window.count("password"), 0);
  });

  it("has no byte of any former text after the cleanup", async () => {
    const files = await filled(140);
    const window = open(files);
    await window.ask("c1", "a secret");
    await window.build();
    await files.remove("conversations/c1.jsonl");
    await window.ask("c1", "a plain text");
    await window.list.refresh();
    await window.texts.removeOutdated();
    assert.ok(!hasText(files, "secret"));
    assert.equal(await window.count("plain text"), 1);
  });

  it("removes texts that another window packs at the same time, also if that window is killed", async () => {
    for (const isKilled of [false, true]) {
      const files = await filled(140);
      const slow = open(files);
      await slow.ask("c1", "a secret");
      await slow.list.refresh();
      const replace = files.replace.bind(files);
      // The other window removes the conversation after this one has read it, before it writes.
      files.replace = async (path, bytes) => {
        const isFirst = path.endsWith(".texts") && files.files.has("conversations/c1.jsonl");
        if (isFirst) {
          files.replace = replace;
          const record = { conversations: ["c1"], forgotten: [], pictures: [] };
          await new Removals(files, new ManualClock()).begin(record);
          await files.remove("conversations/c1.jsonl");
          const window = open(files);
          await window.list.refresh();
          await window.texts.removeForever(new Set(["c1"]));
        }
        await replace(path, bytes);
        if (isFirst && isKilled)
          files.fault = { atCall: files.calls, kind: "die", writtenBytes: 0 };
      };
      await slow.build().catch(() => undefined);
      files.fault = undefined;
      files.replace = replace;
      assert.equal(hasText(files, "secret"), isKilled);
      await open(files).build();
      assert.ok(!hasText(files, "secret"));
    }
  });

  it("finds every conversation after the host exits during the build", async () => {
    const files = await filled();
    await open(files).ask("c1", "needle");
    for (let call = 0; call < 400; call += 37) {
      const window = open(files);
      await window.list.refresh();
      files.fault = { atCall: files.calls + call, kind: "die", writtenBytes: 7 };
      await window.build().catch(() => undefined);
      files.fault = undefined;
      assert.equal(await open(files).count("needle"), 1);
    }
  });
});
