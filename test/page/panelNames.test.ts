import assert from "node:assert/strict";
import { poll, question, readyPanel, reply } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const talk = [
  question("q1", "First question"),
  reply("r1", "First answer\n\n```ts\nlet a = 1;\n```\n", { version: { index: 2, count: 3 } }),
];

describe("the panel's names and roles", () => {
  const open = usePanel();

  it("mark a reply as busy while it streams and offer to stop it", async () => {
    const host = await open();
    await host.showStreaming("Half");
    const article = host.page.getByRole("article", { name: "Assistant" });
    await article.and(host.page.locator("[aria-busy=true]")).waitFor();
    await host.page.getByRole("button", { name: "Stop" }).click();
    await host.waitFor("stop-asked");
    await host.endStreaming();
    await article.and(host.page.locator("[aria-busy=false]")).waitFor();
    await host.page.getByRole("button", { name: "Send", exact: true }).waitFor();
  });

  it("send the host the action of a message's button", async () => {
    const host = await open({ shown: { messages: talk } });
    const answer = host.page.getByRole("article", { name: "Assistant" });
    await answer.getByRole("button", { name: "Copy", exact: true }).click();
    assert.equal((await host.waitFor("copy-asked")).messageId, "r1");
    await answer.getByRole("button", { name: "Regenerate" }).click();
    assert.deepEqual(await host.waitFor("regenerate-asked"), {
      type: "regenerate-asked",
      messageId: "r1",
    });
    await answer.getByRole("button", { name: "Previous version" }).click();
    assert.equal((await host.waitFor("version-chosen")).step, -1);
    await answer.getByRole("button", { name: "Next version" }).click();
    assert.equal((await host.waitFor("version-chosen", 2)).step, 1);
  });

  it("label a code block with its number and send no code", async () => {
    const two = "```ts\nlet a;\n```\n\ntext\n\n```py\nb = 2\n```\n";
    const host = await open({ shown: { messages: [question("q1", "?"), reply("r1", two)] } });
    await host.page.getByRole("button", { name: "Copy code" }).nth(1).click();
    assert.deepEqual(await host.waitFor("code-asked"), {
      type: "code-asked",
      action: "copy",
      messageId: "r1",
      block: 1,
    });
    await host.page.getByRole("button", { name: "Apply in editor" }).first().click();
    assert.equal((await host.waitFor("code-asked", 2)).action, "apply-in-editor");
    const inMenu = [
      ["Insert at cursor", "insert-at-cursor"],
      ["Replace selection", "replace-selection"],
      ["New file", "new-file"],
    ] as const;
    for (const [at, [name, action]] of inMenu.entries()) {
      await host.page.getByRole("button", { name: "More actions" }).first().click();
      await host.page.getByRole("menuitem", { name }).click();
      assert.equal((await host.waitFor("code-asked", 3 + at)).action, action);
    }
  });

  it("offer a preview for HTML and SVG, and for CSS next to HTML", async () => {
    const blocks = "```css\np {}\n```\n\n```html\n<p>x</p>\n```\n\n```ts\nlet a;\n```\n";
    const messages = [
      ...[question("q1", "?"), reply("r1", blocks)],
      ...[question("q2", "?"), reply("r2", "```css\np {}\n```\n\n```xml\n<svg></svg>\n```\n")],
      ...[question("q3", "?"), reply("r3", "```css\np {}\n```\n\n```xml\n<a></a>\n```\n")],
    ];
    const { page, waitFor } = await openWith(messages);
    await page.getByRole("button", { name: "Preview" }).first().click();
    const { action, messageId, block } = await waitFor(1);
    assert.deepEqual([action, messageId, block], ["preview", "r1", 1]);
    await page.getByRole("button", { name: "Preview" }).nth(1).click();
    assert.equal((await waitFor(2)).messageId, "r2");
    const more = page.getByRole("button", { name: "More actions", exact: true });
    await more.nth(0).click();
    const menu = page.getByRole("menu");
    await menu.getByRole("menuitem", { name: "Preview" }).click();
    assert.equal((await waitFor(3)).block, 0);
    await more.nth(2).click();
    await menu.getByRole("menuitem", { name: "New file" }).waitFor();
    assert.equal(await menu.getByRole("menuitem", { name: "Preview" }).count(), 0);
    assert.equal(await page.getByRole("button", { name: /^Preview/ }).count(), 2);

    async function openWith(shown: typeof messages) {
      const host = await open({ shown: { messages: shown } });
      return { page: host.page, waitFor: (count: number) => host.waitFor("code-asked", count) };
    }
  });

  it("offers to review the files that the blocks or the diff of a reply name", async () => {
    const blocks = (count: number) => "```ts\nlet a;\n```\n\n".repeat(count);
    const diff = "```diff\n--- a/a.ts\n+++ b/a.ts\n-one\n+two\n```\n";
    const messages = [
      ...[question("q1", "?"), reply("r1", blocks(1))],
      ...[question("q2", "?"), reply("r2", blocks(2))],
      ...[question("q3", "?"), reply("r3", diff)],
    ];
    const host = await open({ shown: { messages }, answer: { isAccepted: true, fileCount: 2 } });
    const buttons = host.page.getByRole("button", { name: "Review 2 files" });
    await buttons.nth(1).waitFor();
    assert.equal(await buttons.count(), 2);
    host.answer = { isAccepted: true, fileCount: 0 };
    await host.show({ messages: [...messages, question("q4", "?"), reply("r4", blocks(3))] });
    await host.waitFor("named-files-counted", 3);
    assert.equal(await host.page.getByRole("button", { name: /^Review/ }).count(), 2);
    await buttons.first().click();
    assert.equal((await host.waitFor("apply-all-asked")).messageId, "r2");
    await buttons.last().click();
    assert.equal((await host.waitFor("apply-all-asked", 2)).messageId, "r3");
  });

  it("have the same names in each code block, whose toolbar says its file or first line", async () => {
    const blocks = "```ts src/a.ts\nlet a;\n```\n\n```py\n\nb = 2\n```\n\n```\n\n```\n";
    const { page } = await open({
      shown: { messages: [question("q1", "?"), reply("r1", blocks)] },
    });
    for (const block of ["ts, src/a.ts", "py, b = 2", ""]) {
      const name = `Actions for the code: ${block}`.trim();
      const toolbar = page.getByRole("toolbar", { name, exact: true });
      for (const button of ["Copy code", "Apply in editor", "More actions"]) {
        await toolbar.getByRole("button", { name: button, exact: true }).waitFor();
      }
    }
    await page.getByRole("group", { name: "Code: py, b = 2", exact: true }).waitFor();
  });

  it("open the menu of a code block by keyboard, and close only the menu with Escape", async () => {
    const host = await open({ shown: { messages: talk, panel: { isRunning: true } } });
    const more = host.page.getByRole("button", { name: "More actions" });
    await host.page.getByRole("button", { name: "Copy code" }).focus();
    for (const key of ["End", "Enter", "ArrowDown"]) await host.page.keyboard.press(key);
    const replace = host.page.getByRole("menuitem", { name: "Replace selection" });
    await replace.and(host.page.locator(":focus")).waitFor();
    await host.page.keyboard.press("Escape");
    await replace.waitFor({ state: "hidden" });
    assert.ok(await more.evaluate((button) => button === document.activeElement));
    assert.deepEqual(host.receivedOf("stop-asked"), []);
  });

  it("wrap the lines of a code block on demand", async () => {
    const { page } = await open({ shown: { messages: talk } });
    const wrap = page.getByRole("menuitemcheckbox", { name: "Wrap lines" });
    const more = page.getByRole("button", { name: "More actions" });
    await more.click();
    await wrap.click();
    await wrap.waitFor({ state: "hidden" });
    await more.click();
    assert.equal(await wrap.getAttribute("aria-checked"), "true");
    const code = page.locator(".code-block code");
    assert.equal(
      await code.evaluate((element) => getComputedStyle(element).whiteSpace),
      "pre-wrap",
    );
  });

  it("select the next model with one key, and announce it", async () => {
    const host = await open();
    const text = host.page.getByRole("textbox", { name: "Message" });
    await text.fill("What is this?");
    await text.press("Alt+m");
    assert.deepEqual(await host.waitFor("model-chosen"), { type: "model-chosen", model: "llm" });
    await host.waitForToast("Model: core_llm");
    await host.send({ type: "panel-changed", panel: { ...readyPanel, model: "vl" } });
    const picker = host.page.getByRole("combobox", { name: "Model" });
    await poll(async () => (await picker.inputValue()) === "vl", "the vision model");
    await text.press("Alt+m");
    await host.waitForToast("Model: Auto");
    assert.equal(await text.inputValue(), "What is this?");
  });

  it("are few: Copy, Regenerate and the menu, and under an error without text only the menu", async () => {
    const notice = { tone: "error" as const, text: "No." };
    const host = await open({
      shown: {
        messages: [
          ...[question("q1", "?"), reply("r1", "Whole")],
          ...[question("q2", "?"), reply("r2", "Half", { notice })],
          ...[question("q3", "?"), reply("r3", "", { notice })],
        ],
      },
    });
    for (const [id, titles, kind] of [
      ["q1", ["Edit message", "Message menu"], "question"],
      ["r1", ["Copy", "Regenerate", "Message menu"], "reply"],
      ["r2", ["Copy", "Regenerate", "Message menu"], "reply"],
      ["r3", ["Message menu"], "failure"],
    ] as const) {
      const message = host.page.locator(`[data-message-id=${id}]`);
      const buttons = message.locator(".message-actions button");
      const shown = await buttons.evaluateAll((all) => all.map((one) => one.getAttribute("title")));
      assert.deepEqual(shown, titles);
      const menu = (await message.getAttribute("data-vscode-context")) ?? "";
      assert.equal((JSON.parse(menu) as Record<string, string>)["coreChat.message"], kind);
    }
  });

  it("connect a service by its address before the first question", async () => {
    const host = await open({
      shown: {
        panel: {
          setup: [
            { id: "service", isDone: false, title: "Service", detail: "Paste it." },
            { id: "key", isDone: false, title: "API key", detail: "Kept by VS Code." },
          ],
        },
      },
    });
    const { page } = host;
    const text = "api.example.com does not answer. Check the address.";
    host.answer = { isAccepted: true, notice: { tone: "error", text } };
    const address = page.getByRole("textbox", { name: "Address" });
    await address.fill("api.example.com");
    await address.press("Enter");
    assert.equal((await host.waitFor("connect-asked")).address, "api.example.com");
    await page.getByRole("alert").filter({ hasText: "does not answer" }).waitFor();
    assert.equal(await address.inputValue(), "api.example.com");
    host.answer = "none";
    await page.getByRole("button", { name: "Connect" }).click();
    await page.getByRole("button", { name: "Connecting…" }).waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
    const notice = { tone: "info" as const, text: "The service answers" };
    await host.answerWaiting({ isAccepted: true, notice });
    await host.send({ type: "panel-changed", panel: readyPanel });
    await page.getByRole("status").filter({ hasText: "The service answers" }).waitFor();
    await page.getByRole("list", { name: "Suggested questions" }).waitFor();
  });
});
