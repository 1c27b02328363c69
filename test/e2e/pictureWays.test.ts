/**
 * Tests every way to add a picture to a question, in a real VS Code: the service receives the
 * source file byte for byte. A program on PATH replaces the system's tool for screenshots.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ALL } from "../support/depth";
import { PictureAsking } from "../support/e2e/pictureAsking";
import { suiteWithWindow } from "../support/e2e/chatSuite";
import { madePng } from "../support/pictures/madePng";

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

describe("adding pictures to a question", function () {
  this.timeout(300_000);
  const chat = suiteWithWindow();
  let asking: PictureAsking;
  const checkout = readFileSync("test/fixtures/sample-workspace/pictures/checkout.png");
  const chart = readFileSync("test/fixtures/virtual-files/chart.png");
  const cart = madePng(400, 300);

  before(async () => {
    const { environment, window } = chat;
    const write = (name: string, content: string | Buffer) =>
      writeFileSync(join(environment.workspace, name), content);
    write("pictures/cart.png", cart);
    write("page.html", '<img src="pictures/cart.png">\n<p>There is no picture here.</p>\n');
    const outside = join(dirname(environment.workspace), "outside.png");
    writeFileSync(outside, cart);
    symlinkSync(outside, join(environment.workspace, "pictures/linked.png"));
    asking = new PictureAsking(environment, window);
    await chat.start("workbench.view.explorer");
    const folder = asking.inExplorer("pictures");
    await folder.waitFor();
    if ((await folder.getAttribute("aria-expanded")) === "false") await folder.click();
    await chat.start("workbench.files.action.refreshFilesExplorer");
    // The rows move while the other files appear.
    for (const name of ["cart.png", "linked.png", "page.html"])
      await asking.inExplorer(name).waitFor();
  });

  /** Sends the question and asserts that it contains these files in this order. */
  async function sends(text: string, ...files: Buffer[]): Promise<void> {
    await asking.chips.nth(files.length - 1).waitFor();
    const { pictures } = await asking.send(text);
    assert.deepEqual(
      pictures.map(({ sha256: hash }) => hash).slice(-files.length),
      files.map(sha256),
    );
    await asking.chips.first().waitFor({ state: "detached" });
  }

  it(`works with the dialog for files ${ALL}`, async () => {
    await asking.chooseItem("Add context", "Files and pictures…");
    await asking.enterFile("pictures/cart.png", "Attach");
    await sends("From the picker?", cart);
  });

  it("works for several files selected in the explorer", async () => {
    await asking.inExplorer("cart.png").click();
    await chat.tab("cart.png").waitFor();
    // VS Code selects the file of the active editor in the explorer when that editor opens.
    await chat.window.page.locator(".statusbar").getByText("400x300").waitFor();
    const selected = chat.window.page.locator('.explorer-folders-view [aria-selected="true"]');
    for (let isDone = false; !isDone;) {
      await asking.inExplorer("checkout.png").click({ modifiers: ["Shift"] });
      isDone = await selected
        .nth(1)
        .waitFor({ timeout: 3_000 })
        .then(
          () => true,
          () => false,
        );
    }
    await asking.inExplorer("checkout.png").click({ button: "right" });
    await chat.window.press("explorer/context", "Ask About Picture");
    await asking.chips.nth(1).waitFor();
    const { pictures } = await asking.send("Compare them?");
    assert.deepEqual(
      new Set(pictures.slice(-2).map(({ sha256: hash }) => hash)),
      new Set([sha256(cart), sha256(checkout)]),
    );
  });

  it(`works by dragging from the explorer with Shift ${ALL}`, async () => {
    await dragIntoChat(() => asking.inExplorer("checkout.png"));
    await sends("Dragged?", checkout);
  });

  it("works from the hover of a link", async () => {
    await chat.window.openFile("page.html");
    const link = chat.window.editor.getByText(/pictures\/cart\.png/).last();
    const ask = chat.window.page
      .locator(".monaco-hover")
      .getByText("Ask Core Chat About This Picture");
    await chat.window.hover(link, ask);
    await chat.window.press("hover", "Ask Core Chat About This Picture");
    await sends("From a hover?", cart);
  });

  it("works from a virtual file system after the user confirms the path", async () => {
    await chat.window.runCommand("Open Virtual Picture");
    await chat.window.page.getByRole("tab", { name: "chart.png" }).waitFor();
    await chat.window.press("editor/title", "Ask About Picture");
    await chat.window.dialog.getByText("virtual-files:/chart.png").waitFor();
    await chat.window.press("dialog", "Attach");
    await sends("From nowhere?", chart);
  });

  it(`works through a link to outside the workspace only after the user confirms ${ALL}`, async () => {
    await asking.inExplorer("linked.png").click({ button: "right" });
    await chat.window.chooseInMenu("Ask About Picture");
    const place = join(dirname(chat.environment.workspace), "outside.png");
    await chat.window.dialog.getByText(place).waitFor();
    await chat.window.dialog.getByRole("button", { name: "Cancel" }).click();
    await chat.window.dialog.waitFor({ state: "detached" });
    assert.equal(await asking.chips.count(), 0);
    await asking.inExplorer("linked.png").click({ button: "right" });
    await chat.window.chooseInMenu("Ask About Picture");
    await chat.window.dialog.getByRole("button", { name: "Attach" }).click();
    await sends("Linked?", cart);
  });

  describe("with Take Screenshot", () => {
    const bytes = madePng(640, 360);
    const pathOf = (name: string) => join(chat.environment.programs, name);

    /** Writes the program, called `scrot`, or `screencapture` on macOS. */
    function tool(...lines: string[]): void {
      const file = pathOf(process.platform === "darwin" ? "screencapture" : "scrot");
      writeFileSync(file, ["#!/bin/sh", ...lines, ""].join("\n"));
      chmodSync(file, 0o755);
    }

    /** Writes a program that copies the picture to its last argument, and notes the argument. */
    function takingTool(): void {
      writeFileSync(pathOf("made.png"), bytes);
      tool(
        'for file in "$@"; do :; done',
        `echo "$file" > "${pathOf("written")}"`,
        `cp "${pathOf("made.png")}" "$file"`,
      );
    }

    it("works with the command, which focuses the message box", async () => {
      takingTool();
      await chat.window.runCommand("Core Chat: Take Screenshot");
      await asking.chips.nth(0).waitFor();
      assert.equal(existsSync(readFileSync(pathOf("written"), "utf8").trim()), false);
      await chat.window.page.keyboard.type("Typed at once");
      await asking.composer.and(chat.window.panel.locator(":focus")).waitFor();
      await sends("A screenshot?", bytes);
    });
  });

  /**
   * Drags an element onto the panel's message box; Shift makes VS Code pass the drop to the
   * webview.
   */
  async function dragIntoChat(from: () => ReturnType<PictureAsking["inExplorer"]>): Promise<void> {
    const { mouse, keyboard } = chat.window.page;
    await from().hover();
    await mouse.down();
    await mouse.move(700, 400, { steps: 5 });
    await keyboard.down("Shift");
    const box = (await asking.composer.boundingBox())!;
    await mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 10 });
    await mouse.up();
    await keyboard.up("Shift");
  }
});
