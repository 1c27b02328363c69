/** Tests the numbered differences of two compared pictures, drawn by a real browser. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { ChipView } from "../../src/protocol/views";
import { poll, question, reply, type FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const SIZE = { widthPx: 640, heightPx: 400 };
const hashOf = (digit: number) => String(digit).repeat(64);
const chip = (digit: number, label: string): ChipView => ({
  kind: "picture",
  label,
  detail: "PNG",
  picture: { hash: hashOf(digit), ...SIZE },
});
const TALK = [
  question("q1", "Before", { chips: [chip(1, "before.png")] }),
  reply("r1", "Seen."),
  question("q2", "After", { chips: [chip(2, "after.png")] }),
  reply("r2", "Seen."),
];

/** A page with a button at a position, in a color. */
const drawn = (x: number, y: number, color: string, badge: string) => `
  <style>body { margin: 0; background: #fff; font: 16px sans-serif; color: #333 }
  div { position: absolute; width: 120px; height: 32px }</style>
  <p style="margin: 20px">Invoices of this month</p>
  <div style="left: ${x}px; top: ${y}px; background: #3355aa; color: #fff">Save</div>
  <div style="left: 400px; top: 300px; background: ${color}; border-radius: 6px"></div>${badge}`;

describe("differences of two pictures", () => {
  const open = usePanel();

  async function screenshot(page: Page, html: string): Promise<Uint8Array> {
    const drawing = await page.context().newPage();
    await drawing.setViewportSize({ width: SIZE.widthPx, height: SIZE.heightPx });
    await drawing.setContent(html);
    const png = await drawing.screenshot();
    await drawing.close();
    return new Uint8Array(png);
  }

  async function compare(widthPx: number, language?: "zh-cn") {
    const host = await open({ widthPx, heightPx: 800, shown: null, ...(language && { language }) });
    const badge = `<div style="left: 40px; top: 340px; width: 50px; height: 20px; background: #b00"></div>`;
    host.pictures.set(hashOf(1), await screenshot(host.page, drawn(60, 100, "#1f883d", "")));
    host.pictures.set(hashOf(2), await screenshot(host.page, drawn(66, 104, "#0969da", badge)));
    await host.show({ messages: TALK });
    const { page } = host;
    await page.getByRole("button", { name: "after.png" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.locator(".picture-area img[src]").first().waitFor();
    await page.keyboard.press("c");
    await dialog.locator(".region-list li").nth(2).waitFor();
    return { host, page, dialog };
  }

  it("names what moved, changed its color and appeared, at its exact pixels", async () => {
    const { dialog } = await compare(700);
    const names = await dialog.locator(".region-list button").allInnerTexts();
    assert.deepEqual(
      names.map((name) => name.trim()),
      ["1. Moved 6 px right, 4 px down", "2. Color #1f883d → #0969da", "3. Appeared"],
    );
    await dialog.getByText("3 differences").waitFor();
  });

  it("shows the box of a difference that is chosen by keyboard or on the picture", async () => {
    const { page, dialog } = await compare(500);
    const second = dialog.getByRole("button", { name: "2. Color" });
    await second.focus();
    await page.keyboard.press("Enter");
    assert.equal(await second.getAttribute("aria-pressed"), "true");
    assert.equal(
      await dialog.locator(".region-box.is-chosen .region-number").first().innerText(),
      "2",
    );
    await dialog.locator(".region-box").first().click({ force: true });
    assert.equal(await second.getAttribute("aria-pressed"), "false");
  });

  it("asks about the differences with a note at each, in pixels of the pictures", async () => {
    const { host, page, dialog } = await compare(500);
    const attach = answerPutBack(host);
    await dialog.getByRole("button", { name: "Ask about the differences" }).click();
    await attach;
    await poll(
      () => host.received.some(({ type }) => type === "picture-notes-changed"),
      "the notes of the later picture",
    );
    const notes = host.received.flatMap((message) =>
      message.type === "picture-notes-changed" ? [...message.notes] : [],
    );
    assert.deepEqual(
      notes.map(({ number, text, x, y, width, height }) => [number, text, x, y, width, height]),
      [
        [1, "Moved 6 px right, 4 px down", 66, 104, 120, 32],
        [2, "Color #1f883d → #0969da", 400, 300, 120, 32],
        [3, "Appeared", 40, 340, 50, 20],
      ],
    );
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const box = page.getByRole("textbox", { name: "Message", exact: true });
    await poll(async () => /numbered differences/.test(await box.inputValue()), "the question");
  });

  for (const widthPx of [280, 300, 500, 900]) {
    it(`fits into a panel of ${widthPx} pixels`, async () => {
      const { page, dialog } = await compare(widthPx);
      const { scroll, width } = await dialog.evaluate((element) => ({
        scroll: element.scrollWidth,
        width: element.clientWidth,
      }));
      assert.ok(scroll <= width, `${scroll} > ${width}`);
      const area = await dialog.locator(".picture-area").first().boundingBox();
      assert.ok(area && area.height >= 100, `${area?.height} pixels are left for the picture`);
      await page.screenshot({ path: `out/screenshots/compare-${widthPx}.png` });
    });
  }
});

/** Attaches the pictures that the page asks for, as the host does. */
async function answerPutBack(host: FakeHost): Promise<void> {
  for (const [count, digit] of [
    [1, 1],
    [2, 2],
  ] as const) {
    await poll(
      () => host.received.filter(({ type }) => type === "picture-put-back").length === count,
      `picture ${digit} to be attached`,
    );
    const attachments = [1, 2].slice(0, digit).map((one) => ({
      id: `a${one}`,
      ...chip(one, one === 1 ? "before.png" : "after.png"),
    }));
    await host.send({ type: "attachments-changed", attachments });
  }
}
