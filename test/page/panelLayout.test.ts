/**
 * Tests the division of the panel's height, one-line notices, long questions, and elements that
 * must not move.
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { addedIf } from "../support/depth";
import type { AttachmentView, NoticeView } from "../../src/protocol/views";
import { holdPart, poll, question, reply, meterOf, pictureAnswer } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const PICTURE = { hash: "2".repeat(64), widthPx: 1600, heightPx: 900 };
const SHOT: AttachmentView = {
  id: "a1",
  kind: "picture",
  label: "Screenshot of the settings page.png",
  detail: "1600×900 PNG, 412 KB",
  picture: PICTURE,
  fit: "whole",
};
const METER = meterOf({ system: 40, history: 24_000, files: 300, pictures: 900 });
const TALK = [question("q1", "What is this?"), reply("r1", "A line.\n\n".repeat(40))];

const NOTICES: NoticeView[] = [
  {
    tone: "info",
    text: "Restricted Mode: everything works, but this workspace's own settings are left out.",
    action: { id: "manage-trust", label: "Manage Workspace Trust" },
  },
  { tone: "warning", text: "The setting cannot be used, so its default holds. Correct it now." },
];

function heightOf(page: Page, selector: string): Promise<number> {
  return page.locator(selector).evaluate((element) => element.getBoundingClientRect().height);
}

function topOf(page: Page, selector: string): Promise<number> {
  return page.locator(selector).evaluate((element) => element.getBoundingClientRect().top);
}

describe("the conversation in a low panel", () => {
  const open = usePanel();
  const sizes = [
    [300, 330],
    [320, 480],
    [1280, 300],
  ] as const;

  for (const [widthPx, heightPx] of sizes) {
    it(`keeps half of ${widthPx}×${heightPx} px with pictures and notices${addedIf(heightPx > 330)}`, async () => {
      const shown = { messages: TALK, attachments: [SHOT, { ...SHOT, id: "a2" }] };
      const host = await open({
        widthPx,
        heightPx,
        shown: { ...shown, panel: { notices: NOTICES } },
      });
      host.answer = pictureAnswer(1600, 900);
      await host.send({ type: "meter-changed", meter: METER });
      await host.page.getByRole("meter").waitFor();
      const height = await heightOf(host.page, ".transcript-area");
      assert.ok(height >= heightPx / 2, `${height} px of ${heightPx}`);
      const overflow = await host.page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        const send = [...document.querySelectorAll("button[type=submit]")].at(-1)!;
        return [scrollWidth - clientWidth, send.getBoundingClientRect().bottom - innerHeight];
      });
      assert.ok(
        overflow[0]! <= 0 && overflow[1]! <= 0,
        `overflows by ${overflow.join(" and ")} px`,
      );
    });
  }

  it("leaves the text of a long draft at least one line", async () => {
    const draft = "One line of many.\n".repeat(60);
    const shown = { messages: TALK, attachments: [SHOT], draft };
    const { page } = await open({ widthPx: 640, heightPx: 400, shown });
    assert.ok((await heightOf(page, ".transcript-area")) >= 200);
    assert.ok((await heightOf(page, ".composer-text")) >= 20);
  });
});

describe("standing notices", () => {
  const open = usePanel();

  it("show the most severe on one line and count the others", async () => {
    const notices: NoticeView[] = [...NOTICES, { tone: "error", text: "History is not saved." }];
    const { page } = await open({ shown: { messages: TALK, panel: { notices } } });
    const shown = page.locator(".standing-notices .notice-text");
    assert.deepEqual(await shown.allTextContents(), ["History is not saved."]);
    await page.getByRole("button", { name: "2 more notices" }).click();
    assert.equal(await shown.count(), 3);
    const isDrawn = await page
      .locator(".standing-notices .notice > .codicon")
      .evaluateAll((icons) =>
        icons.map((icon) => getComputedStyle(icon, "::before").content !== "none"),
      );
    assert.deepEqual(isDrawn, [true, true, true]);
    const roles = await page
      .locator(".standing-notices .notice")
      .evaluateAll((all) => all.map((notice) => notice.getAttribute("role")));
    assert.deepEqual(roles, ["alert", "status", "status"], "only an error interrupts");
    await page.getByRole("button", { name: "Show less" }).last().click();
    await page.getByRole("button", { name: "2 more notices" }).waitFor();
    assert.equal(await shown.count(), 1);
  });

  it("are dismissed through the host, and the focus moves to the composer", async () => {
    const host = await open({ shown: { messages: TALK, panel: { notices: NOTICES } } });
    await host.page.getByRole("button", { name: "Dismiss" }).first().click();
    assert.equal((await host.waitFor("notice-dismissed")).text, NOTICES[1]?.text);
    const box = host.page.getByRole("textbox", { name: "Message" });
    await poll(() => box.evaluate((element) => element === document.activeElement), "focus");
  });
});

describe("the end of a reply", () => {
  const open = usePanel();
  const long = "core_llm · 0.1 s to first token · ~73 tokens/s · ~204 tokens · and some more";

  for (const before of ["core_llm", ""]) {
    it(`moves nothing when the line above it changes from "${before}"`, async () => {
      const host = await open({ widthPx: 300 });
      const streaming = reply("r1", "Half", { isStreaming: true, metaLine: before });
      await host.show({ messages: [question("q1", "?"), streaming], panel: { isRunning: true } });
      await host.page.locator(".reply-body p").waitFor();
      const top = await topOf(host.page, ".reply-body");
      const height = await heightOf(host.page, "article.reply");
      await host.endStreaming({ metaLine: long });
      await host.page.getByRole("button", { name: "Regenerate" }).waitFor();
      assert.equal(await topOf(host.page, ".reply-body"), top);
      assert.equal(await heightOf(host.page, "article.reply"), height);
    });
  }
});

describe("a question in the conversation", () => {
  const open = usePanel();
  const lines = Array.from({ length: 100 }, (_, index) => `Line ${index + 1}`).join("\n");

  it("is collapsed when it is long, and expanded with Show more", async () => {
    const { page } = await open({
      shown: { messages: [question("q1", lines), reply("r1", "Yes.")] },
    });
    assert.ok((await heightOf(page, "article.question")) < 400);
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByRole("button", { name: "Show less" }).waitFor();
    assert.ok((await heightOf(page, "article.question")) > 1500);
  });

  it("is expanded if a match is in its hidden part", async () => {
    const { page } = await open({
      shown: { messages: [question("q1", lines), reply("r1", "Yes.")] },
    });
    await page.keyboard.press("Control+f");
    await page.getByRole("textbox", { name: "Find" }).fill("Line 77");
    await page.getByRole("button", { name: "Show less" }).waitFor();
    const isVisible = () =>
      page.evaluate(() => {
        const [range] = CSS.highlights.get("core-chat-find-current") ?? [];
        if (!range) return false;
        const live = document.createRange();
        live.setStart(range.startContainer, range.startOffset);
        live.setEnd(range.endContainer, range.endOffset);
        const { top, bottom } = live.getBoundingClientRect();
        const box = document.querySelector("[role=log]")!.getBoundingClientRect();
        return top >= box.top && bottom <= box.bottom;
      });
    await poll(isVisible, "the visible match");
  });

  it("shows its code without backticks, which a copy and a search still find", async () => {
    const text =
      "Why does `npm test` fail in ``a`b``, not in \\`c`?\n\n~~~sh\nnpm test\n\n  `cd` ..\n~~~~\n\n\nSee:\n```\nthe end";
    const { page } = await open({
      shown: { messages: [question("q1", text), reply("r1", "So.")] },
    });
    const shown = page.locator(".question-text");
    const codeOf = (name: string) =>
      shown.locator(name).evaluateAll((all) =>
        all.map((one) =>
          [...one.childNodes]
            .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
            .map(({ nodeValue }) => nodeValue)
            .join(""),
        ),
      );
    assert.deepEqual(await codeOf("code"), ["npm test", "a`b"]);
    assert.deepEqual(await codeOf("pre"), ["npm test\n\n  `cd` ..\n", "the end"]);
    const sizes = await shown
      .locator(".code-mark")
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).fontSize));
    assert.deepEqual(new Set(sizes), new Set(["0px"]));
    const copied = await shown.evaluate((element) => {
      getSelection()?.selectAllChildren(element);
      return getSelection()?.toString();
    });
    assert.equal(copied, text);
    await page.keyboard.press("Control+f");
    await page.getByRole("textbox", { name: "Find" }).fill("does npm test fail");
    await page.getByText("1 of 1").waitFor();
  });
});

describe("the find bar", () => {
  const open = usePanel();

  it("closes when another conversation is shown before the bar is loaded", async () => {
    let release = () => {};
    const early = async (page: Page) => void (release = await holdPart(page, "findBar"));
    const host = await open({ shown: { messages: TALK }, early });
    await host.page.keyboard.press("Control+f");
    await host.page.getByRole("textbox", { name: "Find" }).waitFor();
    await host.show({ conversationId: "c2", messages: [] });
    release();
    await host.page.getByRole("textbox", { name: "Find" }).waitFor({ state: "detached" });
  });

  it("scrolls the conversation and not the page around it", async () => {
    const host = await open({ shown: { messages: TALK } });
    await host.page.evaluate(() => {
      // A page that is taller than its frame, as in VS Code's webview overlay.
      document.documentElement.style.cssText = "height: calc(100% + 5px); overflow: hidden";
    });
    await host.page.keyboard.press("Control+f");
    await host.page.getByRole("textbox", { name: "Find" }).pressSequentially("line");
    await host.page.getByText("40 of 40").waitFor();
    await host.page.getByRole("button", { name: "Next match" }).click();
    await host.page.getByText("1 of 40").waitFor();
    const tops = await host.page.evaluate(() => [
      document.documentElement.scrollTop,
      document.body.scrollTop,
    ]);
    assert.deepEqual(tops, [0, 0]);
  });
});
