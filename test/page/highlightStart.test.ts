/**
 * Tests code colors when the highlighting worker starts late or fails to start: the code is plain at
 * first and gets its colors later.
 */
import assert from "node:assert/strict";
import type { MarkdownTools } from "./markdownEntry";
import { openMarkdownPage, type MarkdownPage } from "./markdownPage";

declare const markdown: MarkdownTools;

/** Behavior of the starts of a worker, in order; the last one repeats. */
type Start = "hangs" | "is silent" | "fails" | "works" | "reads nothing";

describe("code colors of a worker that starts late", function () {
  this.timeout(120_000);
  let opened: MarkdownPage;

  before(async () => {
    opened = await openMarkdownPage();
  });
  after(() => opened.close());

  /**
   * Renders two replies, the second after the first has colors or every start has failed. Long
   * timers run at once, in their order.
   */
  function render(starts: readonly Start[]) {
    return opened.page.evaluate(async (kinds) => {
      const setTimeoutBefore = window.setTimeout.bind(window);
      const delays: number[] = [];
      let count = 0;
      Object.assign(window, {
        setTimeout: (run: () => void, ms: number) => {
          if (ms >= 1_000) delays.push(ms);
          // A worker that works has the whole time, on a busy machine too.
          const longMs = kinds[count - 1] === "works" ? ms : 1_500;
          return setTimeoutBefore(run, ms >= 10_000 ? longMs : Math.min(ms, 5));
        },
      });
      try {
        const highlighter = markdown.makeHighlighter(() => {
          const kind = kinds[Math.min(count++, kinds.length - 1)];
          if (kind === "hangs") return new Promise<Worker>(() => undefined);
          if (kind === "fails") return Promise.reject(new Error("no workers"));
          if (kind === "works") return markdown.startHighlightWorker();
          const first = kind === "reads nothing" ? "postMessage({ type: 'ready' });" : "";
          const address = URL.createObjectURL(new Blob([`${first} onmessage = () => {}`]));
          return Promise.resolve(new Worker(address));
        });
        const show = async () => {
          const container = document.createElement("main");
          document.body.append(container);
          const stream = markdown.createMarkdownStream(container, { highlighter });
          stream.append("```ts\nconst a = 1;\nconst b = `x${a}`;\n```\n");
          await stream.end();
          const plain = container.querySelectorAll("code span").length;
          // After the last start, colors come within a frame or never.
          const lastTry = () => (count < 5 ? 600 : 30);
          for (let tries = 0; tries < lastTry(); tries++) {
            if (container.querySelector("code span") !== null) break;
            await new Promise(requestAnimationFrame);
          }
          const spans = container.querySelectorAll("code span").length;
          return { plain, spans, text: container.querySelector("code")?.textContent };
        };
        return { first: await show(), second: await show(), count, delays };
      } finally {
        Object.assign(window, { setTimeout: setTimeoutBefore });
      }
    }, starts);
  }

  for (const kind of ["hangs", "is silent", "fails", "reads nothing"] as const) {
    it(`come after a worker that ${kind}`, async () => {
      const { first, second, count } = await render([kind, "works"]);
      assert.equal(first.plain, 0, "the end of the reply does not wait");
      assert.ok(first.spans > 2);
      assert.equal(first.text, "const a = 1;\nconst b = `x${a}`;\n");
      assert.equal(second.spans, first.spans);
      assert.equal(count, 2);
    });
  }

  it("are tried a bounded number of times with growing pauses, then never again", async () => {
    const { first, second, count, delays } = await render(["fails"]);
    assert.deepEqual([first.spans, second.spans, count], [0, 0, 5]);
    const pauses = delays.filter((ms) => ms < 10_000);
    assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000]);
  });
});
