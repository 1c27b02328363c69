/**
 * Compares Core Chat's client with others and with eventsource-parser plus JSON.parse, in turn in
 * the same process. Measures the main thread: processor time on Linux, which other programs hardly
 * affect, and wall-clock time elsewhere.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { loadClients } from "./clients.mjs";
import { fetchOf, textOf } from "./stream.mjs";

export const title = "a streamed reply through the client";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../../..");
const peersFolder = join(root, ".vscode-test/bench/sse");

/** Blocks of four characters; `aim` limits Core Chat's time, relative to the bare parser. */
const CASES = [
  { name: "pieces of 16 kB", blocks: 50_000, pieceBytes: 16_384, rounds: 9, aim: 1.3 },
  // Each piece costs a timeout, limits and an event, however few blocks it has.
  { name: "pieces of 1.4 kB", blocks: 50_000, pieceBytes: 1400, rounds: 9, aim: 1.6 },
  { name: "one byte a piece", blocks: 1000, pieceBytes: 1, rounds: 9, aim: 1.3 },
];
const WARM_UP_ROUNDS = 3;
const GROWTH = [25_000, 50_000, 100_000, 200_000];
const MANY_EVENTS = 1_000_000;

/** Installs the other clients at the versions that package.json pins, unless they are installed. */
function installPeers(log) {
  const wanted = readFileSync(join(here, "package.json"), "utf8");
  const present = join(peersFolder, "package.json");
  const isInstalled =
    existsSync(join(peersFolder, "node_modules")) &&
    existsSync(present) &&
    readFileSync(present, "utf8") === wanted;
  if (isInstalled) return;
  log("Installing the other clients …");
  mkdirSync(peersFolder, { recursive: true });
  cpSync(join(here, "package.json"), present);
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"], {
    cwd: peersFolder,
    stdio: "inherit",
  });
}

/** Bundles and minifies Core Chat's client, as in the extension. */
async function loadOurs() {
  const outfile = join(peersFolder, "ours.mjs");
  await esbuild.build({
    stdin: {
      contents: 'export * from "./client.ts"; export * from "./serviceKey.ts";',
      resolveDir: join(root, "src/service"),
    },
    outfile,
    bundle: true,
    minify: true,
    format: "esm",
    target: "node20",
    logLevel: "warning",
  });
  return import(`${pathToFileURL(outfile).href}?${Date.now()}`);
}

const schedstat = `/proc/self/task/${process.pid}/schedstat`;

/** Returns the main thread's run time in milliseconds; Linux provides nanoseconds. */
function mainThreadMs() {
  if (!existsSync(schedstat)) return performance.now();
  return Number(readFileSync(schedstat, "latin1").split(" ")[0]) / 1e6;
}

/** Measures the main thread's milliseconds for a question; throws when the text is not exact. */
async function timeOf(ask, fetch, expected) {
  const before = mainThreadMs();
  const text = await ask(fetch);
  const ms = mainThreadMs() - before;
  if (text !== expected) throw new Error(`${text.length} characters, not ${expected.length}`);
  return ms;
}

const ratio = (number) => `${number.toFixed(2).padStart(6)} ×`;

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Runs the benchmark and writes its lines to `log`. A missed target is logged, not thrown. */
export async function run({ log }) {
  installPeers(log);
  const clients = await loadClients(await loadOurs(), peersFolder);

  for (const { name, blocks, pieceBytes, rounds, aim: limit } of CASES) {
    log(`\n${name} (${blocks.toLocaleString("en")} blocks, main thread, ${rounds} rounds)`);
    const expected = textOf(blocks);
    const fetch = fetchOf(blocks, pieceBytes);
    const times = Object.fromEntries(Object.keys(clients).map((client) => [client, []]));
    const failures = {};
    // The first rounds warm up and are not counted.
    for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
      for (const [client, ask] of Object.entries(clients)) {
        if (client in failures) continue;
        try {
          const ms = await timeOf(ask, fetch, expected);
          if (round >= 0) times[client].push(ms);
        } catch (error) {
          failures[client] = error.message;
        }
      }
    }
    const bare = median(times["bare parser"]);
    const bareBest = Math.min(...times["bare parser"]);
    for (const client of Object.keys(clients)) {
      const ms = median(times[client]);
      const line =
        client in failures
          ? `failed: ${failures[client]}`
          : `${ms.toFixed(0).padStart(7)} ms  ${ratio(ms / bare)}   best ${ratio(Math.min(...times[client]) / bareBest)}`;
      const aim = client === "Core Chat" ? `   (aim: at most ${limit} ×)` : "";
      log(`  ${client.padEnd(24)}${line}${aim}`);
    }
  }

  log("\nHow ours grows (pieces of 16 kB)");
  for (const blocks of GROWTH) {
    const fetch = fetchOf(blocks, 16_384);
    const expected = textOf(blocks);
    const rounds = [];
    for (let round = 0; round < 3; round++) {
      rounds.push(await timeOf(clients["Core Chat"], fetch, expected));
    }
    const ms = median(rounds);
    const each = (ms / blocks) * 1000;
    log(
      `  ${blocks.toLocaleString("en").padStart(9)} blocks  ${ms.toFixed(0).padStart(6)} ms  ${each.toFixed(2)} µs each`,
    );
  }

  log(`\n${MANY_EVENTS.toLocaleString("en")} events`);
  const expected = textOf(MANY_EVENTS);
  const before = process.memoryUsage().rss;
  let peak = before;
  const watching = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 20);
  const start = performance.now();
  const text = await clients["Core Chat"](fetchOf(MANY_EVENTS, 16_384));
  const seconds = (performance.now() - start) / 1000;
  clearInterval(watching);
  peak = Math.max(peak, process.memoryUsage().rss);
  const growth = (peak - before) / 1024 / 1024;
  log(
    `  ${text === expected ? "exact" : "NOT EXACT"}, ${seconds.toFixed(1)} s (aim: under 30), ${growth.toFixed(0)} MiB more memory (aim: under 150)`,
  );
}
