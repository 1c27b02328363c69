/**
 * One Chromium for all page tests of a run, closed after the last of them. Import it in test files
 * only: it adds a root hook of mocha.
 */
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../support/browser/browser.mjs";

let browser: Promise<Browser> | undefined;

/** Starts the browser with the first call. Open a context of your own in it. */
export function pageBrowser(): Promise<Browser> {
  return (browser ??= launchBrowser());
}

after(async () => {
  await (await browser)?.close();
});
