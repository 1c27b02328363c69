/**
 * A user's steps with pictures in the panel: what is attached, how it is sent, and what of it
 * arrived.
 */
import { join } from "node:path";
import type { Locator } from "playwright-core";
import type { RecordedRequest } from "../../service/server";
import type { Workbench } from "../vscode/workbench.mjs";
import type { E2eEnvironment } from "./window";

/** One window of a test environment. */
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

  button(name: string): Locator {
    return this.window.panel.getByRole("button", { name, exact: true });
  }

  /** Names a file of the workspace in VS Code's dialog for files that was just asked for. */
  async nameFile(path: string, button: string): Promise<void> {
    const { page, quickInput } = this.window;
    // VS Code writes the folder into the box a moment after it has shown it.
    await page.waitForFunction(isFolderShown, this.environment.workspace);
    await quickInput.locator("input.input").fill(join(this.environment.workspace, path));
    await quickInput.getByRole("button", { name: button }).click();
  }

  /** Sends what is composed, waits for the reply's end and gives the request. */
  async send(text: string): Promise<RecordedRequest> {
    const number = this.environment.service.requests.length + 1;
    this.environment.service.script({ blocks: ["seen"] });
    await this.composer.fill(text);
    await this.composer.press("Enter");
    const request = await this.environment.service.waitForRequest(number);
    await this.untilAnswered(text);
    return request;
  }

  /** Resolves when the question shown last is this one and its reply has ended. */
  async untilAnswered(text: string): Promise<void> {
    const { panel } = this.window;
    await panel.getByRole("article", { name: "You" }).last().getByText(text).waitFor();
    await panel.locator('article[aria-busy="true"]').waitFor({ state: "detached" });
  }

  /** Fires a paste or a drop of files in the composer, as the browser does. */
  async give(type: "paste" | "drop", files: readonly (readonly [name: string, bytes: Buffer])[]) {
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

  /** A file or folder in the explorer. */
  inExplorer(name: string): Locator {
    return this.window.page.locator(".explorer-folders-view").getByRole("treeitem", { name });
  }
}

/** A locator's text on one line. */
export async function textOf(locator: Locator): Promise<string> {
  await locator.waitFor();
  return (await locator.innerText()).replaceAll(/\s+/g, " ");
}

/** Runs in VS Code's page: its dialog for files is at this folder or below. */
function isFolderShown(folder: string): boolean {
  const input = document.querySelector(".quick-input-widget input.input");
  return input instanceof HTMLInputElement && input.value.startsWith(folder);
}
