/**
 * Measures the tasks of the panel's page that draw a hundred boxes of a reply over a screenshot of
 * 7680×4320: below the reply, and in the viewer.
 */
import type { Locator } from "playwright-core";
import type { E2eEnvironment } from "../../support/e2e/e2eEnvironment";
import type { Workbench } from "../../support/vscode/workbench.mjs";
import { replaceRegionTool } from "./regionTool";
import { drawScreenshot } from "./screenshot";

const BOXES = 100;
const ROUNDS = 3;

interface Watched {
  coreTasks: number[];
  coreObserver: PerformanceObserver;
}

/** Logs the longest task of each step. @param programs first folder on VS Code's PATH */
export async function measureOverlay(
  environment: E2eEnvironment,
  window: Workbench,
  programs: string,
  log: (line: string) => void,
): Promise<void> {
  const { panel } = window;
  const { png } = await drawScreenshot(window.context, 7680, 4320);
  replaceRegionTool(programs, png);
  const box = panel.getByRole("textbox", { name: "Message", exact: true });
  const longest = { below: [] as number[], viewer: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    await window.runCommand("Core Chat: New Conversation");
    await panel.getByRole("button", { name: "Take screenshot", exact: true }).click();
    await panel.getByRole("list", { name: "Attachments" }).getByRole("listitem").waitFor();
    environment.service.script({ blocks: [reply(), { gate: true }, "\nThese are all."] });
    await box.fill("Where are the words?");
    await box.press("Enter");
    await panel.getByText("word 99").first().waitFor();
    await box.evaluate(watchTasks);
    environment.service.releaseGate();
    await panel
      .locator(".pointed-picture .point-box")
      .nth(BOXES - 1)
      .waitFor();
    await panel.locator(".pointed-picture img").waitFor();
    longest.below.push(await longestTask(box));
    await box.evaluate(watchTasks);
    await panel.locator(".pointed-picture .point-box").first().press("Enter");
    await panel
      .locator("dialog .point-box")
      .nth(BOXES - 1)
      .waitFor();
    longest.viewer.push(await longestTask(box));
    await window.page.keyboard.press("Escape");
    await panel.locator("dialog").waitFor({ state: "detached" });
  }
  const list = (values: readonly number[]) => values.map((ms) => ms.toFixed(0)).join(", ");
  log(`${BOXES} boxes on 7680×4320, longest task of each round (limit 50; 0: none over 50)`);
  log(`  below the reply: ${list(longest.below)} ms; in the viewer: ${list(longest.viewer)} ms`);
}

function reply(): string {
  const boxes = Array.from({ length: BOXES }, (_, index) => {
    const [x, y] = [(index % 10) * 100 + 5, Math.floor(index / 10) * 100 + 5];
    return { bbox_2d: [x, y, x + 80, y + 60], label: `word ${index}` };
  });
  return `\`\`\`json\n${JSON.stringify(boxes, null, 1)}\n\`\`\`\n`;
}

/** Runs in the panel: collects tasks over 50 ms from now on, without those of VS Code's own page. */
function watchTasks(): void {
  const watched = globalThis as unknown as Watched;
  watched.coreTasks = [];
  watched.coreObserver = new PerformanceObserver((list) => {
    for (const { duration, name } of list.getEntries()) {
      if (name !== "same-origin-ancestor") watched.coreTasks.push(duration);
    }
  });
  watched.coreObserver.observe({ type: "longtask" });
}

/**
 * Returns the longest task since `watchTasks`, after a pause. Throws if a task of 80 ms that it adds is
 * not reported, because then nothing was measured.
 */
async function longestTask(box: Locator): Promise<number> {
  return await box.evaluate(async () => {
    const pause = () => new Promise((resolve) => setTimeout(resolve, 1_500));
    await pause();
    const watched = globalThis as unknown as Watched;
    const longest = Math.max(0, ...watched.coreTasks);
    setTimeout(() => {
      const untilMs = performance.now() + 80;
      while (performance.now() < untilMs);
    });
    await pause();
    watched.coreObserver.disconnect();
    if (!watched.coreTasks.some((duration) => duration >= 80)) throw new Error("nothing measured");
    return longest;
  });
}
