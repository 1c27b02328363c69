/**
 * Tests replies that point into pictures: numbers in the text, boxes over the picture, the viewer
 * at a box, and a region for the next question. Covers streaming, every theme and screen readers.
 */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { ReplyView } from "../../src/protocol/views";
import { violationsAround } from "../support/browser/axe";
import { madePng } from "../support/pictures/madePng";
import { violationsInEveryTheme } from "./support/everyTheme";
import { poll, question, reply, type FakeHost, type OpenOptions } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const hash = "1".repeat(64);
const bytes = Uint8Array.from(madePng(2000, 1000));
const answer = { isAccepted: true, picture: { mediaType: "image/png", bytes } };
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

  async function openReply(
    text: string,
    more: Partial<ReplyView> = {},
    options: OpenOptions = {},
  ): Promise<FakeHost> {
    const host = await open({ widthPx: 500, ...options, shown: {} });
    host.answer = answer;
    const pointing = reply("r1", text, { modelKind: "vl", seenPictures: SEEN, ...more });
    await host.show({
      messages: [question("q1", "Where?"), pointing],
      ...options.shown,
    });
    return host;
  }

  const strip = (host: FakeHost) =>
    host.page.getByRole("region", { name: "Positions in shot.png" });
  const box = (host: FakeHost, name: string) =>
    strip(host).getByRole("button", { name, exact: true });
  const mark = (host: FakeHost, number: number) =>
    host.page.getByRole("button", { name: `Show position ${number}`, exact: true });
  const isLit = (locator: Locator) =>
    poll(async () => (await locator.getAttribute("class"))?.includes("is-lit") === true, "lit");

  /** Returns the position of a box as fractions of its picture. */
  async function shares(host: FakeHost, name: string): Promise<number[]> {
    const inner = (await box(host, name).boundingBox())!;
    const outer = (await strip(host).locator(".pointed-picture").boundingBox())!;
    const at = [
      (inner.x - outer.x) / outer.width,
      (inner.y - outer.y) / outer.height,
      inner.width / outer.width,
      inner.height / outer.height,
    ];
    return at.map((share) => Math.round(share * 100) / 100);
  }

  for (const [name, text] of [
    ["a JSON block", JSON_REPLY],
    ["tags", TAG_REPLY],
  ] as const) {
    it(`are drawn over the picture and numbered in the text, from ${name}`, async () => {
      const host = await openReply(text);
      await mark(host, 2).waitFor();
      assert.deepEqual(await shares(host, "1 Save button"), [0.1, 0.2, 0.2, 0.2]);
      const body = await host.page.locator(".reply-body").innerText();
      assert.ok(!/<box>|bbox_2d/.test(body), body);
      if (text === JSON_REPLY) {
        await host.page.getByRole("button", { name: "Show source" }).click();
        assert.match(await host.page.locator(".reply-body").innerText(), /bbox_2d/);
      } else assert.match(body, /array \[1, 2, 3, 4\] is no box/);
      await strip(host).locator("img").waitFor();
    });
  }

  it("have their number left of the box, or inside it at the left edge of the picture", async () => {
    const host = await openReply(TAG_REPLY);
    const distance = async (name: string) => {
      const outer = (await box(host, name).boundingBox())!;
      const number = (await box(host, name).locator(".point-number").boundingBox())!;
      return outer.x - (number.x + number.width);
    };
    await mark(host, 2).waitFor();
    assert.ok((await distance("1 Save button")) < 0);
    assert.ok((await distance("2 the menu")) >= -2);
  });

  it("light up on both sides, by pointer and by focus", async () => {
    const host = await openReply(TAG_REPLY);
    await mark(host, 2).hover();
    await isLit(box(host, "2 the menu"));
    await isLit(mark(host, 2));
    await box(host, "1 Save button").focus();
    await isLit(mark(host, 1));
    await isLit(box(host, "1 Save button"));
  });

  it("open the viewer at the box by Enter or click, and ask about the region there", async () => {
    const host = await openReply(TAG_REPLY);
    await mark(host, 2).focus();
    await host.page.keyboard.press("Enter");
    const viewer = host.page.getByRole("dialog", { name: "Picture" });
    const inViewer = viewer.getByRole("button", { name: "2 the menu", exact: true });
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
    await viewer.getByRole("button", { name: "Ask about this region" }).click();
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

  it("are a list for screen readers, and have no axe violations in any theme", async () => {
    const host = await openReply(JSON_REPLY);
    await strip(host).locator("img").waitFor();
    await mark(host, 2).waitFor();
    const items = await strip(host).getByRole("listitem").allTextContents();
    assert.deepEqual(items, [
      "1: Save button, 10% from the left, 20% from the top",
      "2: Menu, 50% from the left, 50% from the top",
    ]);
    assert.deepEqual(await violationsInEveryTheme(host), []);
    await mark(host, 1).click();
    await host.page.getByRole("dialog", { name: "Picture" }).locator("img").waitFor();
    assert.deepEqual(await violationsInEveryTheme(host), []);
  });

  it("appear while the reply arrives, each once it is complete, and stay the same elements", async () => {
    const host = await openReply("", { isStreaming: true });
    const start = '```json\n[{"bbox_2d": [100, 200, 300, 400], "label": "Save button"},';
    await host.stream("r1", 0, start.split(/(?<=.)/));
    await box(host, "1 Save button").waitFor();
    const first = await box(host, "1 Save button").elementHandle();
    const rest = ' {"bbox_2d": [500, 500, 900, 600], "label": "Menu"}]\n```\n';
    await host.stream("r1", start.length, rest.split(/(?<=.)/));
    await box(host, "2 Menu").waitFor();
    await host.send({
      type: "message-changed",
      message: reply("r1", "", { modelKind: "vl", seenPictures: SEEN }),
    });
    await mark(host, 2).waitFor();
    assert.equal(await first.evaluate((element) => element.isConnected), true);
    assert.deepEqual(await shares(host, "1 Save button"), [0.1, 0.2, 0.2, 0.2]);
  });

  it("stay numbered in the text when the reply ends after its boxes are shown", async () => {
    const host = await openReply("", { isStreaming: true });
    await host.stream("r1", 0, [TAG_REPLY]);
    await box(host, "2 the menu").waitFor();
    await host.endStreaming({ modelKind: "vl", seenPictures: SEEN });
    await host.page.locator(".reply-body").getByText("is no box.").waitFor();
    await host.page.locator(".reply-body.is-final").waitFor();
    await mark(host, 1).waitFor();
    await mark(host, 2).waitFor();
  });

  it("use the scale of the setting, and offer another scale if none is set", async () => {
    const text = "The box is [100, 200, 300, 400].";
    const host = await openReply(text);
    await mark(host, 1).waitFor();
    const choice = host.page.getByRole("combobox", { name: "Coordinates" });
    const toggle = host.page.getByRole("button", { name: "Correct the positions" });
    assert.equal(await choice.count(), 0);
    await toggle.press("Enter");
    await choice.waitFor();
    await poll(
      () => choice.evaluate((box) => box === document.activeElement),
      "the choice has the focus",
    );
    await toggle.press("Enter");
    await choice.waitFor({ state: "detached" });
    await toggle.press("Enter");
    await choice.selectOption("Pixels");
    const { scale } = await host.waitFor("coordinates-chosen");
    assert.equal(scale, "pixels");
    const other = await openReply(
      text,
      {},
      { shown: { panel: { coordinates: { scale: "pixels", isChosen: true } } } },
    );
    await mark(other, 1).waitFor();
    assert.deepEqual(await shares(other, "1"), [0.05, 0.2, 0.1, 0.2]);
    await other.page.getByRole("button", { name: "Ask about this region" }).waitFor();
    const again = other.page.getByRole("button", { name: "Correct the positions" });
    assert.equal(await again.count(), 0);
  });

  it("ask if the boxes fit when pixels and 0 to 1000 are both possible", async () => {
    const small = [{ ...SEEN[0]!, widthPx: 800, heightPx: 600 }];
    const host = await openReply("Save: bbox [100, 200, 300, 400]", { seenPictures: small });
    await host.page.getByText("Do the boxes fit?").waitFor();
    await host.page.getByRole("button", { name: "Yes", exact: true }).click();
    assert.equal((await host.waitFor("coordinates-chosen")).scale, "pixels");
  });

  it("ask for the picture when several are possible, and do not change the text until then", async () => {
    const two = [SEEN[0]!, { ...SEEN[0]!, hash: "2".repeat(64), name: "after.png", number: 2 }];
    const host = await openReply("Save: <box>[[100, 200, 300, 400]]</box>", { seenPictures: two });
    const choice = host.page.getByRole("combobox", { name: /Which picture/ });
    await choice.waitFor();
    assert.match(await host.page.locator(".reply-body").innerText(), /<box>/);
    await choice.selectOption("2: after.png");
    await host.page.getByRole("region", { name: "Positions in after.png" }).waitFor();
    await mark(host, 1).waitFor();
  });

  it("leave code, tables and numbers outside every picture as text", async () => {
    const text =
      "```python\nbbox = [100, 200, 300, 400]\n```\n\n| box | n |\n| --- | --- |\n| box [1, 2, 3, 4] | 5 |\n\n" +
      "The box [10, 20, 5, 40] and <box>[[0, 0, 5000, 1]]</box>.\n\nThe box [100, 200, 300, 400].";
    const host = await openReply(text);
    await mark(host, 1).waitFor();
    const body = await host.page.locator(".reply-body").innerText();
    assert.match(body, /bbox = \[100, 200, 300, 400\]/);
    assert.match(body, /box \[1, 2, 3, 4\]/);
    assert.match(body, /\[10, 20, 5, 40\] and <box>\[\[0, 0, 5000, 1\]\]<\/box>/);
    assert.equal(await host.page.locator(".point-mark").count(), 1);
  });

  it("are requested with the toggle Show where while a picture is attached", async () => {
    const picture = { hash, widthPx: 2000, heightPx: 1000 };
    const shot = { id: "a1", kind: "picture" as const, label: "shot.png", detail: "", picture };
    const host = await open({ widthPx: 500, shown: { attachments: [shot] } });
    const toggle = host.page.getByRole("button", { name: "Show where", exact: true });
    assert.equal(await toggle.getAttribute("aria-pressed"), "false");
    await toggle.click();
    assert.equal((await host.waitFor("show-where-switched")).isOn, true);
    const note = { id: "a2", kind: "pointing" as const, label: "Show where", detail: "" };
    await host.send({ type: "attachments-changed", attachments: [shot, note] });
    await poll(async () => (await toggle.getAttribute("aria-pressed")) === "true", "pressed");
    assert.equal(await host.page.locator(".attachment").count(), 1);
    await toggle.click();
    assert.equal((await host.waitFor("show-where-switched", 2)).isOn, false);
    await host.page.getByRole("button", { name: /^Find the problems/ }).click();
    assert.equal((await host.waitFor("show-where-switched", 3)).isOn, true);
    assert.deepEqual(await violationsAround(host.page.locator("main")), []);
  });
});
