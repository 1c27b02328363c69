import assert from "node:assert/strict";
import { poll, question, reply, type FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";
import { ALL } from "../support/depth";

/** Returns a conversation of `count` questions and replies. */
function conversation(count: number, text: (index: number) => string) {
  return Array.from({ length: count }, (_, index) => [
    question(`q${index}`, `Question ${index}`),
    reply(`r${index}`, text(index)),
  ]).flat();
}

/**
 * Returns a text about a screen high, so that 200 of them exceed the number that stays rendered.
 */
function longText(index: number): string {
  const paragraph = `Answer **${index}** says ${"much ".repeat(60)}\n\n`;
  return `${paragraph}\`\`\`ts\nlet answer${index} = 1;\n\`\`\`\n\n${paragraph.repeat(3)}`;
}

function body(host: FakeHost, id: string) {
  return host.page.locator(`[data-message-id=${id}] .reply-body`);
}

function rendered(host: FakeHost, id: string) {
  return host.page.locator(`[data-message-id=${id}] .reply-body:not(.is-plain)`);
}

function plain(host: FakeHost, id: string) {
  return host.page.locator(`[data-message-id=${id}] .reply-body.is-plain`);
}

/** Scrolls a message to the top of the viewport, as a user does. */
async function scrollTo(host: FakeHost, id: string): Promise<void> {
  await host.page.locator(`[data-message-id=${id}]`).evaluate((element) => {
    element.dispatchEvent(new WheelEvent("wheel", { bubbles: true }));
    element.scrollIntoView({ block: "start" });
  });
}

/** Scrolls to each reply of a range and waits until it is rendered. */
async function readThrough(host: FakeHost, from: number, to: number): Promise<void> {
  const step = from < to ? 1 : -1;
  for (let index = from; index !== to + step; index += step) {
    await scrollTo(host, `r${index}`);
    await rendered(host, `r${index}`).waitFor();
  }
}

describe("a long conversation", () => {
  const open = usePanel();

  it("is scrolled to its end, has elements only for what is near, and saves its position", async () => {
    const messages = conversation(1000, (index) => `Answer **${index}**`);
    const host = await open({ shown: { messages } });
    await rendered(host, "r999").waitFor();
    await poll(
      () =>
        host.page
          .getByRole("log")
          .evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight <= 1),
      "the end",
    );
    assert.ok((await host.page.locator("article").count()) < 200);
    await host.page.getByRole("log").evaluate((log) => log.scrollTo({ top: 0 }));
    await rendered(host, "r0").waitFor();
    assert.ok((await host.page.locator("article").count()) < 400);
    // The position is saved among messages that have no elements yet, too.
    await host.page.getByRole("log").evaluate((log) => {
      log.dispatchEvent(new WheelEvent("wheel", { bubbles: true }));
      log.scrollTo({ top: log.scrollHeight / 2 });
    });
    const anchor = () =>
      host.page.evaluate(() => {
        const state = JSON.parse(sessionStorage.getItem("state") ?? "{}") as {
          places?: Record<string, { anchorId: string }>;
        };
        return Object.values(state.places ?? {})[0]?.anchorId ?? "";
      });
    await poll(async () => /^[qr][3-7]\d\d$/.test(await anchor()), "the position");
  });

  it("keeps its end while the earlier messages arrive, then shows the position from before", async () => {
    const messages = conversation(60, longText);
    const earlierCount = 60;
    const tail = { messages: messages.slice(earlierCount), earlierCount };
    const host = await open({ shown: tail });
    await rendered(host, "r59").waitFor();
    const article = await host.page.locator("[data-message-id=r59]").elementHandle();
    const send = async () => {
      const earlier = messages.slice(0, earlierCount);
      await host.send({ type: "earlier-shown", beforeId: "q30", messages: earlier.slice(20) });
      await host.send({ type: "earlier-shown", beforeId: "q10", messages: earlier.slice(0, 20) });
    };
    await host.waitFor("earlier-asked");
    await send();
    await host.waitFor("earlier-asked", 2);
    const log = host.page.getByRole("log");
    const fromEnd = () => log.evaluate((el) => el.scrollHeight - el.scrollTop - el.clientHeight);
    await poll(async () => (await log.evaluate((el) => el.scrollHeight)) > 10_000, "all messages");
    await poll(async () => (await fromEnd()) <= 1, "the end");
    assert.ok(await article.evaluate((element) => element.isConnected));
    await scrollTo(host, "q58");
    await log.evaluate((element) => element.scrollTo({ top: 0 }));
    await rendered(host, "r0").waitFor();
    const isSaved = () => host.page.evaluate(() => sessionStorage.getItem("state")?.includes("q0"));
    await poll(async () => (await isSaved()) === true, "the saved position");
    await host.page.reload();
    await host.waitFor("view-ready", 2);
    await rendered(host, "r59").waitFor();
    await send();
    await rendered(host, "r0").waitFor();
    await poll(async () => (await log.evaluate((element) => element.scrollTop)) < 50, "the place");
  });

  it("has elements for all messages once everything is selected", async () => {
    const messages = conversation(200, (index) => `Answer **${index}**`);
    const host = await open({ shown: { messages } });
    await rendered(host, "r199").waitFor();
    assert.equal(await host.page.locator("[data-message-id=q0]").count(), 0);
    await host.page.getByRole("log").focus();
    await host.page.keyboard.press("Control+a");
    await host.page.locator("[data-message-id=q0]").waitFor({ state: "attached" });
    const isSelected = await host.page.evaluate(() =>
      getSelection()!.containsNode(document.querySelector("[data-message-id=q0]")!, true),
    );
    assert.ok(isSelected);
  });

  it(`keeps only recently visible messages rendered, and every height unchanged ${ALL}`, async () => {
    const host = await open({ shown: { messages: conversation(120, longText) } });
    await readThrough(host, 119, 60);
    await plain(host, "r119").waitFor({ state: "attached" });
    const heightOf = (id: string) =>
      host.page.locator(`[data-message-id=${id}]`).evaluate((element) => {
        const group = element.parentElement!;
        return group.getBoundingClientRect().height;
      });
    const before = await heightOf("r100");
    await readThrough(host, 59, 0);
    await poll(
      async () => (await host.page.locator(".reply-body:not(.is-plain)").count()) < 70,
      "fewer rendered replies",
    );
    await plain(host, "r100").waitFor({ state: "attached" });
    assert.equal(await heightOf("r100"), before);
    await scrollTo(host, "r100");
    await rendered(host, "r100").locator("strong").first().waitFor();
    await poll(async () => (await heightOf("r100")) === before, "the height it had");
  });
});

describe("find in a long conversation", () => {
  const open = usePanel({ hasCodeColors: true });

  /** Returns the text that is highlighted as the current match. */
  function marked(host: FakeHost): Promise<string> {
    return host.page.evaluate(() => {
      const [match] = CSS.highlights.get("core-chat-find-current")?.values() ?? [];
      if (match === undefined || !match.startContainer.isConnected) return "";
      const live = document.createRange();
      live.setStart(match.startContainer, match.startOffset);
      live.setEnd(match.endContainer, match.endOffset);
      const { top, bottom } = live.getBoundingClientRect();
      return top >= 0 && bottom <= window.innerHeight ? live.toString() : "";
    });
  }

  it("finds text of a reply that had no elements before", async () => {
    const messages = conversation(100, (index) =>
      index === 3
        ? `${"Words before.\n\n".repeat(80)}The **rea**son is in [\`step3\`](https://example.com), *here*.\n`
        : longText(index),
    );
    const host = await open({ shown: { messages } });
    await rendered(host, "r99").waitFor();
    assert.equal(await host.page.locator("[data-message-id=r3]").count(), 0);
    await host.page.keyboard.press("Control+f");
    await plain(host, "r3").waitFor({ state: "attached" });
    await host.page.getByRole("textbox", { name: "Find" }).fill("the reason is in step3, here");
    await host.page.getByText("1 of 1").waitFor();
    await rendered(host, "r3").waitFor();
    await poll(
      async () => (await marked(host)).toLowerCase() === "the reason is in step3, here",
      "the mark on what is rendered now and visible",
    );
  });

  it("keeps its highlights and its position while code is highlighted and text arrives", async () => {
    const host = await open();
    const text = "One needle.\n\n```ts\nlet needle = 1;\n```\n\n";
    await host.showStreaming(text);
    await body(host, "r1").locator("pre").waitFor();
    await host.page.keyboard.press("Control+f");
    await host.page.getByRole("textbox", { name: "Find" }).fill("needle");
    await host.page.getByText("2 of 2").waitFor();
    await host.stream("r1", text.length, ["Another **nee**dle.\n\nAnd the end"]);
    await host.page.getByText("2 of 3").waitFor();
    await host.endStreaming();
    await body(host, "r1").locator("pre span").first().waitFor();
    await poll(async () => (await marked(host)) === "needle", "the mark in the colored code");
    await host.page.getByText("2 of 3").waitFor();
  });

  it("keeps the match in view while a reply arrives, until the user scrolls", async () => {
    const host = await open();
    const lines = "A line of the reply.\n\n".repeat(60);
    const text = `The needle.\n\n${lines}`;
    await host.showStreaming(text);
    await body(host, "r1").getByText("The needle").waitFor();
    await host.page.keyboard.press("Control+f");
    await host.page.getByRole("textbox", { name: "Find" }).fill("needle");
    await poll(async () => (await marked(host)) === "needle", "the match in view");
    await poll(async () => {
      await host.page.getByRole("log").evaluate((log) => log.scrollBy(0, 900));
      return (await marked(host)) === "";
    }, "the match above the view");
    await host.stream("r1", text.length, [lines]);
    await poll(async () => (await marked(host)) === "needle", "the match in view again");
    await host.page.getByRole("log").hover();
    await host.page.mouse.wheel(0, 700);
    await poll(async () => (await marked(host)) === "", "the scrolled conversation");
    const last = `${lines}The last line.`;
    await host.stream("r1", text.length + lines.length, [last]);
    await body(host, "r1").getByText("The last line.").waitFor();
    assert.equal(await marked(host), "");
  });
});
