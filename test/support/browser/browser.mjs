/**
 * Finds Chromium, or installs Debian's, and starts it through playwright-core, which downloads
 * nothing itself. Loads playwright-core lazily, because `npm start` runs before it is installed.
 */
import { accessSync, constants } from "node:fs";
import { findProgram, run } from "../runner/programs.mjs";

/** Names of the executables of Chromium and Chrome, the likeliest first. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Locations of executables that are not on PATH. */
const PLACES = [
  "/usr/bin/chromium",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage", // Containers have a small /dev/shm.
];

/**
 * Returns the path of a Chromium: CHROME_PATH, an installed browser, or Debian's, which is then
 * installed (root only). Throws an error with instructions if there is none.
 *
 * @param {{log?: (line: string) => void}} [options]
 * @returns {Promise<string>} absolute
 */
export async function ensureChromium({ log = console.log } = {}) {
  const wanted = process.env["CHROME_PATH"];
  if (wanted) {
    if (isExecutable(wanted)) return wanted;
    throw new Error(`CHROME_PATH names no program: ${wanted}. Correct it, or unset it.`);
  }
  const found = findChromium();
  if (found !== undefined) return found;
  if (findProgram("apt-get") !== undefined && process.getuid?.() === 0) {
    log("Installing Chromium with apt-get (about a minute, once) …");
    await installDebianChromium();
    const installed = findChromium();
    if (installed !== undefined) return installed;
  }
  throw new Error(
    "No Chromium or Chrome was found. Install one (on Debian: `apt-get install chromium`), or " +
      "set CHROME_PATH to it.",
  );
}

/**
 * Starts Chromium; the caller closes it.
 *
 * @param {{headless?: boolean, locale?: string, args?: readonly string[]}} [options] `locale` is
 *   the language of Chromium itself, like zh-CN
 * @returns {Promise<import("playwright-core").Browser>}
 */
export async function launchBrowser({ headless = true, locale, args = [] } = {}) {
  const executablePath = await ensureChromium();
  const { chromium } = await import("playwright-core");
  const language = locale === undefined ? [] : [`--lang=${locale}`];
  return await chromium.launch({
    executablePath,
    headless,
    args: [...FLAGS, ...language, ...args],
  });
}

function findChromium() {
  for (const name of NAMES) {
    const path = findProgram(name);
    if (path !== undefined) return path;
  }
  return PLACES.find(isExecutable);
}

/** The second package has the Chinese glyphs that Chinese tests and screenshots need. */
async function installDebianChromium() {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-q"], { env });
  const packages = ["chromium", "fonts-noto-cjk"];
  await run("apt-get", ["install", "-q", "-y", "--no-install-recommends", ...packages], { env });
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
