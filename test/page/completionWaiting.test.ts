/**
 * Tests Enter on a "#" or "/" word before its list is complete: the first item of the complete list
 * is taken, and a word is sent as text only if the complete list is empty or was closed.
 */
import assert from "node:assert/strict";
import { ALL } from "../support/depth";
import type { ReferenceView } from "../../src/protocol/views";
import { poll, type FakeHost, compose } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const changes: ReferenceView = { kind: "changes", label: "Changes", detail: "", name: "changes" };
const checkout: ReferenceView = { kind: "picture", label: "checkout.png", detail: "pictures" };
const cache: ReferenceView = { kind: "file", label: "cacheEntry.ts", detail: "src" };

describe("Enter on a word whose list is not complete", () => {
  const open = usePanel();

  const boxOf = (host: FakeHost) => host.page.getByRole("textbox", { name: "Message" });
  const searching = (host: FakeHost) => host.page.getByText("Searching…");

  async function answer(
    host: FakeHost,
    typed: string,
    items: ReferenceView[],
    isComplete = true,
  ): Promise<void> {
    const asked = () => host.receivedOf("references-asked").findLast(({ text }) => text === typed);
    await poll(() => asked() !== undefined, `a search for ${typed}`);
    await host.send({ type: "references-found", query: asked()!.query, items, isComplete });
  }

  /** Answers each search for a text, as a host does, until an item is picked. */
  async function answerEach(host: FakeHost, typed: string, items: ReferenceView[]): Promise<void> {
    let answered = 0;
    await poll(async () => {
      const asked = host.receivedOf("references-asked").filter(({ text }) => text === typed);
      for (const { query } of asked.slice(answered))
        await host.send({ type: "references-found", query, items, isComplete: true });
      answered = asked.length;
      return host.receivedOf("reference-picked").length > 0;
    }, `an item that is picked for ${typed}`);
  }

  async function pickedLabel(host: FakeHost, items: ReferenceView[]): Promise<string | undefined> {
    const { query, index } = await host.waitFor("reference-picked");
    assert.equal(query, host.receivedOf("references-asked").at(-1)?.query);
    assert.deepEqual(host.receivedOf("question-asked"), []);
    return items[index]?.label;
  }

  // The second mark is that of Chinese and Japanese keyboards in full-width mode.
  for (const typed of ["#che", "＃che"]) {
    it(`attaches checkout.png for "${typed}" and Enter before the host has answered`, async () => {
      const host = await open();
      await boxOf(host).pressSequentially(typed);
      await boxOf(host).press("Enter");
      await searching(host).waitFor();
      await boxOf(host).press("Enter");
      const items = [changes, cache, checkout];
      await answer(host, "che", items);
      assert.equal(await pickedLabel(host, items), "checkout.png");
      assert.equal(await boxOf(host).inputValue(), "checkout.png ");
      await searching(host).waitFor({ state: "detached" });
    });
  }

  it("waits for the last part of a list that arrives in parts", async () => {
    const host = await open();
    await boxOf(host).pressSequentially("#ch");
    await answer(host, "ch", [changes]);
    await host.page.getByRole("option", { name: "Changes" }).waitFor();
    await boxOf(host).pressSequentially("e");
    await boxOf(host).press("Enter");
    await answer(host, "che", [], false);
    await answer(host, "che", [cache], false);
    await host.page.getByRole("option", { name: "cacheEntry.ts" }).waitFor();
    await boxOf(host).press("Enter");
    assert.deepEqual(host.receivedOf("reference-picked"), []);
    const items = [cache, checkout];
    await answer(host, "che", items);
    assert.equal(await pickedLabel(host, items), "checkout.png");
  });

  it(`says that no list came, sends nothing, and takes a late list with the next Enter ${ALL}`, async () => {
    const host = await open();
    await boxOf(host).pressSequentially("#che");
    await boxOf(host).press("Enter");
    await host.page.getByText("The search for #che takes too long").waitFor();
    assert.equal(await boxOf(host).inputValue(), "#che");
    assert.deepEqual(host.receivedOf("question-asked"), []);
    await boxOf(host).press("Enter");
    await answer(host, "che", [checkout]);
    assert.equal(await pickedLabel(host, [checkout]), "checkout.png");
  });

  it("sends a question only after the picked file is attached", async () => {
    const host = await open();
    host.answer = "none";
    await boxOf(host).pressSequentially("#che");
    await answer(host, "che", [checkout]);
    await host.page.getByRole("option", { name: "checkout.png" }).waitFor();
    await boxOf(host).press("Enter");
    await boxOf(host).press("Enter");
    await host.page.getByText("Attaching…").waitFor();
    assert.deepEqual(host.receivedOf("question-asked"), []);
    host.answer = { isAccepted: true };
    await host.answerWaiting({ isAccepted: true });
    assert.equal((await host.waitFor("question-asked")).text, "checkout.png ");
    assert.equal(host.receivedOf("question-asked").length, 1);
  });

  for (const how of ["reports a refusal", "does not answer"] as const) {
    it(`does not send the question if the host ${how}`, async () => {
      const host = await open();
      host.answer = "none";
      await boxOf(host).pressSequentially("#che");
      await answer(host, "che", [checkout]);
      await host.page.getByRole("option", { name: "checkout.png" }).waitFor();
      await boxOf(host).press("Enter");
      await boxOf(host).press("Enter");
      await host.page.getByText("Attaching…").waitFor();
      if (how === "reports a refusal") await host.answerWaiting({ isAccepted: false });
      else {
        await host.refuseWaiting();
        await host.page.getByText("Nothing was attached. Try again.").waitFor();
      }
      await host.page.getByText("Attaching…").waitFor({ state: "detached" });
      assert.deepEqual(host.receivedOf("question-asked"), []);
      assert.equal(await boxOf(host).inputValue(), "checkout.png ");
      host.answer = { isAccepted: true };
      await boxOf(host).press("Enter");
      await host.waitFor("question-asked");
    });
  }

  it("sends the word as text if the complete list is empty", async () => {
    const host = await open();
    const texts = ["#123", "#hashtag", "see #124", "看看#标签", "first\n#125"];
    for (const [at, text] of texts.entries()) {
      await boxOf(host).fill(text);
      await boxOf(host).press("Enter");
      const typed = text.slice(text.lastIndexOf("#") + 1);
      await answer(host, typed, [], false);
      await searching(host).waitFor();
      assert.equal(host.receivedOf("question-asked").length, at, text);
      await answer(host, typed, []);
      assert.equal((await host.waitFor("question-asked", at + 1)).text, text);
    }
    assert.equal(host.receivedOf("question-asked").length, texts.length);
  });

  it("sends the word as text after Escape, also with a space behind it", async () => {
    const host = await open({ shown: { panel: { isRunning: true } } });
    await boxOf(host).pressSequentially("#123");
    await boxOf(host).press("Enter");
    await searching(host).waitFor();
    await boxOf(host).press("Escape");
    await searching(host).waitFor({ state: "detached" });
    assert.deepEqual(host.receivedOf("stop-asked"), []);
    await boxOf(host).pressSequentially(" ");
    await boxOf(host).press("Enter");
    assert.match((await host.waitFor("question-asked")).text, /^#123/);
  });

  it("shows a match of scattered letters instead of taking it unseen", async () => {
    const host = await open();
    const scattered = { kind: "file" as const, label: "a1b2c3.ts", detail: "src" };
    await boxOf(host).pressSequentially("fix #123");
    await boxOf(host).press("Enter");
    await answer(host, "123", [scattered]);
    await host.page.getByRole("option", { name: "a1b2c3.ts" }).waitFor();
    await searching(host).waitFor({ state: "detached" });
    assert.equal(await boxOf(host).inputValue(), "fix #123");
    assert.deepEqual(host.receivedOf("question-asked"), []);
    await boxOf(host).press("Enter");
    assert.equal(await pickedLabel(host, [scattered]), "a1b2c3.ts");
  });

  for (const [how, send] of [
    [
      "the Send button",
      (host: FakeHost) => host.page.getByRole("button", { name: "Send", exact: true }).click(),
    ],
    ["Ctrl+Enter", (host: FakeHost) => boxOf(host).press("Control+Enter")],
    [
      "Enter at another place",
      async (host: FakeHost) => {
        await boxOf(host).press("Home");
        await boxOf(host).press("Enter");
      },
    ],
    [
      "Enter after a space",
      async (host: FakeHost) => {
        await boxOf(host).press("End");
        await boxOf(host).press(" ");
        await boxOf(host).press("Enter");
      },
    ],
  ] as const) {
    it(`does not send a lone "#che" with ${how}`, async () => {
      const host = await open();
      await boxOf(host).pressSequentially("#che");
      await send(host);
      await searching(host).waitFor();
      await answerEach(host, "che", [checkout]);
      assert.equal(await pickedLabel(host, [checkout]), "checkout.png");
    });
  }

  it("waits for the list of prompts before it sends a lone /word", async () => {
    const panel = { isListingPrompts: true, prompts: [{ name: "fix", text: "Fix this code." }] };
    const host = await open({ shown: { panel } });
    await boxOf(host).pressSequentially("/rev");
    await boxOf(host).press("Enter");
    await searching(host).waitFor();
    await boxOf(host).press("Enter");
    assert.deepEqual(host.receivedOf("question-asked"), []);
    await host.show({ panel: { prompts: [{ name: "review", text: "Review this code." }] } });
    await poll(async () => (await boxOf(host).inputValue()) === "Review this code.", "the prompt");
    assert.deepEqual(host.receivedOf("question-asked"), []);
    await boxOf(host).fill("/none");
    await boxOf(host).press("Enter");
    assert.equal((await host.waitFor("question-asked")).text, "/none");
  });

  it("leaves the Enter of an input method alone, and waits after its word", async () => {
    const host = await open();
    await boxOf(host).focus();
    const client = await compose(host.page, "#jie");
    await boxOf(host).dispatchEvent("keydown", { key: "Enter", keyCode: 229, isComposing: true });
    await client.send("Input.insertText", { text: "#解" });
    assert.deepEqual(host.receivedOf("question-asked"), []);
    await boxOf(host).press("Enter");
    await searching(host).waitFor();
    const file = { kind: "file" as const, label: "解析.ts", detail: "" };
    await answer(host, "解", [file]);
    assert.equal(await pickedLabel(host, [file]), "解析.ts");
  });
});
