/**
 * Measures pastes by the clock and the long tasks of the panel's page. The service records the
 * arrival of the request with the same clock.
 */
import type { FrameLocator } from "playwright-core";
import { stopShared } from "../../support/e2e/sharedVscode";
import { E2eEnvironment } from "../../support/e2e/e2eEnvironment";
import { samePixels } from "../../support/pictures/samePixels";
import type { Workbench } from "../../support/vscode/workbench.mjs";
import { measureDocument } from "./documents";
import { measureHostile } from "./hostile";
import { measureOverlay } from "./overlay";
import { measureRegionTool } from "./regionTool";
import { compareRules } from "./rules";
import { drawScreenshot } from "./screenshot";

/** Number of measured pastes; the first, which loads the worker, is listed separately. */
const ROUNDS = 6;

/** Logs all figures. */
export async function measure(log: (line: string) => void): Promise<void> {
  measureHostile(log);
  const environment = await E2eEnvironment.open();
  const { programs } = environment;
  try {
    environment.changeSettings({ "coreChat.baseUrl": environment.service.url });
    const window = await environment.openWindow();
    await window.openChat();
    const screenshot = await drawScreenshot(window.context, 3840, 2160);
    await window.putPictureOnClipboard(screenshot.png);
    log(`a screenshot of 3840×2160, ${Math.round(screenshot.png.length / 1000)} KB as PNG`);
    const times: Times[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      times.push(await pasteAndSend(environment, window));
      const { body } = environment.service.requests.at(-1)!;
      if (!(await samePixels(window.context, body, screenshot.png))) throw new Error("not it");
      environment.service.reset();
      await window.runCommand("Core Chat: New Conversation");
      await window.panel.getByRole("article").first().waitFor({ state: "detached" });
    }
    const [first, ...later] = times;
    for (const [name, some] of [["the first", [first!]] as const, ["later", later] as const]) {
      log(`${name}: from paste to chip ${summary(some.map(({ chip }) => chip))} (limit 400)`);
      log(
        `${name}: and to the request ${summary(some.map(({ request }) => request))} (limit 1000)`,
      );
      log(`${name}: longest task ${summary(some.map(({ task }) => task))} (limit 100)`);
    }
    await measureRegionTool(window, programs, log);
    await measureOverlay(environment, window, programs, log);
    await measureDocument(window, log);
    const page = await window.context.newPage();
    for (const [width, height] of [
      [2560, 1440],
      [3840, 2160],
    ] as const) {
      await compareRules(page, await drawScreenshot(window.context, width, height), log);
    }
  } finally {
    await environment.close();
    await stopShared();
  }
}

/** Durations of a paste, in milliseconds. */
interface Times {
  /** From the paste event to the frame that shows the chip. */
  readonly chip: number;
  /** The same, plus the time from Enter to the arrival of the request. */
  readonly request: number;
  /** Longest task of the page's thread during the paste. */
  readonly task: number;
}

interface Watched {
  corePasted: number;
  coreEntered: number;
  coreTask: number;
  coreStop: () => void;
  coreChip: Promise<number>;
}

async function pasteAndSend(environment: E2eEnvironment, window: Workbench): Promise<Times> {
  const box = window.panel.getByRole("textbox", { name: "Message", exact: true });
  await box.fill("What is this?");
  await box.evaluate(watch);
  await box.focus();
  await window.page.keyboard.press("Control+V");
  const chip = await box.evaluate(() => (globalThis as unknown as Watched).coreChip);
  await window.page.keyboard.press("Enter");
  const { receivedAtMs } = await environment.service.waitForRequest(1);
  await untilIdle(window.panel);
  const { entered, task } = await box.evaluate(() => {
    const watched = globalThis as unknown as Watched;
    watched.coreStop();
    return { entered: watched.coreEntered, task: watched.coreTask };
  });
  return { chip, request: chip + receivedAtMs - entered, task };
}

/** Runs in the panel: records the paste, the paint of the chip, Enter and long tasks. */
function watch(): void {
  const watched = globalThis as unknown as Watched;
  watched.coreTask = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration, name } of list.getEntries()) {
      // VS Code's own page shares the thread; its tasks between two pastes do not count.
      if (name !== "same-origin-ancestor") watched.coreTask = Math.max(watched.coreTask, duration);
    }
  });
  observer.observe({ type: "longtask" });
  watched.coreStop = () => observer.disconnect();
  const capture = { capture: true, once: true };
  watched.coreChip = new Promise((resolve) => {
    addEventListener(
      "paste",
      ({ timeStamp }) => {
        const look = () => {
          if (document.querySelector(".attachment .thumbnail") === null)
            requestAnimationFrame(look);
          else requestAnimationFrame(() => resolve(performance.now() - timeStamp));
        };
        look();
      },
      capture,
    );
  });
  addEventListener(
    "keydown",
    function onKey(event) {
      if (event.key !== "Enter") return;
      watched.coreEntered = performance.timeOrigin + event.timeStamp;
      removeEventListener("keydown", onKey, true);
    },
    true,
  );
}

async function untilIdle(panel: FrameLocator): Promise<void> {
  await panel.locator('article[aria-busy="true"]').waitFor({ state: "detached" });
  await panel.locator(".question .thumbnail img[src^='blob:']").first().waitFor();
}

function summary(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)]!;
  return `median ${median.toFixed(0)} ms, worst ${sorted.at(-1)!.toFixed(0)} ms`;
}
