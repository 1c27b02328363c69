import assert from "node:assert/strict";
import { buildPanel } from "./support/panelBuild";
import { question, reply, type FakeHost, type OpenOptions } from "./support/fakeHost";
import { madePng } from "../support/pictures/madePng";
import type { UserView } from "../../src/protocol/views";
import { usePanel, WIDTHS_PX } from "./support/panelSuite";

/** Size limit of the first script, in bytes, minified. */
const MAX_FIRST_SCRIPT_BYTES = 200_000;

describe("motion", () => {
  const open = usePanel();

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
