/**
 * Measures the comparison of two screenshots in the worker of the pictures, in headless Chromium: from
 * the two PNG files to the list of regions, with decoding, and the longest task of the page meanwhile.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { launchBrowser } from "../../support/browser/browser.mjs";

export const title = "regions of difference of two screenshots of 3840×2160";

const WIDTH = 3840;
const HEIGHT = 2160;
const ROUNDS = 5;
const LIMIT_MS = 1000;

const words = (count, from) =>
  Array.from({ length: count }, (_, index) => `word${(index * 7919 + from * 31) % 977}`).join(" ");

/** A screen full of text and boxes. */
const pageOf = ({ top = "", color = "#1f883d", isDark = false, text = "" }) => `
  <style>body { margin: 0; font: 15px sans-serif; ${isDark ? "background: #1e1e1e; color: #ddd" : "background: #fff; color: #222"} }
  main { columns: 4; padding: 20px } b { background: ${color}; color: #fff; padding: 4px }</style>
  ${top}<main>${Array.from({ length: 120 }, (_, index) => `<p><b>Button ${index}</b> ${words(60, index)}${index === 5 ? text : ""}</p>`).join("")}</main>`;

const PAIRS = {
  "a changed word": [{}, { text: " changed" }],
  "all buttons in another color": [{}, { color: "#0969da" }],
  "a banner on top": [{}, { top: "<h1>Maintenance on Sunday</h1>" }],
  "light and dark": [{}, { isDark: true }],
};

export async function run({ log }) {
  const worker = readFileSync(join(process.cwd(), "dist/webview/pictureWorker.js"));
  const server = createServer(({ url }, response) => {
    const isWorker = url === "/worker.js";
    response.setHeader("Content-Type", isWorker ? "text/javascript" : "text/html");
    response.end(isWorker ? worker : "<!doctype html><title>Pictures</title>");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await launchBrowser();
  try {
    const drawing = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    for (const [name, pair] of Object.entries(PAIRS)) {
      const files = [];
      for (const state of pair) {
        await drawing.setContent(pageOf(state));
        files.push((await drawing.screenshot()).toString("base64"));
      }
      const { times, count, task } = await page.evaluate(compare, { files, rounds: ROUNDS });
      times.sort((one, other) => one - other);
      const [median, worst] = [times[Math.floor(times.length / 2)], times.at(-1)];
      log(
        `${name}: ${count} regions, median ${median.toFixed(0)} ms, worst ${worst.toFixed(0)} ms (limit ${LIMIT_MS}), longest task of the page ${task.toFixed(0)} ms`,
      );
    }
  } finally {
    await browser.close();
    server.close();
  }
}

/** Runs in the page: compares the files in the worker. */
async function compare({ files, rounds }) {
  const blobs = files.map(
    (base64) =>
      new Blob([Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))], { type: "image/png" }),
  );
  let task = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) task = Math.max(task, duration);
  });
  const worker = new Worker("/worker.js", { type: "module" });
  const pixels = { widthPx: 3840, heightPx: 2160 };
  const size = { first: pixels, second: pixels, whole: pixels };
  const times = [];
  let count = 0;
  observer.observe({ type: "longtask" });
  for (let id = 0; id <= rounds; id++) {
    const start = performance.now();
    const answer = new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
    worker.postMessage({ task: "regions", source: blobs[1], other: blobs[0], size, id });
    const { pictures } = await answer;
    count = pictures?.[0]?.regions?.length ?? -1;
    // The first round also loads the worker.
    if (id > 0) times.push(performance.now() - start);
  }
  worker.terminate();
  observer.disconnect();
  return { times, count, task };
}
