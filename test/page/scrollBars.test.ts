/**
 * Tests scroll bars as users of Windows and Linux see them: thin, over the style that VS Code gives
 * to webviews, and without effect on the edges of the text.
 */
import assert from "node:assert/strict";
import { question, reply, type FakeHost } from "./support/fakeHost";
import { usePanel, WIDTHS_PX } from "./support/panelSuite";

/** Width of a bar in CSS pixels, as in VS Code's lists. */
const BAR_PX = 10;

const code = (line: string) => `\`\`\`text\n${line}\n\`\`\`\n`;

/** A conversation that is higher than the panel. */
function talk(text: string) {
  const filler = Array.from({ length: 60 }, (_, at) => `Line ${at}\n\n`).join("");
  return [question("q1", "Why?"), reply("r1", filler + text)];
}

describe("scroll bars", () => {
  const open = usePanel();

  async function openTalk(widthPx: number, text: string): Promise<FakeHost> {
    const host = await open({ widthPx, shown: { messages: talk(text) } });
    await host.page.locator(".reply-body.is-final").waitFor();
    return host;
  }

  it("leave the conversation and the composer with the same edges at every width", async () => {
    const { page } = await openTalk(330, "The end");
    for (const width of WIDTHS_PX) {
      await page.setViewportSize({ width, height: 700 });
      const edges = await page.evaluate(() =>
        [".question-card", ".reply-body", ".composer-box"].map((selector) => {
          const { left, right } = document.querySelector(selector)!.getBoundingClientRect();
          return [left, right];
        }),
      );
      assert.deepEqual(edges[1], edges[0], `${width} px`);
      assert.deepEqual(edges[2], edges[0], `${width} px`);
    }
  });

  it("are thin wherever something scrolls", async () => {
    const { page } = await openTalk(330, code("a long line ".repeat(20)));
    const bars = await page.evaluate(() =>
      [".transcript", ".code-block pre"].map((selector) => {
        const { offsetWidth, clientWidth, offsetHeight, clientHeight } =
          document.querySelector<HTMLElement>(selector)!;
        return [offsetWidth - clientWidth, offsetHeight - clientHeight];
      }),
    );
    // The transcript has a gutter at both edges.
    assert.deepEqual(bars, [
      [2 * BAR_PX, 0],
      [0, BAR_PX],
    ]);
  });
});
