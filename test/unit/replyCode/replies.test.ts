/**
 * Replies of models in ten languages, with text around the code: only the code is extracted, at
 * every cut of the stream and for every ending.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { ReadStep, ReplyOptions } from "../../../src/replyCode/readReply";
import { SeparatedReader } from "./separated";
import { ALL } from "../../support/depth";

interface Reply {
  readonly name: string;
  readonly language: string;
  readonly document: string;
  readonly reply: string;
  /** Lines of prose that must never be written, not even temporarily. */
  readonly words: readonly string[];
  /** Final lines of each command; null if there are none. */
  readonly rewrite: readonly string[] | null;
  readonly generate: readonly string[] | null;
}

interface Surroundings {
  readonly before: string[];
  readonly target: string[];
  readonly after: string[];
}

interface Corpus {
  readonly documents: Record<string, Surroundings>;
  readonly replies: Reply[];
}

const read = (file: string) =>
  JSON.parse(readFileSync(`test/fixtures/replies/${file}.json`, "utf8")) as Corpus;

/**
 * `replies` has different languages of users, `kinds` different languages of documents, `habits`
 * different shapes of replies.
 */
const corpora = [read("replies"), read("kinds"), read("habits")];
const replies = corpora.flatMap((corpus) => corpus.replies);

type Command = "rewrite" | "generate";

function optionsFor(reply: Reply, command: Command): ReplyOptions {
  const { document } = reply;
  const around = corpora.find((corpus) => corpus.replies.includes(reply))?.documents[document];
  assert.ok(around);
  const target = command === "rewrite" ? around.target : [];
  const isProse = document === "markdown" || document === "plaintext";
  return { isProse, languageId: document, ...around, target };
}

/** Records the lines in the document after each piece and at the end. */
class Written {
  lines: string[] = [];
  hasCode = false;
  private readonly reply: SeparatedReader;

  constructor(
    private readonly options: ReplyOptions,
    private readonly check: (line: string) => void,
  ) {
    this.reply = new SeparatedReader(options);
  }

  /** The whole file, with the reply's lines. */
  get file(): readonly string[] {
    const { before, after } = this.options;
    const { above = 0, below = 0 } = this.reply.reader.candidate ?? {};
    return [...before.slice(0, before.length - above), ...this.lines, ...after.slice(below)];
  }

  push(text: string): void {
    this.reply.push(text).forEach((step) => this.take(step));
  }

  end(isWhole: boolean): void {
    this.reply.end(isWhole).forEach((step) => this.take(step));
    this.hasCode = this.reply.reader.rejection === undefined;
  }

  private take({ isRestart, lines }: ReadStep): void {
    if (isRestart) this.lines = [];
    lines.forEach(this.check);
    this.lines.push(...lines);
  }
}

/** Returns a check that fails for a line of prose, or for the beginning of such a line at a cut. */
function checkNoProse({ words, rewrite, generate }: Reply): (line: string) => void {
  const code = [...(rewrite ?? []), ...(generate ?? [])].map((line) => line.trim());
  return (line) => {
    const text = line.trim();
    if (text === "" || code.some((line) => line.startsWith(text))) return;
    const found = words.find((line) => line === text || (text.length > 2 && line.startsWith(text)));
    assert.equal(found, undefined, `words were written: ${line}`);
  };
}

/** Distance of two cuts in the quick run, which takes each fifth end of a line, another for each language. */
const QUICK_STEP = 131;

describe("replies of models", () => {
  it("cover ten languages of users and twenty of documents", () => {
    const [byUser = [], byDocument = []] = corpora.map((corpus) => corpus.replies);
    assert.equal(new Set(byUser.map(({ language }) => language)).size, 10);
    assert.equal(new Set(byDocument.map(({ document }) => document)).size, 20);
  });

  for (const name of new Set(replies.map((reply) => reply.name))) {
    const check = (step: number) => () => {
      for (const [at, sample] of replies.filter((reply) => reply.name === name).entries()) {
        for (const command of ["rewrite", "generate"] as const)
          checkReply(sample, command, step, at);
      }
    };
    it(`contain only the code: ${name}`, check(QUICK_STEP));
    it(`contain only the code at every cut: ${name} ${ALL}`, check(1));
  }
});

/** Checks a reply that is cut after each `step` letters, and at each end of a line. */
function checkReply(sample: Reply, command: Command, step: number, firstLine: number): void {
  const { reply } = sample;
  const options = optionsFor(sample, command);
  const expected = sample[command];
  const check = checkNoProse(sample);
  const checkEnd = (written: Written, description: string) => {
    const at = `${sample.language}, ${command}, ${description}`;
    assert.equal(written.hasCode, expected !== null, at);
    const { before, after } = options;
    if (expected !== null) assert.deepEqual(written.file, [...before, ...expected, ...after], at);
    else assert.deepEqual(written.lines, [], at);
  };
  let line = firstLine;
  for (let cut = 0; cut <= reply.length; cut++) {
    // A complete reply usually ends with a line; an interrupted reply can end anywhere.
    const isEnd = cut === reply.length || reply.charAt(cut) === "\n";
    const isLineEnd = isEnd && (step === 1 || cut === reply.length || line++ % 5 === 0);
    if (cut % step !== 0 && !isLineEnd) continue;
    const written = new Written(options, check);
    written.push(reply.slice(0, cut));
    written.push(reply.slice(cut));
    written.end(true);
    checkEnd(written, `cut ${cut}`);
    for (const isWhole of isLineEnd ? [true, false] : [false]) {
      const ended = new Written(options, check);
      ended.push(reply.slice(0, cut));
      ended.end(isWhole);
    }
  }
  const slow = new Written(options, check);
  for (const letter of reply) slow.push(letter);
  slow.end(true);
  checkEnd(slow, "character by character");
}
