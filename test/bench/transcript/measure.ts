/**
 * Measures by the page's own clock; a frame is done when a task queued from it runs. In any page, a
 * keystroke waits for the next of 60 frames per second. The delay added by the panel is therefore
 * compared with a page that contains only a text box, in alternating turns.
 */
import { randomBytes } from "node:crypto";
import type { Browser, CDPSession, Page } from "playwright-core";
import { launchBrowser } from "../../support/browser/browser.mjs";
import { FakeHost, question, reply } from "../../page/support/fakeHost";
import { PanelServer } from "../../page/support/panelServer";
import { madePng } from "../../support/pictures/madePng";
import type { MessageView } from "../../../src/protocol/views";

const MESSAGES = 5_000;
const PICTURES = 100;
/** Number of frames for scrolling through the whole conversation: about 30,000 px per second. */
const FRAMES = 600;
/** Messages of the conversation in which the keys jump, and number of jumps of each key. */
const JUMP_MESSAGES = 2_000;
const JUMPS = 500;
/** Place at which the conversation is opened for the keys that go down; the others start at its end. */
const TOP = { messageId: "q0", offsetPx: 0 };
const JUMP_COMMANDS = [
  { command: "previous-question", scroll: undefined },
  { command: "previous-code-block", scroll: undefined },
  { command: "next-question", scroll: TOP },
  { command: "next-code-block", scroll: TOP },
];
/** Distance of a strong turn of the wheel per frame, in CSS pixels. */
const WHEEL_STEP_PX = 120;
/** Keystrokes per turn, and turns of each page. */
const KEYSTROKES = 20;
const TURNS = 5;

const WIDTH_PX = 2560;
const HEIGHT_PX = 1440;

/** Logs all figures. */
export async function measure(log: (line: string) => void): Promise<void> {
  const server = await PanelServer.start();
  const browser = await launchBrowser();
  try {
    const host = await FakeHost.open(server, await browser.newContext(), { widthPx: 420 });
    const { page } = host;
    await page.evaluate(answerPictures, madePng(WIDTH_PX, HEIGHT_PX).toString("base64"));
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Performance.enable");
    // The Markdown renderer loads after the first paint.
    await page.waitForFunction(() => performance.getEntriesByType("resource").length > 0);
    const messages = conversation();
    log(`${(JSON.stringify(messages).length / 1e6).toFixed(1)} MB of messages`);
    log(`before: ${await memory(cdp)}`);

    const panel = new Typing(page, cdp);
    const bare = await Typing.inBarePage(browser);
    await page.bringToFront();
    const before = await mainThread(cdp);
    await page.evaluate(watchOpening, `[data-message-id="${messages.at(-1)!.id}"]`);
    await host.show({ conversationId: "long", messages });
    const openedMs = await page.evaluate(() => (globalThis as unknown as Watched).coreOpened);
    log(
      `from the message that brings it to the paint of its end: ${openedMs.toFixed(0)} ms (limit 1000)`,
    );
    await page.locator(".reply-body:not(.is-plain) pre span").last().waitFor();
    log(`until its end is rendered and idle: ${spent(before, await mainThread(cdp))} (limit 1000)`);
    log(`opened: ${await memory(cdp)}`);

    await typeByTurns(panel, bare);
    log(
      `a keystroke's work: ${panel.workText()} (limit 16), in a bare text box ${bare.workText()}`,
    );
    log(`from a keystroke to its paint: ${summary(panel.keysMs)}`);
    log(`the same in a bare text box:   ${summary(bare.keysMs)}`);
    const ratio = median(panel.keysMs) / median(bare.keysMs);
    log(`medians to the paint: ${ratio.toFixed(2)} times the bare text box's`);

    const beforeFind = await mainThread(cdp);
    await page.keyboard.press("Control+f");
    await page.waitForFunction(
      (count) => document.querySelectorAll("article").length >= count,
      MESSAGES,
    );
    await page.keyboard.press("Escape");
    log(
      `all messages, to find text: ${spent(beforeFind, await mainThread(cdp))}; ${await memory(cdp)}`,
    );
    const panelWithAll = new Typing(page, cdp);
    await typeByTurns(panelWithAll, bare);
    log(`a keystroke's work with all messages: ${panelWithAll.workText()} (limit 16)`);

    for (const direction of [-1, 1] as const) {
      const way = direction < 0 ? "up" : "down";
      const wheel = { direction, count: FRAMES, stepPx: WHEEL_STEP_PX };
      log(`scrolling ${way} by the wheel: ${framesText(await page.evaluate(scroll, wheel))}`);
      await page.evaluate(scroll, { direction: -direction, count: 1, stepPx: 1e6 });
      const fling = { direction, count: FRAMES };
      log(`scrolling ${way} through all of it: ${framesText(await page.evaluate(scroll, fling))}`);
    }
    log(`scrolled through: ${await memory(cdp)}`);
    const jumpMessages = messages.slice(0, JUMP_MESSAGES);
    for (const { command, scroll } of JUMP_COMMANDS) {
      const more = scroll && { scroll };
      await host.show({ conversationId: `jumps ${command}`, messages: jumpMessages, ...more });
      await page
        .locator(`[data-message-id="${scroll?.messageId ?? jumpMessages.at(-1)!.id}"]`)
        .waitFor();
      const jumps = await page.evaluate(jump, { command, count: JUMPS, nextSeq: host.skip(JUMPS) });
      const late = jumps.filter((frames) => frames > 1).length;
      log(
        `${JUMPS} × ${command} in ${JUMP_MESSAGES} messages, with the band: ` +
          `${late} showed their target after more than one frame (limit 0), at most ${Math.max(...jumps)}`,
      );
    }
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Types into the panel and into the bare page, one after the other. */
async function typeByTurns(panel: Typing, bare: Typing): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) {
    await panel.type();
    await bare.type();
  }
  await panel.page.bringToFront();
}

/** Types into a page and records the durations. */
class Typing {
  readonly keysMs: number[] = [];
  private readonly work: MainThread = { clockMs: 0, processorMs: 0 };
  private keyCount = 0;

  constructor(
    readonly page: Page,
    private readonly cdp: CDPSession,
  ) {}

  static async inBarePage(browser: Browser): Promise<Typing> {
    const page = await browser.newPage();
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Performance.enable");
    await page.setContent('<textarea style="field-sizing: content"></textarea>');
    await page.getByRole("textbox").focus();
    return new Typing(page, cdp);
  }

  async type(): Promise<void> {
    const { page } = this;
    await page.bringToFront();
    await page.getByRole("textbox").first().focus();
    await page.evaluate(watchKeys);
    const before = await mainThread(this.cdp);
    for (let index = 0; index < KEYSTROKES; index++) await page.keyboard.press("a", { delay: 20 });
    const keysMs = await page.evaluate(() => (globalThis as unknown as Watched).coreKeys);
    const after = await mainThread(this.cdp);
    this.work.clockMs += after.clockMs - before.clockMs;
    this.work.processorMs += after.processorMs - before.processorMs;
    this.keyCount += KEYSTROKES;
    this.keysMs.push(...keysMs);
  }

  /** Returns the main thread's time per keystroke, including its frame. */
  workText(): string {
    const { clockMs, processorMs } = this.work;
    const [clock, processor] = [clockMs, processorMs].map((ms) => (ms / this.keyCount).toFixed(1));
    return `${clock} ms of the main thread, ${processor} ms of them of the processor`;
  }
}

/** Time of the main thread in tasks. */
interface MainThread {
  clockMs: number;
  processorMs: number;
}

async function mainThread(cdp: CDPSession): Promise<MainThread> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  const msOf = (wanted: string) => 1000 * (metrics.find(({ name }) => name === wanted)?.value ?? 0);
  return { clockMs: msOf("TaskDuration"), processorMs: msOf("ThreadTime") };
}

function spent(before: MainThread, after: MainThread): string {
  const clockMs = (after.clockMs - before.clockMs).toFixed(0);
  const processorMs = (after.processorMs - before.processorMs).toFixed(0);
  return `${clockMs} ms of the main thread, ${processorMs} ms of them of the processor`;
}

/**
 * Runs in the page: answers picture requests with these bytes as VS Code does, because the debugger
 * protocol would send megabytes of JSON.
 */
function answerPictures(base64: string): void {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const own = globalThis as unknown as { receiveFromPage: (envelope: unknown) => void };
  const { receiveFromPage } = own;
  own.receiveFromPage = (envelope) => {
    const { id, message } = envelope as { id?: string; message?: { type: string } };
    if (message?.type !== "picture-asked") receiveFromPage(envelope);
    else {
      const reply = { isAccepted: true, picture: { mediaType: "image/png", bytes } };
      window.postMessage({ kind: "reply", id, message: reply }, self.origin);
    }
  };
}

interface Watched {
  coreOpened: Promise<number>;
  coreKeys: number[];
}

/**
 * Runs in the page: sets a promise of the time from the next message to the paint that shows
 * `selector`.
 */
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

/**
 * Runs in the page: scrolls and returns the milliseconds between frames; without a step, scrolls
 * through the whole transcript.
 */
async function scroll(order: {
  direction: number;
  count: number;
  stepPx?: number;
}): Promise<number[]> {
  const box = document.querySelector<HTMLElement>('[role="log"]')!;
  const step = order.stepPx ?? box.scrollHeight / order.count;
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

/**
 * Runs in the page: sends a command again and again; returns for each the number of frames until the
 * focus is on another element inside the visible area.
 */
async function jump(order: { command: string; count: number; nextSeq: number }): Promise<number[]> {
  const log = document.querySelector<HTMLElement>('[role="log"]')!;
  const frames: number[] = [];
  for (let index = 0; index < order.count; index++) {
    const before = document.activeElement;
    const message = { type: "navigation-asked", command: order.command };
    window.postMessage({ kind: "event", seq: order.nextSeq + index, message }, self.origin);
    // The message itself is a task of its own.
    await new Promise((resolve) => addEventListener("message", resolve, { once: true }));
    let count = 0;
    for (let isShown = false; !isShown && count < 60; count++) {
      await new Promise(requestAnimationFrame);
      const { port1, port2 } = new MessageChannel();
      await new Promise((resolve) => {
        port1.onmessage = resolve;
        port2.postMessage(0);
      });
      const target = document.activeElement;
      const { top } = target?.getBoundingClientRect() ?? { top: NaN };
      const box = log.getBoundingClientRect();
      isShown = target !== before && top >= box.top - 1 && top < box.bottom;
    }
    frames.push(count);
  }
  return frames;
}

/** Runs in the page: records the time from each key to the end of its frame. */
function watchKeys(): void {
  const watched = globalThis as unknown as Watched;
  watched.coreKeys = [];
  onkeydown = ({ timeStamp }) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => watched.coreKeys.push(performance.now() - timeStamp);
      port2.postMessage(0);
    });
  };
}

async function memory(cdp: CDPSession): Promise<string> {
  await cdp.send("HeapProfiler.collectGarbage");
  const { metrics } = await cdp.send("Performance.getMetrics");
  const bytes = metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? 0;
  const { result } = await cdp.send("Runtime.evaluate", {
    expression: "document.evaluate('count(//node())', document, null, 1).numberValue",
  });
  return `${(bytes / 1e6).toFixed(1)} MB of script memory, ${String(result.value)} nodes`;
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

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

function summary(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
  return `median ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms, max ${sorted.at(-1)!.toFixed(1)} ms`;
}
