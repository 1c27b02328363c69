/**
 * Script of the Markdown test pages: the renderer without the app, and checks that run faster
 * inside the page. Results are plain data.
 */
import fc from "fast-check";
import { defined } from "../../src/base/defined";
import { normalizeText } from "../../src/markdown/limits";
import { Highlighter, type StartWorker } from "../../src/renderer/highlight/highlighter";
import { ReplyDocument } from "../../src/renderer/replyDocument";
import { createMarkdownStream, type MarkdownOptions } from "../../src/renderer/stream";
import { startWorkerFromUrl } from "../../src/renderer/trusted";
import { cutLengths, longMarkdownText, markdownText } from "./markdownArbitrary";
import { canonical, canonicalHtml } from "./markdownSpec";

interface Example {
  readonly number: number;
  readonly markdown: string;
  readonly html: string;
}

function whole(text: string, options: MarkdownOptions = {}): HTMLElement {
  const container = document.createElement("div");
  const reply = new ReplyDocument(container, options);
  reply.append(text);
  reply.end();
  return container;
}

/** Renders the text in pieces whose `lengths` are used in turn. */
function cut(text: string, lengths: readonly number[], options: MarkdownOptions = {}): HTMLElement {
  const container = document.createElement("div");
  const reply = new ReplyDocument(container, options);
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const next = at + (lengths[turn % lengths.length] ?? 1);
    reply.append(text.slice(at, next));
    reply.render();
    at = next;
  }
  reply.end();
  return container;
}

/** Returns the examples whose tree differs from the suite's or depends on the pieces. */
function failedExamples(examples: readonly Example[]) {
  const failed: { number: number; wanted: string; got: string; cut?: string }[] = [];
  for (const { number, markdown, html } of examples) {
    const options = { autolinks: false };
    const rendered = whole(markdown, options);
    const got = canonical(rendered);
    const wanted = canonicalHtml(html);
    if (got !== wanted) failed.push({ number, wanted, got });
    const inPanel = { ...options, firstHeadingLevel: 3 };
    const atOnce = whole(markdown, inPanel);
    for (const lengths of [[1], [2], [3], [5], [7], [1, 20], [11, 2]]) {
      const pieces = cut(markdown, lengths, inPanel);
      if (atOnce.isEqualNode(pieces)) continue;
      failed.push({
        number,
        wanted: atOnce.innerHTML,
        got: pieces.innerHTML,
        cut: lengths.join(),
      });
      break;
    }
  }
  return failed;
}

/** Checks random texts, or up to three of `texts` in a row, in random pieces; a failure is shrunk. */
function tryCuts(runs: number, seed: number, texts?: readonly string[]) {
  const text =
    texts === undefined
      ? fc.oneof({ weight: 9, arbitrary: markdownText }, { weight: 1, arbitrary: longMarkdownText })
      : fc
          .array(fc.constantFrom(...texts), { minLength: 1, maxLength: 3 })
          .map((parts) => parts.join("\n"));
  // Few elements of a block, so that random texts exceed the limit.
  const maxCost = fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined, freq: 2 });
  const property = fc.property(text, cutLengths, maxCost, (given, lengths, maxBlockCost) => {
    const source = normalizeText(given);
    const options = { firstHeadingLevel: 3, ...defined({ maxBlockCost }) }; // As in the panel.
    const atOnce = whole(source, options);
    const inPieces = cut(source, lengths, options);
    if (!atOnce.isEqualNode(inPieces)) {
      throw new Error(`at once: ${atOnce.innerHTML}\nin pieces: ${inPieces.innerHTML}`);
    }
  });
  const result = fc.check(property, { numRuns: runs, seed });
  return {
    isFailed: result.failed,
    seed: result.seed,
    example: JSON.stringify(result.counterexample),
    message: result.errorInstance instanceof Error ? result.errorInstance.message : "",
  };
}

/** Returns the elements of a text that arrives in single characters which return to an earlier kind. */
function flickers(text: string): string[] {
  const container = document.createElement("div");
  const reply = new ReplyDocument(container, {});
  const kinds = new Map<string, string[]>();
  const found = new Set<string>();
  const visit = (element: Element, path: string, now: Map<string, string>) => {
    for (const [index, child] of [...element.children].entries()) {
      const name = `${path}/${index}`;
      now.set(name, `${child.tagName} ${child.getAttribute("dir") ?? ""}`);
      visit(child, name, now);
    }
  };
  for (const character of text) {
    reply.append(character);
    reply.render();
    const now = new Map<string, string>();
    visit(container, "", now);
    for (const path of new Set([...kinds.keys(), ...now.keys()])) {
      const kind = now.get(path) ?? "none";
      const before = kinds.get(path) ?? [];
      if (before.at(-1) === kind) continue;
      if (before.includes(kind)) found.add(`${path}: ${[...before, kind].join(" → ")}`);
      kinds.set(path, [...before, kind]);
    }
  }
  return [...found];
}

const startHighlightWorker = () => startWorkerFromUrl("/highlightWorker.js", "core-chat-highlight");

const page = {
  canonical,
  createMarkdownStream,
  cut,
  failedExamples,
  flickers,
  makeHighlighter: (
    start: StartWorker = startHighlightWorker,
    reportHang?: (scopeName: string) => void,
  ) => new Highlighter(document, start, reportHang),
  ReplyDocument,
  startHighlightWorker,
  tryCuts,
  whole,
};

/** Global `markdown` of the page. */
export type MarkdownTools = typeof page;

Object.assign(globalThis, { markdown: page, isReady: true });
