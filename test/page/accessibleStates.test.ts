/**
 * Tests rare states of the page for axe violations in every theme, and the page at 200 % zoom and
 * with reduced motion.
 */
import assert from "node:assert/strict";
import { itHasNoViolations } from "./support/everyTheme";
import { question, readyPanel, reply } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";
import { ALL } from "../support/depth";

const RICH = `## A heading

- [x] done
- [ ] open

1. One[^1] and $x^2$

$$
\\int_0^1 x\\,dx
$$

| a | b |
| --- | --- |
| \`1\` | [2](https://example.com) |

\`\`\`ts
let a = 1; // a comment
\`\`\`

\`\`\`mermaid
flowchart LR
  A --> B
\`\`\`

\`\`\`mermaid
mindmap
  root((Tea))
\`\`\`

[^1]: A footnote.
`;

const messages = [question("q1", "A rich one, please"), reply("r1", RICH)];

describe("rare states of the panel", () => {
  const open = usePanel();

  itHasNoViolations("with every kind of reply content", async (theme) => {
    const host = await open({ theme, shown: { messages } });
    await host.page.getByRole("img", { name: "Diagram" }).waitFor();
    await host.page.locator(".diagram-failed").waitFor();
    await host.page.locator("math").first().waitFor({ state: "attached" });
    return host;
  });

  itHasNoViolations("with notices and a picture to send again", async (theme) => {
    const failed = reply("r1", "", {
      notice: { tone: "error", text: "The request was too large. Send a smaller picture." },
      pictureRetry: { canShrink: true },
      toolCalls: [{ name: "look", argumentsText: '{"at": 1}' }],
    });
    const notices = (["info", "warning", "error"] as const).map((tone) => ({
      tone,
      text: `A notice. Do ${tone}.`,
      action: { id: "set-api-key" as const, label: `Set ${tone}` },
    }));
    const shown = { messages: [question("q1", "?"), failed], panel: { notices } };
    const host = await open({ theme, shown });
    await host.page.getByRole("alert").first().waitFor();
    return host;
  });

  it(`fits at 200 % zoom, where a panel of 370 px has 185 CSS px ${ALL}`, async () => {
    const { page } = await open({
      widthPx: 185,
      heightPx: 350,
      shown: { messages, panel: readyPanel },
    });
    await page.locator(".code-block .icon-button").first().waitFor();
    const wide = await page.evaluate(() => [
      document.documentElement.scrollWidth - window.innerWidth,
      document.querySelector("[role=log]")!.scrollWidth -
        document.querySelector("[role=log]")!.clientWidth,
    ]);
    assert.deepEqual(wide, [0, 0]);
    // The conversation and the whole composer are visible at the same time.
    const log = await page.getByRole("log").boundingBox();
    const send = await page.getByRole("button", { name: "Send", exact: true }).boundingBox();
    assert.ok(log !== null && log.height > 80, `the conversation has ${log?.height} px`);
    assert.ok(send !== null && send.y + send.height <= 350 && send.x + send.width <= 185);
  });

  it("animates nothing with reduced motion in the system or in VS Code", async () => {
    const host = await open();
    await host.page.emulateMedia({ reducedMotion: "no-preference" });
    await host.showStreaming();
    const working = host.page.locator(".working > span").first();
    await working.waitFor();
    const animation = () => working.evaluate((element) => getComputedStyle(element).animationName);
    assert.equal(await animation(), "shimmer");
    const turn = host.page.getByRole("article", { name: "Assistant" });
    const fade = () =>
      turn.evaluate((element) => {
        const { animationName, animationDuration } = getComputedStyle(element);
        return `${animationName} ${animationDuration}`;
      });
    assert.equal(await fade(), "rise 0.12s");
    await host.page.emulateMedia({ reducedMotion: "reduce" });
    assert.equal(await animation(), "none");
    assert.match(await fade(), /^none /);
    await host.page.emulateMedia({ reducedMotion: "no-preference" });
    await host.page.evaluate(() => document.body.classList.add("vscode-reduce-motion"));
    assert.equal(await animation(), "none");
    const toast = await host.page.evaluate(() => {
      const element = document.createElement("div");
      element.className = "toast";
      document.body.append(element);
      return getComputedStyle(element).animationName;
    });
    assert.equal(toast, "none");
    const moving = await host.page.evaluate(
      () => document.getAnimations().filter(({ playState }) => playState === "running").length,
    );
    assert.equal(moving, 0);
  });
});
