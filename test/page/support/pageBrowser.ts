/**
 * Provides a Chromium for all page tests of a run. Only test files may import this module,
 * because it adds a root hook of mocha.
 */
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../support/browser/browser.mjs";

let browser: Promise<Browser> | undefined;

/** Returns the browser, started on the first call. Callers open their own context. */
export function pageBrowser(): Promise<Browser> {
  return (browser ??= launchBrowser());
}

after(async () => {
  await (await browser)?.close();
});
