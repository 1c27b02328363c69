/**
 * Measures typing while a 12 kB Markdown reply streams: the time from a key press to the paint of its
 * letter, alone and with another busy process. With CORE_CHAT_BENCH_BASE, the renderer of that commit is
 * measured in the same run.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import * as esbuild from "esbuild";
import { launchBrowser } from "../../support/browser/browser.mjs";
import { replyText } from "../render/text.mjs";

export const title = "typing while a reply streams";

const LENGTH = 12_000;
const KEYS = 60;
const KEY_EACH_MS = 110;
/** Text of an update and the time between two: as the host sends them. */
const UPDATE_LENGTH = 50;
const UPDATE_EACH_MS = 33;
const ROUNDS = 2;

/** @param {{log: (line: string) => void}} options */
export async function run({ log }) {
  const folder = mkdtempSync(join(tmpdir(), "core-chat-typing-"));
  const base = process.env["CORE_CHAT_BENCH_BASE"];
  const scripts = [{ name: "this tree", script: await bundle(resolve(".")) }];
  if (base) {
    const archive = execFileSync("git", ["archive", base, "src"], { maxBuffer: 1 << 28 });
    execFileSync("tar", ["-x", "-C", folder], { input: archive });
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    scripts.push({ name: base, script: await bundle(folder) });
  }
  const browser = await launchBrowser();
  try {
    for (const isBusy of [false, true]) {
      const busy = isBusy ? spawn(process.execPath, ["-e", "for (;;);"]) : undefined;
      /** @type {Record<string, number[]>} */
      const times = {};
      for (let round = 0; round < ROUNDS; round++) {
        for (const { name, script } of scripts) {
          (times[name] ??= []).push(...(await keyTimes(browser, script)));
        }
      }
      busy?.kill();
      for (const [name, all] of Object.entries(times)) {
        const sorted = all.sort((a, b) => a - b);
        const at = (/** @type {number} */ share) =>
          sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(0);
        const beside = isBusy ? "beside a busy process" : "alone";
        log(`${name}, ${beside}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, ${sorted.length} keys`);
      }
    }
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} folder */
async function bundle(folder) {
  const { outputFiles } = await esbuild.build({
    stdin: {
      contents: `export { createMarkdownStream } from "./src/renderer/stream";`,
      resolveDir: folder,
      loader: "ts",
    },
    bundle: true,
    write: false,
    format: "iife",
    globalName: "renderer",
    target: "chrome138",
    logLevel: "error",
    loader: { ".css": "text" },
    define: { "import.meta.url": '"about:blank"' },
  });
  return outputFiles[0]?.text ?? "";
}

/**
 * @param {import("playwright-core").Browser} browser
 * @param {string} script
 * @returns {Promise<number[]>} milliseconds from each key press to the end of its frame
 */
async function keyTimes(browser, script) {
  const page = await browser.newPage({ viewport: { width: 500, height: 900 } });
  await page.setContent(
    `<div style="height:600px;overflow:auto"><div id="reply"></div></div><textarea rows="4"></textarea>`,
  );
  await page.addScriptTag({ content: script });
  await page.evaluate(startStream, [replyText(LENGTH), UPDATE_LENGTH, UPDATE_EACH_MS]);
  await page.locator("textarea").focus();
  for (let key = 0; key < KEYS; key++) {
    await page.keyboard.press("abcdefgh"[key % 8] ?? "a");
    await delay(KEY_EACH_MS);
  }
  const times = await page.evaluate(() => /** @type {any} */ (window).times);
  await page.close();
  return times;
}

/**
 * Runs in the page.
 * @param {any[]} given text, length of an update, and time between two
 */
function startStream([text, length, eachMs]) {
  const own = /** @type {any} */ (window);
  own.times = [];
  addEventListener("keydown", ({ timeStamp }) => {
    // A task queued in an animation frame runs after that frame was painted.
    requestAnimationFrame(() => setTimeout(() => own.times.push(performance.now() - timeStamp), 0));
  });
  const reply = document.querySelector("#reply");
  const stream = own.renderer.createMarkdownStream(reply, { highlighter: false });
  let at = 0;
  setInterval(() => {
    stream.append(text.slice(at, at + length));
    at += length;
    if (reply?.parentElement) reply.parentElement.scrollTop = reply.parentElement.scrollHeight;
  }, eachMs);
}
