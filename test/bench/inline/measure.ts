/**
 * Measures a streamed rewrite in a real VS Code while a user types elsewhere in the same file:
 * writes per second, the busy time of the extension host, and the delay of real keys in the page.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { startService } from "../../service/server";
import { launchBrowser } from "../../support/browser/browser.mjs";
import { ensureVscode } from "../../support/vscode/get.mjs";
import { serveVscode } from "../../support/vscode/serve.mjs";
import { openWorkbench } from "../../support/vscode/workbench.mjs";

const FILE_LINES = 2_000;
const ANSWER_LINES = 400;

/** Pause before each line of the reply, in milliseconds: about 150 lines a second. */
const LINE_PAUSE_MS = 5;

/** Pause between two keys, in milliseconds: that of a fast typist. */
const KEY_PAUSE_MS = 60;
const BASELINE_KEYS = 40;

/** Limits of the product's targets; the writes per second are an additional limit. */
const MAX_WRITES_A_SECOND = 8;
const MAX_BUSY_MS = 500;
const MAX_KEY_DELAY_MS = 50;

interface Probe {
  readonly writes: number;
  readonly durationMs: number;
  readonly busyMs: number;
  readonly hasAnswer: boolean;
}

interface Keys {
  readonly count: number;
  /** From the key to the end of its handlers, when the text contains the letter. */
  readonly maxDelayMs: number;
  /** From the key to the next frame. */
  readonly maxPaintMs: number;
}

/** @param extension folder of the built extension */
export async function measure(extension: string, log: (line: string) => void): Promise<void> {
  const temporary = mkdtempSync(join(tmpdir(), "core-chat-bench-inline-"));
  const workspace = join(temporary, "workspace");
  mkdirSync(workspace);
  const line = (at: number) => `line ${at} of a file with text that is long enough to matter`;
  const text = Array.from({ length: FILE_LINES }, (_, at) => line(at + 1)).join("\n");
  writeFileSync(join(workspace, "large.txt"), `${text}\n`);
  const service = await startService({ blockDelayMs: 0 });
  const rewritten = Array.from({ length: ANSWER_LINES }, (_, at) => `rewritten line ${at + 1}\n`);
  service.script({
    blocks: [{ gate: true }, "```\n", ...rewritten, "```\n"],
    delayMs: LINE_PAUSE_MS,
  });
  const readyPath = join(temporary, "ready");
  const resultPath = join(temporary, "result.json");
  const served = await serveVscode({
    vscode: await ensureVscode(),
    dataDir: join(temporary, "data"),
    smokeTest: true,
    settings: { "coreChat.baseUrl": service.url, "chat.disableAIFeatures": true },
    env: {
      ...process.env,
      CORE_CHAT_BENCH_SERVICE: service.url,
      CORE_CHAT_BENCH_READY: readyPath,
      CORE_CHAT_BENCH_RESULT: resultPath,
    },
  });
  const browser = await launchBrowser();
  try {
    const probe = join(extension, "probe.cjs");
    cpSync("test/bench/inline/probe.cjs", probe);
    const authority = new URL(served.url).host;
    const run = { isOver: false };
    const { page } = await openWorkbench({
      url: served.url,
      folder: workspace,
      browser,
      payload: [
        ["extensionDevelopmentPath", `vscode-remote://${authority}${extension}`],
        ["extensionTestsPath", `vscode-remote://${authority}${probe}`],
        ["enableProposedApi", ""],
        ["skipWelcome", "true"],
      ],
      beforeOpening: async (opened) => {
        await opened.exposeFunction("codeAutomationLog", () => undefined);
        await opened.exposeFunction("codeAutomationExit", () => (run.isOver = true));
      },
    });
    while (!existsSync(readyPath)) {
      if (run.isOver) throw new Error("the edit did not begin");
      await page.waitForTimeout(100);
    }
    await page
      .locator(".monaco-editor")
      .first()
      .click({ position: { x: 300, y: 30 } });
    const alone = await typeWhile(page, (typed) => typed < BASELINE_KEYS);
    service.releaseGate();
    const streaming = await typeWhile(page, () => !run.isOver);
    const result = JSON.parse(readFileSync(resultPath, "utf8")) as Probe;
    report(result, alone, streaming, log);
  } finally {
    await browser.close();
    await served.stop();
    await service.close();
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Presses keys and reads the delay of each from the browser's Event Timing API. */
async function typeWhile(page: Page, isOn: (typed: number) => boolean): Promise<Keys> {
  await page.evaluate(() => {
    const timings: number[][] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[]) {
        if (!/^key|^input|^beforeinput/.test(entry.name)) continue;
        timings.push([entry.processingEnd - entry.startTime, entry.duration]);
      }
    });
    observer.observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
    Object.assign(globalThis, { keyTimings: timings, keyObserver: observer });
  });
  let count = 0;
  for (; isOn(count); count++) {
    await page.keyboard.press("x");
    await page.waitForTimeout(KEY_PAUSE_MS);
  }
  const timings = await page.evaluate(() => {
    const scope = globalThis as unknown as {
      keyTimings: number[][];
      keyObserver: PerformanceObserver;
    };
    scope.keyObserver.disconnect();
    return scope.keyTimings;
  });
  // The browser does not report keys that took less than 16 ms.
  return {
    count,
    maxDelayMs: Math.max(0, ...timings.map(([delay = 0]) => delay)),
    maxPaintMs: Math.max(0, ...timings.map(([, paint = 0]) => paint)),
  };
}

function report(probe: Probe, alone: Keys, streaming: Keys, log: (line: string) => void): void {
  const seconds = probe.durationMs / 1000;
  const rate = (probe.writes - 1) / seconds; // The time is measured from the first write to the last.
  const verdict = (isHeld: boolean) => (isHeld ? "held" : "EXCEEDED");
  log(`${ANSWER_LINES} lines into a file of ${FILE_LINES} in ${seconds.toFixed(1)} s`);
  log(`load of the machine: ${loadavg()[0]?.toFixed(1) ?? "unknown"}`);
  log(`answer in place: ${probe.hasAnswer ? "yes" : "NO"}`);
  log(
    `writes: ${probe.writes}, ${rate.toFixed(1)} a second; ` +
      `limit ${MAX_WRITES_A_SECOND}: ${verdict(rate <= MAX_WRITES_A_SECOND)}`,
  );
  log(
    `extension host's processor time: ${probe.busyMs.toFixed(0)} ms in all; ` +
      `limit ${MAX_BUSY_MS} ms: ${verdict(probe.busyMs < MAX_BUSY_MS)}`,
  );
  // A busy machine delays keys anyway, so only the delay added by the edit counts.
  const addedMs = Math.max(0, streaming.maxDelayMs - alone.maxDelayMs);
  log(
    `${streaming.count} keys meanwhile: at most ${streaming.maxDelayMs.toFixed(0)} ms from key to text ` +
      `(${alone.maxDelayMs.toFixed(0)} ms without the edit, ${alone.count} keys), so the edit adds ` +
      `${addedMs.toFixed(0)} ms; limit ${MAX_KEY_DELAY_MS} ms: ${verdict(addedMs <= MAX_KEY_DELAY_MS)}`,
  );
  log(
    `from key to the next frame at most ${streaming.maxPaintMs} ms ` +
      `(${alone.maxPaintMs} ms without the edit)`,
  );
}
