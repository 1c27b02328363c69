/**
 * Our renderer against those of the field: the same text in pieces of four characters, ten pieces a
 * frame, in headless Chromium. What counts is the main thread's time as the browser itself counts it
 * (Performance.getMetrics, TaskDuration), the longest task, and how the cost grows with the text. The
 * reply is rendered into a scroll container as narrow as the panel's, which follows its end at every
 * piece; also straight into a document, and with a text of shorter lines. Renderers that are compared
 * take turns, so that whatever else the machine does meets them alike.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { chromium } from "playwright-core";
import { costliestTask } from "./costliestTask.mjs";
import { replyText } from "./text.mjs";

export const title = "a long reply while it arrives";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../../..");
const peersFolder = join(root, ".vscode-test/bench/render");

const SMALL = 30_000;
const LARGE = 120_000;
const PIECE_LENGTH = 4;
const PIECES_A_FRAME = 10;
/** A renderer that takes longer for one run is stopped, in milliseconds. */
const LIMIT_MS = 150_000;

/** The pages and texts that replies are rendered in. */
const SETTINGS = [
  { name: "panel", title: "panel", isPanel: true, wordsALine: undefined },
  { name: "document", title: "document", isPanel: false, wordsALine: undefined },
  { name: "short", title: "panel, short lines", isPanel: true, wordsALine: 7 },
];

/** The renderer whose time ours is compared with. */
const PEER = "streaming-markdown";

/** Those measured with the long text too; the others would take many minutes. */
const RENDERERS = [
  { name: "empty", title: "(an empty page)", lengths: [SMALL, LARGE] },
  { name: "ours", title: "Core Chat", lengths: [SMALL, LARGE] },
  { name: "streaming-markdown", title: "streaming-markdown", lengths: [SMALL, LARGE] },
  { name: "streamdown", title: "Streamdown", lengths: [SMALL] },
  { name: "marked", title: "marked + DOMPurify + highlight.js", lengths: [SMALL] },
  {
    name: "react-markdown",
    title: "react-markdown + remark-gfm + rehype-highlight",
    lengths: [SMALL],
  },
];

/** Installs the peers at the versions package.json pins, unless they are there. */
function installPeers(log) {
  const wanted = readFileSync(join(here, "package.json"), "utf8");
  const present = join(peersFolder, "package.json");
  const isInstalled =
    existsSync(join(peersFolder, "node_modules")) &&
    existsSync(present) &&
    readFileSync(present, "utf8") === wanted;
  if (isInstalled) return;
  log("Installing the other renderers …");
  mkdirSync(peersFolder, { recursive: true });
  cpSync(join(here, "package.json"), present);
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"], {
    cwd: peersFolder,
    stdio: "inherit",
  });
}

async function bundle(name) {
  const result = await esbuild.build({
    stdin: {
      contents: `import { start } from ${JSON.stringify(join(here, "renderers", `${name}.mjs`))};
        globalThis.start = start;`,
      resolveDir: here,
    },
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "chrome138",
    jsx: "automatic",
    outdir: "/bundle",
    entryNames: "entry",
    define: { "process.env.NODE_ENV": '"production"' },
    nodePaths: [join(peersFolder, "node_modules")],
    loader: { ".woff2": "dataurl", ".woff": "empty", ".ttf": "empty" },
    write: false,
    logLevel: "error",
  });
  return new Map(
    result.outputFiles.map((file) => [file.path.replace(/^.*\/bundle/, ""), file.contents]),
  );
}

/** The panel's scroll container. */
const PANEL =
  '<div id="panel" style="width: 500px; height: 900px; overflow: hidden auto">' +
  '<div id="reply"></div></div>';

function serve(files, isPanel) {
  const server = createServer((request, response) => {
    const file = files.get(request.url === "/stdin.js" ? "/entry.js" : (request.url ?? ""));
    if (request.url === "/") {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end(
        `<!doctype html><meta charset="utf-8"><body>${isPanel ? PANEL : '<div id="reply"></div>'}` +
          '<script type="module" src="/entry.js"></script>',
      );
    } else if (file !== undefined) {
      const type = request.url?.endsWith(".css") ? "text/css" : "text/javascript";
      response.writeHead(200, { "content-type": type });
      response.end(file);
    } else response.writeHead(404).end();
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}

/** Plays the text in the page; resolves when the renderer says it is done and the page is at rest. */
function play({ text, pieceLength, piecesAFrame, limitMs }) {
  return new Promise((resolve, reject) => {
    const tasks = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) tasks.push(entry.duration);
    });
    observer.observe({ type: "longtask" });
    const reply = globalThis.start(document.getElementById("reply"));
    const panel = document.getElementById("panel");
    const from = performance.now();
    let at = 0;
    const finish = async (isStopped) => {
      await reply.end();
      await new Promise((rest) => setTimeout(rest, 500));
      observer.disconnect();
      resolve({ isStopped, at, tasks, nodes: document.getElementsByTagName("*").length });
    };
    const frame = () => {
      try {
        for (let piece = 0; piece < piecesAFrame && at < text.length; piece++) {
          reply.append(text.slice(at, at + pieceLength));
          at += pieceLength;
          if (panel !== null) panel.scrollTop = panel.scrollHeight;
        }
      } catch (error) {
        reject(error);
        return;
      }
      const isStopped = performance.now() - from > limitMs;
      if (at < text.length && !isStopped) requestAnimationFrame(frame);
      else void finish(isStopped);
    };
    requestAnimationFrame(frame);
  });
}

/**
 * One run in a browser of its own: main-thread seconds, tasks over 50 ms, and the longest of them; by
 * the trace also how much processor time the costliest task took, which others' work does not add to.
 */
async function measure(files, length, { isPanel, wordsALine }, isTraced = false) {
  const server = await serve(files, isPanel);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 900, height: isPanel ? 950 : 700 } });
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction("typeof start === 'function'");
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Performance.enable");
    const counters = async () => {
      const { metrics } = await devtools.send("Performance.getMetrics");
      return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
    };
    const costliestMs = isTraced ? await costliestTask(devtools) : undefined;
    const before = await counters();
    const result = await page.evaluate(play, {
      text: replyText(length, { wordsALine }),
      pieceLength: PIECE_LENGTH,
      piecesAFrame: PIECES_A_FRAME,
      limitMs: LIMIT_MS,
    });
    const after = await counters();
    const processorMs = await costliestMs?.();
    const seconds = (name) => after[name] - before[name];
    return {
      ...result,
      processorMs,
      seconds: seconds("TaskDuration"),
      cpu: seconds("ThreadTime"),
      script: seconds("ScriptDuration"),
      layout: seconds("LayoutDuration"),
      style: seconds("RecalcStyleDuration"),
    };
  } finally {
    await browser.close();
    server.close();
  }
}

const fixed = (value, digits = 2) => value.toFixed(digits);

/** Runs the comparison; BENCH_RENDERERS and BENCH_SETTINGS (names, with commas) narrow it down. */
export async function run({ log, only = process.env.BENCH_RENDERERS?.split(",") }) {
  installPeers(log);
  const settings = process.env.BENCH_SETTINGS?.split(",");
  const results = new Map();
  log(
    "setting | renderer | text | main thread, s | its CPU time | script | style | layout | tasks > 50 ms | longest, ms",
  );
  log("--- | --- | --: | --: | --: | --: | --: | --: | --: | --:");
  const bundles = new Map();
  for (const setting of SETTINGS) {
    if (settings !== undefined && !settings.includes(setting.name)) continue;
    for (const length of [SMALL, LARGE]) {
      for (const renderer of RENDERERS) {
        const { name, lengths } = renderer;
        if ((only !== undefined && !only.includes(name)) || !lengths.includes(length)) continue;
        // Slow ones once are enough.
        if (setting.name !== "panel" && name !== "ours" && name !== PEER) continue;
        const files = bundles.get(name) ?? (await bundle(name));
        bundles.set(name, files);
        const result = await measure(files, length, setting);
        results.set(`${setting.name} ${name} ${length}`, result);
        if (name === "ours" && setting.name === "panel") {
          const { processorMs } = await measure(files, length, setting, true);
          results.set(`traced ${length}`, { processorMs });
        }
        log(row(setting, renderer, length, result));
      }
    }
  }
  for (const setting of SETTINGS) judge(log, results, setting);
  return results;
}

function row(setting, renderer, length, result) {
  const share = result.isStopped ? ` (stopped at ${Math.round((100 * result.at) / length)} %)` : "";
  return (
    `${setting.title} | ${renderer.title} | ${length / 1000} kB | ${fixed(result.seconds)}${share} | ${fixed(result.cpu)} | ` +
    `${fixed(result.script)} | ${fixed(result.style)} | ${fixed(result.layout)} | ${result.tasks.length} | ` +
    (result.tasks.length === 0 ? "< 50" : fixed(Math.max(...result.tasks), 0))
  );
}

/** The targets of the renderer's issue. */
function judge(log, results, { name: setting, title: place }) {
  const time = (name, length) => results.get(`${setting} ${name} ${length}`)?.cpu;
  const say = (what, value, limit) => {
    if (!Number.isFinite(value)) return;
    log(
      `${value <= limit ? "held" : "MISSED"}: ${place}: ${what} ${fixed(value)} (at most ${limit})`,
    );
  };
  log("");
  for (const [length, limit] of [
    [SMALL, 0.6],
    [LARGE, 0.45],
  ]) {
    say(
      `share of ${PEER}'s time at ${length / 1000} kB:`,
      time("ours", length) / time(PEER, length),
      limit,
    );
  }
  say("cost of four times the text:", time("ours", LARGE) / time("ours", SMALL), 4.2);
  if (setting !== "panel" || !results.has(`panel ours ${SMALL}`)) return;
  const lengths = [SMALL, LARGE];
  const tasks = lengths.flatMap((length) => results.get(`panel ours ${length}`)?.tasks ?? []);
  say("tasks over 50 ms by the clock:", tasks.length, 0);
  const costs = lengths.map((length) => results.get(`traced ${length}`)?.processorMs);
  say("processor time of the costliest task, ms:", Math.max(...costs), 50);
}
