/**
 * Tests questions about pictures in a real VS Code: the service receives each picture with its
 * changes, and the receipt shows the sent version.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ALL } from "../support/depth";
import { PictureAsking, textOf } from "../support/e2e/pictureAsking";
import { suiteWithWindow } from "../support/e2e/chatSuite";
import { madePng } from "../support/pictures/madePng";
import { allPixels, lastPixels, samePixels } from "../support/pictures/samePixels";

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

  it(`show the request's pictures in the receipt, and open exactly the bytes sent ${ALL}`, async () => {
    const { pictures } = await asking.send("And again?");
    const receipt = question().locator("details.sent-pictures");
    const { bytes, sha256 } = pictures[0]!;
    const size = `${Math.round(bytes / 1024)} KB`;
    const megabytes = `${Number((bytes / 1024 ** 2).toFixed(1))} MB`;
    const shown = bytes < 1024 ** 2 - 512 ? size : megabytes;
    assert.ok((await textOf(receipt)).includes(`1 picture (2560×1440 PNG, ${shown})`));
    await receipt.locator("summary").click();
    await receipt.getByRole("button", { name: /2560×1440 PNG/ }).click();
    await savesBytes("receipt.png", sha256);
    await asking.button("Close").click();
  });

  it(`send a part hidden with the keyboard in black and every other pixel unchanged ${ALL}`, async () => {
    await chat.startConversation();
    const small = madePng(400, 200);
    await asking.pasteOrDrop("paste", [["secret.png", small]]);
    await asking.button("Mark up secret.png").click();
    await asking.button("Redact").click();
    await chat.window.panel.locator(".mark-canvas").focus();
    const { keyboard } = chat.window.page;
    await keyboard.press("Enter"); // Places a corner in the middle: 200, 100.
    for (let n = 0; n < 3; n++) await keyboard.press("Shift+ArrowLeft");
    for (let n = 0; n < 2; n++) await keyboard.press("Shift+ArrowUp");
    await keyboard.press("Enter"); // Places the opposite corner.
    await keyboard.press("Control+Enter");
    await asking.tile(/400×200 PNG, .*, marked up/).waitFor();
    const { body, pictures } = await asking.send("What is left?");
    assert.deepEqual([pictures.length, pictures[0]?.widthPx, pictures[0]?.heightPx], [1, 400, 200]);
    const { width, data } = await lastPixels(chat.window.context, body);
    const at = (x: number, y: number) => [
      ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
    ];
    let hidden = 0;
    for (let y = 0; y < 200; y++) {
      for (let x = 0; x < 400; x++) {
        const seen = at(x, y);
        const own = [x & 255, y & 255, (x >> 8) * 16];
        const isBlack = seen.every((value) => value === 0);
        if (isBlack && own.some((value) => value > 0)) hidden++;
        else assert.deepEqual(seen, own, `${x}, ${y}`);
      }
    }
    assert.ok(hidden > 1_000, `${hidden} pixels`);
    assert.deepEqual(at(195, 95), [0, 0, 0]);
  });

  it(`send no tile with the pixels below a redaction of a full-page screenshot ${ALL}`, async () => {
    await chat.startConversation();
    const page = { widthPx: 720, heightPx: 9000 };
    const shot = madePng(page.widthPx, page.heightPx);
    await asking.pasteOrDrop("paste", [["page.png", shot]]);
    await asking.chips.getByText("2 tiles").first().waitFor();
    await asking.button("Mark up page.png").click();
    await asking.button("Redact").click();
    await chat.window.panel.locator(".mark-canvas").focus();
    const { keyboard } = chat.window.page;
    await keyboard.press("Enter"); // Places a corner in the middle, where the tiles overlap.
    await keyboard.press("Shift+ArrowLeft");
    await keyboard.press("Shift+ArrowUp");
    await keyboard.press("Enter");
    await keyboard.press("Control+Enter");
    await asking.tile(/2 tiles, marked up/).waitFor();
    const { body, pictures } = await asking.send("Read the page.");
    assert.match(
      JSON.stringify(body),
      /Picture \d: \\"page\.png\\", 720×9000 px, tile 2 of 2: columns 0-720, rows 4440-9000/,
    );
    const sizes = pictures.map(({ widthPx, heightPx }) => `${widthPx}×${heightPx}`);
    assert.deepEqual(sizes, ["720×4560", "720×4560"]);
    const sourceHash = createHash("sha256").update(shot).digest("hex");
    assert.ok(pictures.every(({ sha256 }) => sha256 !== sourceHash));
    const inOverlap = { x: 340, y: 4480 };
    for (const [index, tile] of (await allPixels(chat.window.context, body)).entries()) {
      const top = index === 0 ? 0 : page.heightPx - 4560;
      const changed = { left: Infinity, top: Infinity, right: -1, bottom: -1 };
      const own = (x: number, y: number) =>
        (x & 255) | ((y & 255) << 8) | ((((x >> 8) * 16 + (y >> 8)) & 255) << 16);
      const seen = (x: number, y: number) =>
        tile.data.readUIntLE(((y - top) * tile.width + x) * 4, 3);
      for (let y = top; y < top + 4560; y++) {
        for (let x = 0; x < tile.width; x++) {
          if (seen(x, y) === own(x, y)) continue;
          changed.left = Math.min(changed.left, x);
          changed.top = Math.min(changed.top, y);
          changed.right = Math.max(changed.right, x);
          changed.bottom = Math.max(changed.bottom, y);
        }
      }
      assert.ok(changed.left < inOverlap.x && changed.right > inOverlap.x, `tile ${index + 1}`);
      assert.ok(changed.top < inOverlap.y && changed.bottom > inOverlap.y, `tile ${index + 1}`);
      for (let y = changed.top; y <= changed.bottom; y++) {
        for (let x = changed.left; x <= changed.right; x++) {
          assert.equal(seen(x, y), 0, `tile ${index + 1}: ${x}, ${y}`);
        }
      }
    }
  });

  it(`attach the picture on the clipboard ${ALL}`, async () => {
    await chat.window.putPictureOnClipboard(source);
    await chat.window.runCommand("Core Chat: Ask About Clipboard Picture");
    await asking.tile(/2560×1440 PNG/).waitFor();
    const { body } = await asking.send("From the clipboard?");
    assert.equal((await lastPixels(chat.window.context, body)).width, WIDTH);
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
    await chat.window.chooseAction("Ask Core Chat About This Picture");
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

  it(`compare a picture with its version in Git ${ALL}`, async () => {
    await chat.startConversation();
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.test", ...args], {
        cwd: chat.environment.workspace,
      });
    const path = join(chat.environment.workspace, "首页 home.png");
    const drawing = await chat.window.page.context().newPage();
    const box = "position: absolute; left: 60px; top: 100px; width: 120px; height: 32px";
    for (const color of ["#3355aa", "#aa5533"]) {
      await drawing.setContent(`<div style="${box}; background: ${color}">`);
      writeFileSync(path, await drawing.screenshot());
      git("init", "-q");
      git("add", "-A");
      git("commit", "-qm", `home in ${color}`);
    }
    await drawing.close();
    await chat.window.runCommand("View: Show Explorer");
    const version = chat.window.quickInput.getByRole("option", { name: "home in #3355aa" });
    const compare = async () => {
      await chat.window.page.keyboard.press("Escape");
      await asking.inExplorer("首页 home.png").click({ button: "right" });
      await chat.window.chooseInMenu("Compare Pictures");
      return version.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    };
    // VS Code finds a new repository after a moment.
    for (let tries = 1; !(await compare()); tries++) assert.ok(tries < 12, "no versions in Git");
    await version.click();
    const dialog = chat.window.panel.getByRole("dialog");
    await dialog.getByText(/^9\d(\.\d)? % of the pixels are equal$/).waitFor();
    await dialog.getByRole("button", { name: "Ask about the differences" }).click();
    await dialog.waitFor({ state: "detached" });
    await asking.chips.nth(1).waitFor();
    const request = await asking.send("What changed?");
    assert.equal(request.pictures.length, 2);
  });

  it(`of a reply are shown or named, stay after a reload, and are attached by one click ${ALL}`, async () => {
    await chat.startConversation();
    chat.service.reset();
    const url = (bytes: Buffer) => `data:image/png;base64,${bytes.toString("base64")}`;
    const huge = Buffer.from(madePng(10, 10));
    huge.writeUInt32BE(20_000, 16);
    huge.writeUInt32BE(20_000, 20);
    const drawn = madePng(320, 200);
    const images = [drawn, drawn, huge].map((bytes) => ({ image_url: { url: url(bytes) } }));
    const content = `Look: ![tiny](${url(madePng(30, 30))}) done.`;
    const blocks = [
      { choices: [{ index: 0, delta: { content, images } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
    ];
    const body = blocks.map((block) => `data: ${JSON.stringify(block)}\n\n`).join("");
    const headers = { "content-type": "text/event-stream" };
    chat.service.script({ status: 200, body, headers });
    await asking.composer.fill("Draw.");
    await asking.composer.press("Enter");
    const reply = chat.window.panel.getByRole("article", { name: "Assistant" }).last();
    await reply.getByText("is too large to show: image/png, 20000×20000").waitFor();
    await chat.window.page.reload();
    await chat.window.openChat();
    await reply.locator(".sent-picture img[src]").nth(1).waitFor();
    assert.equal(await reply.locator(".sent-picture img[src]").count(), 2);
    await reply.getByText("Look: (tiny) done.").waitFor();
    await asking.button("Attach reply-1.png to the next question").click();
    await asking.chips.first().waitFor();
    const { pictures } = await asking.send("What is it?");
    const last = pictures.at(-1);
    assert.deepEqual([last?.widthPx, last?.heightPx], [320, 200]);
  });

  it(`are sent smaller after a rejected request, when the user asks for that ${ALL}`, async () => {
    await chat.startConversation();
    chat.service.reset();
    await asking.pasteOrDrop("drop", [
      ["checkout.png", file],
      ["chart.png", madePng(300, 100)],
    ]);
    await asking.chips.nth(1).waitFor();
    chat.service.script({ status: 400, body: '{"error":{"message":"not this"}}' });
    await asking.composer.fill("Is it too large?");
    await asking.composer.press("Enter");
    await asking.button("Retry smaller").waitFor();
    chat.service.script({ blocks: ["seen"] });
    await asking.button("Retry smaller").click();
    const { pictures } = await chat.service.waitForRequest(2);
    await asking.untilAnswered("Is it too large?");
    assert.deepEqual(
      pictures.map(({ widthPx, heightPx }) => `${widthPx}×${heightPx}`),
      ["360×240", "150×50"],
    );
  });
});
