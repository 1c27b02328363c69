/**
 * Measures activation, opening and token delay. Uses VS Code's own figures where available,
 * otherwise the clocks of the page and of the service, which run on the same machine.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { stopShared } from "../../support/e2e/sharedVscode";
import { E2eEnvironment } from "../../support/e2e/e2eEnvironment";
import { timeLongConversations, writeLongConversations } from "./longConversation";
import type { Workbench } from "../../support/vscode/workbench.mjs";

/**
 * Windows in which each of the two views is opened. The first opening in a window is listed
 * separately.
 */
const WINDOWS = 3;
/** Openings in each window. */
const OPENINGS = 4;
/** Number of measured tokens. */
const TOKENS = 200;

/** Logs all figures. */
export async function measure(log: (line: string) => void): Promise<void> {
  const environment = await E2eEnvironment.open({
    extensions: [resolve("test/bench/panel/emptyView")],
    settings: { "workbench.secondarySideBar.defaultVisibility": "hidden" },
  });
  try {
    await environment.changeSettings({ "coreChat.baseUrl": environment.service.url });
    // The first window after an installation opens the panel by itself.
    const window = await environment.openWindow();
    await window.panel.getByRole("textbox", { name: "Message", exact: true }).waitFor();
    await window.runCommand("View: Toggle Secondary Side Bar Visibility");
    await window.page.addInitScript(reportWhenShown, [SHOWN, COMPLETE]);
    const first: Openings = { ours: [], empty: [], complete: [] };
    const later: Openings = { ours: [], empty: [], complete: [] };
    for (let round = 0; round < WINDOWS; round++) {
      for (const view of round % 2 === 0
        ? (["empty", "ours"] as const)
        : (["ours", "empty"] as const)) {
        await delay(8_000); // VS Code stores the state of a window every five seconds.
        await window.page.reload();
        await delay(5_000); // VS Code's own start is not measured.
        assert.ok(!(await window.page.locator(".part.auxiliarybar").isVisible()), "it is open");
        for (let turn = 0; turn < OPENINGS; turn++) {
          const times = turn === 0 ? first : later;
          const { shownMs, completeMs } = await timeOpening(window, view);
          times[view].push(shownMs);
          if (completeMs !== undefined) times.complete.push(completeMs);
          await window.runCommand("View: Toggle Secondary Side Bar Visibility");
          await delay(500);
        }
      }
    }
    for (const [name, times] of Object.entries({ first, later })) {
      const limit = name === "first" ? " (limit 500)" : "";
      log(
        `${name} opening, from the key to the frame that shows a box one can type in: ${summary(times.ours)}${limit}`,
      );
      log(`  an empty view beside it: ${summary(times.empty)}`);
      log(`  ours until the conversation and the models are there: ${summary(times.complete)}`);
    }

    await window.openChat();
    const delays = await timeTokens(environment, window);
    log(
      `from a token's bytes at the socket to its paint: ${summary(delays)} (limits: median 50, p95 100)`,
    );

    log(`activation, as VS Code measured it: ${await activation(window)} (limit 50 ms)`);
  } finally {
    await environment.close();
  }
  const folder = mkdtempSync(join(tmpdir(), "core-chat-bench-"));
  writeLongConversations(folder);
  const settings = { "coreChat.history.folder": folder };
  const longEnvironment = await E2eEnvironment.open({ settings });
  try {
    await longEnvironment.changeSettings({ "coreChat.baseUrl": longEnvironment.service.url });
    const window = await longEnvironment.openWindow();
    await window.openChat();
    const { durations, longTasks } = await timeLongConversations(window);
    log(
      `end of a conversation of 2,000 turns, from the list: ${durations.join(", ")} ms (limit 300)`,
    );
    log(
      `  tasks of 50 ms or more while it scrolls: ${longTasks.join(", ") || "none"} (limit: none)`,
    );
  } finally {
    await longEnvironment.close();
    await stopShared();
    rmSync(folder, { recursive: true });
  }
}

/** Durations of openings, in milliseconds. */
interface Openings {
  readonly ours: number[];
  readonly empty: number[];
  /** Durations of Core Chat's openings until all data is shown. */
  readonly complete: number[];
}

/**
 * Measures the time from the key to the frame with a visible text box and, for Core Chat, to the
 * frame that shows the host's data. Both times come from the machine's clock; the page itself takes
 * the second time, so that the observation is not measured.
 */
async function timeOpening(window: Workbench, view: "ours" | "empty") {
  const { page } = window;
  await page.locator(".part.editor").click();
  await page.keyboard.press("Control+K");
  const logged = (prefix: string) =>
    page.waitForEvent("console", (message) => message.text().startsWith(prefix));
  const shown = logged(SHOWN);
  const complete = view === "ours" ? logged(COMPLETE) : undefined;
  const started = Date.now();
  await page.keyboard.press(view === "ours" ? "j" : "e");
  const shownAt = Number((await shown).text().slice(SHOWN.length));
  const completeAt = complete && Number((await complete).text().slice(COMPLETE.length));
  const name = view === "ours" ? "Message" : "Empty";
  await window.panel.getByRole("textbox", { name, exact: true }).waitFor();
  return { shownMs: shownAt - started, completeMs: completeAt && completeAt - started };
}

/** Prefixes of the console messages in which a page reports these times. */
const SHOWN = "bench: shown at ";
const COMPLETE = "bench: complete at ";

/** Runs in every new frame. VS Code gives the frame of a visible webview this id. */
function reportWhenShown([shown, complete]: readonly string[]): void {
  if (window.parent === window) return;
  const reportWhenVisible = (selector: string, prefix: string | undefined) => {
    const page = document.querySelector<HTMLIFrameElement>("iframe#active-frame")?.contentDocument;
    if (page?.querySelector(selector)?.checkVisibility() !== true) {
      setTimeout(() => reportWhenVisible(selector, prefix), 2);
      return;
    }
    // A task queued in an animation frame runs after that frame was painted.
    requestAnimationFrame(() => setTimeout(() => console.log(`${prefix}${Date.now()}`), 0));
  };
  reportWhenVisible("textarea", shown);
  reportWhenVisible(".model-picker select", complete);
}

/** Returns the delay of each token in milliseconds, in order. */
async function timeTokens(environment: E2eEnvironment, window: Workbench): Promise<number[]> {
  const names = Array.from({ length: TOKENS }, (_, index) => `t${index}. `);
  environment.service.script({ blocks: names.flatMap((name) => [{ gate: true as const }, name]) });
  const log = window.panel.getByRole("log", { name: "Conversation" });
  await log.evaluate(watchPaints);
  const composer = window.panel.getByRole("textbox", { name: "Message", exact: true });
  await composer.fill("Go");
  await composer.press("Enter");
  await environment.service.waitForRequest(1);
  const sentAt: number[] = [];
  for (let index = 0; index < TOKENS; index++) {
    await delay(45 + (index % 7) * 5);
    sentAt.push(Date.now());
    environment.service.releaseGate();
  }
  await window.panel
    .getByRole("article")
    .getByText(`t${TOKENS - 1}.`)
    .waitFor();
  await delay(200);
  const paints = await log.evaluate(() => (globalThis as unknown as Watched).corePaints);
  return sentAt.map((at, index) => {
    const paint = paints.find(({ text }) => text.includes(`t${index}.`));
    if (paint === undefined) throw new Error(`token ${index} was never painted`);
    return paint.atMs - at;
  });
}

interface Watched {
  corePaints: { atMs: number; text: string }[];
}

/**
 * Runs in the page: after each change, records the text and the time at which its frame was done.
 */
function watchPaints(root: Element): void {
  const watched = globalThis as unknown as Watched;
  watched.corePaints = [];
  new MutationObserver(() => {
    const text = root.textContent;
    // A task queued in an animation frame runs after that frame was painted.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => watched.corePaints.push({ atMs: Date.now(), text });
      port2.postMessage(0);
    });
  }).observe(root, { childList: true, subtree: true, characterData: true });
}

/** Returns the activation time from VS Code's list of running extensions. */
async function activation(window: Workbench): Promise<string> {
  await window.runCommand("Developer: Show Running Extensions");
  // The tests' helper extension has a similar name.
  const row = window.page
    .locator(".runtime-extensions-editor .extension", { hasText: "Core Chat" })
    .filter({ hasNotText: "test helper" });
  // The list renders only the visible rows, the slowest extension first.
  await window.page.locator(".runtime-extensions-editor .monaco-list").focus();
  for (let tries = 0; tries < 20 && !(await row.isVisible()); tries++) {
    await window.page.keyboard.press("PageDown");
    await delay(100);
  }
  return (await row.locator(".activation-time").innerText()).trim();
}

function summary(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return `median ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${sorted.at(-1)} ms (n=${sorted.length})`;
}
