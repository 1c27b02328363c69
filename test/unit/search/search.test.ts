/** Full-text search: matches, order and snippets, without blocking and within the memory limit. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { Clock } from "../../../src/base/clock";
import { silentLog } from "../../../src/base/log";
import type { Step } from "../../../src/conversation/conversation";
import { ConversationList } from "../../../src/search/conversationList";
import { normalizeText } from "../../../src/search/normalizeText";
import { Search, type SearchAnswer, type SearchQuery } from "../../../src/search/search";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";
import { readsDuring } from "../../support/fakes/readsDuring";
import { openJournal } from "../history/openJournal";
import { openPacks } from "./openPacks";
import { ended, grown, question, replyStarted, turn } from "../history/turns";

const NEVER = new AbortController().signal;

class Rig {
  readonly files = new MemoryFileSystem();
  readonly journal = openJournal(this.files);
  readonly index: ConversationList;
  readonly search: Search;

  constructor(clock: Clock = new ManualClock()) {
    this.index = new ConversationList(this.files, clock, silentLog);
    const texts = openPacks(this.files, this.index, clock);
    this.search = new Search(this.index, texts, clock);
  }

  async write(id: string, ...steps: Step[]): Promise<void> {
    await this.journal.append(id, steps);
  }

  async answers(text: string, more: Partial<SearchQuery> = {}): Promise<SearchAnswer[]> {
    const answers: SearchAnswer[] = [];
    for await (const answer of this.search.search({ text, maxHits: 20, ...more }, NEVER)) {
      answers.push(answer);
    }
    return answers;
  }

  /** Returns the last, complete result. */
  async answer(text: string, more?: Partial<SearchQuery>): Promise<SearchAnswer> {
    const last = (await this.answers(text, more)).at(-1)!;
    assert.ok(last.isComplete);
    return last;
  }

  async found(text: string, more?: Partial<SearchQuery>): Promise<string[]> {
    return (await this.answer(text, more)).hits.map(({ entry }) => entry.id);
  }
}

/** Returns each snippet with its matches in brackets. */
function shown(answer: SearchAnswer): string[] {
  return answer.hits.flatMap(({ snippets }) =>
    snippets.map(({ text, ranges }) => {
      let result = "";
      let at = 0;
      for (const [start, end] of ranges) {
        result += `${text.slice(at, start)}[${text.slice(start, end)}]`;
        at = end;
      }
      return result + text.slice(at);
    }),
  );
}

describe("Search", () => {
  it("ends although a large conversation of the list is gone or cannot be read", async () => {
    const rig = new Rig();
    await rig.write("c1", question("a", null, "a needle"));
    await rig.write("c2", question("a", null, "large ".repeat(1_000_000)));
    await rig.index.refresh();
    await rig.files.remove("conversations/c2.jsonl");
    assert.deepEqual(await rig.found("needle"), ["c1"]);
  });

  it("finds parts of words in questions, replies, excerpts and names, in any case", async () => {
    const rig = new Rig();
    await rig.write("c1", ...turn("a", null, "How do I sort?", "Call Array.prototype.toSorted."));
    await rig.write("c1", {
      kind: "message-added",
      message: {
        role: "user",
        id: "parts",
        parentId: null,
        sentAtMs: 1,
        parts: [
          { kind: "image-address", url: "https://pictures.example/owl.png" },
          { kind: "excerpt", path: "src/x.ts", uri: "", languageId: "ts", text: "const zebra = 1" },
        ],
      },
    });
    for (const text of [
      "SORT",
      "prototype.tosor",
      "owl.png",
      "src/x",
      "zebra",
      "HOW sorted zebra",
    ]) {
      assert.deepEqual(await rig.found(text), ["c1"], text);
    }
    for (const text of ["zebras", "sort missing", "x.tss", "onst zebra= 1", "c/y"])
      assert.deepEqual(await rig.found(text), [], text);
    assert.deepEqual(await rig.found("  "), []);
  });

  it("finds accented, typographic and full-width letters as plain letters, and vice versa", async () => {
    const rig = new Rig();
    await rig.write(
      "c1",
      ...turn("a", null, "Café “naïve” re\u0301sume\u0301 ＡＢＣ Ёлка ŁÓDŹ", "x"),
    );
    for (const text of [
      "cafe",
      "NAIVE",
      "resume",
      "abc",
      "елка",
      "lodz",
      "café",
      "résumé",
      "ａｂｃ",
    ]) {
      assert.deepEqual(await rig.found(text), ["c1"], text);
    }
  });

  it("finds Chinese, Japanese, Korean and emoji as parts of a text", async () => {
    const rig = new Rig();
    await rig.write(
      "c1",
      ...turn("a", null, "这个函数返回一个承诺", "がんばって 한국어 텍스트 🦉!"),
    );
    for (const text of ["函数返回", "承诺", "がん", "국어", "🦉", "函数 🦉"]) {
      assert.deepEqual(await rig.found(text), ["c1"], text);
    }
    for (const text of ["函返", "かん", "🦊"]) assert.deepEqual(await rig.found(text), [], text);
  });

  it("matches quoted words as a phrase, within one message", async () => {
    const rig = new Rig();
    await rig.write("c1", ...turn("a", null, "ends with writing", "to disk, then\nto  disk"));
    assert.deepEqual(await rig.found("writing disk"), ["c1"]);
    assert.deepEqual(await rig.found('"to disk"'), ["c1"]);
    assert.deepEqual(await rig.found('"then to"'), ["c1"]);
    assert.deepEqual(await rig.found('"writing to"'), []);
  });

  it("shows the original text, with the matches marked", async () => {
    const rig = new Rig();
    const long = `${"before ".repeat(30)}The Café\nopens. ${"behind ".repeat(60)}`;
    await rig.write("c1", ...turn("a", null, "When?", long));
    const answer = await rig.answer("cafe opens");
    assert.equal(answer.hits[0]?.snippets[0]?.messageId, "a-r");
    const [snippet = ""] = shown(answer);
    assert.match(
      snippet,
      /^… before before before before before The \[Café\] \[opens\]\. behind.*…$/,
    );
    const [overlapping = ""] = shown(await rig.answer("afe caf af pens"));
    assert.match(overlapping, /The \[Café\] o\[pens\]\. behind/);
  });

  it("shows the first two messages with most terms, in their order", async () => {
    const rig = new Rig();
    const texts = ["only red", "red and green", "green alone", "green, red", "red, green"];
    for (const [at, text] of texts.entries())
      await rig.write("c1", question(`m${at}`, at === 0 ? null : `m${at - 1}`, text));
    await rig.write("c1", { kind: "titled", title: "Colors" });
    assert.deepEqual(shown(await rig.answer("red green")), ["[red] and [green]", "[green], [red]"]);
    assert.deepEqual(shown(await rig.answer("red only")), ["[only] [red]", "[red] and green"]);
  });

  it("does not split a surrogate pair", async () => {
    const rig = new Rig();
    await rig.write(
      "c1",
      ...turn("a", null, "x", `${"🦉".repeat(100)}a needle${"🦊".repeat(100)}`),
    );
    await rig.write("c2", ...turn("a", null, "x", `${"🦉".repeat(100)} needle${"🦊".repeat(100)}`));
    const snippets = shown(await rig.answer("needle"));
    assert.equal(snippets.length, 2);
    for (const snippet of snippets) assert.doesNotMatch(snippet, /\p{Cs}/u);
  });

  it("returns titles first, then single messages, then scattered matches; new before old", async () => {
    const rig = new Rig();
    await rig.write("scattered", question("a", null, "first"), question("b", "a", "x red", 90));
    await rig.write("scattered", question("c", "b", "x green", 91));
    await rig.write("old", question("a", null, "y"), question("b", "a", "red and green", 10));
    await rig.write("new", question("a", null, "y"), question("b", "a", "green and red", 20));
    await rig.write("title", question("a", null, "z", 5));
    await rig.write("title", { kind: "titled", title: "Red is not green" });
    assert.deepEqual(await rig.found("red green"), ["title", "new", "old", "scattered"]);
    const { hits } = await rig.answer("red green");
    assert.deepEqual(hits[0]?.titleRanges, [
      [0, 3],
      [11, 16],
    ]);
    const { hits: first, foundCount } = await rig.answer("red green", { maxHits: 1 });
    assert.deepEqual([first.length, foundCount], [1, 4]);
  });

  it("is updated when conversations change, are deleted, restored and removed", async () => {
    const rig = new Rig();
    await rig.write("c1", ...turn("a", null, "q", "apple"));
    await rig.write("c2", ...turn("a", null, "q", "apple"));
    assert.equal((await rig.found("apple")).length, 2);
    await rig.write("c1", replyStarted("r2", "a-q"), grown("r2", 0, "pear"), ended("r2"));
    assert.deepEqual(await rig.found("pear"), []);
    await rig.index.refresh();
    assert.deepEqual(await rig.found("pear apple"), ["c1"]);
    await rig.write("c1", { kind: "deleted", atMs: 1 });
    rig.files.files.delete("conversations/c2.jsonl");
    await rig.index.refresh();
    assert.deepEqual(await rig.found("apple"), []);
    assert.deepEqual(await rig.found("apple", { isInBin: true }), ["c1"]);
  });

  it("never shows blocked text", async () => {
    const rig = new Rig();
    await rig.write(
      "c1",
      question("q", null, "hello"),
      replyStarted("r", "q"),
      grown("r", 0, "secret"),
    );
    const ending = { kind: "withheld", isTextKept: false } as const;
    await rig.write("c1", { kind: "reply-ended", messageId: "r", atMs: 1, ending });
    assert.deepEqual(await rig.found("secret"), []);
    assert.deepEqual(await rig.found("hello"), ["c1"]);
  });

  it("finds and shows letters at any offset of a long text, and pauses while it reads", async () => {
    for (let offset = 99_990; offset < 100_010; offset++) {
      const clock = new SteppingClock();
      const rig = new Rig(clock);
      const text = `${"x".repeat(offset)}🦉 Ｃafe\u0301 \u1112\u1161\u11ab`;
      await rig.write("c1", question("a", null, "q"), question("b", "a", text));
      const [snippet = ""] = shown(await rig.answer("🦉 cafe 한"));
      assert.match(snippet, /x\[🦉\] \[Ｃafé\] \[한\]$/, `${offset}`);
    }
    const clock = new SteppingClock();
    const rig = new Rig(clock);
    await rig.write("c1", question("a", null, "y ".repeat(1_000_000)));
    await rig.index.refresh();
    const pausesBefore = clock.pauseCount;
    await rig.answer("y");
    assert.ok(clock.pauseCount - pausesBefore >= 4, `${clock.pauseCount - pausesBefore} pauses`);
  });

  it("reads a changed conversation once, not at every key", async () => {
    const rig = new Rig();
    for (let number = 0; number < 30; number++)
      await rig.write(`c${number}`, question("a", null, `needle ${number}`, number));
    await rig.answer("n");
    const typed = async () => {
      for (const text of ["n", "ne", "needle 2"]) await rig.answer(text);
    };
    assert.deepEqual(await readsDuring(rig.files, typed), []);
    await rig.write("c7", question("b", "a", "thread"));
    await rig.index.refresh();
    assert.deepEqual(await readsDuring(rig.files, typed), ["conversations/c7.jsonl"]);
    assert.deepEqual(await rig.found("needle thread"), ["c7"]);
  });

  it("yields every few milliseconds, returns partial results, and stops when canceled", async () => {
    const clock = new SteppingClock();
    const rig = new Rig(clock);
    const large = "hay ".repeat(40_000);
    for (let number = 0; number < 40; number++) {
      await rig.write(`c${number}`, ...turn("a", null, "q", `needle ${number} ${large}`));
    }
    for (let number = 0; number < 100; number++)
      await rig.write("long", question(`m${number}`, null, "q"));
    const answers = await rig.answers("needle");
    assert.ok(answers.length > 1, `${answers.length} answers`);
    assert.deepEqual(
      answers.map(({ isComplete }) => isComplete),
      answers.map((_, at) => at === answers.length - 1),
    );
    assert.equal(answers.at(-1)?.foundCount, 40);
    // Each step has its own limit of 8 ms, and up to three short steps follow each other.
    assert.ok(clock.longestSliceMs <= 24, `${clock.longestSliceMs} ms without a pause`);
    const controller = new AbortController();
    const reason = new Error("another key was pressed");
    const search = rig.search.search({ text: "needle", maxHits: 5 }, controller.signal);
    controller.abort(reason);
    await assert.rejects(search.next(), reason);
  });
});

describe("normalizeText", () => {
  it("normalizes every unit in a single pass", () => {
    for (let unit = 0; unit < 0xd800; unit++) {
      const { text } = normalizeText(String.fromCharCode(unit));
      assert.equal(normalizeText(text).text, text, `U+${unit.toString(16)}`);
    }
  });

  it("finds a letter with a stroke and an accent by the plain letter", () => {
    assert.equal(normalizeText("Ǿǿ").text, "oo");
  });

  it("returns one unit for each unit of any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const folded = normalizeText(text);
        assert.equal(folded.text.length, folded.original.length);
        assert.equal(folded.original, text.normalize("NFC"));
        assert.equal(normalizeText(folded.text).text, folded.text);
      }),
      { numRuns: 300 },
    );
  });
});

/** A clock that advances two milliseconds per reading and measures the time between pauses. */
class SteppingClock implements Clock {
  private now = 0;
  private pausedAtMs = 0;
  longestSliceMs = 0;
  pauseCount = 0;

  nowMs(): number {
    this.now += 2;
    this.longestSliceMs = Math.max(this.longestSliceMs, this.now - this.pausedAtMs);
    return this.now;
  }

  elapsedMs(): number {
    return this.now;
  }

  after(delayMs: number, run: () => void) {
    if (delayMs > 0) return { dispose: () => undefined };
    const timer = setImmediate(() => {
      this.pausedAtMs = this.now;
      this.pauseCount++;
      run();
    });
    return { dispose: () => clearImmediate(timer) };
  }
}
