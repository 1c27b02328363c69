/**
 * Tests code colors when code hangs the highlighting worker: that code stays plain, and all other
 * code gets its colors, however often that happens.
 */
import assert from "node:assert/strict";
import type { MarkdownTools } from "./markdownEntry";
import { openMarkdownPage, type MarkdownPage } from "./markdownPage";

declare const markdown: MarkdownTools;

const GOOD = (name: string) => `\`\`\`ts\nconst ${name} = 1;\n\`\`\`\n\n`;
const HANGS = (name: string) => `\`\`\`ts\nconst ${name} = HANGS;\n\`\`\`\n\n`;

describe("code that hangs the highlighting worker", function () {
  this.timeout(120_000);
  let opened: MarkdownPage;

  before(async () => {
    opened = await openMarkdownPage();
  });
  after(() => opened.close());

  /**
   * Renders replies one after the other, each once the one before has its colors and this many
   * blocks have been given up. A worker that receives a line with HANGS reads nothing more; long
   * timers run only then.
   */
  function render(
    replies: readonly (readonly [text: string, givenUp: number])[],
    hangs: "always" | "once" = "always",
  ) {
    return opened.page.evaluate(
      async ([texts, isOnce]) => {
        const before = {
          set: window.setTimeout.bind(window),
          clear: window.clearTimeout.bind(window),
        };
        const timers = new Map<number, () => void>();
        let lastTimer = 0;
        Object.assign(window, {
          setTimeout: (run: () => void, ms: number) => {
            if (ms < 10_000) return before.set(run, Math.min(ms, 5));
            timers.set(--lastTimer, run);
            return lastTimer;
          },
          clearTimeout: (id: number) => {
            if (!timers.delete(id)) before.clear(id);
          },
        });
        const hung: string[] = [];
        let workers = 0;
        const start = async () => {
          const worker = await markdown.startHighlightWorker();
          workers++;
          const post = worker.postMessage.bind(worker);
          let isHung = false;
          let unread = 0;
          worker.addEventListener("message", ({ data }: MessageEvent<{ type: string }>) => {
            if (data.type === "tokens-found") unread--;
          });
          /** Runs the timers, once all lines before the hang have been read. */
          const timeOut = () => {
            if (unread > 0) {
              before.set(timeOut, 20);
              return;
            }
            const due = [...timers];
            // Meanwhile more lines may follow.
            before.set(() => {
              for (const [id, run] of due) if (timers.delete(id)) run();
            }, 200);
          };
          worker.postMessage = (message: { lines?: readonly string[] }) => {
            if (isHung) return;
            isHung = message.lines?.some((line) => line.includes("HANGS")) === true;
            if (isOnce && workers > 1) isHung = false;
            if (isHung) before.set(timeOut);
            else {
              if (message.lines !== undefined) unread++;
              post(message);
            }
          };
          return worker;
        };
        try {
          const highlighter = markdown.makeHighlighter(start, (name) => hung.push(name));
          const rows: (readonly [string, boolean])[][] = [];
          for (const [text, givenUp] of texts) {
            const container = document.createElement("main");
            document.body.append(container);
            const stream = markdown.createMarkdownStream(container, { highlighter });
            for (const part of text.split("PAUSE")) {
              stream.append(part);
              await new Promise((resolve) => before.set(resolve, 100));
            }
            await stream.end();
            const good = [...container.querySelectorAll("code")].filter(
              (code) => isOnce || !code.textContent.includes("HANGS"),
            );
            for (let tries = 0; tries < 600; tries++) {
              const isColored = good.every((code) => code.querySelector("span") !== null);
              if (isColored && hung.length >= givenUp) break;
              await new Promise((resolve) => before.set(resolve, 50));
            }
            rows.push(
              [...container.querySelectorAll("code")].map(
                (code) => [code.textContent, code.querySelector("span") !== null] as const,
              ),
            );
          }
          return { rows, hung, workers };
        } finally {
          Object.assign(window, { setTimeout: before.set, clearTimeout: before.clear });
        }
      },
      [replies, hangs === "once"] as const,
    );
  }

  it("stays plain, and all other code gets its colors, three times in one reply", async () => {
    const text = [HANGS("a"), GOOD("b"), HANGS("c"), GOOD("d"), HANGS("e"), GOOD("f")].join("");
    const { rows, hung } = await render([
      [text, 3],
      [GOOD("g"), 3],
    ]);
    assert.deepEqual(rows.flat(), [
      ["const a = HANGS;\n", false],
      ["const b = 1;\n", true],
      ["const c = HANGS;\n", false],
      ["const d = 1;\n", true],
      ["const e = HANGS;\n", false],
      ["const f = 1;\n", true],
      ["const g = 1;\n", true],
    ]);
    assert.deepEqual(hung, ["source.ts", "source.ts", "source.ts"]);
  });

  it("gets its colors if only its first worker was slow", async () => {
    const { rows, hung, workers } = await render([[HANGS("a") + GOOD("b"), 0]], "once");
    const colored = rows[0]?.map(([, isColored]) => isColored);
    assert.deepEqual(colored, [true, true]);
    assert.deepEqual([hung, workers], [[], 2]);
  });
});
