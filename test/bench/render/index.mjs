/**
 * Compares the renderer with others while the same text arrives in headless Chromium: pieces of
 * four characters, ten pieces per frame, in a scroll container as narrow as the panel or directly
 * in a document. Time is the main thread's `TaskDuration` of the browser's Performance.getMetrics,
 * in wall-clock seconds, printed next to its processor time, `ThreadTime`. Also measures long
 * highlighted code blocks.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { launchBrowser } from "../../support/browser/browser.mjs";
import { costliestTask } from "./costliestTask.mjs";
import { countCorrect, examples } from "./conformance.mjs";
import { codeText, replyText } from "./text.mjs";

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

/** Commit whose renderer runs in turn with the working tree's, if any. */
const EARLIER = process.env.BENCH_BEFORE;

/** Renderer to which the targets are relative. */
const PEER = "streaming-markdown";

/** Renderers and the lengths of their texts. Slow renderers would need minutes for the long text. */
const RENDERERS = [
  { name: "empty", title: "(an empty page)", lengths: [SMALL, LARGE] },
  { name: "ours", title: "Core Chat", lengths: [SMALL, LARGE] },
  ...(EARLIER === undefined
    ? []
    : [{ name: "before", title: `Core Chat at ${EARLIER}`, lengths: [SMALL, LARGE] }]),
  { name: "streaming-markdown", title: "streaming-markdown", lengths: [SMALL, LARGE] },
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

/** Unpacks the sources of `EARLIER` once. Returns the path of its renderer's start script. */
function earlierRenderer() {
  const folder = join(peersFolder, `before-${EARLIER}`);
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    const paths = ["src", "test/bench/render", "package.json"];
    const archive = execFileSync("git", ["archive", EARLIER, ...paths], {
      cwd: root,
      maxBuffer: 2 ** 28,
    });
    execFileSync("tar", ["-x"], { cwd: folder, input: archive });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  }
  return join(folder, "test/bench/render/renderers/ours.mjs");
}

async function bundle(name) {
  const script = name === "before" ? earlierRenderer() : join(here, "renderers", `${name}.mjs`);
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
function measure(files, text, { isPanel, pieceLength = PIECE_LENGTH, isTraced = false }) {
  return inPage(files, isPanel, async (page) => {
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
  });
}

/** Calls `use` with a page of a new browser that has a renderer's `start`. */
async function inPage(files, isPanel, use) {
  const server = await serve(files, isPanel);
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 900, height: isPanel ? 950 : 700 } });
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction("typeof start === 'function'");
    return await use(page);
  } finally {
    await browser.close();
    server.close();
  }
}

const fixed = (value, digits = 2) => value.toFixed(digits);

/**
 * Runs the comparison, then the code blocks. BENCH_RENDERERS and BENCH_SETTINGS (comma-separated names;
 * `code` and `conformance` are settings) limit both. BENCH_BEFORE (a commit) adds that commit's renderer,
 * BENCH_ROUNDS sets the rounds.
 */
export async function run({ log, only = process.env.BENCH_RENDERERS?.split(",") }) {
  const settings = process.env.BENCH_SETTINGS?.split(",");
  const isWanted = (setting) => settings === undefined || settings.includes(setting);
  if (settings?.every((name) => name === "code") !== true) installPeers(log);
  const bundles = new Map();
  const bundleOf = async (name) => {
    const files = bundles.get(name) ?? (await bundle(name));
    bundles.set(name, files);
    return files;
  };
  const results = new Map();
  log(
    "setting | renderer | text | main thread, s | its CPU time | script | style | layout | tasks > 50 ms | longest, ms",
  );
  log("--- | --- | --: | --: | --: | --: | --: | --: | --: | --:");
  for (const setting of SETTINGS) {
    if (!isWanted(setting.name)) continue;
    for (const length of [SMALL, LARGE]) {
      const text = replyText(length, { wordsALine: setting.wordsALine });
      for (let round = 0; round < ROUNDS; round++) {
        for (const renderer of RENDERERS) {
          const { name, lengths } = renderer;
          if ((only !== undefined && !only.includes(name)) || !lengths.includes(length)) continue;
          const isCompared = ["ours", "before", PEER].includes(name);
          if (!isCompared && (round > 0 || setting.name !== "panel")) continue;
          const files = await bundleOf(name);
          const result = await measure(files, text, setting);
          const key = `${setting.name} ${name} ${length}`;
          results.set(key, [...(results.get(key) ?? []), result]);
          log(row(setting, renderer, length, result));
        }
      }
      if (setting.name === "panel" && results.has(`panel ours ${length}`)) {
        const traced = await measure(await bundleOf("ours"), text, { ...setting, isTraced: true });
        results.set(`traced ${length}`, [traced]);
      }
    }
  }
  for (const setting of SETTINGS.filter(({ name }) => isWanted(name))) judge(log, results, setting);
  if (isWanted("conformance")) await compareWithCommonMark(log, bundleOf, only);
  if (isWanted("code")) await measureCode(log, await bundleOf("ours"));
  return results;
}

/** Compares the elements of each renderer with the CommonMark suite's. */
async function compareWithCommonMark(log, bundleOf, only) {
  log("");
  log("renderer | CommonMark examples at once | in pieces | of | most differences in pieces");
  log("--- | --: | --: | --: | ---");
  for (const { name, title } of RENDERERS) {
    if (name === "empty" || (only !== undefined && !only.includes(name))) continue;
    const { atOnce, inPieces, all, sections } = await inPage(await bundleOf(name), false, (page) =>
      page.evaluate(countCorrect, examples()),
    );
    const others = sections.map(([section, count]) => `${section} ${count}`).join(", ");
    log(`${title} | ${atOnce} | ${inPieces} | ${all} | ${others}`);
  }
}

/** Measures how the cost of a highlighted code block grows with its lines. */
async function measureCode(log, files) {
  log("");
  log(
    "lines of highlighted code | main thread, s | its CPU time | CPU a line, ms | longest task, ms",
  );
  log("--: | --: | --: | --: | --:");
  const costs = [];
  for (const lines of CODE_LINES) {
    const { seconds, cpu, tasks } = await measure(files, codeText(lines), {
      isPanel: true,
      pieceLength: CODE_PIECE_LENGTH,
    });
    costs.push(cpu);
    const longest = tasks.length === 0 ? "< 50" : fixed(Math.max(...tasks), 0);
    log(
      `${lines} | ${fixed(seconds)} | ${fixed(cpu)} | ${fixed((1000 * cpu) / lines)} | ${longest}`,
    );
  }
  for (const [index, cost] of costs.entries()) {
    const before = costs[index - 1];
    if (before === undefined) continue;
    const factor = cost / before;
    const verdict = factor <= LINEAR_FACTOR ? "held" : "MISSED";
    const [from, to] = CODE_LINES.slice(index - 1);
    log(`${verdict}: CPU of ${to} lines over ${from}: ${fixed(factor)} (at most ${LINEAR_FACTOR})`);
  }
}

function row(setting, renderer, length, result) {
  const share = result.isStopped ? ` (stopped at ${Math.round((100 * result.at) / length)} %)` : "";
  return (
    `${setting.title} | ${renderer.title} | ${length / 1000} kB | ${fixed(result.seconds)}${share} | ${fixed(result.cpu)} | ` +
    `${fixed(result.script)} | ${fixed(result.style)} | ${fixed(result.layout)} | ${result.tasks.length} | ` +
    (result.tasks.length === 0 ? "< 50" : fixed(Math.max(...result.tasks), 0))
  );
}

/**
 * Logs the ratios of a setting and whether the targets are met. The target concerns main-thread
 * time; the ratio of processor time is printed without a verdict.
 */
function judge(log, results, { name: setting, title }) {
  const timeOf = (name, length, clock) => {
    const runs = results.get(`${setting} ${name} ${length}`) ?? [];
    return runs.reduce((sum, run) => sum + run[clock], 0) / runs.length;
  };
  const check = (measured, value, limit) => {
    if (!Number.isFinite(value)) return;
    const verdict = value <= limit ? "held" : "MISSED";
    log(`${verdict}: ${title}: ${measured} ${fixed(value)} (at most ${limit})`);
  };
  log("");
  for (const [length, limit] of [
    [SMALL, 0.6],
    [LARGE, 0.45],
  ]) {
    const ratioOf = (clock) => timeOf("ours", length, clock) / timeOf(PEER, length, clock);
    const text = `at ${length / 1000} kB:`;
    check(`share of ${PEER}'s main-thread time ${text}`, ratioOf("seconds"), limit);
    const cpuRatio = ratioOf("cpu");
    if (Number.isFinite(cpuRatio)) {
      log(`      ${title}: share of ${PEER}'s processor time ${text} ${fixed(cpuRatio)}`);
    }
  }
  for (const length of [SMALL, LARGE]) {
    const before = timeOf("before", length, "seconds");
    if (!Number.isFinite(before)) continue;
    const cpuRatio = timeOf("ours", length, "cpu") / timeOf("before", length, "cpu");
    log(
      `${title}: share of the time at ${EARLIER} at ${length / 1000} kB: ` +
        `${fixed(timeOf("ours", length, "seconds") / before)}, of its processor time ${fixed(cpuRatio)}`,
    );
  }
  const growth = timeOf("ours", LARGE, "seconds") / timeOf("ours", SMALL, "seconds");
  check("main-thread time of four times the text:", growth, 4.2);
  if (setting !== "panel" || !results.has(`panel ours ${SMALL}`)) return;
  const lengths = [SMALL, LARGE];
  const runs = lengths.flatMap((length) => results.get(`panel ours ${length}`) ?? []);
  const tasks = runs.flatMap((run) => run.tasks);
  check("tasks over 50 ms of wall-clock time:", tasks.length, 0);
  const costs = lengths.map((length) => results.get(`traced ${length}`)?.[0]?.processorMs);
  check("processor time of the costliest task, ms:", Math.max(...costs), 50);
}
