/**
 * Tests keys and accessible names for reading a conversation without a pointer: messages, tables,
 * diagrams and the end of a reply.
 */
import assert from "node:assert/strict";
import { violationsAround } from "../support/browser/axe";
import { question, reply } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const WIDE = `| ${["Function", "Purpose", "Before", "After", "Remark"].join(" | ")} |
|${" --- |".repeat(5)}
| ${["aLongNameOfAFunction", "b".repeat(20), "c".repeat(20), "d".repeat(20), "e"].join(" | ")} |
`;

describe("reading by keyboard and screen reader", () => {
  const open = usePanel();
  const talk = [question("q1", "One?"), reply("r1", "Yes."), question("q2", "Two?")];

  it("moves between messages with Alt+Up and Alt+Down", async () => {
    const { page } = await open({ shown: { messages: [...talk, reply("r2", "No.")] } });
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement as HTMLElement | null;
        return element?.dataset["messageId"] ?? element?.tagName;
      });
    await page.getByText("No.").waitFor();
    const seen: unknown[] = [];
    for (const key of ["Alt+ArrowUp", "Alt+ArrowUp", "Tab", "Alt+ArrowUp"]) {
      await page.keyboard.press(key);
      seen.push(await focused());
    }
    assert.deepEqual(seen, ["r2", "q2", "BUTTON", "q2"]);
    for (const key of ["Alt+ArrowDown", "Alt+ArrowDown"]) await page.keyboard.press(key);
    assert.equal(await focused(), "TEXTAREA");
    // In the second line, where macOS uses the same keys for its text box.
    await page.getByRole("textbox", { name: "Message" }).fill("a line\nanother");
    await page.keyboard.press("Alt+ArrowUp");
    assert.equal(await focused(), "TEXTAREA");
  });

  it("finds a heading for each message", async () => {
    const { page } = await open({ shown: { messages: talk } });
    const names = ["Question 1: One?", "Reply 1, core_llm", "Question 2: Two?"];
    for (const name of names) {
      await page
        .getByRole("heading", { level: 2, name, exact: true })
        .waitFor({ state: "attached" });
    }
    assert.equal(await page.getByRole("heading", { level: 2 }).count(), names.length);
  });

  it("has one tab stop for the buttons of a message, with arrow keys between them", async () => {
    const { page } = await open({ shown: { messages: talk } });
    const focused = () => page.evaluate(() => (document.activeElement as HTMLElement).title);
    const copy = page.getByRole("article", { name: "Assistant" }).getByRole("button").first();
    await copy.focus();
    const seen: string[] = [];
    for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End"]) {
      await page.keyboard.press(key);
      seen.push(await focused());
    }
    const [first, second, last] = ["Copy", "Regenerate", "Message menu"];
    assert.deepEqual(seen, [second, last, first, last, first, last]);
  });

  it("reaches a table that is wider than the panel, by its name", async () => {
    const messages = [question("q1", "?"), reply("r1", `${WIDE}\n\n| a |\n| --- |\n| 1 |\n`)];
    const { page } = await open({ shown: { messages } });
    const wide = page.getByRole("group", { name: "Table: Function, Purpose, Before, After" });
    await page.locator(".table-box[tabindex].is-cut").and(wide).waitFor();
    const narrow = page.getByRole("group", { name: "Table: a", exact: true });
    assert.equal(await narrow.getAttribute("tabindex"), null);
    await wide.evaluate((element) => (element.scrollLeft = element.scrollWidth));
    await page.locator(".table-box[tabindex]:not(.is-cut)").and(wide).waitFor();
    assert.deepEqual(await violationsAround(page.locator("body")), []);
  });

  it("announces that a reply is complete, or why it is not", async () => {
    const host = await open();
    const region = host.page.locator("[data-spoken=reply]");
    const untilAnnounced = (text: string) =>
      region.filter({ hasText: text }).waitFor({ state: "attached" });
    await host.showStreaming();
    await host.stream("r1", 0, ["Just this"]);
    await host.endStreaming();
    await untilAnnounced("Just this Reply complete.");
    await host.showStreaming("Half");
    await host.endStreaming({ notice: { tone: "info", text: "Stopped. The text is kept." } });
    await untilAnnounced("Stopped. The text is kept.");
  });

  it("shows the buttons of all blocks, tables and messages where no pointer hovers", async () => {
    const text = "```ts\nlet a;\n```\n\n| a |\n| --- |\n| 1 |\n";
    const messages = [question("q1", "?"), reply("r1", text), ...talk];
    const { page } = await open({ shown: { messages } });
    const opacities = (theme: string) =>
      page.evaluate((name) => {
        document.body.className = `vscode-reduce-motion ${name}`;
        return [".code-actions", ".table-actions", ".reply .message-actions > .icon-button"].map(
          (selector) => getComputedStyle(document.querySelector(selector)!).opacity,
        );
      }, theme);
    await page.locator(".table-actions").waitFor({ state: "attached" });
    assert.deepEqual(await opacities("vscode-dark"), ["0", "0", "0"]);
    for (const name of [
      "vscode-high-contrast",
      "vscode-high-contrast vscode-high-contrast-light",
      "vscode-dark vscode-using-screen-reader",
    ]) {
      assert.deepEqual(await opacities(name), ["1", "1", "1"], name);
    }
    await page.emulateMedia({ forcedColors: "active" });
    assert.deepEqual(await opacities("vscode-dark"), ["1", "1", "1"]);
  });
});
