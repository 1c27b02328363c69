/**
 * Tests completion of "#" and "/" in the composer: requests to the host, the list by keyboard and
 * the resulting text. Also tests the chip of automatic context.
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { AutomaticView, ReferenceView } from "../../src/protocol/views";
import { poll, question, reply, type FakeHost, compose } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const items: ReferenceView[] = [
  { kind: "file", label: "parser.ts", detail: "src" },
  { kind: "folder", label: "parts/", detail: "src" },
  { kind: "symbol", label: "parseDate", detail: "src/dates.ts" },
];
const prompts = [
  { name: "explain", text: "Explain this code." },
  { name: "fix", text: "Fix this code." },
];
const automatic: AutomaticView = {
  id: "s1",
  kind: "file",
  label: "src/a.ts",
  detail: "3-4",
  tooltip: "src/a.ts:3-4",
  isOn: true,
};

describe("completion in the composer", () => {
  const open = usePanel();

  const textOf = (host: FakeHost) => host.page.getByRole("textbox", { name: "Message" });
  const focused = (page: Page) => page.locator(":focus");
  const listOf = (host: FakeHost) => host.page.getByRole("listbox", { name: "Suggestions" });

  async function typeAndFind(host: FakeHost, text: string, found = items): Promise<void> {
    const before = host.receivedOf("references-asked").length;
    await textOf(host).pressSequentially(text);
    const typed = text.slice(text.lastIndexOf("#") + 1);
    const asked = () => host.receivedOf("references-asked").slice(before).at(-1);
    await poll(() => asked()?.text === typed, typed);
    const query = asked()?.query;
    assert.ok(query !== undefined);
    await host.send({ type: "references-found", query, items: found, isComplete: true });
    await listOf(host).waitFor();
  }

  async function activeOption(host: FakeHost): Promise<string> {
    const id = await textOf(host).getAttribute("aria-activedescendant");
    assert.ok(id);
    const option = host.page.locator(`#${id}`);
    assert.equal(await option.getAttribute("aria-selected"), "true");
    return (await option.innerText()).split("\n")[0] ?? "";
  }

  it("opens after # from the menu of +, which attaches files too, by keyboard", async () => {
    const host = await open();
    const { page } = host;
    const text = textOf(host);
    const add = page.getByRole("button", { name: "Add context" });
    for (const [typed, result] of [
      ["", "#"],
      ["a", "a #"],
      ["a ", "a #"],
    ] as const) {
      await text.fill(typed);
      await add.press("Enter");
      await page
        .getByRole("menuitem", { name: "Files and pictures…" })
        .and(focused(page))
        .waitFor();
      for (const key of ["ArrowUp", "Enter"]) await page.keyboard.press(key);
      await text.and(focused(page)).waitFor();
      assert.equal(await text.inputValue(), result);
    }
    await poll(() => host.receivedOf("references-asked").at(-1)?.text === "", "a search");
    await add.press("Enter");
    await page.keyboard.press("Escape");
    await add.and(focused(page)).waitFor();
    assert.equal(await page.getByRole("menu").count(), 0);
    for (const key of ["Enter", "Enter"]) await page.keyboard.press(key);
    await host.waitFor("files-asked");
  });

  it("searches for the text after #, and Enter accepts the selected suggestion", async () => {
    const host = await open();
    await typeAndFind(host, "look at #par");
    assert.deepEqual(
      (await listOf(host).getByRole("option").allInnerTexts()).map((text) => text.split("\n")[0]),
      ["parser.ts", "parts/", "parseDate"],
    );
    const text = textOf(host);
    assert.equal(await text.getAttribute("aria-controls"), await listOf(host).getAttribute("id"));
    assert.equal(await activeOption(host), "parser.ts");
    await text.press("ArrowDown");
    assert.equal(await activeOption(host), "parts/");
    await text.press("ArrowUp");
    await text.press("ArrowUp");
    assert.equal(await activeOption(host), "parseDate");
    await text.press("Enter");
    const { query, index } = await host.waitFor("reference-picked");
    assert.equal(query, host.receivedOf("references-asked").at(-1)?.query);
    assert.equal(index, 2);
    assert.equal(await text.inputValue(), "look at parseDate ");
    await listOf(host).waitFor({ state: "detached" });
    assert.deepEqual(host.receivedOf("question-asked"), []);
    assert.equal(await text.getAttribute("aria-activedescendant"), null);
  });

  it("offers /aside once there is a message, keeps the typed question, and asks for a missing one", async () => {
    const host = await open({ shown: { panel: { prompts } } });
    const text = textOf(host);
    await text.pressSequentially("/");
    await listOf(host).waitFor();
    assert.equal(await listOf(host).getByRole("option").count(), 2);
    const messages = [question("q1", "Why?"), reply("r1", "So.")];
    await host.show({ messages, draft: "", panel: { prompts } });
    await text.fill("");
    await text.pressSequentially("why so?");
    await text.press("Home");
    await text.pressSequentially("/as");
    await listOf(host).waitFor();
    assert.equal(await activeOption(host), "/aside");
    await text.press("Enter");
    assert.equal(await text.inputValue(), "/aside why so?");
    await host.page.keyboard.type("and ");
    assert.equal(await text.inputValue(), "/aside and why so?");
    await text.press("Enter");
    assert.equal((await host.waitFor("question-asked")).text, "/aside and why so?");
    // Typed whole with the slash of a Chinese keyboard: the first Enter completes, the second sends.
    await text.pressSequentially("／aside");
    await text.press("Enter");
    assert.equal(await text.inputValue(), "/aside ");
    await text.press("Enter");
    assert.equal((await host.waitFor("question-asked", 2)).text, "/aside ");
  });

  it("keeps the names of accepted suggestions in the sentence", async () => {
    const host = await open();
    const text = textOf(host);
    await text.fill("compare  with , please");
    await text.press("Home");
    for (let at = 0; at < "compare ".length; at++) await text.press("ArrowRight");
    await typeAndFind(host, "#par");
    await text.press("Enter");
    for (let at = 0; at < " with ".length; at++) await text.press("ArrowRight");
    await typeAndFind(host, "#par");
    await text.press("ArrowDown");
    await text.press("Enter");
    assert.equal(await text.inputValue(), "compare parser.ts with parts/, please");
    await text.pressSequentially("!");
    assert.equal(await text.inputValue(), "compare parser.ts with parts/!, please");
  });

  it("accepts a suggestion with Tab and with a click, and keeps the caret in the text", async () => {
    const host = await open();
    await typeAndFind(host, "#par");
    await textOf(host).press("Tab");
    assert.equal((await host.waitFor("reference-picked")).index, 0);
    await typeAndFind(host, "#pa");
    await listOf(host).getByRole("option", { name: "parts/" }).click();
    assert.equal((await host.waitFor("reference-picked", 2)).index, 1);
    assert.ok(await textOf(host).evaluate((box) => box === document.activeElement));
  });

  it("closes with Escape and stays closed until another word starts", async () => {
    const host = await open({ shown: { panel: { isRunning: true } } });
    await typeAndFind(host, "#par");
    const text = textOf(host);
    await text.press("Escape");
    await listOf(host).waitFor({ state: "detached" });
    assert.deepEqual(host.receivedOf("stop-asked"), [], "Escape was for the list");
    await text.pressSequentially("s and #p");
    await poll(() => host.receivedOf("references-asked").at(-1)?.text === "p", "a new word");
    await text.press("Escape");
    await text.press("Escape");
  });

  it("narrows the list while the results for more letters are pending", async () => {
    const host = await open();
    await typeAndFind(host, "#par");
    await textOf(host).pressSequentially("sed");
    await poll(async () => (await listOf(host).getByRole("option").count()) === 1, "one line");
    assert.equal(await activeOption(host), "parseDate");
  });

  it("opens for no # inside a word or before a space, and directly after Chinese characters", async () => {
    const host = await open();
    for (const [at, text] of ["C#", "issue&#39;", "a#b", "# Title", "#a b"].entries()) {
      await textOf(host).fill(text);
      await textOf(host).press("Enter"); // After a word of a list, Enter would wait for the list.
      assert.equal((await host.waitFor("question-asked", at + 1)).text, text);
    }
    assert.deepEqual(host.receivedOf("references-asked"), []);
    await textOf(host).fill("看看");
    await textOf(host).pressSequentially("#par");
    await poll(() => host.receivedOf("references-asked").at(-1)?.text === "par", "par");
  });

  it("does not interrupt an input method", async () => {
    const host = await open();
    const text = textOf(host);
    await text.focus();
    const client = await compose(host.page, "#jie");
    assert.equal(await text.inputValue(), "#jie");
    await client.send("Input.insertText", { text: "#解" });
    await poll(() => host.receivedOf("references-asked").length > 0, "the finished word");
    assert.deepEqual(
      host.receivedOf("references-asked").map(({ text: typed }) => typed),
      ["解"],
    );
  });

  it("replaces / and its name with the prompt's text", async () => {
    const host = await open({ shown: { panel: { prompts } } });
    const text = textOf(host);
    await text.pressSequentially("/");
    await listOf(host).getByRole("option").first().waitFor();
    assert.equal(await listOf(host).getByRole("option").count(), 2);
    await text.pressSequentially("fi");
    assert.equal(await activeOption(host), "/fix");
    await text.press("Enter");
    assert.equal(await text.inputValue(), "Fix this code.");
    assert.deepEqual(host.receivedOf("question-asked"), []);
    await text.press("Enter");
    assert.equal((await host.waitFor("question-asked")).text, "Fix this code.");
  });

  it("inserts a prompt file's text, with the first value to enter selected", async () => {
    const file = { name: "review", text: "", path: ".github/prompts/review.prompt.md" };
    const host = await open({ shown: { panel: { prompts: [...prompts, file] } } });
    const text = textOf(host);
    host.answer = { isAccepted: true, text: "Review a.ts in ${input:style}." };
    await text.pressSequentially("/rev");
    assert.match(await listOf(host).innerText(), /review\.prompt\.md/);
    await text.press("Enter");
    assert.equal((await host.waitFor("prompt-asked")).name, "review");
    await host.page.waitForFunction(
      () => document.querySelector("textarea")?.value === "Review a.ts in ${input:style}.",
    );
    await host.page.waitForFunction(() => {
      const area = document.querySelector("textarea");
      return area !== null && area.selectionEnd - area.selectionStart === "${input:style}".length;
    });
    await text.pressSequentially("one word");
    assert.equal(await text.inputValue(), "Review a.ts in one word.");
    host.answer = "refuse";
    await text.fill("");
    await text.pressSequentially("/rev");
    await text.press("Enter");
    await host.waitFor("prompt-asked", 2);
    assert.equal(await text.inputValue(), "/rev");
  });
});

describe("automatic context", () => {
  const open = usePanel();

  it("is shown before it is sent, and sent as shown", async () => {
    const host = await open({ shown: { panel: { automatic } } });
    const chips = host.page.getByRole("list", { name: "Attachments" }).getByRole("listitem");
    assert.match(await chips.innerText(), /src\/a\.ts/);
    const send = host.page.getByRole("button", { name: "Send", exact: true });
    assert.ok(await send.isDisabled(), "it is no question by itself");
    await host.page.getByRole("textbox", { name: "Message" }).fill("Why?");
    await send.click();
    assert.equal((await host.waitFor("question-asked")).automaticId, "s1");
  });

  it("is switched with one click, and not sent while it is off", async () => {
    const host = await open({ shown: { panel: { automatic } } });
    const toggle = host.page.getByRole("button", { name: "Selection src/a.ts:3-4" });
    assert.equal(await toggle.getAttribute("aria-pressed"), "true");
    await toggle.click();
    assert.equal((await host.waitFor("automatic-switched")).isOn, false);
    await host.show({ panel: { automatic: { ...automatic, isOn: false } } });
    await poll(async () => (await toggle.getAttribute("aria-pressed")) === "false", "off");
    await host.page.getByRole("textbox", { name: "Message" }).fill("Why?");
    await host.page.getByRole("textbox", { name: "Message" }).press("Enter");
    assert.equal((await host.waitFor("question-asked")).automaticId, undefined);
    await toggle.click();
    assert.equal((await host.waitFor("automatic-switched", 2)).isOn, true);
  });

  it("has the definitions of the selection in a chip that opens and is switched", async () => {
    const definitions = {
      id: "d1",
      kind: "definitions" as const,
      label: "Definitions",
      detail: "6, ~1.2k tokens",
      isOn: true,
    };
    const host = await open({ shown: { panel: { automatic, definitions } } });
    const chip = host.page.getByRole("button", { name: "Definitions 6, ~1.2k tokens" });
    await chip.click();
    assert.equal((await host.waitFor("definitions-opened")).definitionsId, "d1");
    await host.page.getByRole("textbox", { name: "Message" }).fill("Why?");
    await host.page.getByRole("textbox", { name: "Message" }).press("Enter");
    assert.equal((await host.waitFor("question-asked")).definitionsId, "d1");
    await host.page.getByRole("button", { name: "Remove attachment Definitions" }).click();
    assert.equal((await host.waitFor("definitions-switched")).isOn, false);
    const off = { ...definitions, detail: "", isOn: false };
    await host.show({ panel: { automatic, definitions: off } });
    await host.page.getByRole("button", { name: "Add Definitions" }).waitFor();
    await host.page.getByRole("textbox", { name: "Message" }).fill("Why not?");
    await host.page.getByRole("textbox", { name: "Message" }).press("Enter");
    assert.equal((await host.waitFor("question-asked", 2)).definitionsId, undefined);
  });
});
