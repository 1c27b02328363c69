/**
 * Controls a VS Code window in Chromium as users see it: commands, the Core Chat panel, messages,
 * input boxes. Knows VS Code's page; elements inside the panel are found by role and name in the
 * returned frame.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { EDITOR_FRAME, PANEL_FRAME, registerChatFrames } from "./chatFrames.mjs";
import { outFolder } from "../runner/project.mjs";

/** Time limit for VS Code to show an expected element, in milliseconds. */
const PATIENCE_MS = 90_000;

/** Time for which VS Code shows a toast with buttons, in milliseconds; an error's has no end. */
const TOAST_MS = 18_000;

/**
 * Time in which the palette lists the commands that VS Code knows, in milliseconds; an open palette lists
 * no command that VS Code learns later.
 */
const LISTING_MS = 1_000;

/**
 * @typedef {readonly (readonly [name: string, value: string])[]} Payload query parameter of
 *   VS Code's page for the arguments of a desktop window, such as extensionDevelopmentPath
 *
 * @typedef {object} WorkbenchOptions
 * @property {string} url the served VS Code, without a trailing slash
 * @property {string} [folder] absolute path of the workspace to open; the server's default otherwise
 * @property {string} [workspaceFile] absolute path of a workspace file to open instead of a folder
 * @property {import("playwright-core").Browser} browser owned by the caller
 * @property {Payload} [payload] needs a server with `smokeTest`
 * @property {"dark" | "light"} [colorScheme] the system's preference, which VS Code's first theme
 *   follows; the server's `changeSettings` can set a named theme
 * @property {{readonly width: number, readonly height: number}} [viewport] in CSS pixels
 * @property {(page: import("playwright-core").Page) => Promise<void>} [beforeOpening]
 */

/**
 * Opens a window in a browser context of its own, without keys or state of other windows, and
 * resolves when VS Code has rendered it.
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
  if (options.workspaceFile) address.searchParams.set("workspace", options.workspaceFile);
  if (options.payload) address.searchParams.set("payload", JSON.stringify(options.payload));
  await options.beforeOpening?.(page);
  await page.goto(address.href);
  const workbench = new Workbench(page, context);
  await workbench.untilDrawn();
  return workbench;
}

/** An open window; the caller closes it. */
export class Workbench {
  /**
   * @param {import("playwright-core").Page} page
   * @param {import("playwright-core").BrowserContext} context owned: closed by `close`
   */
  constructor(page, context) {
    this.page = page;
    this.context = context;
  }

  /** Content of the Core Chat panel; find elements by role and name. */
  get panel() {
    return this.page.frameLocator(PANEL_FRAME).frameLocator("#active-frame");
  }

  /** Content of Core Chat's editor tab (command "Open in Editor"). */
  get chatEditor() {
    return this.page.frameLocator(EDITOR_FRAME).frameLocator("#active-frame");
  }

  /** Input box or list at the top of the window. */
  get quickInput() {
    return this.page.locator(".quick-input-widget:visible");
  }

  /**
   * Messages in the corner, with their text and buttons. A server with `smokeTest` never shows any.
   */
  get notifications() {
    return this.page.locator(".notifications-toasts .notification-list-item");
  }

  /** Modal dialog. */
  get dialog() {
    return this.page.locator(".monaco-dialog-box");
  }

  /** Active text editor. */
  get editor() {
    return this.page.locator(".editor-group-container.active .monaco-editor").first();
  }

  /** Resolves when the parts of the window are rendered. Extensions may still be starting. */
  async untilDrawn() {
    await this.page.locator(".monaco-workbench .part.statusbar").waitFor();
    await this.page.locator(".monaco-workbench .part.editor").waitFor();
  }

  /**
   * Runs a command by its full title in the command palette, waiting until the palette lists the
   * command.
   *
   * @param {string} title such as "Core Chat: Open Chat"
   */
  async runCommand(title) {
    await this.#whenListed(title, async (row) => {
      await row.click({ timeout: 3_000 });
      // The command's own input uses the same box, so the palette must close first.
      await this.page.waitForFunction(isPaletteGone, `>${title}`, { timeout: 3_000 });
    });
  }

  /**
   * Reopens the palette until it lists a command and `act` on its row succeeds.
   *
   * @param {string} title
   * @param {(row: import("playwright-core").Locator) => Promise<void>} act
   */
  async #whenListed(title, act) {
    const input = this.quickInput.locator("input.input");
    for (const deadline = Date.now() + PATIENCE_MS; ;) {
      await this.page.keyboard.press("F1");
      try {
        await input.waitFor({ timeout: 2_000 });
        await input.fill(`>${title}`, { timeout: 3_000 });
        const row = this.quickInput.getByRole("option", { name: title }).first();
        await row.waitFor({ timeout: LISTING_MS });
        await act(row);
        return;
      } catch (error) {
        // The palette closed, or the extension with the command has not started yet.
        await this.page.keyboard.press("Escape");
        if (Date.now() > deadline) {
          throw new Error(`VS Code's palette never listed "${title}".`, { cause: error });
        }
      }
    }
  }

  /**
   * Selects an item of a menu that is open or about to open.
   *
   * @param {string} name
   */
  async chooseInMenu(name) {
    const item = this.page.getByRole("menuitem", { name });
    await item.waitFor();
    await clickUntilHidden(item);
  }

  /**
   * Opens the context menu of an element.
   *
   * @param {import("playwright-core").Locator} target
   * @param {{x: number, y: number}} [position]
   */
  async openContextMenu(target, position) {
    const options = { button: /** @type {const} */ ("right"), ...(position && { position }) };
    const menu = this.page.getByRole("menu").first();
    await clickUntilVisible(menu, () => target.click(options));
  }

  /**
   * Opens the light bulb's list at the caret with its key, and selects an item.
   *
   * @param {string} name
   */
  async chooseAction(name) {
    const option = this.page.getByRole("option", { name });
    const list = this.page.locator(".action-widget").getByRole("option").first();
    for (const deadline = Date.now() + PATIENCE_MS; ;) {
      await this.page.keyboard.press("Control+.");
      try {
        // In an open list, the same key would select the first item.
        await list.waitFor({ timeout: 10_000 });
        await option.waitFor({ timeout: 3_000 });
        break;
      } catch (error) {
        // The list closes on its own while VS Code still processes the typed text.
        if (Date.now() > deadline) throw error;
        if (await list.isVisible()) await this.page.keyboard.press("Escape");
      }
    }
    // VS Code 1.106 ignores clicks in a list opened with a key until the mouse moves.
    await option.hover({ force: true });
    await option.click();
  }

  /**
   * Clicks a button that VS Code draws. `test/unit/pressedButtons.test.ts` compares the calls, with both
   * arguments as literals, with the buttons of the product.
   *
   * @param {string} place a menu of package.json, whose pop-up menu must be opening, or `code lens`,
   *   `dialog`, `hover`, `light bulb`, `list` or `notification`
   * @param {string} label for a list its title
   * @param {string} [row] text of the row to select in a list; "…" for the menu "More Actions" of an editor
   */
  async press(place, label, row = "") {
    if (place === "light bulb") return this.chooseAction(label);
    if (place.endsWith("/context") && !place.startsWith("comments"))
      return this.#pressInMenu(label);
    if (place === "view/title") return this.#pressInTitle(".part.auxiliarybar, .part.panel", label);
    if (place === "scm/title") return this.#pressInTitle(".part.sidebar", label);
    if (place === "notification") return this.#pressInNotification(label);
    const { page } = this;
    if (place === "editor/title" && row === "…") {
      const actions = page.locator(".editor-group-container.active .editor-actions");
      return this.#pressInMenu(label, actions.locator('a[aria-label^="More Actions"]'));
    }
    if (place === "notebook/cell/title") {
      await page.locator('.cell-title-toolbar a[aria-label^="More"]:visible').first().click();
      // VS Code draws the panel over the end of this menu.
      const item = page.getByRole("menuitem", { name: label });
      await item.click({ position: { x: 40, y: 8 } });
      return;
    }
    const start = startOf(label);
    /** @type {Readonly<Record<string, () => import("playwright-core").Locator>>} */
    const places = {
      "editor/title": () =>
        page.locator(`.editor-group-container.active .editor-actions a[aria-label^="${label}"]`),
      "testing/message/content": () => page.getByText(label, { exact: true }),
      "comments/comment/context": () => this.instructionBox.locator(`a[aria-label^="${label}"]`),
      "code lens": () => page.locator(".codelens-decoration a").getByText(label, { exact: true }),
      dialog: () => this.dialog.getByRole("button", { name: label, exact: true }),
      hover: () => page.locator(".monaco-hover").getByText(label),
      list: () => this.quickInput.locator(".monaco-list-row", { hasText: row }),
    };
    const button = places[place]?.();
    if (button === undefined) throw new Error(`There is no place "${place}".`);
    if (place === "list") await this.quickInput.getByText(start).first().waitFor();
    await button.first().click();
  }

  /**
   * Moves the mouse to a place until VS Code shows what belongs to it; a hover ends when the place is
   * drawn anew.
   *
   * @param {import("playwright-core").Locator} place
   * @param {import("playwright-core").Locator} wanted part of the hover
   */
  async hover(place, wanted) {
    await clickUntilVisible(wanted, async () => {
      await this.page.mouse.move(0, 0);
      await place.hover();
    });
    await wanted.waitFor();
  }

  /**
   * Clicks a button of a notification, after the time of its toast in the list of all notifications.
   *
   * @param {string} label
   */
  async #pressInNotification(label) {
    const item = this.page.locator(".notification-list-item:visible");
    const button = item.getByRole("button", { name: label, exact: true }).first();
    try {
      await button.click({ timeout: TOAST_MS });
    } catch {
      await this.runCommand("Notifications: Show Notifications");
      await button.click();
    }
  }

  /**
   * Clicks an item of an open menu, or of its submenu.
   *
   * @param {string} label
   * @param {import("playwright-core").Locator} [opener] button that opens the menu, which closes again
   *   when the focus moves, as to a diff that was just opened
   */
  async #pressInMenu(label, opener) {
    const item = this.page
      .getByRole("menuitem", { name: startOf(label) })
      .filter({ hasNotText: / to Chat/ }); // VS Code's own "Add Selection to Chat".
    const submenu = this.page.getByRole("menuitem", { name: /^(?:Core Chat|Help)$/ });
    const shown = item.or(submenu).first();
    if (opener !== undefined) await clickUntilVisible(shown, () => opener.click());
    await shown.waitFor();
    if (!(await item.isVisible())) await submenu.hover();
    await item.waitFor();
    await clickUntilHidden(item);
  }

  /**
   * Clicks an action in the titles of a part, or in their menus "More Actions".
   *
   * @param {string} part selector
   * @param {string} label
   */
  async #pressInTitle(part, label) {
    const title = this.page.locator(part).locator(".title, .pane-header");
    const shown = title.locator(`a.action-label[aria-label^="${label}"]:visible`).first();
    const item = this.page.getByRole("menuitem", { name: startOf(label) });
    const help = this.page.getByRole("menuitem", { name: "Help", exact: true });
    const menu = this.page.getByRole("menu").first(); // Shows all its items at once.
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(100)) {
      if ((await shown.count()) > 0) return shown.click();
      for (const more of await title.locator('a[aria-label*="More Actions"]:visible').all()) {
        await clickUntilVisible(menu, () => more.click({ timeout: 3_000 }).catch(() => undefined));
        if ((await item.or(help).count()) > 0) return this.#pressInMenu(label);
        // A menu ignores keys in its first moment.
        while (await menu.isVisible()) {
          await this.page.keyboard.press("Escape");
          await menu.waitFor({ state: "hidden", timeout: 300 }).catch(() => undefined);
        }
      }
    }
    throw new Error(`No title has "${label}".`);
  }

  /** Opens the Core Chat panel with its command; returns its content, with a conversation shown. */
  async openChat() {
    await this.runCommand("Core Chat: Open Chat");
    await this.panel.getByRole("textbox", { name: "Message", exact: true }).waitFor();
    await this.panel.getByRole("combobox", { name: "Model" }).waitFor();
    return this.panel;
  }

  /**
   * Opens the panel with its keybinding, in any language; resolves as soon as the message box has
   * the focus.
   */
  async openChatByKeys() {
    for (const deadline = Date.now() + PATIENCE_MS; ;) {
      await this.page.keyboard.press("Control+K");
      await this.page.keyboard.press("j");
      try {
        await this.page.locator(PANEL_FRAME).waitFor({ state: "attached", timeout: 2_000 });
        break;
      } catch (error) {
        // VS Code registers the keybindings of extensions some time after rendering.
        if (Date.now() > deadline) throw error;
      }
    }
    await this.panel.getByRole("textbox").and(this.panel.locator(":focus")).waitFor();
  }

  /**
   * Types into the input box that is open or about to open, and confirms.
   *
   * @param {string} text
   */
  async answerInput(text) {
    const input = this.quickInput.locator("input.input");
    await input.waitFor();
    await input.fill(text);
    await input.press("Enter");
  }

  /** Box at the code in which an instruction is written. */
  get instructionBox() {
    return this.page.locator(".review-widget", { has: this.page.locator(".edit-textarea") });
  }

  /**
   * Types into the box at the code that is open or about to open, and sends it.
   *
   * @param {string} text
   */
  async answerBox(text) {
    await this.instructionBox.locator(".edit-textarea .monaco-editor.focused").waitFor();
    await this.page.keyboard.type(text);
    await this.page.keyboard.press("Enter");
    await this.instructionBox.waitFor({ state: "detached" });
  }

  /**
   * Opens a workspace file with text, and waits until its editor is active.
   *
   * @param {string} name an unambiguous path inside the workspace
   */
  async openFile(name) {
    const group = this.page.locator(".editor-group-container.active");
    const line = group.locator(`.monaco-editor[data-uri$="/${name}"] .view-line`);
    for (const deadline = Date.now() + PATIENCE_MS; ;) {
      await this.page.keyboard.press("Control+P");
      try {
        await this.quickInput.locator("input.input").fill(name, { timeout: 3_000 });
        const row = this.quickInput.getByRole("option", { name }).first();
        await row.click({ timeout: 5_000 });
        await line.first().waitFor({ timeout: 5_000 });
        return;
      } catch (error) {
        // A file that was just opened took the focus, which closes the list, or the list was sorted
        // again under the pointer. In the chat, Escape would stop its reply.
        if (await this.quickInput.isVisible()) await this.page.keyboard.press("Escape");
        if (Date.now() > deadline) throw error;
      }
    }
  }

  /**
   * Locates a message in the corner with this text, for example to click its buttons.
   *
   * @param {string | RegExp} text
   */
  notification(text) {
    return this.notifications.filter({ hasText: text });
  }

  /** Returns the texts of the messages in the corner, newest first. */
  async readNotifications() {
    return await this.notifications.locator(".notification-list-item-message").allInnerTexts();
  }

  /**
   * Resolves when the text on the clipboard meets the condition.
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
   * Writes a picture to the clipboard, as a screenshot tool does.
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
   * Reloads the window as a user does: VS Code first saves its state, which a browser's own reload
   * does not wait for. Storage and secrets stay.
   */
  async reload() {
    await this.#whenListed("Developer: Reload Window", async (row) => {
      await Promise.all([this.page.waitForEvent("load"), row.click({ timeout: 3_000 })]);
    });
    await this.untilDrawn();
  }

  /**
   * Saves a screenshot of the window as out/screenshots/NAME.png and returns its path.
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

  /** Closes the window and discards its storage. Closing twice is harmless. */
  async close() {
    await this.context.close();
  }
}

/**
 * Repeats a click that VS Code ignores while it moves the focus or draws the place anew.
 *
 * @param {import("playwright-core").Locator} wanted appears after the click
 * @param {() => Promise<void>} click
 */
async function clickUntilVisible(wanted, click) {
  for (let tries = 0; tries < 10 && !(await wanted.isVisible()); tries++) {
    await click();
    await wanted.waitFor({ timeout: 3_000 }).catch(() => undefined);
  }
}

/**
 * Clicks an item until its menu is closed: a menu ignores clicks in its first moment.
 *
 * @param {import("playwright-core").Locator} item
 */
async function clickUntilHidden(item) {
  while (await item.isVisible()) {
    await item.click({ timeout: 1_000 }).catch(() => undefined);
    await item.waitFor({ state: "hidden", timeout: 300 }).catch(() => undefined);
  }
}

/**
 * Returns a pattern for names that begin with a label, up to its first placeholder; VS Code adds the
 * keys of a command.
 *
 * @param {string} label
 */
function startOf(label) {
  const [start = ""] = label.split("{", 1);
  return new RegExp(`^${start.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&")}`);
}

/**
 * Runs in the page: returns true if the palette is closed, or another input has its box.
 *
 * @param {string} typed text that was typed into the palette
 */
function isPaletteGone(typed) {
  const input = document.querySelector(".quick-input-widget input.input");
  return !(input instanceof HTMLInputElement) || !input.checkVisibility() || input.value !== typed;
}
