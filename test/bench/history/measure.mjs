/**
 * One measurement of the history, run by index.mjs: `measure.mjs NAME ROOT BUNDLE RESULTS`. Prints each
 * figure and writes those that are compared to the file RESULTS, as JSON.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { compared, longConversation, queries } from "./sample.mjs";

const MESSAGES = 10_000;
const MAX_HITS = 100;
const MEBIBYTE = 1024 * 1024;
const never = new AbortController().signal;

const [name, root, bundle, resultsPath] = process.argv.slice(2);
const product = await import(pathToFileURL(bundle).href);
const log = console.log;
/** Figures by name: milliseconds by the clock, and shares. */
const results = {};
await { build, search, scan, ripgrep, fts5, one }[name]();
writeFileSync(resultsPath, JSON.stringify(results));

/** Measures a first start, without any index. */
async function build() {
  for (const file of readdirSync(root))
    if (/^(index|search)-/.test(file)) rmSync(join(root, file), { recursive: true });
  const history = product.openHistory(root);
  const before = memory();
  log(`list, no cache: ${await timed(async () => (await history.index()).refresh())}`);
  await history.close();
  log(`search index, built: ${await timed(() => history.buildSearchIndex(), "build")}`);
  const texts = folderBytes(join(root, "conversations"));
  const index = folderBytes(root, (path) => /[\\/](index|search)-/.test(path));
  log(`disk: conversations ${mib(texts)}, index ${mib(index)} (${percent(index / texts)})`);
  results.disk = index / texts;
  log(`memory after building: ${mib(memory() - before)} more`);
  history.dispose();
}

/** Measures a later start: the list from the cache, then searches while typing. */
async function search() {
  const history = product.openHistory(root);
  const before = memory();
  const index = await history.index();
  let listed;
  const listing = new Promise((resolve) => (listed = index.onChanged(resolve)));
  const first = timed(() => listing, "list");
  log(`list, all rows from the cache: ${await timed(() => index.load())} (limit 500 ms)`);
  listed.dispose();
  log(`list, first rows: ${await first}`);
  log(`search index, loaded: ${await timed(async () => (await history.search()).load())}`);
  log(`first search: ${await searchText(history, "needle4711")}`);
  log(`list, each file checked: ${await timed(() => index.refresh())}`);
  for (const text of compared) {
    const { endMs, processorMs, found } = await searchCost(history, text);
    results[text] = endMs;
    log(
      `search ${JSON.stringify(text)} to the end: ${ms(endMs)} (${ms(processorMs)} of processor), ${found}`,
    );
  }
  const all = [];
  for (const text of queries) {
    const keys = [];
    for (let end = 1; end <= text.length; end++)
      keys.push(await searchCost(history, text.slice(0, end)));
    all.push(...keys);
    log(`search ${JSON.stringify(text)}: ${summary(keys)}, ${keys.at(-1).found}`);
  }
  log(`all keys: ${summary(all)} (limit 100 ms)`);
  await history.journal.append("stream", product.turnBegun("stream"));
  let offset = 0;
  const timer = setInterval(() => {
    void history.journal.append("stream", [product.grown(offset, "More text of a reply. ")]);
    offset += 22;
  }, 250);
  const streamed = [];
  for (let end = 1; end <= "implementation".length; end++)
    streamed.push(await searchCost(history, "implementation".slice(0, end)));
  clearInterval(timer);
  await history.journal.settle();
  log(`while a reply is saved four times a second: ${summary(streamed)}`);
  log(`memory: ${mib(memory() - before)} more than before the list (limit 150 MiB)`);
  await history.journal.removeForever("stream");
  await history.close();
  history.dispose();
}

/**
 * Measures a search without an index: all texts in large files, scanned after each keystroke. This
 * is a lower limit: the scan only counts occurrences of a term in the files that contain the
 * indexed texts.
 */
async function scan() {
  const folder = join(
    root,
    readdirSync(root).find((file) => file.startsWith("search-")),
  );
  const packed = readdirSync(folder).map((file) => join(folder, file));
  for (const text of compared) {
    let foundCount = 0;
    const cost = await timed(async () => {
      for (const path of packed) {
        const bytes = await readFile(path);
        for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1))
          foundCount++;
      }
    }, text);
    log(`scan of packed texts ${JSON.stringify(text)}: ${cost}, ${foundCount} places`);
  }
}

async function ripgrep() {
  const program = findRipgrep();
  if (program === undefined) {
    log("ripgrep: not installed");
    return;
  }
  for (const text of compared) {
    const run = () => {
      try {
        execFileSync(program, ["-liF", text, join(root, "conversations")], { stdio: "ignore" });
      } catch {
        // ripgrep exits with 1 if nothing matches.
      }
    };
    run();
    const startMs = performance.now();
    run();
    results[text] = performance.now() - startMs;
    log(`ripgrep ${JSON.stringify(text)}: ${ms(results[text])}`);
  }
}

async function fts5() {
  const { DatabaseSync } = await import("node:sqlite");
  const path = join(root, "fts5.db");
  rmSync(path, { force: true });
  const database = new DatabaseSync(path);
  database.exec("pragma journal_mode = off; pragma synchronous = off");
  database.exec("create virtual table texts using fts5(text, tokenize = 'trigram')");
  const insert = database.prepare("insert into texts (text) values (?)");
  const folder = join(root, "conversations");
  const time = await timed(async () => {
    database.exec("begin");
    for (const file of readdirSync(folder))
      insert.run(await product.searchableText(file.slice(0, -6), readFileSync(join(folder, file))));
    database.exec("commit");
  }, "build");
  results.disk = statSync(path).size / folderBytes(folder);
  log(`FTS5, built: ${time}; ${mib(statSync(path).size)}`);
  const select = database.prepare(
    `select rowid from texts where texts match ? order by rowid desc limit ${MAX_HITS}`,
  );
  const count = database.prepare("select count(*) as found from texts where texts match ?");
  for (const text of [...compared, ...queries.filter((text) => !compared.includes(text))]) {
    const words = product.normalizeText(text).text.match(/"[^"]+"|[^ "]+/g) ?? [];
    const match = words.map((word) => `"${word.replaceAll('"', "")}"`).join(" ");
    if (words.some((word) => word.replaceAll('"', "").length < 3)) {
      log(`FTS5 ${JSON.stringify(text)}: cannot find terms of fewer than three characters`);
      continue;
    }
    let foundCount = 0;
    const cost = await timed(() => {
      select.all(match);
      foundCount = count.get(match).found;
    }, text);
    log(`FTS5 ${JSON.stringify(text)}: ${cost}, ${foundCount} found`);
  }
  database.close();
  rmSync(path);
}

/** Measures a conversation that is opened with many messages and saved while it grows. */
async function one() {
  const folder = mkdtempSync(join(tmpdir(), "core-chat-bench-"));
  try {
    const history = product.openHistory(folder);
    await history.journal.append("long", longConversation(MESSAGES));
    const fresh = product.openHistory(folder);
    const time = await timed(() => fresh.journal.load("long"));
    log(`open one of ${MESSAGES} messages: ${time} (limit 1 s)`);
    fresh.dispose();
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
      `save a streamed reply of 100 kB: ${times.length} checkpoints, median ${ms(median(times))}, ` +
        `worst ${ms(Math.max(...times))} (limit 5 ms median); memory ${mib(memory() - before)} more`,
    );
    history.dispose();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Measures a search that runs to its end because no keystroke follows. */
async function searchCost(history, text) {
  const search = await history.search();
  const startMs = performance.now();
  const startUs = processorUs();
  let firstMs;
  let answer;
  const block = watchLoop();
  for await (answer of search.search({ text, maxHits: MAX_HITS }, never))
    if (answer.hits.length > 0) firstMs ??= performance.now() - startMs;
  const endMs = performance.now() - startMs;
  return {
    firstMs: firstMs ?? endMs,
    endMs,
    processorMs: (processorUs() - startUs) / 1000,
    blockMs: block(),
    found: `${answer.isEstimate ? "about " : ""}${answer.foundCount} found`,
  };
}

async function searchText(history, text) {
  const cost = await searchCost(history, text);
  return `${summary([cost])}, ${cost.found}`;
}

function summary(costs) {
  const of = (key) => costs.map((cost) => cost[key]);
  const range = (values) =>
    values.length === 1
      ? ms(values[0])
      : `${ms(median(values))} median, ${ms(Math.max(...values))} worst`;
  return `first hits ${range(of("firstMs"))}; processor ${range(of("processorMs"))}; block ${ms(Math.max(...of("blockMs")))}`;
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

/**
 * Measures time by the clock and, in brackets, of the processor: on a busy machine they differ. Keeps the
 * time by the clock for the comparison, if it is named.
 */
async function timed(work, resultName) {
  const block = watchLoop();
  const startMs = performance.now();
  const before = processorUs();
  await work();
  const processorMs = (processorUs() - before) / 1000;
  const timeMs = performance.now() - startMs;
  if (resultName) results[resultName] = timeMs;
  return `${ms(timeMs)} (${ms(processorMs)} of processor, block ${ms(block())})`;
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

function findRipgrep() {
  const found = readdirSync(".vscode-test", { recursive: false })
    .map((name) => join(".vscode-test", name, "vscode/node_modules/@vscode"))
    .flatMap((folder) => [
      join(folder, "ripgrep/bin/rg"),
      join(folder, `ripgrep-universal/bin/${process.platform}-${process.arch}/rg`),
    ]);
  return ["rg", ...found].find((program) => {
    try {
      execFileSync(program, ["--version"], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

function ms(value) {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

function mib(bytes) {
  return `${(bytes / MEBIBYTE).toFixed(0)} MiB`;
}

function percent(share) {
  return `${Math.round(100 * share)} %`;
}
