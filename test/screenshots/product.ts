/**
 * Records the README's moving picture and its still from the running product: a real VS Code with the
 * packaged extension and the sample workspace. The reply is that of `npm start`, scripted because the
 * clipboard encodes the pasted picture anew.
 * `npm run package`, then `CORE_CHAT_VSIX=core-chat.vsix npm run screenshots -- --product`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PictureAsking } from "../support/e2e/pictureAsking";
import { stopShared } from "../support/e2e/sharedVscode";
import { E2eEnvironment } from "../support/e2e/e2eEnvironment";
import type { CompletionRequest } from "../service/completionRequest";
import { CHECKOUT, shopReply } from "../service/shopReply";
import { Film } from "./film";
import { dragSideBarTo } from "./sideBar";

const WINDOW = { width: 1200, height: 740 };

/** Device pixels for each CSS pixel. */
const SCALE = 2;

/** Left edge of the panel, which is dragged there, in pixels. */
const PANEL_LEFT_PX = 780;

const QUESTION = "What is wrong with the sum?";

/** Writes `product.webp` and `product.png` to a folder. */
export async function filmProduct(folder: string): Promise<void> {
  const environment = await E2eEnvironment.open({
    settings: {
      "workbench.colorTheme": "Dark 2026",
      "editor.minimap.enabled": false,
      "workbench.layoutControl.enabled": false,
    },
  });
  try {
    await environment.changeSettings({ "coreChat.baseUrl": environment.service.url });
    const window = await environment.openWindow({ viewport: WINDOW });
    const { page, panel } = window;
    const asking = new PictureAsking(environment, window);
    await window.openFile("cart.ts");
    await window.openChat();
    await dragSideBarTo(window, PANEL_LEFT_PX);
    await window.runCommand("View: Close Primary Side Bar");
    await window.runCommand("Notifications: Clear All Notifications");
    await asking.composer.click();
    const film = await Film.of(page, SCALE);

    const picture = readFileSync(join(environment.workspace, "pictures/checkout.png"));
    const pictures = [{ sha256: CHECKOUT }] as unknown as CompletionRequest["pictures"];
    const asked = { question: QUESTION, previousReply: "", pictures } as CompletionRequest;
    const replyText = shopReply(asked) ?? "";
    environment.service.script({ blocks: replyText.split(/(?<=\s)/) });
    await film.show(900);
    await film.still("out/screenshots/film-start.png");
    await window.putPictureOnClipboard(picture);
    await page.keyboard.press("Control+V");
    await panel.locator(".composer img[src]").first().waitFor();
    await film.show(900);
    for (const part of QUESTION.match(/.{1,5}/g) ?? []) {
      await page.keyboard.type(part);
      await film.show(110, 30);
    }
    await film.show(400);
    await page.keyboard.press("Enter");
    await film.show(400, 100);
    await asking.untilAnswered(QUESTION);
    await panel.locator(".pointed-picture img[src]").waitFor();
    await film.show(2_200);
    await film.still(join(folder, "product.png"));

    const reply = panel.getByRole("article", { name: "Assistant", exact: true }).last();
    await film.click(reply.locator(".point-box").first());
    await panel.getByRole("dialog").waitFor();
    await film.show(2_000);
    await page.keyboard.press("Escape");
    await film.click(reply.getByRole("button", { name: "Apply in editor", exact: true }));
    const keep = page.getByRole("button", { name: "Keep Changes" }).first();
    await keep.waitFor({ timeout: 20_000 }).catch(async (error: unknown) => {
      await film.still("out/screenshots/film-failed.png");
      throw error;
    });
    // Editors draw the blanks of code as no-break spaces.
    const fixed = page.locator(".view-line", { hasText: /of\s+items\)/ }).first();
    await fixed.waitFor();
    await film.show(2_000);
    await film.still("out/screenshots/film-apply.png");
    await film.click(keep);
    await keep.waitFor({ state: "detached" });
    await fixed.waitFor();
    await film.show(2_200);
    await film.still("out/screenshots/film-keep.png");
    film.write(join(folder, "product.webp"));
  } finally {
    await environment.close();
    await stopShared();
  }
}
