/**
 * Takes pictures of the panel and of VS Code's own chat with the same question and the same reply, in one
 * window, at two widths and in four themes: `npm run package`, then
 * `CORE_CHAT_VSIX=core-chat.vsix npm run screenshots -- --beside-chat`.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { stopShared } from "../support/e2e/sharedVscode";
import { E2eEnvironment } from "../support/e2e/e2eEnvironment";
import type { Workbench } from "../support/vscode/workbench.mjs";
import { dragSideBarTo } from "./sideBar";

const WIDTHS_PX = [300, 420];
const THEMES = {
  dark: "Dark 2026",
  light: "Light 2026",
  "hc-dark": "Default High Contrast",
  "hc-light": "Default High Contrast Light",
};
const VIEWPORT = { width: 1100, height: 760 };

const QUESTION = "Why is the total too small?";

const REPLY = `The loop starts at \`1\`, so **the first item is never added**.

### What happens

1. \`items[0]\` is skipped.
2. The prices of the others are added.

\`\`\`ts
export function totalPrice(items: readonly Item[]): number {
  let total = 0;
  for (const item of items) total += item.price * item.count;
  return total;
}
\`\`\`

| Items | Before | Now |
| --- | ---: | ---: |
| 1 | 0.00 | 4.50 |
| 3 | 9.00 | 13.50 |

> Prices are numbers here; use cents to avoid rounding.

See [MDN](https://developer.mozilla.org) for \`for…of\`.`;

/** Writes `panel-…png` and `chat-…png` to a folder. */
export async function takeBesideChat(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const environment = await E2eEnvironment.open({
    settings: {
      "chat.disableAIFeatures": false,
      "editor.minimap.enabled": false,
      "workbench.layoutControl.enabled": false,
    },
  });
  try {
    environment.changeSettings({ "coreChat.baseUrl": environment.service.url });
    const window = await environment.openWindow({ viewport: VIEWPORT });
    const { page, panel } = window;
    await window.openFile("cart.ts");
    await window.openChat();
    await window.runCommand("Notifications: Clear All Notifications");
    const blocks = REPLY.split(/(?<=\s)/);
    environment.service.script({ blocks });
    await panel.locator(".composer-text").click();
    await page.keyboard.insertText(QUESTION);
    await page.keyboard.press("Enter");
    await panel.getByText("use cents to avoid rounding").waitFor();

    await page.keyboard.press("Control+Alt+I");
    const chat = page.locator(".interactive-session:visible");
    const input = chat.locator(".interactive-input-part .monaco-editor").first();
    await input.click();
    environment.service.script({ blocks });
    await page.keyboard.insertText(`@core ${QUESTION}`);
    await input.getByText("@core", { exact: true }).waitFor();
    await page.locator(".suggest-widget.visible").waitFor({ state: "hidden" });
    await page.keyboard.press("Enter");
    await chat.getByText("use cents to avoid rounding").waitFor();
    await delay(2_000);

    for (const [shortName, theme] of Object.entries(THEMES)) {
      environment.changeSettings({ "workbench.colorTheme": theme });
      for (const widthPx of WIDTHS_PX) {
        const name = `${shortName}-${widthPx}.png`;
        await window.openChat();
        await dragSideBarTo(window, VIEWPORT.width - widthPx);
        await take(window, join(folder, `panel-${name}`));
        await page.keyboard.press("Control+Alt+I");
        await take(window, join(folder, `chat-${name}`));
      }
    }
  } finally {
    await environment.close();
    await stopShared();
  }
}

async function take({ page }: Workbench, path: string): Promise<void> {
  await page.mouse.move(200, 400);
  await delay(1_500); // Scroll bars fade, and the theme arrives.
  await page.locator(".part.auxiliarybar").screenshot({ path });
}
