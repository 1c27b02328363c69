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
const ROUNDS = { quick: RUNS || 1_000, all: RUNS || 3_000 };

/**
 * Returns the expected HTML of an example: that of the suite or, for an example with raw HTML, the
 * output of markdown-it with HTML off.
 */
function wantedHtml(markdownSource: string, html: string): string {
  const withHtml = createMarkdownIt("commonmark").render(markdownSource);
  const asText = createMarkdownIt("commonmark", { html: false }).render(markdownSource);
  return withHtml === asText ? html : asText;
}

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
    const listed = [...readme.matchAll(/(?<=[|,] )\d{3}(?=[, ])/g)].map(Number);
    assert.deepEqual(
      failed.map(({ number }) => number),
      listed.sort((a, b) => a - b),
    );
  });

  itWithRounds("is the same tree for random texts at random splits", ROUNDS, async (runs) => {
    const seed = Number(process.env["CORE_CHAT_SEED"] ?? DEFAULT_SEED);
    const result = await opened.page.evaluate(([count, start]) => markdown.tryCuts(count, start), [
      runs,
      seed,
    ] as const);
    assert.equal(
      result.isFailed,
      false,
      `seed ${result.seed}, example ${result.example}\n${result.message}`,
    );
  });
});
