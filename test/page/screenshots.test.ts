/**
 * Tests screenshots in the panel's page with the browser's own clipboard: the button, the command,
 * and the suggestion to attach a new picture on the clipboard.
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { madePng } from "../support/pictures/madePng";
import { poll, type FakeHost } from "./support/fakeHost";
import { usePanel, type OpenPanel } from "./support/panelSuite";

/** Writes a picture to the clipboard, as another program does. */
async function copy(page: Page, bytes: Buffer): Promise<void> {
  await page.evaluate(async (base64) => {
    const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const blob = new Blob([content], { type: "image/png" });
    return navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
  }, bytes.toString("base64"));
}

interface Counting {
  clipboardReads: number;
}

/** Opens the panel with access to the clipboard, with a first picture. */
async function openWithClipboard(open: OpenPanel, first: Buffer): Promise<FakeHost> {
  const host = await open();
  await host.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await host.page.evaluate(countReads);
  await copy(host.page, first);
  return host;
}

/** Fires the focus event of a returning user and waits until the clipboard was read. */
async function focus(page: Page, reads = 1): Promise<void> {
  const readCount = () => page.evaluate(() => (window as unknown as Counting).clipboardReads);
  const before = await readCount();
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await poll(async () => (await readCount()) >= before + reads, "the clipboard to be read");
}

/** Runs in the page: counts the completed reads of the clipboard. */
function countReads(): void {
  const counting = window as unknown as Counting;
  counting.clipboardReads = 0;
  const { clipboard } = navigator;
  const read = clipboard.read.bind(clipboard);
  clipboard.read = async () => {
    const items = await read();
    // The product reads the items and their bytes in the tasks that follow.
    const blobs = items.flatMap((item) => item.types.map((type) => item.getType(type)));
    void Promise.all(blobs).then(() => setTimeout(() => counting.clipboardReads++, 0));
    return items;
  };
}

/** Makes the page report another platform. */
async function runOn(page: Page, platform: string): Promise<void> {
  await page.evaluate(
    (value) => void Object.defineProperty(navigator, "platform", { value, configurable: true }),
    platform,
  );
}

async function askForScreenshot(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add context" }).click();
  await page.getByRole("menuitem", { name: "Screenshot" }).click();
}

describe("a screenshot", () => {
  const open = usePanel();

  it("is requested from the host by the button, with the platform", async () => {
    const host = await open();
    const platforms = [
      ["MacIntel", "mac"],
      ["Linux x86_64", "linux"],
      ["iPad", "other"],
    ] as const;
    for (const [at, [platform, name]] of platforms.entries()) {
      await runOn(host.page, platform);
      await askForScreenshot(host.page);
      const asked = await host.waitFor("screenshot-asked", at + 1);
      assert.deepEqual([asked.conversationId, asked.platform], ["c1", name]);
      await host.page.locator("textarea:focus").waitFor();
    }
  });

  it("is requested from the host when a command needs one", async () => {
    const host = await open();
    await host.send({ type: "screenshot-wanted" });
    await host.waitFor("screenshot-asked");
  });

  it("of Windows is attached from the clipboard as soon as it appears", async () => {
    const host = await openWithClipboard(open, madePng(3, 3));
    await runOn(host.page, "Win32");
    await askForScreenshot(host.page);
    assert.equal((await host.waitFor("screenshot-asked")).platform, "windows");
    assert.deepEqual(host.receivedOf("picture-offered"), []);
    await copy(host.page, madePng(30, 20));
    await focus(host.page);
    assert.equal((await host.waitFor("picture-offered")).name, "Pasted picture");
  });
});

describe("the clipboard", () => {
  const open = usePanel();

  it("is read for a screenshot of Windows only, and only with the permission for it", async () => {
    const host = await openWithClipboard(open, madePng(3, 3));
    await focus(host.page, 0);
    await host.page.context().clearPermissions();
    await runOn(host.page, "Win32");
    await askForScreenshot(host.page);
    await host.waitFor("screenshot-asked");
    await focus(host.page, 0);
    const reads = await host.page.evaluate(async () => {
      for (let query = 0; query < 3; query++) {
        await navigator.permissions.query({ name: "clipboard-read" as PermissionName });
      }
      return (window as unknown as Counting).clipboardReads;
    });
    assert.equal(reads, 0);
  });
});
