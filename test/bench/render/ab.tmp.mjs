/**
 * Compares the renderer with others while the same text arrives in headless Chromium: pieces of four
 * characters, ten pieces a frame, in a scroll container as narrow as the panel or straight in a document.
 * Time is the main thread's `TaskDuration` of the browser's Performance.getMetrics, in wall-clock seconds;
 * its processor time, `ThreadTime`, is printed next to it. Also measures long highlighted code blocks.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { chromium } from "playwright-core";
import { costliestTask } from "./costliestTask.mjs";
import { codeText, replyText } from "./text.mjs";

export const title = "a long reply while it arrives";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../../..");
const peersFolder = join(root, ".vscode-test/bench/render");

const SMALL = 30_000;
const LARGE = 120_000;
const PIECE_LENGTH = 4;
const PIECES_A_FRAME = 10;
/** Longest run of one renderer before the benchmark stops it, in milliseconds. */
const LIMIT_MS = 150_000;

/** Rounds of each length. Within a round the compared renderers run one after the other: A B A B. */
const ROUNDS = 2;

/** Lines of the highlighted code blocks. */
const CODE_LINES = [500, 1_000, 2_000];

/** Characters of a code block that arrive in one frame: 400. */
const CODE_PIECE_LENGTH = 40;

/** Factor of the processor time up to which doubling the lines counts as linear. */
const LINEAR_FACTOR = 2.3;

/** Pages and texts that replies are rendered in. */
const SETTINGS = [
  { name: "panel", title: "panel", isPanel: true, wordsALine: undefined },
  { name: "document", title: "document", isPanel: false, wordsALine: undefined },
  { name: "short", title: "panel, short lines", isPanel: true, wordsALine: 7 },
];

/** Renderer that the targets are relative to. */
const PEER = "streaming-markdown";

/** Renderers and the lengths of their texts. Slow renderers would need minutes for the long text. */
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

/** Installs the other renderers at the versions that package.json pins, unless they are installed. */
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

async function bundle(variant) {
  const [name, share] = variant.split("@");
  const plugin = { name: "share", setup(build) { build.onLoad({ filter: /renderer\/stream\.ts$/ }, () => ({ contents: readFileSync(join(root, "src/renderer/stream.ts"), "utf8").replace("MAX_SHARE = 0.1", "MAX_SHARE = " + (share ?? "0.1")), loader: "ts" })); } };
  const result = await esbuild.build({
    plugins: [plugin],
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

/** Scroll container of the panel's size. */
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

/** Streams the text in the page; resolves 500 ms after the renderer has finished. */
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
 * Streams `text` once in a new browser. Returns main-thread seconds and the tasks over 50 ms.
 * With `isTraced`, also the processor time of the costliest task, which other processes do not change.
 */
async function measure(files, text, { isPanel, pieceLength = PIECE_LENGTH, isTraced = false }) {
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
      text,
      pieceLength,
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


const text = replyText(SMALL, { wordsALine: undefined });
const files = new Map();
for (let round = 0; round < Number(process.argv[2] ?? 2); round++) {
  for (const variant of ["streaming-markdown", "ours", "ours@0.05", "ours@0.025"]) {
    if (!files.has(variant)) files.set(variant, await bundle(variant));
    const r = await measure(files.get(variant), text, SETTINGS[0]);
    console.log(variant.padEnd(20), "main", r.seconds.toFixed(2), "cpu", r.cpu.toFixed(2), "script", r.script.toFixed(2), "style", r.style.toFixed(2), "layout", r.layout.toFixed(2), "nodes", r.nodes);
  }
}
process.exit(0);
