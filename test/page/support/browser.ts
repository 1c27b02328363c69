/**
 * One Chromium for a run of page tests.
 */
import { chromium, type Browser } from "playwright-core";

/** Where Debian's package puts it; another place can be named. */
const CHROMIUM = process.env["CORE_CHAT_CHROMIUM"] ?? "/usr/bin/chromium";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts it; the caller closes it. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}
