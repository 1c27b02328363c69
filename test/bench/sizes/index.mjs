/**
 * Renders texts of extreme sizes in headless Chromium and measures the longest main-thread task: text that
 * arrives in pieces, and a finished reply that is opened. BENCH_SIZES (names with semicolons between) limits the texts.
 * Other processes lengthen wall-clock time, so each text is rendered several times and the smallest value
 * counts, also of the processor time of the costliest task, which comes from a trace.
 */
import { createServer } from "node:http";
import * as esbuild from "esbuild";
import { launchBrowser } from "../../support/browser/browser.mjs";
import { costliestTask } from "../render/costliestTask.mjs";
import { TEXTS } from "./texts.mjs";

export const title = "texts of extreme sizes";

/** Longest task that does not delay typing, in milliseconds. */
const LIMIT_MS = 50;

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);

/** Time limit of one rendering, in milliseconds. */
const TIMEOUT_MS = 60_000;

const HTML =
  '<!doctype html><meta charset="utf-8"><body>' +
  '<div id="panel" style="width: 500px; height: 800px; overflow: hidden auto"><div id="reply"></div></div>' +
  '<script type="module" src="/entry.js"></script>';

async function bundle() {
  const result = await esbuild.build({
    stdin: {
      contents: `import { createMarkdownStream } from "./src/renderer/stream";
        import { TEXTS } from "./test/bench/sizes/texts.mjs";
        Object.assign(globalThis, { createMarkdownStream, TEXTS });`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    splitting: true,
    minify: process.env.BENCH_PLAIN === undefined,
    format: "esm",
    target: "chrome138",
    outdir: "/bundle",
    entryNames: "entry",
    loader: { ".woff2": "empty", ".woff": "empty", ".ttf": "empty" },
    write: false,
    logLevel: "error",
  });
  return new Map(
    result.outputFiles.map((file) => [file.path.replace(/^.*\/bundle/, ""), file.contents]),
  );
}

function serve(files) {
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? "");
    response.writeHead(request.url === "/" || file ? 200 : 404, {
      "content-type": request.url === "/" ? "text/html; charset=utf-8" : "text/javascript",
    });
    response.end(request.url === "/" ? HTML : file);
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}

/** Runs in the page: renders the text in pieces, one a frame, or at once as a finished reply. */
async function render({ name, isInPieces, timeoutMs }) {
  const text = globalThis.TEXTS[name]();
  // About 300 frames.
  const pieceLength = Math.max(512, Math.ceil(text.length / 300));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const tasks = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) tasks.push(entry.duration);
  });
  observer.observe({ type: "longtask" });
  const panel = document.getElementById("panel");
  const container = document.getElementById("reply");
  const stream = globalThis.createMarkdownStream(container);
  const startMs = performance.now();
  const frame = () => new Promise(requestAnimationFrame);
  if (!isInPieces) stream.append(text);
  else {
    for (
      let at = 0;
      at < text.length && performance.now() - startMs < timeoutMs;
      at += pieceLength
    ) {
      stream.append(text.slice(at, at + pieceLength));
      await frame();
      panel.scrollTop = panel.scrollHeight;
    }
  }
  const isEnded = await Promise.race([
    Promise.resolve(stream.end()).then(() => true),
    new Promise((resolve) => setTimeout(resolve, timeoutMs, false)),
  ]);
  panel.scrollTop = panel.scrollHeight;
  await new Promise((resolve) => setTimeout(resolve, 300));
  observer.disconnect();
  return {
    isEnded,
    longestMs: Math.max(0, ...tasks),
    seconds: (performance.now() - startMs) / 1000,
    nodes: document.getElementsByTagName("*").length,
  };
}

async function measure(browser, origin, options) {
  const context = await browser.newContext({ viewport: { width: 900, height: 900 } });
  try {
    const page = await context.newPage();
    await page.goto(origin);
    await page.waitForFunction("typeof createMarkdownStream === 'function'");
    const stop = await costliestTask(await context.newCDPSession(page));
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, TIMEOUT_MS * 2, {
        isEnded: false,
        longestMs: NaN,
        seconds: NaN,
        nodes: NaN,
      });
    });
    const result = await Promise.race([
      page.evaluate(render, { ...options, timeoutMs: TIMEOUT_MS }),
      late,
    ]);
    clearTimeout(timer);
    return { ...result, processorMs: await stop() };
  } finally {
    await context.close();
  }
}

export async function run({ log }) {
  const only = process.env.BENCH_SIZES?.split(";");
  const server = await serve(await bundle());
  const browser = await launchBrowser();
  const origin = `http://127.0.0.1:${server.address().port}/`;
  let missed = 0;
  log("text | length, kB | way | longest task, ms | its processor time, ms | total, s | elements");
  log("--- | --: | --- | --: | --: | --: | --:");
  try {
    for (const [name, makeText] of Object.entries(TEXTS)) {
      if (only !== undefined && !only.includes(name)) continue;
      const { length } = makeText();
      for (const isInPieces of [true, false]) {
        const runs = [];
        for (let round = 0; round < ROUNDS; round++) {
          runs.push(await measure(browser, origin, { name, isInPieces }));
          if (!runs.at(-1).isEnded) break;
        }
        const best = (key) => Math.min(...runs.map((one) => one[key]));
        const [longest, processor] = [best("longestMs"), best("processorMs")];
        const isHeld = runs.every((one) => one.isEnded) && Math.min(longest, processor) <= LIMIT_MS;
        if (!isHeld) missed++;
        log(
          `${name} | ${Math.round(length / 1000)} | ${isInPieces ? "in pieces" : "opened"} | ` +
            `${longest === 0 ? "< 50" : Math.round(longest)} | ${Math.round(processor)} | ` +
            `${runs.at(-1).isEnded ? best("seconds").toFixed(1) : "no end"} | ${runs.at(-1).nodes}` +
            `${isHeld ? "" : " | MISSED"}`,
        );
      }
    }
  } finally {
    await browser.close();
    server.close();
  }
  log(
    `${missed === 0 ? "held" : "MISSED"}: tasks over ${LIMIT_MS} ms in ${missed} rows (at most 0)`,
  );
}
