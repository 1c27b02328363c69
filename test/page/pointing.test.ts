/**
 * Tests replies that point into pictures: numbers in the text, boxes over the picture, the viewer
 * at a box, and a region for the next question. Covers streaming, every theme and screen readers.
 */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { pictureSize } from "../../src/pictures/pictureSize";
import type { ReplyView } from "../../src/protocol/views";
import { violationsAround } from "../support/browser/axe";
import { violationsInThemes } from "./support/everyTheme";
import {
  poll,
  question,
  readyPanel,
  reply,
  type FakeHost,
  type OpenOptions,
  pictureAnswer,
} from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const hash = "1".repeat(64);
const markLines = [{ letter: "B", file: "cart.ts", line: 6 }];
const answer = { ...pictureAnswer(2000, 1000), markLines };
const SEEN: NonNullable<ReplyView["seenPictures"]> = [
  { hash, name: "shot.png", widthPx: 2000, heightPx: 1000, number: 1, isOfQuestion: true },
];

const JSON_REPLY =
  'Here they are:\n\n```json\n[\n  {"bbox_2d": [100, 200, 300, 400], "label": "Save button"},\n' +
  '  {"bbox_2d": [500, 500, 900, 600], "label": "Menu"}\n]\n```\n\nBoth are blue.';
const TAG_REPLY =
  "The <ref>Save button</ref><box>[[100, 200, 300, 400]]</box> is left of " +
  "<ref>the menu</ref><box>[[500, 500, 900, 600]]</box>. The array [1, 2, 3, 4] is no box.";

describe("replies that point", () => {
  const open = usePanel();

  /** Scale of the model, unless a test is about its choice. */
  const THOUSAND = { scales: ["thousand"], isChosen: false };

  async function openReply(
    text: string,
    more: Partial<ReplyView> = {},
    options: OpenOptions = {},
  ): Promise<FakeHost> {
    const host = await open({ widthPx: 500, ...options, shown: {} });
    host.answer = answer;
    const pointing = reply("r1", text, {
      modelKind: "vl",
      seenPictures: SEEN,
      isPointingAsked: true,
      ...more,
    });
    await host.show({
      messages: [question("q1", "Where?"), pointing],
      panel: { coordinates: THOUSAND },
      ...options.shown,
    });
    return host;
  }

  const strip = (host: FakeHost) => host.page.getByRole("region", { name: "Marks in shot.png" });
  const box = (host: FakeHost, name: string) =>
    strip(host).getByRole("button", { name, exact: true });
  const mark = (host: FakeHost, number: number) =>
    host.page.getByRole("button", { name: `Show mark ${" ABC"[number]}`, exact: true }).first();
  const isLit = (locator: Locator) =>
    poll(async () => (await locator.getAttribute("class"))?.includes("is-lit") === true, "lit");

  /** Returns the position of a box as fractions of its picture. */
  async function shares(host: FakeHost, name: string): Promise<number[]> {
    // In one step, because the list below the picture can move both.
    const at = await box(host, name).evaluate((element) => {
      const inner = element.getBoundingClientRect();
      const outer = element.closest(".pointed-whole")!.getBoundingClientRect();
      return [
        (inner.x - outer.x) / outer.width,
        (inner.y - outer.y) / outer.height,
        inner.width / outer.width,
        inner.height / outer.height,
      ];
    });
    return at.map((share) => Math.round(share * 100) / 100);
  }

  for (const [name, text] of [
    ["a JSON block", JSON_REPLY],
    ["tags", TAG_REPLY],
  ] as const) {
    it(`are drawn over the picture with letters in the text, from ${name}`, async () => {
      const host = await openReply(text);
      await host.page
        .locator(".has-points, .reply-body .point-mark")
        .first()
        .waitFor({ state: "attached" });
      assert.deepEqual(await shares(host, "A Save button"), [0.1, 0.2, 0.2, 0.2]);
      const body = await host.page.locator(".reply-body").innerText();
      assert.ok(!/<box>|bbox_2d/.test(body), body);
      if (text === JSON_REPLY) {
        await host.page.getByRole("button", { name: "Show source" }).click();
        assert.match(await host.page.locator(".reply-body").innerText(), /bbox_2d/);
        const block = host.page.locator(".reply-body .code-block");
        await block.getByRole("button", { name: "Copy code" }).waitFor();
        assert.equal(await block.getByRole("button", { name: "Apply in editor" }).count(), 0);
      } else assert.match(body, /array \[1, 2, 3, 4\] is no box/);
      await strip(host).locator("img").waitFor();
    });
  }

  it("link the line of code that causes a mark, by mouse and by keyboard", async () => {
    const place = ', "file": "shop/cart.ts", "line": 6, "code": "let sum = 0;"}\n]';
    const host = await openReply(JSON_REPLY.replace("}\n]", place), {}, { widthPx: 290 });
    const link = strip(host).getByRole("button", { name: "Mark B, Menu, cart.ts line 6" });
    await link.waitFor();
    const row = strip(host).getByRole("listitem").nth(1);
    assert.match(await row.innerText(), /^B\s+Menu [^·]*· cart\.ts:6$/);
    const { scrollWidth } = await row.evaluate((one) => ({ scrollWidth: one.scrollWidth }));
    assert.ok(scrollWidth <= 290, `the row has ${scrollWidth} pixels`);
    await link.press("Enter");
    const opened = () => host.receivedOf("marks-placed").map((one) => one.opened ?? "");
    await poll(() => opened().join() === ",B", "the line of the link");
    assert.deepEqual(host.receivedOf("marks-placed")[0]?.marks, [["500,500,900,600", "B"]]);
    await isLit(box(host, "B Menu"));
    await mark(host, 1).click();
    const viewer = host.page.getByRole("dialog", { name: "Picture" });
    await viewer.waitFor();
    await host.page.keyboard.press("Escape");
    await viewer.waitFor({ state: "detached" });
    assert.equal(opened().length, 2, "mark A has no line");
    await mark(host, 2).click();
    await poll(() => opened().join() === ",B,B", "the line of the letter");
    assert.deepEqual(await violationsAround(strip(host)), []);
    await host.page.keyboard.press("Escape");
    host.answer = { ...answer, lacksCutOuts: true };
    await link.press("Enter");
    const cutOuts = () => host.receivedOf("marks-placed").at(-1)?.cutOuts;
    await poll(() => cutOuts() !== undefined, "the part of the picture with the mark");
    const [letter, png] = cutOuts()?.[0] ?? [];
    assert.deepEqual([letter, cutOuts()?.length], ["B", 1]);
    // 40 % and 10 % of the picture's sides, scaled to the longest side of a hover's picture.
    assert.deepEqual(png && pictureSize(png), { widthPx: 360, heightPx: 45 });
  });

  it("ask for the code of a mark without a line: part of the picture, label and matching lines", async () => {
    const place = ', "file": "shop/cart.ts", "line": 6, "code": "let sum = 0;"}\n]';
    const host = await openReply(JSON_REPLY.replace("}\n]", place), {}, { widthPx: 290 });
    const [save, menu] = [0, 1].map((at) => strip(host).getByRole("listitem").nth(at));
    const find = host.page.getByRole("button", { name: "Find the code of mark A, Save button" });
    await find.waitFor();
    const height = (await save!.boundingBox())?.height;
    await menu!.hover();
    await find.waitFor({ state: "detached" });
    assert.equal(await host.page.getByRole("button", { name: /^Find the code/ }).count(), 0);
    assert.equal((await save!.boundingBox())?.height, height);
    const message = host.page.getByRole("textbox", { name: "Message" });
    await message.fill("In the new shop.");
    const references = [11, 27].map((line) => ({
      kind: "file",
      label: `a.ts:${line}`,
      detail: "",
    }));
    host.answer = { isAccepted: true, references } as typeof host.answer;
    await mark(host, 1).focus();
    await host.page.keyboard.press("Tab");
    await host.page.keyboard.press("Enter");
    await host.waitFor("picture-region-attached");
    const asked = await host.waitFor("places-asked");
    assert.equal(asked.label, "Save button");
    assert.equal((await host.waitFor("show-where-switched")).isOn, true);
    await poll(() => host.receivedOf("reference-picked").length === 2, "both lines");
    const question = "In the new shop.\n\nWhich code causes this: “Save button”?";
    assert.equal(await message.inputValue(), question);
    assert.equal(host.receivedOf("question-asked").length, 0);
    host.answer = { isAccepted: true, references: [] };
    await find.click();
    await host.page.getByText("No code was found for this mark.").waitFor();
    assert.equal(await message.inputValue(), question, "the question is there once");
    await message.press("Enter");
    assert.equal((await host.waitFor("question-asked")).text, question);
  });

  it("do not ask for code without a workspace", async () => {
    const panel = { coordinates: THOUSAND, hasWorkspace: false };
    const host = await openReply(JSON_REPLY, {}, { shown: { panel } });
    await host.page.getByRole("button", { name: "Ask about this mark" }).waitFor();
    assert.equal(await host.page.getByRole("button", { name: /^Find the code/ }).count(), 0);
  });

  it("light up on both sides, by pointer and by focus", async () => {
    const host = await openReply(TAG_REPLY);
    await mark(host, 2).hover();
    await isLit(box(host, "B the menu"));
    await isLit(mark(host, 2));
    await box(host, "A Save button").focus();
    await isLit(mark(host, 1));
    await isLit(box(host, "A Save button"));
  });

  it("open the viewer at the box by Enter or click, and ask about the region there", async () => {
    const host = await openReply(TAG_REPLY);
    await mark(host, 2).focus();
    await host.page.keyboard.press("Enter");
    const viewer = host.page.getByRole("dialog", { name: "Picture" });
    const inViewer = viewer.getByRole("button", { name: "B the menu", exact: true });
    const room = (await viewer.locator(".picture-area").boundingBox())!;
    await poll(async () => {
      const at = await inViewer.boundingBox();
      if (at === null) return false;
      const isInside = at.x >= room.x && at.x + at.width <= room.x + room.width;
      return isInside && at.width > room.width * 0.4;
    }, "the box is large and visible");
    const image = (await viewer.locator("img").boundingBox())!;
    const at = (await inViewer.boundingBox())!;
    assert.ok(Math.abs((at.x - image.x) / image.width - 0.5) < 0.01);
    // Dragging moves the part; a click beside the marks shows the whole.
    const shown = { x: room.x + 20, y: at.y - 20 };
    await host.page.mouse.move(shown.x, shown.y);
    await host.page.mouse.down();
    await host.page.mouse.move(shown.x + 10, shown.y);
    await host.page.mouse.up();
    assert.equal((await viewer.locator("img").boundingBox())?.width, image.width);
    await host.page.mouse.click(shown.x, shown.y);
    await poll(async () => {
      const whole = await viewer.locator("img").boundingBox();
      return whole !== null && whole.x >= room.x && whole.width <= room.width;
    }, "the whole picture");
    await viewer.getByRole("button", { name: "Ask about this mark" }).click();
    const asked = await host.waitFor("picture-region-attached");
    const { x, y, widthPx, heightPx } = asked;
    assert.deepEqual([asked.hash, x, y, widthPx, heightPx], [hash, 1000, 500, 800, 100]);
    assert.deepEqual(JSON.parse(asked.marks), [
      { kind: "crop", x: 1000, y: 500, width: 800, height: 100 },
    ]);
    await viewer.waitFor({ state: "detached" });
    const message = host.page.getByRole("textbox", { name: "Message" });
    await poll(() => message.evaluate((area) => area === document.activeElement), "focus");
  });

  it("are read by a quote of the reply: letters with names, coordinates as their source", async () => {
    const quoteAll = async (host: FakeHost) => {
      await mark(host, 2).waitFor();
      // The text gets its marks after the list below the picture.
      const marked = host.page.locator(".has-points, .reply-body .point-mark").first();
      await marked.waitFor({ state: "attached" });
      await host.page.evaluate(() => {
        document.getSelection()!.selectAllChildren(document.querySelector(".reply-body")!);
        document.dispatchEvent(new PointerEvent("pointerup", { button: 0 }));
      });
      await host.page.locator(".quote-bar").waitFor();
      await host.page.keyboard.press("Alt+KeyQ");
      return (await host.waitFor("quote-added")).text;
    };
    assert.equal(
      await quoteAll(await openReply(JSON_REPLY)),
      "> Here they are:\n>\n> - A Save button\n> - B Menu\n>\n> Both are blue.",
    );
    assert.match(await quoteAll(await openReply(TAG_REPLY)), /Save button.*100, 200, 300, 400/);
  });

  it("appear while the reply arrives, each once it is complete, and stay the same elements", async () => {
    const host = await openReply("", { isStreaming: true });
    const start = '```json\n[{"bbox_2d": [100, 200, 300, 400], "label": "Save button"},';
    await host.stream("r1", 0, start.split(/(?<=.)/));
    await box(host, "A Save button").waitFor();
    const first = await box(host, "A Save button").elementHandle();
    const rest = ' {"bbox_2d": [500, 500, 900, 600], "label": "Menu"}]\n```\n';
    await host.stream("r1", start.length, rest.split(/(?<=.)/));
    await box(host, "B Menu").waitFor();
    await host.send({
      type: "message-changed",
      message: reply("r1", "", { modelKind: "vl", seenPictures: SEEN }),
    });
    await mark(host, 2).waitFor();
    assert.equal(await first.evaluate((element) => element.isConnected), true);
    assert.deepEqual(await shares(host, "A Save button"), [0.1, 0.2, 0.2, 0.2]);
  });

  const WHICH = '```json\n[{"bbox_2d": [100, 200, 300, 400], "label": "Save"}]\n```\n';
  const choices = (host: FakeHost) => host.page.getByRole("group", { name: "Which fits?" });
  const choice = (host: FakeHost, name: RegExp) => choices(host).getByRole("button", { name });
  const unknown = { shown: { panel: {} } };

  const unasked = { isPointingAsked: false };

  it("are asked for where several scales fit and the question named none, beside each other", async () => {
    const host = await openReply(WHICH, unasked, unknown);
    await choices(host).waitFor();
    assert.equal(await strip(host).count(), 0);
    assert.equal(await host.page.locator(".point-mark").count(), 0);
    await host.page.locator(".has-points").waitFor({ state: "attached" });
    assert.doesNotMatch(await host.page.locator(".reply-body").innerText(), /bbox_2d/);
    const buttons = choices(host).locator(".scale-choice");
    assert.equal(await buttons.count(), 2);
    const places = await Promise.all((await buttons.all()).map((one) => one.boundingBox()));
    assert.equal(places[0]?.y, places[1]?.y);
    // The name says what the picture shows.
    const thousand = choice(host, /^0 to 1000\b.*A Save, 10% from the left, 20% from the top/);
    await choice(host, /^Pixels\b.*A Save, 5% from the left, 20% from the top/).waitFor();
    await thousand.locator("img").waitFor();
    assert.deepEqual(await violationsInThemes(host), []);
    await host.page.getByRole("button", { name: "Test the model" }).click();
    assert.equal((await host.waitFor("action-asked")).action, "test-connection");
    await thousand.click();
    assert.equal((await host.waitFor("coordinates-chosen")).scale, "thousand");
    await host.send({ type: "panel-changed", panel: { ...readyPanel, coordinates: THOUSAND } });
    await mark(host, 1).waitFor();
    assert.equal(await choices(host).count(), 0);
    assert.deepEqual(await shares(host, "A Save"), [0.1, 0.2, 0.2, 0.2]);
  });

  it("are shown in the scale that the question named, and corrected with the keyboard", async () => {
    const host = await openReply(WHICH, {}, unknown);
    await mark(host, 1).waitFor();
    assert.equal(await choices(host).count(), 0);
    assert.deepEqual(await shares(host, "A Save"), [0.1, 0.2, 0.2, 0.2]);
    await host.page.getByText("Marks beside their place?").waitFor();
    assert.deepEqual(await violationsInThemes(host), []);
    const toggle = host.page.getByRole("button", { name: "Adjust marks" });
    await toggle.press("Enter");
    await choice(host, /^Pixels/).press("Enter");
    assert.equal((await host.waitFor("coordinates-chosen")).scale, "pixels");
    const pixels = { scales: ["pixels"], isChosen: false };
    await host.send({ type: "panel-changed", panel: { ...readyPanel, coordinates: pixels } });
    await poll(async () => (await shares(host, "A Save"))[0] === 0.05, "the scale");
    assert.deepEqual(await shares(host, "A Save"), [0.05, 0.2, 0.1, 0.2]);
    assert.equal(await host.page.getByText("Marks beside their place?").count(), 0);
    await poll(
      () => toggle.evaluate((button) => button === document.activeElement),
      "the focus stays at the picture",
    );
    await toggle.press("Enter");
    await choice(host, /^0 to 1000/).press("Enter");
    assert.equal((await host.waitFor("coordinates-chosen", 2)).scale, "thousand");
  });

  it("use the scale of the setting, which replies cannot change", async () => {
    const host = await openReply(
      WHICH,
      {},
      { shown: { panel: { coordinates: { scales: ["pixels"], isChosen: true } } } },
    );
    await mark(host, 1).waitFor();
    assert.deepEqual(await shares(host, "A Save"), [0.05, 0.2, 0.1, 0.2]);
    await host.page.getByRole("button", { name: "Ask about this mark" }).waitFor();
    assert.equal(await host.page.getByRole("button", { name: "Adjust marks" }).count(), 0);
  });

  it("ask for the picture when several are possible, and do not change the text until then", async () => {
    const two = [SEEN[0]!, { ...SEEN[0]!, hash: "2".repeat(64), name: "after.png", number: 2 }];
    const host = await openReply("Save: <box>[[100, 200, 300, 400]]</box>", { seenPictures: two });
    const choice = host.page.getByRole("combobox", { name: /Which picture/ });
    await choice.waitFor();
    assert.match(await host.page.locator(".reply-body").innerText(), /<box>/);
    await choice.selectOption("2: after.png");
    await host.page.getByRole("region", { name: "Marks in after.png" }).waitFor();
    await mark(host, 1).waitFor();
  });

  it("leave code, tables and numbers outside every picture as text", async () => {
    const text =
      "```python\nbbox = [100, 200, 300, 400]\n```\n\n| box | n |\n| --- | --- |\n| box [1, 2, 3, 4] | 5 |\n\n" +
      "The box [10, 20, 5, 40] and <box>[[0, 0, 5000, 1]]</box>.\n\nThe <box>[[100, 200, 300, 400]]</box>.";
    const host = await openReply(text);
    await host.page.locator(".reply-body .point-mark").first().waitFor();
    const body = await host.page.locator(".reply-body").innerText();
    assert.match(body, /bbox = \[100, 200, 300, 400\]/);
    assert.match(body, /box \[1, 2, 3, 4\]/);
    assert.match(body, /\[10, 20, 5, 40\] and <box>\[\[0, 0, 5000, 1\]\]<\/box>/);
    assert.equal(await host.page.locator(".reply-body .point-mark").count(), 1);
  });

  it("are requested with the toggle Mark in picture while a picture is attached", async () => {
    const picture = { hash, widthPx: 2000, heightPx: 1000 };
    const shot = { id: "a1", kind: "picture" as const, label: "shot.png", detail: "", picture };
    const host = await open({ widthPx: 500, shown: { attachments: [shot] } });
    const toggle = host.page.getByRole("button", { name: "Mark in picture", exact: true });
    assert.equal(await toggle.getAttribute("aria-pressed"), "false");
    await toggle.click();
    assert.equal((await host.waitFor("show-where-switched")).isOn, true);
    const note = { id: "a2", kind: "pointing" as const, label: "Mark in picture", detail: "" };
    await host.send({ type: "attachments-changed", attachments: [shot, note] });
    await poll(async () => (await toggle.getAttribute("aria-pressed")) === "true", "pressed");
    assert.equal(await host.page.locator(".attachment").count(), 1);
    await toggle.click();
    assert.equal((await host.waitFor("show-where-switched", 2)).isOn, false);
    await host.page.getByRole("button", { name: "Find problems" }).click();
    assert.equal((await host.waitFor("show-where-switched", 3)).isOn, true);
    assert.deepEqual(await violationsAround(host.page.locator("main")), []);
  });
});
