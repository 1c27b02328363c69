/** Tests the comparison of two pictures: their names, equal pixels, difference and earlier attempts. */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { ALL } from "../support/depth";
import type { ChipView } from "../../src/protocol/views";
import { poll, question, reply, type FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const WIDTH = 200;
const HEIGHT = 100;
const hashOf = (digit: number) => String(digit).repeat(64);
const chip = (digit: number, label: string, heightPx = HEIGHT): ChipView => ({
  kind: "picture",
  label,
  detail: "PNG",
  picture: { hash: hashOf(digit), widthPx: WIDTH, heightPx },
});
const TALK = [
  question("q1", "Like this", { chips: [chip(1, "design.png")] }),
  reply("r1", "Seen."),
  question("q2", "First", { chips: [chip(2, "first.png")] }),
  reply("r2", "Seen."),
  question("q3", "Second", { chips: [chip(3, "second.png")] }),
  reply("r3", "Seen."),
  question("q4", "Longer", { chips: [chip(4, "longer.png", 2 * HEIGHT)] }),
  reply("r4", "Seen."),
];

describe("a comparison", () => {
  const open = usePanel();

  /** A white picture whose left columns are blue. */
  async function picture(page: Page, blueColumns: number, height = HEIGHT): Promise<Uint8Array> {
    const bytes = await page.evaluate(
      async ([wide, high, blue]) => {
        const canvas = new OffscreenCanvas(wide, high);
        const context = canvas.getContext("2d")!;
        context.fillStyle = "#fff";
        context.fillRect(0, 0, wide, high);
        context.fillStyle = "#35a";
        context.fillRect(0, 0, blue, high);
        return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
      },
      [WIDTH, height, blueColumns] as const,
    );
    return new Uint8Array(bytes);
  }

  async function compare(label: string) {
    const host = await open({ widthPx: 500, heightPx: 800, shown: null });
    for (const [digit, columns] of [200, 124, 182].entries()) {
      host.pictures.set(hashOf(digit + 1), await picture(host.page, columns));
    }
    host.pictures.set(hashOf(4), await picture(host.page, 200, 2 * HEIGHT));
    await host.show({ messages: TALK });
    const { page } = host;
    await page
      .locator(".sent-picture .thumbnail-button")
      .nth(["first", "second", "longer"].indexOf(label) + 1)
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.locator(".picture-area img[src]").first().waitFor();
    await page.keyboard.press("c");
    await dialog.getByRole("combobox").last().selectOption({ label: "design.png" });
    return { host, page, dialog };
  }

  it("says the share of equal pixels to screen readers and names both sides", async () => {
    const { dialog } = await compare("first");
    await dialog.getByRole("status").getByText("62 % of the pixels are equal").waitFor();
    assert.deepEqual(await dialog.locator(".compared-names").allInnerTexts(), [
      "first.png",
      "design.png",
    ]);
    await dialog.getByRole("group", { name: "first.png" }).waitFor();
    await dialog.getByRole("group", { name: "design.png" }).waitFor();
  });

  it(`counts what only one picture covers as different ${ALL}`, async () => {
    const { dialog } = await compare("longer");
    await dialog.getByRole("status").getByText("50 % of the pixels are equal").waitFor();
    assert.deepEqual(await marked(dialog), [0, HEIGHT, WIDTH - 1, 2 * HEIGHT - 1]);
  });

  it("draws exactly the pixels that differ", async () => {
    const { dialog } = await compare("second");
    await dialog.getByRole("status").getByText("91 % of the pixels are equal").waitFor();
    assert.deepEqual(await marked(dialog), [182, 0, WIDTH - 1, HEIGHT - 1]);
  });

  it("shows each attempt with the same picture again, by click and by keyboard", async () => {
    const { page, dialog } = await compare("first");
    await dialog.getByText("62 % of the pixels are equal").waitFor();
    const strip = dialog.getByRole("list", { name: "Attempts so far" });
    assert.equal(await strip.count(), 0, "one attempt has nothing to go back to");
    await dialog.getByRole("button", { name: "Next picture" }).click();
    await dialog.getByText("91 % of the pixels are equal").waitFor();
    const first = strip.getByRole("button", { name: "first.png: 62 % of the pixels are equal" });
    const second = strip.getByRole("button", { name: "second.png: 91 % of the pixels are equal" });
    assert.equal(await second.getAttribute("aria-pressed"), "true");
    assert.deepEqual(await strip.getByRole("button").allInnerTexts(), ["62 %", "91 %"]);
    await first.press("Enter");
    await dialog.getByRole("group", { name: "first.png" }).waitFor();
    await dialog.getByRole("group", { name: "design.png" }).waitFor();
    assert.equal(await first.getAttribute("aria-pressed"), "true");
    assert.ok(await first.evaluate((one) => one === document.activeElement));
    await second.click();
    await dialog.getByRole("group", { name: "second.png" }).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Open first.png as sent" }).click();
    await page.keyboard.press("c");
    await dialog.getByRole("combobox", { name: "Compare with" }).selectOption("design.png");
    await poll(async () => (await strip.getByRole("button").count()) === 2, "both attempts");
  });

  it("asks about the differences of both pictures with one question", async () => {
    const { host, page, dialog } = await compare("first");
    await dialog.getByText("62 % of the pixels are equal").waitFor();
    const attached = answerPutBack(host);
    await dialog.getByRole("button", { name: "Ask about the differences" }).click();
    await attached;
    await dialog.waitFor({ state: "detached" });
    const box = page.getByRole("textbox", { name: "Message", exact: true });
    await poll(
      async () =>
        (await box.inputValue()) ===
        "first.png was compared with the earlier picture design.png. Explain the differences.",
      "the question",
    );
    assert.deepEqual(host.receivedOf("picture-notes-changed"), []);
  });
});

/** Returns the bounds of the colored pixels of the difference; checks that all in them are colored. */
async function marked(dialog: Locator): Promise<number[]> {
  await dialog.getByRole("button", { name: "Difference", exact: true }).click();
  const drawn = dialog.getByRole("img", { name: /^Difference of / });
  await drawn.waitFor();
  const { bounds, count } = await drawn.evaluate(async (image) => {
    const bitmap = await createImageBitmap(image as HTMLImageElement);
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext("2d")!;
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const [columns, rows]: [number[], number[]] = [[], []];
    for (let at = 0; at < data.length; at += 4) {
      if (data[at]! - data[at + 1]! <= 100) continue;
      columns.push((at / 4) % width);
      rows.push(Math.floor(at / 4 / width));
    }
    const bounds = [Math.min(...columns), rows[0]!, Math.max(...columns), rows.at(-1)!];
    return { bounds, count: rows.length };
  });
  const [left = 0, top = 0, right = 0, bottom = 0] = bounds;
  assert.equal(count, (right - left + 1) * (bottom - top + 1));
  return bounds;
}

/** Attaches the pictures that the page asks for, as the host does. */
async function answerPutBack(host: FakeHost): Promise<void> {
  const attachments: object[] = [];
  for (const [digit, label] of [
    [1, "design.png"],
    [2, "first.png"],
  ] as const) {
    await poll(
      () => host.receivedOf("picture-put-back").length === digit,
      `${label} to be attached`,
    );
    attachments.push({ id: `a${digit}`, ...chip(digit, label) });
    await host.send({ type: "attachments-changed", attachments: [...attachments] as never });
  }
}
