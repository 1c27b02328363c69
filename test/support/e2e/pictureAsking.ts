/**
 * Performs a user's steps with pictures in the panel: attaching, sending, and reading the request.
 */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Locator } from "playwright-core";
import type { RecordedRequest } from "../../service/server";
import type { Workbench } from "../vscode/workbench.mjs";
import type { E2eEnvironment } from "./e2eEnvironment";

const CLICK_MS = 5_000;
const MAX_WAIT_MS = 60_000;

/** Picture steps in a window of a test environment. */
export class PictureAsking {
  constructor(
    private readonly environment: E2eEnvironment,
    readonly window: Workbench,
  ) {}

  get composer(): Locator {
    return this.window.panel.getByRole("textbox", { name: "Message", exact: true });
  }

  get chips(): Locator {
    return this.window.panel.getByRole("list", { name: "Attachments" }).getByRole("listitem");
  }

  /** Locates an attached picture by the second line of its tooltip, which says how it is sent. */
  tile(detail: RegExp): Locator {
    return this.chips.getByTitle(detail);
  }

  button(name: string): Locator {
    return this.window.panel.getByRole("button", { name, exact: true });
  }

  async chooseItem(button: string, name: string): Promise<void> {
    await this.button(button).click();
    await this.window.panel.getByRole("menuitem", { name, exact: true }).click();
  }

  /** Enters a workspace file in VS Code's open file dialog, which must be opening. */
  async enterFile(path: string, button: string): Promise<void> {
    const { page, quickInput } = this.window;
    // VS Code writes the folder into the box a moment after the dialog appears, and sometimes again.
    await page.waitForFunction(isFolderShown, this.environment.workspace);
    const input = quickInput.locator("input.input");
    const file = join(this.environment.workspace, path);
    for (let isKept = false; !isKept; isKept = (await input.inputValue()) === file) {
      await input.fill(file);
      await delay(500);
    }
    // The dialog ignores the button while it reads the folder. A list can follow in the same box.
    const confirm = quickInput.getByRole("button", { name: button });
    await untilClosed(confirm, () => confirm.click({ timeout: CLICK_MS }));
  }

  /** Sends the question, waits for the end of the reply and returns the request. */
  async send(text: string): Promise<RecordedRequest> {
    const number = this.environment.service.requests.length + 1;
    this.environment.service.script({ blocks: ["seen"] });
    await this.composer.fill(text);
    await this.composer.press("Enter");
    const request = await this.environment.service.waitForRequest(number);
    await this.untilAnswered(text);
    return request;
  }

  /** Resolves when the last question has this text and its reply has ended. */
  async untilAnswered(text: string): Promise<void> {
    const { panel } = this.window;
    await panel.getByRole("article", { name: "You" }).last().getByText(text).waitFor();
    await panel.locator('article[aria-busy="true"]').waitFor({ state: "detached" });
  }

  /** Fires a paste or a drop of files in the composer with the browser's own events. */
  async pasteOrDrop(
    type: "paste" | "drop",
    files: readonly (readonly [name: string, bytes: Buffer])[],
  ) {
    const given = files.map(([name, bytes]) => [name, bytes.toString("base64")] as const);
    await this.composer.evaluate(
      (box, { kind, wanted }) => {
        const data = new DataTransfer();
        for (const [name, base64] of wanted) {
          const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
          data.items.add(new File([bytes], name, { type: "image/png" }));
        }
        const shared = { bubbles: true, cancelable: true };
        box.dispatchEvent(
          kind === "paste"
            ? new ClipboardEvent("paste", { ...shared, clipboardData: data })
            : new DragEvent("drop", { ...shared, dataTransfer: data }),
        );
      },
      { kind: type, wanted: given },
    );
  }

  /** Locates a file or folder in the explorer. */
  inExplorer(name: string): Locator {
    return this.window.page.locator(".explorer-folders-view").getByRole("treeitem", { name });
  }
}

/** Repeats the action until the element is hidden. */
async function untilClosed(element: Locator, act: () => Promise<void>): Promise<void> {
  for (const untilMs = Date.now() + MAX_WAIT_MS; ;) {
    try {
      await act();
      await element.waitFor({ state: "hidden", timeout: CLICK_MS });
      return;
    } catch (error) {
      if (!(await element.isVisible())) return;
      if (Date.now() > untilMs) throw error;
    }
  }
}

/** Runs in VS Code's page: returns true if the file dialog is in this folder or below. */
function isFolderShown(folder: string): boolean {
  const input = document.querySelector(".quick-input-widget input.input");
  return input instanceof HTMLInputElement && input.value.startsWith(folder);
}
