/**
 * Proves that `npm start` works: opens the printed address in a headless Chromium as a person
 * would, says hello and waits for the reply.
 */
import { launchBrowser } from "./browser.mjs";
import { openWorkbench } from "./workbench.mjs";

/**
 * @param {string} url what `npm start` prints; the folder comes with it
 * @returns {Promise<boolean>} whether a reply came; says what it saw on the terminal
 */
export async function checkWindow(url) {
  const browser = await launchBrowser();
  try {
    const window = await openWorkbench({ url, browser });
    const { panel } = window;
    try {
      const composer = panel.getByRole("textbox", { name: "Message", exact: true });
      await composer.waitFor();
      console.log("The panel opened by itself.");
      await composer.fill("Hello");
      await composer.press("Enter");
      const reply = panel.getByRole("article", { name: "Assistant", exact: true }).last();
      // Above the reply's own text stands a line about the model.
      const text = reply.locator("p, h1, h2, h3, li, pre").first();
      await text.waitFor();
      await panel.locator('article[aria-busy="true"]').waitFor({ state: "detached" });
      const [firstLine] = (await text.innerText()).trim().split("\n");
      console.log(`The reply begins: ${firstLine}`);
      console.log(`Picture of the window: ${await window.screenshot("start")}`);
      return Boolean(firstLine);
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      console.error(`Picture of the window: ${await window.screenshot("start-failed")}`);
      return false;
    }
  } finally {
    await browser.close();
  }
}
