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

// A process of `mocha --parallel` runs several files, but this hook with the first one only. Its
// browser ends with the process.
if (process.env["MOCHA_WORKER_ID"] === undefined) {
  after(async () => {
    await (await browser)?.close();
  });
}
