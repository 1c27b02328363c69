import assert from "node:assert/strict";
import { question, reply, type FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const theme = (foreground: string) => ({
  tokenColors: [{ scope: ["keyword.control"], settings: { foreground } }],
});

async function untilColor(host: FakeHost, color: string): Promise<void> {
  const keyword = host.page.locator("pre code span", { hasText: /^return\s*$/ });
  await keyword.evaluate(async (element, wanted) => {
    while (getComputedStyle(element).color !== wanted) await new Promise(requestAnimationFrame);
  }, color);
}

describe("the colors of code", () => {
  const open = usePanel({ hasCodeColors: true });

  it("come from the theme that the host reads, and follow its changes", async () => {
    const text = "```ts\nreturn 1;\n```\n";
    const host = await open({ shown: { messages: [question("q1", "Code"), reply("r1", text)] } });
    const { themeId } = await host.waitFor("theme-shown");
    assert.notEqual(themeId, "");
    await host.send({ type: "theme-read", theme: theme("#123456") });
    await untilColor(host, "rgb(18, 52, 86)");
    await host.send({ type: "theme-read", theme: theme("#654321") });
    await untilColor(host, "rgb(101, 67, 33)");
    await host.page.evaluate(() => (document.body.dataset["vscodeThemeId"] = "Another"));
    assert.equal((await host.waitFor("theme-shown", 2)).themeId, "Another");
    await host.send({ type: "theme-read" });
    await host.page.waitForFunction(
      () => getComputedStyle(document.querySelector("pre code span")!).color !== "rgb(101, 67, 33)",
    );
  });
});

describe("the file name over code", () => {
  const open = usePanel();

  it("stays readable in a narrow panel; its folders are cut first", async () => {
    const text = "```ts src/a/very/long/path/of/folders/cart.ts\nreturn 1;\n```\n";
    const messages = [question("q1", "Code"), reply("r1", text)];
    const { page } = await open({ widthPx: 280, shown: { messages } });
    const parts = page.locator(".code-label > span");
    const hidden = await parts.evaluateAll((spans) =>
      spans.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    );
    assert.equal(await parts.last().textContent(), "cart.ts");
    assert.equal(hidden[1], 0);
    assert.ok(hidden[0]! > 0, "the panel is too wide for this test");
  });
});

describe("diagrams", () => {
  const open = usePanel();

  it("fit a narrow panel: flowcharts from top to bottom, others smaller, below the actions", async () => {
    const sources = [
      "flowchart LR\n  A[First step] --> B[Second step] --> C[Third step] --> D[Last step]",
      "sequenceDiagram\n  Customer->>Shop: Where is my order?\n  Shop-->>Warehouse: Where is it?",
    ];
    const text = sources.map((source) => `\`\`\`mermaid\n${source}\n\`\`\`\n\n`).join("");
    const messages = [question("q1", "Draw"), reply("r1", text)];
    const { page } = await open({ widthPx: 290, shown: { messages } });
    await page.locator("img.diagram").nth(1).waitFor();
    const [flow, sequence] = await page.locator("img.diagram").evaluateAll((images) =>
      (images as HTMLImageElement[]).map((image) => {
        const block = image.closest(".code-block")!;
        const frame = image.parentElement!;
        const actions = block.querySelector(".code-actions")!.getBoundingClientRect();
        return {
          isUpright: image.naturalHeight > image.naturalWidth,
          scale: image.width / image.naturalWidth,
          hiddenPx: frame.scrollWidth - frame.clientWidth,
          isCovered: actions.bottom > image.getBoundingClientRect().top + 1,
        };
      }),
    );
    assert.deepEqual(flow, { isUpright: true, scale: 1, hiddenPx: 0, isCovered: false });
    assert.deepEqual([sequence!.hiddenPx, sequence!.isCovered], [0, false]);
    assert.ok(sequence!.scale < 1, String(sequence!.scale));
  });

  it("fit the panel, and become larger and fit again by click or Enter", async () => {
    const nodes = Array.from({ length: 3 }, (_, n) => `A${n}[Step number ${n}] --> A${n + 1}`);
    const text = `\`\`\`mermaid\nflowchart LR\n${nodes.join("\n")}\n\`\`\`\n`;
    const messages = [question("q1", "Draw"), reply("r1", text)];
    const { page } = await open({ widthPx: 700, shown: { messages } });
    const room = page.getByRole("group", { name: /^Diagram/ });
    await room.locator("img").click();
    const width = () => room.locator("img").evaluate((img) => img.getBoundingClientRect().width);
    const enlarged = await width();
    const outer = await room.evaluate((element) => element.clientWidth);
    assert.ok(enlarged > outer, `${enlarged} of ${outer} px`);
    await room.press("Enter");
    const fitted = await width();
    assert.ok(fitted <= outer, `${fitted} of ${outer} px`);
    await room.press("Enter");
    assert.equal(await width(), enlarged);
  });
});
