/**
 * A VS Code window in Chromium, as users see it: commands, the Core Chat panel, messages,
 * input boxes. Knows VS Code's page; what is inside our panel is found by role and name in the
 * frame it gives out.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { EDITOR_FRAME, PANEL_FRAME, registerChatFrames } from "./chatFrames.mjs";
import { outFolder } from "../runner/project.mjs";

/** How long VS Code may take to show what it was asked for, in milliseconds. */
const PATIENCE_MS = 90_000;

/**
 * @typedef {readonly (readonly [name: string, value: string])[]} Payload VS Code's own way to hand
 *   a page what a desktop window gets as arguments, like extensionDevelopmentPath
 *
 * @typedef {object} WorkbenchOptions
 * @property {string} url the served VS Code, without a slash at the end
 * @property {string} [folder] absolute path of the workspace to open; the server's own if left out
 * @property {import("playwright-core").Browser} browser stays the caller's
 * @property {Payload} [payload] needs a server with `smokeTest`
 * @property {"dark" | "light"} [colorScheme] what the system prefers; VS Code's first theme
 *   follows it. A named theme is set by the server's `changeSettings`
 * @property {{width: number, height: number}} [viewport] in CSS pixels
 * @property {(page: import("playwright-core").Page) => Promise<void>} [beforeOpening]
 */

/**
 * Opens a window in a browser context of its own (no key or state of another window is in it),
 * and resolves when VS Code has drawn it.
 *
 * @param {WorkbenchOptions} options
 */
export async function openWorkbench(options) {
  await registerChatFrames();
  const context = await options.browser.newContext({
    permissions: ["clipboard-read", "clipboard-write"],
    viewport: options.viewport ?? { width: 1440, height: 900 },
    colorScheme: options.colorScheme ?? "dark",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const address = new URL(options.url);
  if (options.folder) address.searchParams.set("folder", options.folder);
  if (options.payload) address.searchParams.set("payload", JSON.stringify(options.payload));
  await options.beforeOpening?.(page);
  await page.goto(address.href);
  const workbench = new Workbench(page, context);
  await workbench.untilDrawn();
  return workbench;
}

/** One open window; the caller closes it. */
export class Workbench {
  /**
   * @param {import("playwright-core").Page} page
   * @param {import("playwright-core").BrowserContext} context owned: closed by `close`
   */
  constructor(page, context) {
    this.page = page;
    this.context = context;
  }

  /** Inside of the Core Chat panel: find things there by role and name. */
  get panel() {
    return this.page.frameLocator(PANEL_FRAME).frameLocator("#active-frame");
  }

  /** Inside of Core Chat's editor tab (command "Open in Editor"). */
  get chatEditor() {
    return this.page.frameLocator(EDITOR_FRAME).frameLocator("#active-frame");
  }

  /** The input box or list that VS Code shows at the top. */
  get quickInput() {
    return this.page.locator(".quick-input-widget:visible");
  }

  /**
   * Messages VS Code shows in the corner; each has its text and its buttons inside. A server with
   * `smokeTest` never shows any.
   */
  get notifications() {
    return this.page.locator(".notifications-toasts .notification-list-item");
  }

  /** A modal question. */
  get dialog() {
    return this.page.locator(".monaco-dialog-box");
  }

  /** The text editor in front. */
  get editor() {
    return this.page.locator(".editor-group-container.active .monaco-editor").first();
  }

  /** Resolves when the window's parts are there. Extensions may still be starting. */
  async untilDrawn() {
    await this.page.locator(".monaco-workbench .part.statusbar").waitFor();
    await this.page.locator(".monaco-workbench .part.editor").waitFor();
  }

  /**
   * Runs a command by its full title in the command palette, waiting until it is offered.
   *
   * @param {string} title like "Core Chat: Open Chat"
   */
  async runCommand(title) {
    await this.#offered(title, async (row) => {
      await row.click({ timeout: 3_000 });
      // The command's own questions use the same box, so it has to close first.
      await this.page.waitForFunction(isPaletteGone, `>${title}`, { timeout: 3_000 });
    });
  }

  /**
   * Opens the palette until it offers a command and what is done with its row succeeds.
   *
   * @param {string} title
   * @param {(row: import("playwright-core").Locator) => Promise<void>} act
   */
  async #offered(title, act) {
    const input = this.quickInput.locator("input.input");
    for (const deadline = Date.now() + PATIENCE_MS; ;) {
      await this.page.keyboard.press("F1");
      try {
        await input.waitFor({ timeout: 2_000 });
        await input.fill(`>${title}`, { timeout: 3_000 });
        const row = this.quickInput.getByRole("option", { name: title }).first();
        await row.waitFor({ timeout: 3_000 });
        await act(row);
        return;
      } catch (error) {
        // The palette closed, or the extension that offers the command is not there yet.
        await this.page.keyboard.press("Escape");
        if (Date.now() > deadline) {
          throw new Error(`VS Code's palette never offered "${title}".`, { cause: error });
        }
      }
    }
  }

  /**
   * Chooses from the menu that is open or about to open.
   *
   * @param {string} name
   */
  async chooseInMenu(name) {
    const item = this.page.getByRole("menuitem", { name });
    await item.waitFor();
    // A menu takes no click in its first moment: then it is still open and clicked again.
    while (await item.isVisible()) await item.click({ timeout: 1_000 }).catch(() => undefined);
  }

  /**
   * Opens the light bulb's list by its key, where the caret is, and chooses from it.
   *
   * @param {string} name
   */
  async chooseAction(name) {
    const option = this.page.getByRole("option", { name });
    for (const deadline = Date.now() + PATIENCE_MS; ;) {
      await this.page.keyboard.press("Control+.");
      try {
        await option.waitFor({ timeout: 3_000 });
        break;
      } catch (error) {
        // The list closes on its own while VS Code still processes the typed text.
        if (Date.now() > deadline) throw error;
      }
    }
    // VS Code 1.106 lets no click through to a list opened by a key until the mouse moves.
    await option.hover({ force: true });
    await option.click();
  }

  /** Opens the Core Chat panel by its command and gives its inside, with a conversation shown. */
  async openChat() {
    await this.runCommand("Core Chat: Open Chat");
    await this.panel.getByRole("textbox", { name: "Message", exact: true }).waitFor();
    await this.panel.getByRole("combobox", { name: "Model" }).waitFor();
    return this.panel;
  }

  /** Opens the panel by its keys, in any language; resolves as soon as the caret is in its box. */
  async openChatByKeys() {
    for (const deadline = Date.now() + PATIENCE_MS; ;) {
      await this.page.keyboard.press("Control+K");
      await this.page.keyboard.press("j");
      try {
        const box = this.panel.getByRole("textbox").and(this.panel.locator(":focus"));
        await box.waitFor({ timeout: 10_000 });
        return;
      } catch (error) {
        // VS Code knows the keys of extensions only some time after it is drawn.
        if (Date.now() > deadline) throw error;
      }
    }
  }

  /**
   * Types into the input box that is open or about to open, and confirms it.
   *
   * @param {string} text
   */
  async answerInput(text) {
    const input = this.quickInput.locator("input.input");
    await input.waitFor();
    await input.fill(text);
    await input.press("Enter");
  }

  /**
   * Opens a workspace file by its name and waits until it is in front.
   *
   * @param {string} name a path inside the workspace that is found without doubt
   */
  async openFile(name) {
    for (const deadline = Date.now() + PATIENCE_MS; ;) {
      await this.page.keyboard.press("Control+P");
      try {
        await this.quickInput.locator("input.input").fill(name, { timeout: 3_000 });
        const row = this.quickInput.getByRole("option", { name }).first();
        await row.click({ timeout: 5_000 });
        break;
      } catch (error) {
        // What was opened just before took the focus, which closes the list.
        await this.page.keyboard.press("Escape");
        if (Date.now() > deadline) throw error;
      }
    }
    const tab = this.page.getByRole("tab", { name: name.split("/").at(-1) ?? name });
    await tab.first().waitFor();
    await this.editor.waitFor();
  }

  /**
   * A message in the corner that holds this text; use it for its buttons too.
   *
   * @param {string | RegExp} text
   */
  notification(text) {
    return this.notifications.filter({ hasText: text });
  }

  /** Texts of the messages in the corner now, newest first. */
  async readNotifications() {
    return await this.notifications.locator(".notification-list-item-message").allInnerTexts();
  }

  /**
   * Resolves when what is on the clipboard as text is what is wanted.
   *
   * @param {(text: string) => boolean} isWanted
   */
  async untilClipboard(isWanted) {
    for (const deadline = Date.now() + PATIENCE_MS; ;) {
      const text = await this.page.evaluate(() => navigator.clipboard.readText());
      if (isWanted(text)) return;
      if (Date.now() > deadline) throw new Error(`the clipboard holds ${JSON.stringify(text)}`);
      await delay(50);
    }
  }

  /**
   * Puts a picture on the clipboard, as a screenshot tool does.
   *
   * @param {Buffer} png
   */
  async putPictureOnClipboard(png) {
    await this.page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const blob = new Blob([bytes], { type: "image/png" });
      await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
    }, png.toString("base64"));
  }

  /**
   * Reloads the window as a user does: VS Code saves what is open first. (A browser's
   * own reload does not wait for that.) Storage and secrets stay.
   */
  async reload() {
    await this.#offered("Developer: Reload Window", async (row) => {
      await Promise.all([this.page.waitForEvent("load"), row.click({ timeout: 3_000 })]);
    });
    await this.untilDrawn();
  }

  /**
   * Saves what the window shows as out/screenshots/NAME.png and gives its path.
   *
   * @param {string} name
   */
  async screenshot(name) {
    const folder = join(outFolder, "screenshots");
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `${name.replaceAll(/[^\w.-]+/g, "-")}.png`);
    await this.page.screenshot({ path });
    return path;
  }

  /** Closes the window and forgets its storage. Closing twice is harmless. */
  async close() {
    await this.context.close();
  }
}

/**
 * Runs in the page.
 *
 * @param {string} asked what was typed into the palette
 */
function isPaletteGone(asked) {
  const input = document.querySelector(".quick-input-widget input.input");
  return !(input instanceof HTMLInputElement) || !input.checkVisibility() || input.value !== asked;
}
