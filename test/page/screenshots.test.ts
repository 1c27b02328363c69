/** Tests screenshots in the panel's page: the button and the command. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { usePanel } from "./support/panelSuite";

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
      ["Win32", "windows"],
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
});
