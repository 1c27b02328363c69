/**
 * Takes the first picture of the README from the running product: a real VS Code with the packaged
 * extension, a pasted screenshot, its receipt and a reply that points into it. The reply is scripted,
 * because the local service has no model.
 * `npm run package`, then `CORE_CHAT_VSIX=core-chat.vsix npm run screenshots -- --product`.
 */
import { join } from "node:path";
import { PictureAsking } from "../support/e2e/pictureAsking";
import { sharedBrowser, stopShared } from "../support/e2e/sharedVscode";
import { E2eEnvironment } from "../support/e2e/e2eEnvironment";
import { pictureOfShop } from "./pictureOfShop";
import { SAMPLE_TEXTS } from "./sampleTexts";

const WINDOW = { width: 1200, height: 880 };

/** Left edge of the panel, which is dragged there, in pixels. */
const PANEL_LEFT_PX = 640;

/** Writes the picture. */
export async function takeProductPicture(path: string): Promise<void> {
  const { pictureQuestion, pointingReply } = SAMPLE_TEXTS.en;
  const environment = await E2eEnvironment.open({
    settings: { "workbench.colorTheme": "Default Dark Modern" },
  });
  try {
    environment.changeSettings({ "coreChat.baseUrl": environment.service.url });
    const window = await environment.openWindow({ viewport: WINDOW });
    const { page, panel } = window;
    const asking = new PictureAsking(environment, window);
    await window.runCommand("View: Close Primary Side Bar");
    await window.openChat();
    const bar = page.locator(".part.auxiliarybar");
    const { x } = (await bar.boundingBox()) ?? { x: 0 };
    const sash = page.locator(".monaco-sash.vertical:not(.disabled)").filter({ visible: true });
    for (const one of await sash.all()) {
      const box = await one.boundingBox();
      if (box === null || Math.abs(box.x - x) > 12) continue;
      await page.mouse.move(box.x + box.width / 2, 300);
      await page.mouse.down();
      await page.mouse.move(PANEL_LEFT_PX, 300, { steps: 5 });
      await page.mouse.up();
    }
    // Of a window on another machine, which is not the usual case.
    await panel.getByRole("button", { name: "Dismiss" }).first().click();

    const context = await (await sharedBrowser()).newContext();
    await window.putPictureOnClipboard(Buffer.from(await pictureOfShop(context)));
    await context.close();
    await asking.composer.click();
    await page.keyboard.press("Control+V");
    await asking.chips.first().waitFor();
    environment.service.script({ blocks: pointingReply.split(/(?<= )/) });
    await asking.composer.fill(pictureQuestion);
    await asking.composer.press("Enter");
    await asking.untilAnswered(pictureQuestion);
    await panel.locator(".pointed-picture img[src]").waitFor();
    await panel.locator("details.sent-pictures summary").click();
    await panel.locator(".question .thumbnail img[src]").waitFor();
    await panel.locator(".reply-body .point-mark").nth(1).waitFor();
    await bar.screenshot({ path, scale: "css" });
  } finally {
    await environment.close();
    await stopShared();
  }
}

/** Path of the picture in the README. */
export const PRODUCT_PICTURE = join("media", "readme", "product.png");
