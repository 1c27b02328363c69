import assert from "node:assert/strict";
import { holdPart, poll, question, reply, type FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";
import { listen } from "./support/spokenTexts";

describe("announcements for screen readers", () => {
  const open = usePanel();

  it("read a streaming reply in whole sentences, never in tokens", async () => {
    const host = await open();
    await host.showStreaming();
    const spoken = await listen(host);
    await host.stream("r1", 0, ["The fi", "rst sentence. The sec", "ond one"]);
    await poll(async () => (await spoken()).length > 0, "an announcement");
    assert.deepEqual(await spoken(), ["The first sentence."]);
    await host.stream("r1", 34, [" is here.\n\n```ts\nlet a;\nlet b;\n```\n"]);
    await host.endStreaming();
    await poll(async () => (await spoken()).length > 1, "the next announcement");
    assert.deepEqual(await spoken(), [
      "The first sentence.",
      "The second one is here. code block, ts, 2 lines Reply complete.",
    ]);
  });

  it("leave the conversation itself without a live region", async () => {
    const { page } = await open();
    assert.equal(await page.getByRole("log").getAttribute("aria-live"), "off");
    assert.equal(await page.locator("[data-spoken=reply]").getAttribute("aria-live"), "polite");
  });

  it("do not read the content of a snapshot", async () => {
    const host = await open();
    const spoken = await listen(host);
    await host.showStreaming("An old sentence. Another one. And");
    await host.stream("r1", 33, [" a new one. Then"]);
    await poll(async () => (await spoken()).length > 0, "an announcement");
    assert.deepEqual(await spoken(), ["a new one."]);
  });

  it("remove all text of a conversation before the next one is shown", async () => {
    const host = await open();
    await host.showStreaming();
    const region = host.page.locator("[data-spoken=reply]");
    await host.stream("r1", 0, ["The first sentence. The second one. An"]);
    await region.filter({ hasText: "The first sentence." }).waitFor();
    await host.show({ conversationId: "another", messages: [question("q9", "Another one")] });
    await host.page.getByText("Another one").waitFor();
    assert.equal(await region.textContent(), "");
  });
});

describe("find in the conversation", () => {
  const open = usePanel();
  const messages = [
    question("q1", "Where is the needle?"),
    reply("r1", "A **nee**dle is here.\n\n```ts\nlet needle = 1;\n```\n"),
  ];

  it("opens with Ctrl+F, counts matches across formatting and closes with Escape", async () => {
    const host = await open({ shown: { messages } });
    const { page } = host;
    await page.locator(".code-block").waitFor();
    await page.keyboard.press("Control+f");
    const find = page.getByRole("textbox", { name: "Find" });
    await find.fill("NEEDLE");
    await page.getByText("3 of 3").waitFor();
    assert.equal(await highlightCount(host), 3);
    await find.press("Enter");
    await page.getByText("1 of 3").waitFor();
    await find.press("Shift+Enter");
    await page.getByText("3 of 3").waitFor();
    await find.fill("nothing like it");
    await page.getByText("No results").waitFor();
    await find.press("Escape");
    await find.waitFor({ state: "detached" });
    assert.equal(await highlightCount(host), 0);
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "TEXTAREA");
  });

  it("finds what was typed before the find bar was loaded", async () => {
    let load = () => {};
    const { page } = await open({
      shown: { messages },
      early: async (opened) => {
        load = await holdPart(opened, "findBar");
      },
    });
    await page.locator(".code-block").waitFor();
    await page.keyboard.press("Control+f");
    await page.keyboard.type("nee");
    load();
    await page.getByText("3 of 3").waitFor();
    await page.keyboard.type("dle i");
    await page.getByText("1 of 1").waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Find" }).inputValue(), "needle i");
    assert.equal(await page.getByRole("textbox", { name: "Message" }).inputValue(), "");
  });

  it("closes with Escape without stopping a reply", async () => {
    const host = await open();
    await host.showStreaming("text");
    await host.page.keyboard.press("Control+f");
    const find = host.page.getByRole("textbox", { name: "Find" });
    await find.press("Escape");
    await find.waitFor({ state: "detached" });
    assert.equal(host.receivedOf("stop-asked").length, 0);
  });
});

function highlightCount(host: FakeHost): Promise<number> {
  return host.page.evaluate(() => CSS.highlights.get("core-chat-find")?.size ?? 0);
}
