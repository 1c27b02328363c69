/**
 * The history on a real disk: list and search with 5,000 conversations, open one of 10,000
 * messages, write checkpoints of a streamed reply. Made up from a printed seed, in a folder that
 * is removed afterwards.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath, pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as esbuild from "esbuild";
import { fillConversations, longConversation, queries } from "./sample.mjs";

export const title = "list, search, open and save";

const CONVERSATIONS = 5_000;
const MESSAGES = 10_000;
const MEBIBYTE = 1024 * 1024;
const SEED = 20_251_121;

/** Runs everything once and says the numbers. */
export async function run({ log }) {
  const folder = mkdtempSync(join(tmpdir(), "core-chat-bench-"));
  try {
    const room = await loadRoom(folder);
    const root = join(folder, "store");
    const written = await fillConversations(room, root, CONVERSATIONS, SEED);
    log(
      `${CONVERSATIONS} conversations, ${written.messages} messages, ${mib(written.bytes)} (seed ${SEED})`,
    );
    await listing(room, root, log);
    await searching(room, root, log);
    await opening(room, root, log);
    await saving(room, root, log);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function loadRoom(folder) {
  const outfile = join(folder, "room.mjs");
  await esbuild.build({
    entryPoints: [fileURLToPath(new URL("room.ts", import.meta.url))],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
  });
  return import(pathToFileURL(outfile).href);
}

async function listing(room, root, log) {
  const first = room.openHistory(root);
  const blocked = watchLoop();
  log(`list, no cache: ${await timed(() => first.index.refresh())}; longest block ${blocked()}`);
  await first.close();
  first.dispose();
  const second = room.openHistory(root);
  const cold = await timed(() => second.index.refresh());
  log(`list, cold from the cache: ${cold} for ${second.index.list().length} (limit 500 ms)`);
  await second.journal.append(second.index.list()[9].id, [{ kind: "pinned", isPinned: true }]);
  log(`list, one file changed: ${await timed(() => second.index.refresh())}`);
  second.dispose();
}

async function searching(room, root, log) {
  const history = room.openHistory(root);
  await history.index.refresh();
  const before = usedMemory();
  const blocked = watchLoop();
  const warm = await timed(() => history.search.warm(new AbortController().signal));
  const grown = mib(usedMemory() - before);
  log(`search, reading everything once: ${warm}; longest block ${blocked()}`);
  log(`search, memory: ${grown} more, ${mib(history.search.memoryBytes)} by its own count`);
  for (const text of queries) {
    const times = [];
    let answer;
    const longest = watchLoop();
    for (let round = 0; round < 5; round++) {
      const startMs = performance.now();
      for await (answer of history.search.search(
        { text, maxHits: 50 },
        new AbortController().signal,
      ));
      times.push(performance.now() - startMs);
    }
    log(
      `search ${JSON.stringify(text)}: median ${ms(median(times))}, worst ${ms(Math.max(...times))}, ` +
        `${answer.foundCount} found; longest block ${longest()} (limit 100 ms)`,
    );
  }
  history.dispose();
}

async function opening(room, root, log) {
  const history = room.openHistory(root);
  await history.journal.append("long", longConversation(MESSAGES, SEED));
  const fresh = room.openHistory(root);
  const blocked = watchLoop();
  const time = await timed(() => fresh.journal.load("long"));
  log(`open one of ${MESSAGES} messages: ${time}; longest block ${blocked()} (limit 1 s)`);
  history.dispose();
  fresh.dispose();
}

async function saving(room, root, log) {
  const history = room.openHistory(root);
  const { journal } = history;
  await journal.append("stream", room.turnBegun("stream"));
  const text = "All work and no play makes Jack a dull boy. ".repeat(2_400).slice(0, 102_400);
  const times = [];
  const before = usedMemory();
  for (let offset = 0; offset < text.length; offset += 1_024) {
    const step = room.grown(offset, text.slice(offset, offset + 1_024));
    const startMs = performance.now();
    await journal.append("stream", [step]);
    times.push(performance.now() - startMs);
  }
  log(
    `save a streamed reply of 100 kB: ${times.length} checkpoints, median ${ms(median(times))}, ` +
      `worst ${ms(Math.max(...times))} (limit 5 ms median); memory ${mib(Math.max(0, usedMemory() - before))} more`,
  );
  history.dispose();
}

/** Starts to watch the event loop; the function given back says its longest block so far. */
function watchLoop() {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  return () => {
    histogram.disable();
    return ms(histogram.max / 1e6);
  };
}

/** Time by the clock and, in brackets, of the processor: on a busy machine they differ. */
async function timed(work) {
  const startMs = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return `${ms(performance.now() - startMs)} (${ms((user + system) / 1000)} of processor)`;
}

function usedMemory() {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

function ms(value) {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}

function mib(bytes) {
  return `${(bytes / MEBIBYTE).toFixed(1)} MiB`;
}
