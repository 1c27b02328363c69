/**
 * Tests diagrams, which are images under the panel's content security policy: independent of how
 * the text arrives, and harmless for hostile sources.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { after, before, describe, it } from "mocha";
import { itWithRounds } from "../support/depth";
import type { MarkdownTools } from "./markdownEntry";
import { openMarkdownPage, type MarkdownPage } from "./markdownPage";

declare const markdown: MarkdownTools;

const FLOW = "```mermaid\nflowchart LR\n  A[Start] --> B{Good?}\n  B -->|yes| C[End]\n```\n";

/** Sources that try to run, load or navigate; `@` is the server's address. */
const HOSTILE = [
  'flowchart LR\n  A["<img src=@/img onerror=parent.hit=1>"] --> B["<script>parent.hit=1</script>"]',
  'flowchart LR\n  A --> B\n  click A "javascript:parent.hit=1"\n  click B call alert(1)',
  'flowchart LR\n  A --> B\n  click A href "@/link" _blank',
  '%%{init: {"themeCSS": "* { background: url(@/css) } @import \'@/import\'", "securityLevel": "loose", "htmlLabels": true}}%%\nflowchart LR\n  A["<iframe src=@/frame></iframe>"] --> B',
  "flowchart LR\n  A --> B\n  style A fill:url(@/fill),background-image:url(@/style)\n  classDef c fill:url(@/class)\n  class B c",
  '%%{init: {"fontFamily": "x; } @font-face { font-family: x; src: url(@/font)", "themeVariables": {"primaryColor": "url(@/var)"}}}%%\nflowchart LR\n  A --> B',
  '---\nconfig:\n  securityLevel: loose\n  theme: base\n  themeVariables:\n    lineColor: \'url(@/line)\'\n---\nflowchart LR\n  A@{ img: "@/shape.png", label: "x" } --> B@{ icon: "@/icon" }',
  'sequenceDiagram\n  Alice->>Bob: <img src=@/seq onerror=parent.hit=1>\n  link Alice: Home @ @/home\n  links Alice: {"x": "javascript:parent.hit=1"}',
  'classDiagram\n  class A\n  link A "@/class" "<svg onload=parent.hit=1>"\n  callback A "alert"',
];

describe("a diagram", function () {
  this.timeout(300_000);
  let opened: MarkdownPage;

  before(async () => {
    opened = await openMarkdownPage();
  });
  after(() => opened.close());

  /**
   * Renders a text at once and in pieces of this length; returns the resulting state of the page.
   */
  function show(text: string, pieceLength = 7) {
    return opened.page.evaluate(
      async ([source, length]) => {
        const render = async (pieces: readonly string[]) => {
          const container = document.createElement("main");
          document.body.append(container);
          const stream = markdown.createMarkdownStream(container);
          for (const piece of pieces) {
            stream.append(piece);
            if (pieces.length > 1) await new Promise(requestAnimationFrame);
          }
          await stream.end();
          return container;
        };
        const whole = await render([source]);
        const pieces = source.match(new RegExp(`[^]{1,${length}}`, "g")) ?? [];
        const cut = await render(pieces);
        const images = [...whole.querySelectorAll<HTMLImageElement>("img.diagram")];
        await Promise.all(images.map((image) => image.decode()));
        const found = {
          isSame: whole.isEqualNode(cut),
          images: images.map(({ naturalWidth, naturalHeight, src, alt }) => ({
            naturalWidth,
            naturalHeight,
            alt,
            svg: decodeURIComponent(src),
          })),
          failed: [...whole.querySelectorAll(".diagram-failed")].map((one) => one.textContent),
          code: [...whole.querySelectorAll("code")].map((one) => one.textContent),
          hit: (globalThis as { hit?: unknown }).hit,
        };
        whole.remove();
        cut.remove();
        return found;
      },
      [text, pieceLength] as const,
    );
  }

  it("is an image next to its source, however the text arrives", async () => {
    const shown = await show(`Look:\n\n${FLOW}\nand on\n`);
    assert.equal(shown.isSame, true);
    assert.equal(shown.images.length, 1);
    const [image] = shown.images;
    assert.ok(image && image.naturalWidth > 100 && image.naturalHeight > 30, JSON.stringify(image));
    assert.equal(image.alt, "Diagram");
    assert.match(image.svg, /Start/);
    assert.match(image.svg, /yes/);
    assert.deepEqual(shown.failed, []);
    assert.match(shown.code[0] ?? "", /^flowchart LR\n/);
    assert.deepEqual(await opened.violations(), []);
  });

  it("is its source with a message if it cannot be parsed", async () => {
    const shown = await show(
      "```mermaid\nflowchart LR\n  A --> \n```\n\n```mermaid\nnonsense\n```\n",
      50,
    );
    assert.equal(shown.isSame, true);
    assert.equal(shown.images.length, 0);
    assert.equal(shown.failed.length, 2);
    assert.match(shown.failed[0] ?? "", /could not be drawn/);
  });

  for (const kind of [
    "sequenceDiagram\n  Alice->>Bob: Hello\n  Bob-->>Alice: Hi",
    "stateDiagram-v2\n  [*] --> Still\n  Still --> [*]",
    'pie title Pets\n  "Dogs" : 386\n  "Cats" : 85',
  ]) {
    it(`can be of the kind ${kind.split(/\s/, 1)[0]}`, async () => {
      const shown = await show(`\`\`\`mermaid\n${kind}\n\`\`\`\n`, 400);
      assert.equal(shown.images.length, 1);
      assert.equal(shown.isSame, true);
    });
  }

  /** Renders a diagram and returns the texts in the image, without whitespace. */
  async function drawnText(source: string): Promise<string> {
    const { images } = await show(`\`\`\`mermaid\n${source}\n\`\`\`\n`, 4_000);
    return opened.page.evaluate((address) => {
      const svg = address.replace(/^[^,]*,/, "");
      const parts = svg.matchAll(/<(?:text|tspan)\b[^>]*>([^<]*)/g);
      const texts = [...parts].map(([, text]) => text ?? "").join("");
      const references: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"' };
      return texts
        .replace(/&(\w+);/g, (reference, name: string) => references[name] ?? reference)
        .replace(/\s+/g, "");
    }, images[0]?.svg ?? "");
  }

  const labelParts = fc.constantFrom(
    ...(
      "x y1 größe 数量 🙂 List<String> x<y f(x) snake_case http://x.y/z < > <= >= => -> <- " +
      "== != & && * ** _ ~~ ~ / ' ! ? + - ^ , . @ [x] (y) {z} [x](y) `x`"
    ).split(" "),
  );
  const label = fc
    .array(fc.tuple(labelParts, fc.constantFrom("", " ")), { minLength: 1, maxLength: 6 })
    // Starts and ends with a letter, because Mermaid has its own marks at the start.
    .map((parts) => `q${parts.map(([part, space]) => space + part).join("")} q`);

  // Excludes characters that are syntax in the kind of diagram.
  const labelled: Record<string, [source: (text: string) => string, syntax: RegExp]> = {
    "a flowchart's node": [(text) => `flowchart LR\n  A["${text}"] --> B`, /never/],
    "a flowchart's decision": [(text) => `flowchart LR\n  A{${text}} --> B`, /[[\](){}@]/g],
    "a flowchart's subgraph": [
      (text) => `flowchart LR\n  subgraph s["${text}"]\n  A --> B\n  end`,
      /never/,
    ],
    "a sequence's message": [(text) => `sequenceDiagram\n  A->>B: ${text}`, /never/],
    "a state": [(text) => `stateDiagram-v2\n  s1 : ${text}`, /never/],
    "a class's name": [(text) => `classDiagram\n  class A["${text}"]`, /[`[\]]/g],
    "a relationship": [(text) => `erDiagram\n  A ||--o{ B : "${text}"`, /never/],
    "a slice": [(text) => `pie\n  "${text}" : 3\n  "other" : 2`, /never/],
  };
  for (const [kind, [source, syntax]] of Object.entries(labelled)) {
    itWithRounds(`shows every character of ${kind}`, { quick: 1, all: 20 }, async (numRuns) => {
      const property = fc.asyncProperty(label, async (drawn) => {
        const text = drawn.replace(syntax, "");
        const shown = await drawnText(source(text));
        assert.ok(shown.includes(text.replace(/\s+/g, "")), `${text} is drawn as ${shown}`);
      });
      await fc.assert(property, { numRuns });
    });
  }

  for (const source of [
    "mindmap\n  root((Tea))\n    Green\n    Black",
    "architecture-beta\n  group api(cloud)[API]\n  service db(database)[Database] in api",
  ]) {
    const kind = source.split(/\s/, 1)[0];
    it(`of an unsupported kind (${kind}) is readable source with a message`, async () => {
      const shown = await show(`\`\`\`mermaid\n${source}\n\`\`\`\n`, 400);
      assert.equal(shown.images.length, 0);
      assert.equal(shown.failed.length, 1);
      assert.match(shown.failed[0] ?? "", /could not be drawn\. Show its source/);
      assert.deepEqual(shown.code, [`${source}\n`]);
      assert.deepEqual(await opened.violations(), []);
    });
  }

  it("is drawn once more when the theme changes from light to dark and back", async () => {
    const seen = await opened.page.evaluate(async (source) => {
      const { classList } = document.body;
      classList.add("vscode-light");
      const container = document.createElement("main");
      document.body.append(container);
      const stream = markdown.createMarkdownStream(container);
      stream.append(source);
      await stream.end();
      const image = container.querySelector<HTMLImageElement>("img.diagram")!;
      const changed = () =>
        new Promise((resolve) => {
          new MutationObserver(resolve).observe(image, { attributeFilter: ["src"] });
        });
      const light = image.src;
      const toDark = changed();
      classList.replace("vscode-light", "vscode-dark");
      await toDark;
      const dark = image.src;
      const toLight = changed();
      classList.replace("vscode-dark", "vscode-light");
      await toLight;
      await image.decode();
      const images = container.querySelectorAll("img").length;
      const again = image.src;
      classList.remove("vscode-light");
      container.remove();
      return { light, dark, again, images };
    }, FLOW);
    assert.notEqual(seen.dark, seen.light);
    assert.match(decodeURIComponent(seen.dark), /Start/);
    assert.equal(seen.again, seen.light);
    assert.equal(seen.images, 1);
  });

  it("is drawn with brackets in labels, or shows its source and one sentence", async () => {
    const block = (lines: string) => `\`\`\`mermaid\nflowchart TD\n${lines}\n\`\`\`\n\n`;
    const { images, failed } = await show(
      block("A[inlet()] --> B[DB (main)]") +
        block("A(call(x)) -->|on (click)| B{is (x)?}") +
        block("A[x(y)] -->"),
    );
    assert.equal(images.length, 2);
    assert.match(images[0]!.svg, /inlet\(\)/);
    assert.equal(failed.length, 1);
  });

  it("runs nothing, loads nothing and contains no link if it is hostile", async () => {
    const text = HOSTILE.map((one) => `\`\`\`mermaid\n${one}\n\`\`\`\n`).join("\n");
    const shown = await show(text.replaceAll("@/", `${opened.origin}/`), 4_000);
    assert.equal(shown.hit, undefined);
    assert.equal(shown.images.length + shown.failed.length, HOSTILE.length);
    assert.ok(shown.images.length >= 5, `${shown.images.length} were drawn`);
    for (const { svg } of shown.images) {
      assert.doesNotMatch(svg, /<(script|image|img|iframe)\b|\son\w+=|javascript:|@import/i);
      assert.doesNotMatch(svg, /\shref="[^#]|url\(\s*["']?(?!["']?#)[^)]*http/i);
    }
    assert.deepEqual(opened.foreignRequests, []);
    assert.deepEqual(await opened.violations(), []);
  });
});
