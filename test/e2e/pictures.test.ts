/**
 * Tests questions about pictures in a real VS Code: the service receives each picture with its
 * changes, and the receipt shows the sent version.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ALL } from "../support/depth";
import { PictureAsking } from "../support/e2e/pictureAsking";
import { suiteWithWindow } from "../support/e2e/chatSuite";
import { madePng } from "../support/pictures/madePng";
import { samePixels } from "../support/pictures/samePixels";

const WIDTH = 2560;
const HEIGHT = 1440;

describe("questions about pictures", function () {
  this.timeout(300_000);
  const chat = suiteWithWindow();
  let asking: PictureAsking;
  const source = madePng(WIDTH, HEIGHT);

  before(() => {
    asking = new PictureAsking(chat.environment, chat.window);
  });

  /** Saves the picture in the viewer to a workspace file and asserts that the file has this SHA-256. */
  async function savesBytes(name: string, sha256: string): Promise<void> {
    await asking.chooseItem("More actions", "Save picture");
    await asking.enterFile(name, "OK");
    const saved = join(chat.environment.workspace, name);
    for (const deadline = Date.now() + 30_000; ;) {
      const bytes = existsSync(saved) ? readFileSync(saved) : "";
      if (createHash("sha256").update(bytes).digest("hex") === sha256) return;
      assert.ok(Date.now() < deadline, "the picture was not saved as it was sent");
      await delay(50);
    }
  }

  const question = () => chat.window.panel.getByRole("article", { name: "You" }).last();

  it("show a pasted screenshot as it will be sent, and send its pixels", async () => {
    await chat.window.putPictureOnClipboard(source);
    await asking.composer.click();
    await chat.window.page.keyboard.press("Control+V");
    await asking.tile(/2560×1440 PNG, [\d.]+ [KM]B, original/).waitFor();
    const { body, pictures } = await asking.send("What is this?");
    assert.equal((body as { model: string }).model, "core_vl");
    const [picture] = pictures;
    assert.deepEqual(
      [picture?.widthPx, picture?.heightPx, picture?.format],
      [WIDTH, HEIGHT, "PNG"],
    );
    assert.ok(await samePixels(chat.window.context, body, source));
    assert.equal(await asking.chips.count(), 0);
    await chat.window.panel.locator(".question .thumbnail img[src^='blob:']").first().waitFor();
    assert.ok(await asking.button("Send").isDisabled());
  });

  it("are answered with marks, of which the last is in view without scrolling", async () => {
    await chat.window.putPictureOnClipboard(
      readFileSync("test/fixtures/sample-workspace/pictures/checkout.png"),
    );
    await asking.composer.click();
    await chat.window.page.keyboard.press("Control+V");
    await asking.button("Find problems").click();
    const labels = ["Subtotal leaves out the lamp", "No discount", "The total follows from it"];
    const marks = labels.map((label, row) => ({
      bbox_2d: [560, 300 + row * 80, 930, 360 + row * 80],
      label,
    }));
    const block = `\`\`\`json\n${JSON.stringify(marks)}\n\`\`\`\n`;
    const codes = ["cart.ts", "notes.ts"].map(
      (name) => `**${name}**\n\n\`\`\`ts\nexport const one = 1;\nexport const two = 2;\n\`\`\`\n`,
    );
    chat.service.script({
      text: `The sum is wrong.\n\n${block}\n${codes.join("\n")}\n| Field | Type | Meaning |\n|---|---|---|\n| \`name\` | string | what it is |\n| \`priceCents\` | number | price of one piece |\n`,
    });
    await asking.composer.press("Enter");
    const list = chat.replies().last().getByRole("listitem");
    await list.filter({ hasText: "The total follows from it" }).last().waitFor();
    await asking.button("Review 2 files").waitFor();
    await chat.replies().last().locator(".pointed-picture img[src]").waitFor();
    await chat.replies().last().locator(".language-ts span").last().waitFor();
    assert.equal(await asking.button("Scroll to end").count(), 0);
  });

  /** Asks about the sample's screenshot, whose reply has three marks. */
  async function askAboutSample(): Promise<void> {
    await chat.startConversation();
    await asking.composer.click();
    await asking.composer.pressSequentially("#che");
    await chat.window.panel.getByRole("option", { name: /checkout/ }).waitFor();
    await asking.composer.press("Enter");
    await asking.chips.first().waitFor();
    await asking.composer.fill("What is wrong with the sum?");
    await asking.composer.press("Enter");
  }

  const link = (line: number) =>
    asking.button(`Mark A, Milk: not in the total, cart.ts line ${line}`);

  it("find the code of a mark whose line the reply does not name", async () => {
    await askAboutSample();
    await link(15).waitFor();
    await asking.button("Show mark B").last().focus();
    await chat.window.page.keyboard.press("Tab");
    assert.equal(
      await chat.window.panel.locator("button:focus").getAttribute("title"),
      "Find the code of mark B, Total: 4.70 instead of 7.08",
    );
    await chat.window.page.keyboard.press("Enter");
    await asking.chips.filter({ hasText: "cart.ts" }).nth(1).waitFor();
    await asking.button("Remove attachment checkout.png").waitFor();
    await chat.window.screenshot("find-the-code");
    const text = "Which code causes this: “Total: 4.70 instead of 7.08”?";
    assert.equal(await asking.composer.inputValue(), text);
    const { body, pictures } = await asking.send(text);
    const sent = JSON.stringify(body);
    assert.equal(pictures.length, 2, "the screenshot and its part");
    for (const part of ["Total: ${(totalPrice(items)", "total += price;", "bbox_2d"])
      assert.ok(sent.includes(part), part);
  });

  const letter = () => chat.window.page.locator(".glyph-margin-widgets .cgmr");

  it("show their letters again after a reload, until another conversation is shown", async () => {
    await askAboutSample();
    await link(15).click();
    await letter().waitFor();
    await chat.window.reload();
    await link(15).waitFor();
    await letter().waitFor();
    await chat.window.screenshot("marks-after-reload");
    await chat.startConversation();
    await letter().waitFor({ state: "detached" });
    await chat.window.reload();
    await asking.composer.waitFor();
    assert.equal(await letter().count(), 0);
  });

  it("show no letter after the tab of their conversation has closed", async () => {
    await askAboutSample();
    await link(15).waitFor();
    await chat.window.runCommand("Core Chat: Open in Editor");
    await chat.window.chatEditor
      .getByRole("button", { name: /^Mark A, .* cart.ts line 15$/ })
      .click();
    await letter().waitFor();
    const tab = chat.tab("What is wrong with the sum?");
    await tab.hover();
    await tab.getByRole("button", { name: /^Close/ }).click();
    await letter().waitFor({ state: "detached" });
  });

  it("lead from a mark to the line of code that causes it, and to its fix", async () => {
    await askAboutSample();
    const { page } = chat.window;
    await link(15).click();
    await page.locator(".statusbar").getByText("Ln 15, Col 3").waitFor();
    const mark = page.locator(".squiggly-info").first();
    await mark.waitFor();
    await letter().waitFor();
    const cutOut = page.locator('.monaco-hover img[src^="data:image/png"]');
    await chat.window.hover(chat.window.editor.getByText("slice(0, -1)"), cutOut);
    assert.ok(await cutOut.evaluate((image) => (image as HTMLImageElement).naturalWidth > 100));
    await chat.window.screenshot("mark-hover");
    await chat.window.editor.click(); // The line is shown before the editor has the focus.
    await chat.chord("Control+Home", "Enter");
    await link(15).click();
    await link(16).waitFor();
    await chat.window.editor.click();
    await chat.chord("Control+Home", "F8");
    await page.locator(".statusbar").getByText("Ln 16, Col 3").waitFor();
    await page.keyboard.press("Escape");
    await chat.window.press("light bulb", "Clear Marks");
    await mark.waitFor({ state: "detached" });
    await link(16).click();
    await mark.waitFor();
    await chat.window.press("light bulb", "Fix with Core Chat");
    await chat.window.editor.getByText("for (const item of items) {").waitFor();
    await mark.waitFor({ state: "detached" });
    assert.match(chat.lastBody(), /Instruction:\\nFix this: Milk: not in the total/);
    await chat.window.runCommand("Core Chat: Keep Edit");
    await page.keyboard.press("Control+S");
  });

  it(`mark up a large picture in a tab of its name, which closes with Escape ${ALL}`, async () => {
    await chat.startConversation();
    await asking.pasteOrDrop("paste", [["large.png", madePng(2400, 1200)]]);
    await asking.button("Mark up large.png").click();
    const tab = chat.tab("Mark up large.png");
    await tab.waitFor();
    const canvas = chat.window.chatEditor.getByRole("application");
    await canvas.waitFor();
    await canvas.press("Escape");
    await tab.waitFor({ state: "detached" });
    await asking.button("Mark up large.png").waitFor();
  });

  it(`attach the picture on the clipboard ${ALL}`, async () => {
    await asking.composer.click(); // The closed tab had the focus, which the clipboard needs.
    await chat.window.putPictureOnClipboard(source);
    await chat.window.runCommand("Core Chat: Ask About Clipboard Picture");
    await asking.tile(/2560×1440 PNG/).waitFor();
    const { pictures } = await asking.send("From the clipboard?");
    assert.equal(pictures.at(-1)?.widthPx, WIDTH);
  });

  /** Picture of the sample workspace, as in its file. */
  const file = readFileSync("test/fixtures/sample-workspace/pictures/checkout.png");
  const hash = createHash("sha256").update(file).digest("hex");

  /** Sends the question and asserts that it contains the file unchanged. */
  async function sendsTheFile(text: string): Promise<void> {
    await asking.chips.locator("img[src]").first().waitFor();
    const { pictures } = await asking.send(text);
    assert.deepEqual(pictures.map(({ sha256 }) => sha256).slice(-1), [hash]);
  }

  it(`attach a picture that a document links to ${ALL}`, async () => {
    await asking.inExplorer("README.md").dblclick();
    const editor = chat.window.page.locator('.monaco-editor[data-uri$="README.md"]');
    await editor.locator(".view-lines").click();
    await chat.window.page.locator('.monaco-editor.focused[data-uri$="README.md"]').waitFor();
    await chat.window.page.keyboard.press("Control+End");
    await chat.window.page.keyboard.type("![it](pictures/checkout.png)");
    await chat.window.page.keyboard.press("ArrowLeft");
    await chat.window.press("light bulb", "Ask Core Chat About This Picture");
    await sendsTheFile("From a link?");
  });

  it(`attach a file dropped from the system, and open the sent picture ${ALL}`, async () => {
    await asking.pasteOrDrop("drop", [["checkout.png", file]]);
    await sendsTheFile("Dropped?");
    await question().getByRole("button", { name: "Open checkout.png as sent" }).click();
    const image = chat.window.panel.getByRole("dialog").getByRole("img", { name: "checkout.png" });
    await chat.window.panel.locator(".picture-area img[src^='blob:']").waitFor();
    assert.equal(
      await image.evaluate(async (one: HTMLImageElement) => {
        await one.decode();
        return one.naturalWidth;
      }),
      720,
    );
    await savesBytes("saved.png", hash);
    await asking.button("Close").click();
  });
});
