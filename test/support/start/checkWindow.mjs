/**
 * Checks the first minutes of a new user of `npm start` step by step, in a separate window: the
 * suggestions in the README of the project and of the sample workspace, with the local reference
 * service. `npm start -- --check` and the end-to-end tests both run these steps.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { launchBrowser } from "../browser/browser.mjs";
import { projectFolder } from "../runner/project.mjs";
import { openWorkbench } from "../vscode/workbench.mjs";

const CHECKOUT = "test/fixtures/sample-workspace/pictures/checkout.png";

/**
 * @typedef {import("../vscode/workbench.mjs").Workbench} Workbench
 * @typedef {object} FirstStep
 * @property {string} title completes "a new user …"
 * @property {(window: Workbench) => Promise<void>} run rejects when a user could not complete the step
 */

/** Steps in order; later steps depend on earlier steps. @type {readonly FirstStep[]} */
export const FIRST_STEPS = [
  { title: "finds the panel open, and the sample's README in the first tab", run: findReadme },
  { title: "asks about the attached screenshot, and gets boxes in it", run: askAboutPicture },
  { title: "clicks a number, and sees the place enlarged", run: enlargePlace },
  { title: "asks, and gets a reply", run: ask },
  { title: "blacks out a part of a picture before it is sent", run: redactPicture },
  { title: "asks for a failure with two keys", run: askForFailure },
  { title: "asks for a fix of the selected code", run: fix },
  { title: "generates code at the cursor and keeps it", run: generate },
  { title: "saves, and generates a commit message", run: describeCommit },
  { title: "has met no error message of VS Code", run: expectNoError },
];

/**
 * Runs all steps in a headless Chromium and prints each.
 *
 * @param {string} url address that `npm start` prints, with the folder
 * @returns {Promise<boolean>} false if a step failed
 */
export async function checkWindow(url) {
  const browser = await launchBrowser();
  try {
    const window = await openWorkbench({ url, browser });
    try {
      for (const { title, run } of FIRST_STEPS) {
        await run(window);
        console.log(`A new user ${title}.`);
      }
      console.log(`Picture of the window: ${await window.screenshot("start")}`);
      return true;
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      console.error(`Picture of the window: ${await window.screenshot("start-failed")}`);
      return false;
    }
  } finally {
    await browser.close();
  }
}

/** @param {Workbench} window */
async function findReadme(window) {
  await composerOf(window).waitFor();
  await window.panel.getByRole("combobox", { name: "Model" }).waitFor();
  await window.page.getByRole("tab", { name: /README\.md/ }).waitFor();
  await readmeOf(window).getByRole("heading", { name: "Corner shop" }).waitFor();
}

/** @param {Workbench} window */
async function ask(window) {
  await window.runCommand("Core Chat: New Conversation");
  await window.panel.locator(".empty-state").waitFor();
  await send(window, "Hello");
  const reply = window.panel.getByRole("article", { name: "Assistant", exact: true }).last();
  await reply.getByRole("heading", { name: "Answer from the local reference service" }).waitFor();
  await untilEnded(window);
}

/** @param {Workbench} window */
async function attachCheckout(window) {
  await composerOf(window).pressSequentially("#che");
  await window.panel
    .getByRole("option", { name: /checkout\.png/ })
    .first()
    .waitFor();
  await composerOf(window).press("Enter");
  const chip = window.panel.getByRole("button", { name: /^Remove attachment .*checkout\.png/ });
  await chip.waitFor();
  await untilDecoded(window.panel.locator("form img, .composer img").first());
}

/** @param {Workbench} window */
async function askAboutPicture(window) {
  const { panel } = window;
  await panel.getByRole("button", { name: /^Remove attachment .*checkout\.png/ }).waitFor();
  await untilDecoded(panel.locator(".composer img").first());
  await send(window, "What is wrong with the sum?");
  const question = panel.getByRole("article", { name: "You", exact: true }).last();
  await untilDecoded(question.locator("img").first());
  await untilEnded(window);
  const reply = panel.getByRole("article", { name: "Assistant", exact: true }).last();
  await reply.getByText("7.08").first().waitFor();
  await untilDecoded(reply.locator(".pointed-picture img"));
  assert.equal(await reply.locator(".point-box").count(), 3);
}

/** @param {Workbench} window */
async function enlargePlace(window) {
  const reply = window.panel.getByRole("article", { name: "Assistant", exact: true }).last();
  await reply.locator(".point-box").first().click();
  const dialog = window.panel.getByRole("dialog");
  await dialog.waitFor();
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
}

/** @param {Workbench} window */
async function redactPicture(window) {
  const { panel } = window;
  await attachCheckout(window);
  await panel.getByRole("button", { name: /^Mark up .*checkout\.png/ }).click();
  await panel.getByRole("button", { name: "Redact", exact: true }).click();
  const canvas = panel.getByRole("application");
  await canvas.focus();
  // Places a corner in the middle, moves and places the opposite corner.
  for (const key of ["Enter", "Shift+ArrowRight", "Shift+ArrowDown", "Enter"]) {
    await canvas.press(key);
  }
  await panel.getByRole("button", { name: "Done", exact: true }).click();
  await panel.getByRole("dialog").waitFor({ state: "detached" });
  await send(window, "And now?");
  const question = panel.getByRole("article", { name: "You", exact: true }).last();
  await untilDecoded(question.locator("img").first());
  // The reply names the pictures that the service received.
  const cell = panel.getByRole("cell", { name: /^[0-9a-f]{64}$/ }).last();
  await cell.waitFor();
  await untilEnded(window);
  const original = readFileSync(join(projectFolder, CHECKOUT));
  const hash = createHash("sha256").update(original).digest("hex");
  assert.notEqual(await cell.innerText(), hash, "the redacted picture has the original's bytes");
}

/** @param {Workbench} window */
async function fix(window) {
  await openCart(window);
  await window.page.keyboard.press("Control+A");
  await window.runCommand("Core Chat: Fix Selection");
  await window.panel.getByText("Two mistakes:").last().waitFor();
  await untilEnded(window);
}

/** @param {Workbench} window */
async function openCart(window) {
  // A mark of the screenshot has opened its file before.
  await window.page.getByRole("tab", { name: "README.md" }).click();
  await readmeOf(window).getByRole("link", { name: "shop/cart.ts" }).click();
  await window.page.getByRole("tab", { name: "cart.ts" }).waitFor();
  await window.editor.getByText("totalPrice").first().waitFor();
}

/** @param {Workbench} window */
async function askForFailure(window) {
  await composerOf(window).pressSequentially("/cut");
  await window.panel
    .getByRole("option", { name: /cut-off/ })
    .first()
    .waitFor();
  await composerOf(window).press("Enter");
  await composerOf(window).press("Enter");
  await window.panel.getByRole("button", { name: "Continue", exact: true }).waitFor();
}

/** @param {Workbench} window */
async function generate(window) {
  await window.editor.getByText("totalPrice").first().click();
  await window.page.keyboard.press("Control+End");
  await window.runCommand("Core Chat: Generate at Cursor");
  await window.answerBox("Say hello");
  await keep(window);
  await window.editor.getByText("sampleReply").first().waitFor();
}

/** @param {Workbench} window */
async function describeCommit(window) {
  await window.page.keyboard.press("Control+S");
  await window.page.keyboard.press("Control+Shift+G");
  const box = window.page.locator(".scm-view .scm-input .view-lines");
  await box.waitFor();
  const isListed = window.page.locator(".scm-view .monaco-list-row", { hasText: "cart.ts" });
  await isListed.first().waitFor();
  await window.runCommand("Core Chat: Generate Commit Message");
  await box.getByText("Update cart.ts").waitFor();
}

/**
 * Asserts that VS Code shows no error; messages stay in its list of notifications after they
 * disappear from the corner.
 *
 * @param {Workbench} window
 */
async function expectNoError(window) {
  await window.runCommand("Notifications: Show Notifications");
  const center = window.page.locator(".notifications-center.visible");
  await center.waitFor();
  const errors = center.locator(".notification-list-item:has(.codicon-error)");
  assert.deepEqual(await errors.allInnerTexts(), []);
  await window.page.keyboard.press("Escape");
}

/** @param {Workbench} window */
async function keep(window) {
  const lens = window.editor.getByText("Keep", { exact: true });
  await lens.click();
  await lens.waitFor({ state: "detached" });
}

/**
 * Locates the preview of the sample's README, the only webview among the editors.
 *
 * @param {Workbench} window
 */
function readmeOf(window) {
  return window.chatEditor;
}

/** @param {Workbench} window */
function composerOf(window) {
  return window.panel.getByRole("textbox", { name: "Message", exact: true });
}

/**
 * @param {Workbench} window
 * @param {string} text
 */
async function send(window, text) {
  await composerOf(window).pressSequentially(text);
  await composerOf(window).press("Enter");
}

/** @param {Workbench} window */
async function untilEnded(window) {
  await window.panel.locator('article[aria-busy="true"]').waitFor({ state: "detached" });
}

/**
 * Resolves when the browser has decoded a picture; a broken picture has no width.
 *
 * @param {import("playwright-core").Locator} image
 */
async function untilDecoded(image) {
  await image.waitFor();
  const widthPx = await image.evaluate(async (element) => {
    if (!(element instanceof HTMLImageElement)) return 0;
    for (const untilMs = Date.now() + 15_000; ;) {
      try {
        await element.decode();
        return element.naturalWidth;
      } catch {
        // The page has given the picture another address in the meantime.
        if (Date.now() > untilMs) return 0;
        await new Promise(requestAnimationFrame);
      }
    }
  });
  assert.ok(widthPx > 0, "the picture is broken");
}
