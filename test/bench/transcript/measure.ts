/**
 * The measuring itself, by the page's own clock: a frame is done when a task that was queued from
 * it runs.
 */
import { randomBytes } from "node:crypto";
import type { CDPSession } from "playwright-core";
import { launchBrowser } from "../../page/support/browser";
import { FakeHost, question, reply } from "../../page/support/fakeHost";
import { PanelServer } from "../../page/support/panelServer";
import { madePng } from "../../support/pictures/madePng";
import type { MessageView } from "../../../src/bridge/views";

const MESSAGES = 2_000;
const PICTURES = 100;
/** Frames in which the whole conversation is scrolled through. */
const FRAMES = 600;
const KEYSTROKES = 60;

const WIDTH_PX = 2560;
const HEIGHT_PX = 1440;

/** Prints all figures, one a line. */
export async function measure(log: (line: string) => void): Promise<void> {
  const server = await PanelServer.start();
  const browser = await launchBrowser();
  try {
    const host = await FakeHost.open(server, await browser.newContext(), { widthPx: 420 });
    const bytes = Uint8Array.from(madePng(WIDTH_PX, HEIGHT_PX));
    host.answer = { isAccepted: true, picture: { mediaType: "image/png", bytes } };
    const { page } = host;
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Performance.enable");
    // What comes after the first paint: the Markdown driver.
    await page.waitForFunction(() => performance.getEntriesByType("resource").length > 0);
    const messages = conversation();
    log(`${(JSON.stringify(messages).length / 1e6).toFixed(1)} MB of messages`);
    log(`before: ${await memory(cdp)}`);

    await page.evaluate(watchOpening, `[data-message-id="${messages.at(-1)!.id}"]`);
    await host.show({ conversationId: "long", messages });
    const openedMs = await page.evaluate(() => (globalThis as unknown as Watched).coreOpened);
    log(
      `from the message that brings it to the paint of its end: ${openedMs.toFixed(0)} ms (limit 1000)`,
    );
    log(`opened: ${await memory(cdp)}`);

    for (const direction of [-1, 1] as const) {
      const frames = await page.evaluate(scrollThrough, { direction, count: FRAMES });
      log(
        `scrolling ${direction < 0 ? "up" : "down"} through it in ${FRAMES} frames: ${framesText(frames)}`,
      );
    }
    log(`scrolled through: ${await memory(cdp)}`);

    const box = page.getByRole("textbox", { name: "Message" });
    await box.focus();
    await page.evaluate(watchKeys);
    for (let index = 0; index < KEYSTROKES; index++) await page.keyboard.press("a", { delay: 20 });
    const keys = await page.evaluate(() => (globalThis as unknown as Watched).coreKeys);
    log(`from a keystroke to its paint: ${summary(keys)} (limit 16)`);
  } finally {
    await browser.close();
    await server.close();
  }
}

interface Watched {
  coreOpened: Promise<number>;
  coreKeys: number[];
}

/** Runs in the page: a promise of the time from the next message to the paint that shows `selector`. */
function watchOpening(selector: string): void {
  const watched = globalThis as unknown as Watched;
  watched.coreOpened = new Promise((resolve) => {
    addEventListener(
      "message",
      () => {
        const started = performance.now();
        const look = () => {
          const isThere = document.querySelector(selector) !== null;
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => {
            if (isThere) resolve(performance.now() - started);
            else requestAnimationFrame(look);
          };
          port2.postMessage(0);
        };
        requestAnimationFrame(look);
      },
      { once: true, capture: true },
    );
  });
}

/** Runs in the page: the milliseconds between frames while the whole transcript passes by. */
async function scrollThrough(order: { direction: -1 | 1; count: number }): Promise<number[]> {
  const log = document.querySelector<HTMLElement>('[role="log"]')!;
  let box: HTMLElement = log;
  while (box.scrollHeight <= box.clientHeight && box.parentElement) box = box.parentElement;
  const step = box.scrollHeight / order.count;
  const frames: number[] = [];
  let before = await new Promise<number>(requestAnimationFrame);
  for (let index = 0; index < order.count; index++) {
    box.scrollTop += order.direction * step;
    const now = await new Promise<number>(requestAnimationFrame);
    frames.push(now - before);
    before = now;
  }
  return frames;
}

/** Runs in the page: notes for each key the time until the frame that shows it was done. */
function watchKeys(): void {
  const watched = globalThis as unknown as Watched;
  watched.coreKeys = [];
  addEventListener(
    "keydown",
    ({ timeStamp }) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => watched.coreKeys.push(performance.now() - timeStamp);
        port2.postMessage(0);
      });
    },
    true,
  );
}

async function memory(cdp: CDPSession): Promise<string> {
  await cdp.send("HeapProfiler.collectGarbage");
  const { metrics } = await cdp.send("Performance.getMetrics");
  const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return `${(value("JSHeapUsedSize") / 1e6).toFixed(1)} MB of script memory, ${value("Nodes")} nodes`;
}

function conversation(): MessageView[] {
  const messages: MessageView[] = [];
  for (let index = 0; index < MESSAGES / 2; index++) {
    const hash = randomBytes(32).toString("hex");
    const hasPicture = index % (MESSAGES / 2 / PICTURES) === 0;
    const chips = hasPicture
      ? [
          {
            kind: "picture" as const,
            label: `screen-${index}.png`,
            detail: `${WIDTH_PX}×${HEIGHT_PX}`,
            picture: { hash, widthPx: WIDTH_PX, heightPx: HEIGHT_PX },
          },
        ]
      : [];
    messages.push(question(`q${index}`, `Question ${index}: why is that?`, { chips }));
    messages.push(reply(`r${index}`, answer(index)));
  }
  return messages;
}

function answer(index: number): string {
  return (
    `Answer ${index}: the **reason** is in \`step${index}\`, which is called twice.\n\n` +
    `\`\`\`ts\nexport function step${index}(count: number): number {\n  return count + ${index};\n}\n\`\`\`\n\n` +
    `1. Call it once.\n2. Keep what it gives.\n\n| before | after |\n| --- | --- |\n| ${index} | ${index + 1} |\n\n` +
    "A last paragraph says what to look at next, and is long enough to wrap in a narrow panel.\n"
  );
}

function framesText(frames: readonly number[]): string {
  const late = frames.filter((ms) => ms > 20).length;
  return `${summary(frames)}, ${late} of ${frames.length} took more than 20 ms`;
}

function summary(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
  return `median ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms, max ${sorted.at(-1)!.toFixed(1)} ms`;
}
