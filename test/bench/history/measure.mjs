/** One measurement of the history, run by index.mjs: `measure.mjs NAME ROOT BUNDLE`. Prints the figures. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { longConversation, queries } from "./sample.mjs";

const MESSAGES = 10_000;
const MAX_HITS = 100;
const MEBIBYTE = 1024 * 1024;
const never = new AbortController().signal;

const [name, root, bundle] = process.argv.slice(2);
const product = await import(pathToFileURL(bundle).href);
const log = console.log;
await { build, search, one }[name]();

/** Measures a first start, without any index. */
async function build() {
  removeIndex();
  const { history, index, close } = open(root);
  const before = memory();
  log(`list, no cache: ${await timed(async () => (await index.list()).refresh())}`);
  await history.close();
  log(`search index, built: ${await timed(() => index.build())}`);
  const texts = folderBytes(join(root, "conversations"));
  const indexBytes = folderBytes(root, (path) => /[\\/]search-/.test(path));
  const share = `${Math.round((100 * indexBytes) / texts)} %`;
  log(`disk: conversations ${mib(texts)}, index ${mib(indexBytes)} (${share})`);
  log(`memory after building: ${mib(memory() - before)} more`);
  close();
}

/** Measures a later start: the list from the cache, then searches while typing. */
async function search() {
  const { history, index, close } = open(root);
  const before = memory();
  const list = await index.list();
  let listed;
  const listing = new Promise((resolve) => (listed = list.onChanged(resolve)));
  const first = timed(() => listing);
  log(`list, all rows from the cache: ${await timed(() => list.load())} (limit 500 ms)`);
  listed.dispose();
  log(`list, first rows: ${await first}`);
  const { texts } = await index.search();
  log(`search index, loaded: ${await timed(() => texts.load())}`);
  log(`first search, nothing in memory: ${summary([await searchCost(index, "needle4711")])}`);
  log(`texts, read into memory: ${await timed(() => texts.prepare())}`);
  log(`list, each file checked: ${await timed(() => list.refresh())}`);
  await typeAll(index, queries, "all keys");
  log(`memory after typing: ${mib(memory() - before)} more than before the list (limit 150 MiB)`);
  await history.journal.append("stream", product.turnBegun("stream"));
  let offset = 0;
  const timer = setInterval(() => {
    void history.journal.append("stream", [product.grown(offset, "More text of a reply. ")]);
    offset += 22;
  }, 250);
  await typeAll(index, ["implementation", "station"], "while a reply is saved four times a second");
  clearInterval(timer);
  await history.journal.settle();
  log(`memory: ${mib(memory() - before)} more than before the list (limit 150 MiB)`);
  await history.journal.removeForever("stream");
  await history.close();
  close();
}

/** Types each text letter by letter and searches at each key; logs the cost. */
async function typeAll(index, texts, title) {
  const all = [];
  for (const text of texts) {
    const keys = [];
    for (let end = 1; end <= text.length; end++)
      keys.push(await searchCost(index, text.slice(0, end)));
    all.push(...keys);
    log(`  ${JSON.stringify(text)}: ${summary(keys)}, ${keys.at(-1).foundCount} hits`);
  }
  log(`${title}: ${summary(all)}`);
}

function removeIndex() {
  for (const file of readdirSync(root))
    if (file.startsWith("search-")) rmSync(join(root, file), { recursive: true });
}

/** Measures a conversation that is opened with many messages and saved while it grows. */
async function one() {
  const folder = mkdtempSync(join(tmpdir(), "core-chat-bench-"));
  try {
    const { history, close } = open(folder);
    await history.journal.append("long", longConversation(MESSAGES));
    const fresh = open(folder);
    const time = await timed(() => fresh.history.journal.load("long"));
    log(`open one of ${MESSAGES} messages: ${time} (limit 1 s)`);
    fresh.close();
    await history.journal.append("stream", product.turnBegun("stream"));
    const text = "All work and no play makes Jack a dull boy. ".repeat(2_400).slice(0, 102_400);
    const times = [];
    const before = memory();
    for (let offset = 0; offset < text.length; offset += 1_024) {
      const startMs = performance.now();
      await history.journal.append("stream", [
        product.grown(offset, text.slice(offset, offset + 1_024)),
      ]);
      times.push(performance.now() - startMs);
    }
    log(
      `save a streamed reply of 100 kB: ${times.length} checkpoints, median ${ms(quantile(times, 0.5))}, ` +
        `worst ${ms(Math.max(...times))} (limit 5 ms median); memory ${mib(memory() - before)} more`,
    );
    close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function open(folder) {
  const { history, index } = product.openHistory(folder);
  const close = () => {
    index.dispose();
    history.dispose();
  };
  return { history, index, close };
}

/** Measures a search that runs to its end because no keystroke follows. */
async function searchCost(index, text) {
  const search = await index.search();
  const blockMs = watchLoop();
  const startUs = processorUs();
  const startMs = performance.now();
  let firstMs;
  let answer;
  for await (answer of search.search({ text, maxHits: MAX_HITS }, never))
    if (answer.hits.length > 0) firstMs ??= performance.now() - startMs;
  const completeMs = performance.now() - startMs;
  const processorMs = (processorUs() - startUs) / 1000;
  const { foundCount } = answer;
  return { text, firstMs, completeMs, processorMs, blockMs: blockMs(), foundCount };
}

/** First hits are those of keys with a page of hits: a rare word may be in the last text only. */
function summary(costs) {
  const firsts = costs.filter(({ foundCount }) => foundCount >= MAX_HITS);
  const worst = costs.reduce((most, key) => (key.completeMs > most.completeMs ? key : most));
  return [
    `complete ${range(costs.map(({ completeMs }) => completeMs))}`,
    ...(costs.length > 1 ? [`at ${JSON.stringify(worst.text)}`] : []),
    `first hits ${range(firsts.map(({ firstMs }) => firstMs))}`,
    `processor ${range(costs.map(({ processorMs }) => processorMs))}`,
    `block ${ms(Math.max(...costs.map(({ blockMs }) => blockMs)))}`,
  ].join(", ");
}

/** Returns the median, the 95th percentile and the largest of some times. */
function range(times) {
  if (times.length < 2) return times.length === 0 ? "-" : ms(times[0]);
  return `${[quantile(times, 0.5), quantile(times, 0.95)].map((time) => time.toFixed(0)).join("/")}/${ms(Math.max(...times))}`;
}

/**
 * Starts watching the event loop; the returned function stops and returns the longest block in
 * milliseconds.
 */
function watchLoop() {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  return () => {
    histogram.disable();
    return histogram.max / 1e6;
  };
}

/** Measures time by the clock and, in brackets, of the processor: on a busy machine they differ. */
async function timed(work) {
  const blockMs = watchLoop();
  const startMs = performance.now();
  const before = processorUs();
  await work();
  const processorMs = (processorUs() - before) / 1000;
  const timeMs = performance.now() - startMs;
  return `${ms(timeMs)} (${ms(processorMs)} of processor, block ${ms(blockMs())})`;
}

function processorUs() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Returns the resident memory after garbage collection, in bytes. */
function memory() {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage.rss();
}

function folderBytes(folder, isCounted = () => true) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter(isCounted)
    .reduce((sum, path) => sum + statSync(path).size, 0);
}

function quantile(values, share) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)];
}

function ms(value) {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

function mib(bytes) {
  return `${(bytes / MEBIBYTE).toFixed(0)} MiB`;
}
