/**
 * The measuring itself: the editor's own figures where it gives any, else the page's clock and the
 * service's clock, which are the same machine's.
 */
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Desk } from "../../support/e2e/window";
import type { Workbench } from "../../support/workbench.mjs";

/** Windows in which each of the two views is opened; in each, the first opening is told apart. */
const WINDOWS = 3;
/** Openings in each window. */
const OPENINGS = 4;
/** Tokens whose way is timed. */
const TOKENS = 200;

/** Prints all figures, one a line. */
export async function measure(log: (line: string) => void): Promise<void> {
  const desk = await Desk.open({ extensions: [resolve("test/bench/panel/emptyView")] });
  try {
    let window = await desk.openWindow();
    const first: Record<"ours" | "empty", number[]> = { ours: [], empty: [] };
    const later: Record<"ours" | "empty", number[]> = { ours: [], empty: [] };
    for (let round = 0; round < WINDOWS; round++) {
      for (const view of round % 2 === 0
        ? (["empty", "ours"] as const)
        : (["ours", "empty"] as const)) {
        if (first.ours.length + first.empty.length > 0) window = await desk.openWindow();
        await window.page.addInitScript(tellWhenShown, SHOWN);
        await delay(5_000); // VS Code's own start-up is not ours to measure
        for (let turn = 0; turn < OPENINGS; turn++) {
          (turn === 0 ? first : later)[view].push(await timeOpening(window, view));
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
    }

    await window.openChat();
    await window.runCommand("Core Chat: Set Base URL");
    await window.answerInput(desk.service.url);
    // Gone as soon as the extension knows the address.
    await window.panel.getByRole("button", { name: "Set Base URL" }).waitFor({ state: "detached" });
    const ways = await timeTokens(desk, window);
    log(
      `from a token's bytes at the socket to its paint: ${summary(ways)} (limits: median 50, p95 100)`,
    );

    log(`activation, as VS Code measured it: ${await activation(window)} (limit 50 ms)`);
  } finally {
    await desk.close();
  }
}

/**
 * From the key to the frame in which a visible page has a text box that can be seen; both ends by the
 * machine's clock, the second one taken in the page, so that nobody's looking is measured.
 */
async function timeOpening(window: Workbench, view: "ours" | "empty"): Promise<number> {
  const { page } = window;
  await page.locator(".part.editor").click();
  await page.keyboard.press("Control+K");
  const shown = page.waitForEvent("console", (message) => message.text().startsWith(SHOWN));
  const started = Date.now();
  await page.keyboard.press(view === "ours" ? "j" : "e");
  const message = await shown;
  const name = view === "ours" ? "Message" : "Empty";
  await window.panel.getByRole("textbox", { name, exact: true }).waitFor();
  return Number(message.text().slice(SHOWN.length)) - started;
}

/** What a page says on its console when it is there, with the time. */
const SHOWN = "bench: shown at ";

/** Runs in every new frame; VS Code's frame around a page gives it this id when it shows it. */
function tellWhenShown(said: string): void {
  if (window.parent === window) return;
  const look = () => {
    const shown = document.querySelector<HTMLIFrameElement>("iframe#active-frame");
    if (shown?.contentDocument?.querySelector("textarea")?.checkVisibility() !== true) {
      setTimeout(look, 2);
      return;
    }
    // A task queued from a frame runs after that frame was painted.
    requestAnimationFrame(() => setTimeout(() => console.log(said + String(Date.now())), 0));
  };
  look();
}

/** Milliseconds of each token, in order. */
async function timeTokens(desk: Desk, window: Workbench): Promise<number[]> {
  const names = Array.from({ length: TOKENS }, (_, index) => `t${index}. `);
  desk.service.script({ blocks: names.flatMap((name) => [{ gate: true as const }, name]) });
  const log = window.panel.getByRole("log", { name: "Conversation" });
  await log.evaluate(watchPaints);
  const composer = window.panel.getByRole("textbox", { name: "Message", exact: true });
  await composer.fill("Go");
  await composer.press("Enter");
  await desk.service.waitForRequest(1);
  const sentAt: number[] = [];
  for (let index = 0; index < TOKENS; index++) {
    await delay(45 + (index % 7) * 5);
    sentAt.push(Date.now());
    desk.service.releaseGate();
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

/** Runs in the page: after each change, notes the text and when the frame that shows it was done. */
function watchPaints(root: Element): void {
  const watched = globalThis as unknown as Watched;
  watched.corePaints = [];
  new MutationObserver(() => {
    const text = root.textContent;
    // A task queued from a frame runs after that frame was painted.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => watched.corePaints.push({ atMs: Date.now(), text });
      port2.postMessage(0);
    });
  }).observe(root, { childList: true, subtree: true, characterData: true });
}

/** The words of the editor's own list of running extensions. */
async function activation(window: Workbench): Promise<string> {
  await window.runCommand("Developer: Show Running Extensions");
  // Another extension there is the tests' own, named after ours.
  const row = window.page
    .locator(".runtime-extensions-editor .extension", { hasText: "Core Chat" })
    .filter({ hasNotText: "test desk" });
  await row.waitFor();
  return (await row.locator(".activation-time").innerText()).trim();
}

function summary(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return `median ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${sorted.at(-1)} ms (n=${sorted.length})`;
}
