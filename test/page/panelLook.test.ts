import assert from "node:assert/strict";
import { buildPanel } from "./support/panelBuild";
import { OTHER_THEMES, QUICK_THEMES, violationsInThemes } from "./support/everyTheme";
import { question, reply, type FakeHost, type OpenOptions } from "./support/fakeHost";
import { madePng } from "../support/pictures/madePng";
import type { UserView } from "../../src/protocol/views";
import { usePanel, WIDTHS_PX } from "./support/panelSuite";

/** Size limit of the first script, in bytes, minified. */
const MAX_FIRST_SCRIPT_BYTES = 200_000;

const SET_KEY = { id: "set-api-key" as const, label: "Set API Key" };

const setup = [
  { id: "service" as const, isDone: true, title: "Service", detail: "https://maas.example.com" },
  {
    id: "key" as const,
    isDone: false,
    title: "API key",
    detail: "Stored in VS Code's secret storage and sent only to this service.",
    action: { id: "set-api-key" as const, label: "Set API Key" },
  },
];

const talk = [
  question("q1", "Why does this loop drop the last event?", {
    chips: [{ kind: "file", label: "parser.ts", detail: "41-58" }],
    sentLine: "core_llm · ~620 tokens",
    version: { index: 1, count: 2 },
  }),
  reply(
    "r1",
    "The `buffer` is only [flushed](https://example.com):\n\n```ts\nlet a = 1;\n```\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    {
      metaLine: "core_llm · 0.4 s to first token · 71 tokens/s",
      notice: {
        tone: "error",
        text: "The reply was cut off. The text so far is kept. Choose Continue for the rest.",
        action: { id: "continue", label: "Continue" },
      },
    },
  ),
];

describe("the panel's accessibility", () => {
  const open = usePanel();

  it("has no axe violations while a reply streams", async () => {
    const host = await open();
    await host.showStreaming("Half of");
    const text = "Busy (503). Try 2 of 3 in %s s.";
    await host.send({ type: "turn-status", messageId: "r1", text, untilMs: Date.now() + 60_000 });
    await host.page.keyboard.press("Control+f");
    await host.page.getByRole("textbox", { name: "Find" }).waitFor();
    assert.deepEqual(await violationsInThemes(host), []);
  });
});

describe("a secondary button", () => {
  const open = usePanel();

  it("has the border of secondary buttons in every theme", async () => {
    const notice = {
      tone: "error" as const,
      text: "Cut off.",
      action: SET_KEY,
      otherAction: { id: "open-settings" as const, label: "Open Settings" },
    };
    const host = await open({
      shown: { messages: [question("q", "?"), reply("r", "", { notice })] },
    });
    for (const theme of [...QUICK_THEMES, ...OTHER_THEMES]) {
      await host.changeTheme(theme);
      const [border, token] = await host.page.locator(".secondary-button").evaluate((button) => {
        const { borderColor, borderWidth, borderStyle } = getComputedStyle(button);
        const sample = document.createElement("i");
        sample.style.color = "var(--vscode-button-secondaryBorder, var(--line))";
        document.body.append(sample);
        const { color } = getComputedStyle(sample);
        return [`${borderWidth} ${borderStyle} ${borderColor}`, color];
      });
      assert.equal(border, `1px solid ${token}`, theme);
    }
  });
});

describe("the panel in a small window", () => {
  const open = usePanel();
  const long = "averyveryverylongwordwithoutanyplacetobreak".repeat(6);
  const shown = {
    messages: [
      question("q1", long, {
        chips: [{ kind: "file", label: long, detail: "1-2" }],
        sentLine: long,
      }),
      reply(
        "r1",
        `${long}\n\n\`${long}\`\n\n\`\`\`${long}\n${long}\n\`\`\`\n\n|a|b|\n|-|-|\n|${long}|${long}|\n`,
        {
          metaLine: long,
          notice: { tone: "warning", text: long, action: { id: "continue", label: long } },
          toolCalls: [{ name: long, argumentsText: long }],
          version: { index: 11, count: 12 },
        },
      ),
    ],
    panel: {
      models: [{ id: "auto" as const, label: long }],
      notices: [{ tone: "error" as const, text: long }],
    },
  };

  for (const widthPx of [250, 125]) {
    it(`needs no horizontal scrolling at ${widthPx} px`, async () => {
      const { page } = await open({ widthPx, heightPx: 900, shown });
      await page.locator(".reply-body").scrollIntoViewIfNeeded();
      await page.locator(".reply-body .code-block").waitFor();
      assert.deepEqual(await page.evaluate(sticksOut), []);
    });
  }

  it("needs no horizontal scrolling before the first question in Chinese", async () => {
    const { page } = await open({ widthPx: 250, language: "zh-cn", shown: { panel: { setup } } });
    await page.getByText("聊聊你的代码和截图。").waitFor();
    assert.deepEqual(await page.evaluate(sticksOut), []);
  });

  it("lets a long draft grow to less than half the height", async () => {
    const { page } = await open({ heightPx: 600, shown: { draft: "line\n".repeat(100) } });
    const box = await page.getByRole("textbox", { name: "Message" }).boundingBox();
    assert.ok(box!.height > 200 && box!.height <= 240, `${box!.height} px`);
  });

  it("shows every string in Chinese", async () => {
    const host = await open({ language: "zh-cn", shown: { messages: talk } });
    for (const name of ["发送", "复制", "重新生成", "编辑消息"]) {
      await host.page.getByRole("button", { name, exact: true }).first().waitFor();
    }
    assert.equal(await host.page.getByRole("log", { name: "对话" }).count(), 1);
  });
});

describe("hostile text", () => {
  const open = usePanel();
  const hostile = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>‮`;

  async function assertHarmless(options: OpenOptions): Promise<void> {
    const host: FakeHost = await open(options);
    await host.page.locator("article").first().waitFor();
    assert.equal(await host.page.title(), "A conversation");
    assert.equal(await host.page.locator("#root :is(img, script, iframe)").count(), 0);
    const handlers = await host.page.evaluate(() =>
      Array.from(document.querySelectorAll("*")).flatMap((element) =>
        element.getAttributeNames().filter((name) => name.startsWith("on")),
      ),
    );
    assert.deepEqual(handlers, []);
  }

  it("stays text in every field that the host sends", async () => {
    const notice = {
      tone: "error",
      text: hostile,
      action: { id: "continue", label: hostile },
    } as const;
    await assertHarmless({
      shown: {
        messages: [
          question("q1", hostile, {
            chips: [{ kind: "file", label: hostile, detail: hostile }],
            sentLine: hostile,
          }),
          reply("r1", hostile, {
            metaLine: hostile,
            notice,
            toolCalls: [{ name: hostile, argumentsText: hostile }],
          }),
        ],
        draft: hostile,
        panel: { notices: [notice], models: [{ id: "auto", label: hostile }] },
      },
    });
  });

  it("stays text in a message id", async () => {
    const id = `"] , [x='<b>`;
    const host = await open({
      shown: { messages: [question(id, "?"), reply(`${id}2`, "answer")] },
    });
    const answer = host.page.getByRole("article", { name: "Assistant" });
    await answer.getByRole("button", { name: "Copy", exact: true }).click();
    assert.equal((await host.waitFor("copy-asked")).messageId, `${id}2`);
  });
});

describe("the card of a question", () => {
  const open = usePanel();

  const picture = { hash: "a".repeat(64), widthPx: 400, heightPx: 200 };
  const file = { kind: "file" as const, label: "parser.ts", detail: "41-58" };
  const shot = { kind: "picture" as const, label: "shot.png", detail: "400×200 PNG", picture };
  const line = "core_llm · ~620 tokens";
  const cases: readonly (readonly [string, Partial<UserView>, Partial<UserView>])[] = [
    ["text", {}, { sentLine: line }],
    ["a file", { chips: [file] }, { sentLine: line }],
    ["two files", { chips: [file, { ...file, label: "b.ts" }] }, { sentLine: line }],
    ["a picture", { chips: [shot] }, { sentLine: line, sentPictures: [shot] }],
    ["another version", { version: { index: 2, count: 2 } }, { sentLine: line }],
  ];
  for (const [what, asked, sent] of cases) {
    it(`with ${what} keeps its height when the reply starts`, async () => {
      const host = await open();
      host.pictures.set(picture.hash, new Uint8Array(madePng(400, 200)));
      const card = host.page.locator(".question-card");
      for (const widthPx of WIDTHS_PX) {
        await host.page.setViewportSize({ width: widthPx, height: 700 });
        const waiting = reply("r1", "", { isStreaming: true });
        const messages = [question("q1", "Why does it fail?", { sentLine: "", ...asked }), waiting];
        const conversationId = String(widthPx);
        await host.show({ conversationId, messages, panel: { isRunning: true } });
        await card.waitFor();
        assert.equal(await card.getByText(line).count(), 0);
        const heightPx = async () => Math.round((await card.boundingBox())?.height ?? 0);
        const before = await heightPx();
        const message = question("q1", "Why does it fail?", { ...asked, ...sent });
        await host.send({ type: "message-changed", message });
        await card.getByText(line).waitFor();
        assert.equal(await heightPx(), before, `${widthPx} px`);
      }
    });
  }
});

describe("the panel's size", () => {
  it("keeps the first script under its limit", async () => {
    const { firstScriptBytes } = await buildPanel();
    assert.ok(firstScriptBytes < MAX_FIRST_SCRIPT_BYTES, `${firstScriptBytes} bytes`);
  });
});

/** Returns elements that make the page or the transcript wider than itself. */
function sticksOut(): string[] {
  const log = document.querySelector("[role=log]")!;
  const found: string[] = [];
  if (document.documentElement.scrollWidth > window.innerWidth) found.push("page");
  if (log.scrollWidth > log.clientWidth) found.push("transcript");
  for (const element of document.querySelectorAll("button, select, textarea")) {
    const { left, right, width } = element.getBoundingClientRect();
    const isScrolled = element.closest("pre, table") !== null;
    if (width > 0 && !isScrolled && (right > window.innerWidth + 1 || left < -1)) {
      found.push(element.outerHTML.slice(0, 120));
    }
  }
  return found;
}
