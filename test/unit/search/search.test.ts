/** Full-text search: matches, order and snippets, without blocking and within the memory limit. */
import assert from "node:assert/strict";
import type { Clock } from "../../../src/base/clock";
import type { SearchAnswer } from "../../../src/search/search";
import { ended, grown, question, replyStarted, turn } from "../history/turns";
import { bracketed, SearchWindow } from "./searchWindow";

/** Returns each snippet with its matches in brackets. */
function shown({ hits }: SearchAnswer): string[] {
  return hits.flatMap(({ snippets }) =>
    snippets.map(({ text, ranges }) => bracketed(text, ranges)),
  );
}

/** Opens a window with a conversation of a question and a reply. */
async function windowWith(questionText: string, replyText: string): Promise<SearchWindow> {
  const window = new SearchWindow();
  await window.write("c1", ...turn("a", null, questionText, replyText));
  return window;
}

describe("Search", () => {
  it("ends although a large conversation of the list is gone or cannot be read", async () => {
    const window = new SearchWindow();
    await window.ask("c1", "a needle");
    await window.ask("c2", "large ".repeat(1_000_000));
    await window.list.refresh();
    await window.files.remove("conversations/c2.jsonl");
    assert.deepEqual(await window.found("needle"), ["c1"]);
  });

  it("finds parts of words in questions, replies, excerpts and names, in any case", async () => {
    const window = await windowWith("How do I sort?", "Call Array.prototype.toSorted.");
    const message = {
      role: "user" as const,
      id: "parts",
      parentId: null,
      sentAtMs: 1,
      parts: [
        { kind: "image-address" as const, url: "https://pictures.example/owl.png" },
        {
          kind: "excerpt" as const,
          path: "src/x.ts",
          uri: "",
          languageId: "ts",
          text: "const zebra = 1",
        },
      ],
    };
    await window.write("c1", { kind: "message-added", message });
    const present = ["SORT", "prototype.tosor", "owl.png", "src/x", "zebra", "HOW sorted zebra"];
    for (const text of present) assert.deepEqual(await window.found(text), ["c1"], text);
    for (const text of ["zebras", "sort missing", "x.tss", "onst zebra= 1", "c/y", "  "])
      assert.deepEqual(await window.found(text), [], text);
  });

  it("finds accented, typographic and full-width letters as plain letters, and vice versa", async () => {
    const window = await windowWith("Café “naïve” re\u0301sume\u0301 ＡＢＣ Ёлка ŁÓDŹ", "x");
    for (const text of "cafe NAIVE resume abc елка lodz café résumé ａｂｃ".split(" "))
      assert.deepEqual(await window.found(text), ["c1"], text);
  });

  it("finds Chinese, Japanese, Korean and emoji as parts of a text", async () => {
    const window = await windowWith("这个函数返回一个承诺", "がんばって 한국어 텍스트 🦉!");
    for (const text of ["函数返回", "承诺", "がん", "국어", "🦉", "函数 🦉"])
      assert.deepEqual(await window.found(text), ["c1"], text);
    for (const text of ["函返", "かん", "🦊"]) assert.deepEqual(await window.found(text), [], text);
  });

  it("matches quoted words as a phrase, within one message", async () => {
    const window = await windowWith("ends with writing", "to disk, then\nto  disk");
    for (const text of ["writing disk", '"to disk"', '"then to"'])
      assert.deepEqual(await window.found(text), ["c1"], text);
    assert.deepEqual(await window.found('"writing to"'), []);
  });

  it("shows the original text, with the matches marked", async () => {
    const long = `${"before ".repeat(30)}The Café\nopens. ${"behind ".repeat(60)}`;
    const window = await windowWith("When?", long);
    const answer = await window.answer("cafe opens");
    assert.equal(answer.hits[0]?.snippets[0]?.messageId, "a-r");
    const expected = /^… before before before before before The \[Café\] \[opens\]\. behind.*…$/;
    assert.match(shown(answer)[0] ?? "", expected);
    const [overlapping = ""] = shown(await window.answer("afe caf af pens"));
    assert.match(overlapping, /The \[Café\] o\[pens\]\. behind/);
  });

  it("shows the first two messages with most terms, in their order", async () => {
    const window = new SearchWindow();
    await window.ask("c1", "only red", "red and green", "green alone", "green, red", "red, green");
    await window.write("c1", { kind: "titled", title: "Colors" });
    const snippets = async (text: string) => shown(await window.answer(text));
    assert.deepEqual(await snippets("red green"), ["[red] and [green]", "[green], [red]"]);
    assert.deepEqual(await snippets("red only"), ["[only] [red]", "[red] and green"]);
  });

  it("does not split a surrogate pair", async () => {
    const [owls, foxes] = ["🦉".repeat(100), "🦊".repeat(100)];
    const window = await windowWith("x", `${owls}a needle${foxes}`);
    await window.write("c2", ...turn("a", null, "x", `${owls} needle${foxes}`));
    const snippets = shown(await window.answer("needle"));
    assert.equal(snippets.length, 2);
    for (const snippet of snippets) assert.doesNotMatch(snippet, /\p{Cs}/u);
  });

  it("returns titles first, then single messages, then scattered matches; new before old", async () => {
    const window = new SearchWindow();
    const write = (id: string, ...messages: readonly [text: string, atMs: number][]) =>
      window.write(id, ...messages.map(([text, atMs], at) => question(`${at}`, null, text, atMs)));
    await write("scattered", ["first", 1], ["x red", 90], ["x green", 91]);
    await write("old", ["y", 1], ["red and green", 10]);
    await write("new", ["y", 1], ["green and red", 20]);
    await write("title", ["z", 5]);
    await window.write("title", { kind: "titled", title: "Red is not green" });
    assert.deepEqual(await window.found("red green"), ["title", "new", "old", "scattered"]);
    const { hits, foundCount } = await window.answer("red green", { maxHits: 1 });
    assert.equal(bracketed("Red is not green", hits[0]!.titleRanges), "[Red] is not [green]");
    assert.deepEqual([hits.length, foundCount], [1, 4]);
  });

  it("is updated when conversations change, are deleted, restored and removed", async () => {
    const window = await windowWith("q", "apple");
    await window.write("c2", ...turn("a", null, "q", "apple"));
    assert.equal(await window.count("apple"), 2);
    await window.write("c1", replyStarted("r2", "a-q"), grown("r2", 0, "pear"), ended("r2"));
    assert.deepEqual(await window.found("pear"), []);
    await window.list.refresh();
    assert.deepEqual(await window.found("pear apple"), ["c1"]);
    await window.write("c1", { kind: "deleted", atMs: 1 });
    window.files.files.delete("conversations/c2.jsonl");
    await window.list.refresh();
    assert.deepEqual(await window.found("apple"), []);
    assert.deepEqual(await window.found("apple", { isInBin: true }), ["c1"]);
  });

  it("never shows blocked text", async () => {
    const window = new SearchWindow();
    const ending = { kind: "withheld", isTextKept: false } as const;
    await window.write("c1", question("q", null, "hello"), replyStarted("r", "q"));
    await window.write("c1", grown("r", 0, "secret"));
    await window.write("c1", { kind: "reply-ended", messageId: "r", atMs: 1, ending });
    assert.deepEqual(await window.found("secret"), []);
    assert.deepEqual(await window.found("hello"), ["c1"]);
  });

  it("finds and shows letters at any offset of a long text, and pauses while it reads", async () => {
    for (let offset = 99_990; offset < 100_010; offset++) {
      const window = new SearchWindow(undefined, new SteppingClock());
      await window.ask("c1", "q", `${"x".repeat(offset)}🦉 Ｃafe\u0301 \u1112\u1161\u11ab`);
      const [snippet = ""] = shown(await window.answer("🦉 cafe 한"));
      assert.match(snippet, /x\[🦉\] \[Ｃafé\] \[한\]$/, `${offset}`);
    }
    const clock = new SteppingClock();
    const window = new SearchWindow(undefined, clock);
    await window.ask("c1", "y ".repeat(1_000_000));
    await window.list.refresh();
    const pausesBefore = clock.pauseCount;
    await window.answer("y");
    assert.ok(clock.pauseCount - pausesBefore >= 4, `${clock.pauseCount - pausesBefore} pauses`);
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
