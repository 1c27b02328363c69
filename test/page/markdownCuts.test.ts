/**
 * Tests that the DOM of a reply does not depend on how the text arrives. The CommonMark suite and
 * random texts are rendered at once and in pieces; for the suite the tree is also compared with the
 * expected HTML.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import spec from "commonmark-spec";
import createMarkdownIt from "markdown-it";
import { after, before, describe, it } from "mocha";
import { itWithRounds } from "../support/depth";
import type { MarkdownTools } from "./markdownEntry";
import { openMarkdownPage, type MarkdownPage } from "./markdownPage";

declare const markdown: MarkdownTools;

/** Seed of a run, fixed so that CI tries the same texts each time. CORE_CHAT_SEED sets another. */
const DEFAULT_SEED = 20_261_122;

/** Numbers of random texts per run; CORE_CHAT_PROPERTY_RUNS sets another. */
const RUNS = Number(process.env["CORE_CHAT_PROPERTY_RUNS"] ?? NaN);
const CUTS = { quick: RUNS || 400, all: RUNS || 20_000 };
const ROUNDS = { quick: RUNS || 400, all: RUNS || 3_000 };

/**
 * Returns the expected HTML of an example: that of the suite or, for an example with raw HTML, the
 * output of markdown-it with HTML off.
 */
function wantedHtml(markdownSource: string, html: string): string {
  const withHtml = createMarkdownIt("commonmark").render(markdownSource);
  const asText = createMarkdownIt("commonmark", { html: false }).render(markdownSource);
  return withHtml === asText ? html : asText;
}

/** Texts of our dialect, see src/markdown/README.md. */
const ARRIVING = [
  "|a|b|\n|-|-|\n| `a | b` | or |\n| `a || b` | x |\n| $P(A|B)$ | y |\n\nText.\n",
  "|a|b|\n|-|-|\n|1|2|\n\n|3|4|\n\n|c|d|\n|-|-|\n|5|6|7|\n\nText.\n",
  "| a | b |\n|---|---|---|\n| 1 | 2 |\n\n｜甲｜乙｜\n｜---｜---｜\n｜1｜2｜\n",
  "- x:\n| a | b |\n|——|——|\n| 1 | 2 |\n- y\n",
  "Roses are red,\nViolets are blue,\nSugar is sweet,\nAnd so are you.\n",
  "A model that wraps its prose at 72 columns writes lines of about this\nlength, and nobody wants to see them\nragged.\n",
  "$$\na = b\n\nc = d\n$$\n\nThe matrix is $$\nA = 1\n$$ which is small.\n",
  "$$\na = b\n\nwhere x is the matrix\n\n- one\n",
  "\\[\nR=\\begin{pmatrix}\na & b\\\\\n\nc & d\n\\end{pmatrix}\n\\]\n\nText.\n",
  "React یک کتابخانه برای ساخت رابط کاربری است.\n\n- `build` را اجرا کنید.\n- VS Code הוא עורך קוד פתוח\n",
  "سلام means hello in Persian, and it is used every day.\n",
  "998. a\n999. b\n1000. c\n",
  "*   **A:** `\\`x_${n}\\`` and\n*   **B:** next\n- **[start.sh](file:///home/me/x/start.sh)**: run\n",
  "1. I enter 234234*123 and 5*x + 3*y\n2. __init__.py, src/**/*.ts and $HOME/$USER\n",
  "Saved to D:\\proj\\_scratch\\a_1.wav, $x_1 + y$ and 5$-10$.\n",
  "Run ..\\tools\\_gen.cmd, src\\_in\\[id]\\page.tsx and arr[i](x); !*.keep, **/dist/** and (a)*(b)*(c).\n",
  "> | a | b |\n> |---|---|\n> | 1 | ```js a|b``` |\n\n**C:\\a\\_b\\_c** and ``x`y``.\n",
  "The parser is repaired, and all tests of the project pass again.\nThe documents are new as well.\n",
];

describe("a reply in chunks", function () {
  this.timeout(300_000);
  let opened: MarkdownPage;

  before(async () => {
    opened = await openMarkdownPage();
  });
  after(() => opened.close());

  it("matches CommonMark in its 652 examples, except raw HTML and src/markdown/README.md", async () => {
    const examples = spec.tests.map(({ number, markdown: source, html }) => {
      const text = source.replaceAll("→", "\t");
      return { number, markdown: text, html: wantedHtml(text, html.replaceAll("→", "\t")) };
    });
    assert.equal(examples.length, 652);
    const failed = await opened.page.evaluate((all) => markdown.failedExamples(all), examples);
    assert.deepEqual(
      failed.filter(({ cut }) => cut !== undefined),
      [],
    );
    const readme = readFileSync("src/markdown/README.md", "utf8");
    const rows = readme.split("\n").filter((line) => line.startsWith("|"));
    const listed = [...rows.join("\n").matchAll(/(?<=[|,] )\d{3}(?=[, ])/g)].map(Number);
    assert.deepEqual(
      failed.map(({ number }) => number),
      listed.sort((a, b) => a - b),
    );
  });

  const corpus = JSON.parse(readFileSync("test/fixtures/replies/replies.json", "utf8")) as {
    readonly replies: readonly { readonly reply: string }[];
  };
  const replies = corpus.replies.map(({ reply }) => reply).filter(({ length }) => length < 600);

  it("changes the kind of an element once at most while it arrives", async () => {
    const texts = [...ARRIVING, ...replies.slice(0, 40)];
    const found = await opened.page.evaluate(
      (all) => all.flatMap((text) => markdown.flickers(text).map((kinds) => ({ text, kinds }))),
      texts,
    );
    assert.deepEqual(found, []);
  });

  it("is the same tree if an item at the limit turns out to be the head of a table", async () => {
    const areEqual = await opened.page.evaluate(() => {
      const trees = [1, 99].map((length) =>
        markdown.cut("\n- | c |\n-|-\n\n\n", [length], { maxBlockCost: 2 }),
      );
      return trees[0]!.isEqualNode(trees[1]!);
    });
    assert.ok(areEqual);
  });

  const tryCuts = async (runs: number, texts?: readonly string[]) => {
    const seed = Number(process.env["CORE_CHAT_SEED"] ?? DEFAULT_SEED);
    const result = await opened.page.evaluate(
      ([count, start, all]) => markdown.tryCuts(count, start, all),
      [runs, seed, texts] as const,
    );
    assert.equal(
      result.isFailed,
      false,
      `seed ${result.seed}, example ${result.example}\n${result.message}`,
    );
  };

  itWithRounds("is the same tree for random texts at random splits", ROUNDS, (runs) =>
    tryCuts(runs),
  );

  itWithRounds("is the same tree for replies at random splits", CUTS, (runs) =>
    tryCuts(runs, [...ARRIVING, ...replies]),
  );
});
