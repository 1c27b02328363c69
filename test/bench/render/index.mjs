/**
 * Compares the renderer with others while the same text arrives in headless Chromium: pieces of
 * four characters, ten pieces per frame, in a scroll container of the panel's size. Time is the main
 * thread's `TaskDuration` of the browser's Performance.getMetrics, in wall-clock seconds, printed next
 * to its processor time, `ThreadTime`, and to the processor time of all processes of the browser.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { launchBrowser } from "../../support/browser/browser.mjs";
import { replyText } from "./text.mjs";

export const title = "a long reply while it arrives";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../../..");
const peersFolder = join(root, ".vscode-test/bench/render");

const SMALL = 30_000;
const LARGE = 120_000;
const PIECE_LENGTH = 4;
const PIECES_A_FRAME = 10;
/** Time limit of a renderer's run, in milliseconds. */
const LIMIT_MS = 150_000;

/** Rounds of each length. Within a round the compared renderers run in turn: A B A B. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 2);

/** Renderer to which the targets are relative. */
const PEER = "streaming-markdown";

/** Renderers and the lengths of their texts. Slow renderers would need minutes for the long text. */
const RENDERERS = [
  { name: "empty", title: "(an empty page)", lengths: [SMALL, LARGE] },
  { name: "ours", title: "Core Chat", lengths: [SMALL, LARGE] },
  { name: "plain-text", title: "(one growing text node)", lengths: [SMALL] },
  {
    name: "streaming-markdown",
    title: "streaming-markdown, no code colors",
    lengths: [SMALL, LARGE],
  },
  { name: "streamdown", title: "Streamdown", lengths: [SMALL] },
  { name: "markstream", title: "markstream-react", lengths: [SMALL] },
  { name: "incremark", title: "Incremark (React)", lengths: [SMALL] },
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

async function bundle(name) {
  const script = join(here, "renderers", `${name}.mjs`);
  const result = await esbuild.build({
    stdin: {
      contents: `import { start } from ${JSON.stringify(script)};
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
    // Optional parts of markstream-react, which then shows code and diagrams without them.
    external: ["@terrastruct/d2", "@antv/infographic", "stream-diffs"],
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

function serve(files) {
  const server = createServer((request, response) => {
    const file = files.get(request.url === "/stdin.js" ? "/entry.js" : (request.url ?? ""));
    if (request.url === "/") {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end(
        `<!doctype html><meta charset="utf-8"><body>${PANEL}` +
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
          panel.scrollTop = panel.scrollHeight;
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

/** Streams `text` once in a new browser. Returns main-thread seconds and the tasks over 50 ms. */
async function measure(files, text) {
  const server = await serve(files);
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 900, height: 950 } });
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction("typeof start === 'function'");
    const devtools = await page.context().newCDPSession(page);
    const browserTools = await browser.newBrowserCDPSession();
    const browserSeconds = async () => {
      const { processInfo } = await browserTools.send("SystemInfo.getProcessInfo");
      return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
    };
    await devtools.send("Performance.enable");
    const counters = async () => {
      const { metrics } = await devtools.send("Performance.getMetrics");
      return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
    };
    const [before, browserBefore] = [await counters(), await browserSeconds()];
    const result = await page.evaluate(play, {
      text,
      pieceLength: PIECE_LENGTH,
      piecesAFrame: PIECES_A_FRAME,
      limitMs: LIMIT_MS,
    });
    const [after, browserAfter] = [await counters(), await browserSeconds()];
    const seconds = (name) => after[name] - before[name];
    return {
      ...result,
      seconds: seconds("TaskDuration"),
      cpu: seconds("ThreadTime"),
      browser: browserAfter - browserBefore,
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

/** Runs the comparison. BENCH_RENDERERS (comma-separated names) limits it, BENCH_ROUNDS sets the rounds. */
export async function run({ log }) {
  const only = process.env.BENCH_RENDERERS?.split(",");
  installPeers(log);
  const results = new Map();
  log(
    "renderer | text | main thread, s | its CPU time | all processes' | script | style | layout | tasks > 50 ms | longest, ms",
  );
  log("--- | --: | --: | --: | --: | --: | --: | --: | --: | --:");
  for (const length of [SMALL, LARGE]) {
    const text = replyText(length);
    for (let round = 0; round < ROUNDS; round++) {
      for (const renderer of RENDERERS) {
        const { name, lengths } = renderer;
        if (only?.includes(name) === false || !lengths.includes(length)) continue;
        if (round > 0 && !["ours", PEER].includes(name)) continue;
        const result = await measure(await bundle(name), text);
        const key = `${name} ${length}`;
        results.set(key, [...(results.get(key) ?? []), result]);
        log(row(renderer, length, result));
      }
    }
  }
  judge(log, results);
}

function row(renderer, length, result) {
  const share = result.isStopped ? ` (stopped at ${Math.round((100 * result.at) / length)} %)` : "";
  return (
    `${renderer.title} | ${length / 1000} kB | ${fixed(result.seconds)}${share} | ${fixed(result.cpu)} | ${fixed(result.browser)} | ` +
    `${fixed(result.script)} | ${fixed(result.style)} | ${fixed(result.layout)} | ${result.tasks.length} | ` +
    (result.tasks.length === 0 ? "< 50" : fixed(Math.max(...result.tasks), 0))
  );
}

/** Logs the ratios and whether the targets are met, in main-thread time. */
function judge(log, results) {
  const timeOf = (name, length) => {
    const runs = results.get(`${name} ${length}`) ?? [];
    return runs.reduce((sum, run) => sum + run.seconds, 0) / runs.length;
  };
  const check = (measured, value, limit) => {
    if (!Number.isFinite(value)) return;
    log(`${value <= limit ? "held" : "MISSED"}: ${measured} ${fixed(value)} (at most ${limit})`);
  };
  log("");
  for (const [length, limit] of [
    [SMALL, 0.6],
    [LARGE, 0.45],
  ]) {
    const ratio = timeOf("ours", length) / timeOf(PEER, length);
    check(`share of ${PEER}'s main-thread time at ${length / 1000} kB:`, ratio, limit);
  }
  const growth = timeOf("ours", LARGE) / timeOf("ours", SMALL);
  check("main-thread time of four times the text:", growth, 4.2);
  const runs = [SMALL, LARGE].flatMap((length) => results.get(`ours ${length}`) ?? []);
  const tasks = runs.flatMap((run) => run.tasks);
  if (runs.length > 0) check("tasks over 50 ms of wall-clock time:", tasks.length, 0);
}
