/**
 * One measurement of the history, run by index.mjs: `measure.mjs NAME ROOT BUNDLE RESULTS`. Prints each
 * figure and writes those that are compared to the file RESULTS, as JSON.
 */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
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
await { build, during, search, changed, exact, ripgrep, fts5, one }[name]();
writeFileSync(resultsPath, JSON.stringify(results));

/** Measures a first start, without any index. */
async function build() {
  removeIndex();
  const { history, index } = product.openHistory(root);
  const before = memory();
  log(`list, no cache: ${await timed(async () => (await index.list()).refresh())}`);
  await history.close();
  log(`search index, built: ${await timed(() => index.build(), "build")}`);
  const texts = folderBytes(join(root, "conversations"));
  const indexBytes = folderBytes(root, (path) => /[\\/](index|search)-/.test(path));
  log(
    `disk: conversations ${mib(texts)}, index ${mib(indexBytes)} (${percent(indexBytes / texts)})`,
  );
  results.disk = indexBytes / texts;
  log(`memory after building: ${mib(memory() - before)} more`);
  index.dispose();
  history.dispose();
}

/** Measures a later start: the list from the cache, then searches while typing. */
async function search() {
  const { history, index } = product.openHistory(root);
  const before = memory();
  const list = await index.list();
  let listed;
  const listing = new Promise((resolve) => (listed = list.onChanged(resolve)));
  const first = timed(() => listing, "list");
  log(`list, all rows from the cache: ${await timed(() => list.load())} (limit 500 ms)`);
  listed.dispose();
  log(`list, first rows: ${await first}`);
  log(`search index, loaded: ${await timed(async () => (await index.search()).texts.load())}`);
  log(`first search: ${await searchText(index, "needle4711")}`);
  log(`list, each file checked: ${await timed(() => list.refresh())}`);
  for (const text of compared) {
    const { endMs, processorMs, found } = await searchCost(index, text);
    results[text] = endMs;
    log(
      `search ${JSON.stringify(text)} to the end: ${ms(endMs)} (${ms(processorMs)} of processor), ${found}`,
    );
  }
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
  index.dispose();
  history.dispose();
}

/** Types each text letter by letter and searches at each key; logs the cost. */
async function typeAll(index, texts, title) {
  const all = [];
  for (const text of texts) {
    const keys = [];
    for (let end = 1; end <= text.length; end++)
      keys.push(await searchCost(index, text.slice(0, end)));
    all.push(...keys);
    const worst = keys.reduce((most, key) => (key.processorMs > most.processorMs ? key : most));
    log(
      `search ${JSON.stringify(text)}: ${summary(keys)} at ${JSON.stringify(worst.text)}, ${keys.at(-1).found}`,
    );
  }
  log(`${title}: ${summary(all)} (limit 100 ms of processor)`);
}

/** Measures searches after large conversations changed. */
async function changed() {
  const { history, index } = product.openHistory(root);
  const names = [];
  try {
    const measureAfter = async (title) => {
      await (await index.list()).refresh();
      log(`${title}, indexed in the background: ${await timed(() => index.build())}`);
      await typeAll(index, ["station", "implementation"], `${title}, keys`);
    };
    await history.journal.append("long", longConversation(MESSAGES));
    names.push("long");
    await measureAfter(`one conversation of ${MESSAGES} messages changed`);
    for (let number = 0; number < 40; number++) {
      names.push(`many${number}`);
      await history.journal.append(`many${number}`, longConversation(400));
    }
    await measureAfter("and 40 of 400 messages");
  } finally {
    for (const name of names) await history.journal.removeForever(name);
    await (await index.list()).refresh();
    await history.close();
    index.dispose();
    history.dispose();
  }
}

/** Measures a search that begins while the search index is built. Leaves no index. */
async function during() {
  removeIndex();
  const { history, index } = product.openHistory(root);
  await (await index.list()).refresh();
  const building = index.build();
  const startMs = performance.now();
  let firstMs;
  let answer;
  for await (answer of (await index.search()).search({ text: "station", maxHits: MAX_HITS }, never))
    if (answer.hits.length > 0) firstMs ??= performance.now() - startMs;
  log(
    `search while building: first hits ${ms(firstMs)}, complete ${ms(performance.now() - startMs)}, ${answer.foundCount} found`,
  );
  await building;
  index.dispose();
  history.dispose();
  removeIndex();
}

function removeIndex() {
  for (const file of readdirSync(root))
    if (/^(index|search)-/.test(file)) rmSync(join(root, file), { recursive: true });
}

/** Compares the number of hits with a plain scan of all texts. */
async function exact() {
  const { history, index } = product.openHistory(root);
  await (await index.list()).refresh();
  const folder = join(root, "conversations");
  const terms = new Map(
    [...queries, ..."s st sta a. .g 的 函".split(" ")].map((text) => [text, product.termsOf(text)]),
  );
  const counts = new Map([...terms.keys()].map((text) => [text, 0]));
  for (const file of readdirSync(folder)) {
    const texts = await product.searchableTexts(
      file.slice(0, -6),
      readFileSync(join(folder, file)),
    );
    for (const [text, words] of terms)
      if (words.every((word) => texts.some((own) => own.includes(word))))
        counts.set(text, counts.get(text) + 1);
  }
  let wrongCount = 0;
  for (const [text, count] of counts) {
    const { foundCount } = await searchCost(index, text);
    if (foundCount !== count) {
      wrongCount++;
      log(`${JSON.stringify(text)}: ${foundCount} found, ${count} by a scan`);
    }
  }
  log(`${counts.size} searches compared with a scan: ${wrongCount} with another number of hits`);
  index.dispose();
  history.dispose();
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
      insert.run(
        (await product.searchableTexts(file.slice(0, -6), readFileSync(join(folder, file)))).join(
          "\n",
        ),
      );
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
    const { history, index } = product.openHistory(folder);
    await history.journal.append("long", longConversation(MESSAGES));
    const fresh = product.openHistory(folder).history;
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
      `save a streamed reply of 100 kB: ${times.length} checkpoints, median ${ms(quantile(times, 0.5))}, ` +
        `worst ${ms(Math.max(...times))} (limit 5 ms median); memory ${mib(memory() - before)} more`,
    );
    index.dispose();
    history.dispose();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Measures a search that runs to its end because no keystroke follows. */
async function searchCost(index, text) {
  const search = await index.search();
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
    text,
    foundCount: answer.foundCount,
    found: `${answer.foundCount} found`,
  };
}

async function searchText(index, text) {
  const cost = await searchCost(index, text);
  return `${summary([cost])}, ${cost.found}`;
}

function summary(costs) {
  const of = (key) => costs.map((cost) => cost[key]);
  const range = (values) =>
    values.length === 1
      ? ms(values[0])
      : `${ms(quantile(values, 0.5))} median, ${ms(quantile(values, 0.95))} p95, ${ms(Math.max(...values))} worst`;
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
  const folder = ".vscode-test";
  const found = (existsSync(folder) ? readdirSync(folder) : [])
    .map((name) => join(folder, name, "vscode/node_modules/@vscode"))
    .flatMap((modules) => [
      join(modules, "ripgrep/bin/rg"),
      join(modules, `ripgrep-universal/bin/${process.platform}-${process.arch}/rg`),
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

function quantile(values, share) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)];
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
