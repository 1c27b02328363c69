/**
 * Finds a browser, or installs one, and starts it through playwright-core, which downloads nothing
 * itself. Prefers Chromium's headless shell, which needs a third of the processor time of a whole
 * Chromium. Loads playwright-core lazily, because `npm start` runs before it is installed.
 */
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { findProgram, run } from "../runner/programs.mjs";
import { projectFolder } from "../runner/project.mjs";

const fontFolder = join(projectFolder, "test/fixtures/fonts");

/** Names of the executables of Chromium's headless shell. */
const SHELLS = ["chromium-headless-shell", "chrome-headless-shell"];

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
 * Installs Debian's headless shell if none is installed (root only), and returns the path of the
 * browser to use. Throws an error with instructions if there is no browser at all.
 *
 * @param {{log?: (line: string) => void}} [options]
 * @returns {Promise<string>} absolute
 */
export async function ensureChromium({ log = console.log } = {}) {
  const isInstallable = findProgram("apt-get") !== undefined && process.getuid?.() === 0;
  if (!process.env["CHROME_PATH"] && findFirst(SHELLS) === undefined && isInstallable) {
    log("Installing Chromium's headless shell with apt-get (half a minute, once) …");
    try {
      await install("chromium-headless-shell");
    } catch (error) {
      log(`The headless shell was not installed. ${error instanceof Error ? error.message : ""}`);
      if (findChromium() === undefined) await install("chromium"); // Older releases lack the shell.
    }
  }
  const found = findChromium();
  if (found !== undefined) return found;
  throw new Error(
    "No Chromium or Chrome was found. Install one (on Debian: `apt-get install " +
      "chromium-headless-shell`), or set CHROME_PATH to it.",
  );
}

/**
 * Starts a headless Chromium; the caller closes it. Its pages have the same fonts, language and time
 * zone on every machine (fonts: on Linux), unless they are `fonts: "system"`.
 *
 * @param {{fonts?: "fixture" | "system"}} [options]
 * @returns {Promise<import("playwright-core").Browser>}
 */
export async function launchBrowser({ fonts = "fixture" } = {}) {
  const executablePath = findChromium() ?? (await ensureChromium());
  const { chromium } = await import("playwright-core");
  return await chromium.launch({
    executablePath,
    headless: true,
    args: [...FLAGS, "--lang=en-US"],
    ignoreDefaultArgs: ["--hide-scrollbars"], // Tests and pictures show what users see.
    env: {
      ...process.env,
      TZ: "UTC",
      ...(fonts === "fixture" && { FONTCONFIG_FILE: join(fontFolder, "fonts.conf") }),
    },
  });
}

/** @returns {string | undefined} CHROME_PATH, else an installed browser, a headless shell first */
function findChromium() {
  const wanted = process.env["CHROME_PATH"];
  if (!wanted) return findFirst(SHELLS) ?? findFirst(NAMES) ?? PLACES.find(isExecutable);
  if (isExecutable(wanted)) return wanted;
  throw new Error(`CHROME_PATH names no program: ${wanted}. Correct it, or unset it.`);
}

/**
 * @param {readonly string[]} names
 * @returns {string | undefined} path of the first installed program
 */
function findFirst(names) {
  return names.map(findProgram).find((path) => path !== undefined);
}

/**
 * Installs a package of Debian.
 *
 * @param {string} name
 */
async function install(name) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-q"], { env });
  await run("apt-get", ["install", "-q", "-y", "--no-install-recommends", name], { env });
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
