/** Connects a real chat session and a real page. Times are those of the one clock of the machine. */
import type { Page as BrowserPage } from "playwright-core";
import { FakeHost } from "../../page/support/fakeHost";
import { PanelServer } from "../../page/support/panelServer";
import { realSession } from "../../page/support/realSession";
import { startService } from "../../service/server";
import { launchBrowser } from "../../support/browser/browser.mjs";
import { PanelRig } from "../../support/chat/panelRig";

const DELAYS_MS = [0, 300];
const REPLIES = 3;
const WORDS = 400;
const WORD_EACH_MS = 20;
/** Upper limit of the lag at the 95th percentile, for a line with 300 ms. */
const LIMIT_MS = 400;
const KEYS = 30;
const KEY_EACH_MS = 150;

interface Shown {
  readonly length: number;
  readonly atMs: number;
}

/** Runs in the page: records the length of the last reply's text in each frame. */
function watchText(): void {
  const shown: Shown[] = [];
  Object.assign(globalThis, { shown });
  const frame = () => {
    const body = [...document.querySelectorAll("article .reply-body")].at(-1);
    const { length } = body?.textContent ?? "";
    if (length !== shown.at(-1)?.length) shown.push({ length, atMs: Date.now() });
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

/** Returns the value below which 95 of 100 values are. */
function p95(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)] ?? NaN;
}

async function measureReply(page: BrowserPage, rig: PanelRig, ask: () => Promise<void>) {
  const arrived: Shown[] = [];
  // A page next to the host receives each text at once.
  const near = await rig.openPage();
  near.forward = (message) => {
    if (message.type !== "turn-delta") return;
    arrived.push({ length: message.offset + message.text.length, atMs: Date.now() });
    void near.post({ type: "text-asked" });
  };
  await page.evaluate(watchText);
  await ask();
  await near.until(() => near.lastReply?.isStreaming === false && arrived.length > WORDS / 4);
  near.session.disconnect();
  await page.waitForTimeout(1_500);
  const shown = await page.evaluate(() => (globalThis as unknown as { shown: Shown[] }).shown);
  // The renderer removes the space at the end.
  return arrived.flatMap(({ length, atMs }) => {
    const seen = shown.find((one) => one.atMs >= atMs && one.length >= length - 1);
    return seen === undefined ? [] : [seen.atMs - atMs];
  });
}

/** Logs the lag of each reply. */
export async function measure(log: (line: string) => void): Promise<void> {
  const server = await PanelServer.start();
  const service = await startService();
  const browser = await launchBrowser();
  try {
    for (const delayMs of DELAYS_MS) {
      const rig = new PanelRig(service.url);
      const { options } = await realSession(rig, delayMs);
      const host = await FakeHost.open(server, await browser.newContext(), options);
      const box = host.page.getByRole("textbox").first();
      for (let reply = 1; reply <= REPLIES; reply++) {
        service.script({
          blocks: Array.from({ length: WORDS }, (_, index) => `word${index} `),
          delayMs: WORD_EACH_MS,
        });
        const asked = host.receivedOf("text-asked").length;
        const isTyping = reply === REPLIES;
        const lags = await measureReply(host.page, rig, async () => {
          await box.fill("Count");
          await box.press("Enter");
          if (!isTyping) return;
          for (let key = 0; key < KEYS; key++) {
            await box.press("a");
            await host.page.waitForTimeout(KEY_EACH_MS);
          }
        });
        const value = p95(lags);
        const requests = host.receivedOf("text-asked").length - asked;
        const verdict =
          delayMs !== 300 || isTyping ? "" : value <= LIMIT_MS ? "held: " : "MISSED: ";
        log(
          `${verdict}${delayMs} ms, reply ${reply}${isTyping ? " while typing" : ""}: lag of shown text ` +
            `${Math.round(p95(lags))} ms at the 95th percentile, largest ${Math.round(Math.max(...lags))} ms, ` +
            `${lags.length} texts, ${requests} requests`,
        );
        if (isTyping) {
          const typed = await box.inputValue();
          log(
            `${typed.endsWith("a".repeat(KEYS)) ? "held" : "MISSED"}: all ${KEYS} keys are in the box`,
          );
        }
      }
      await host.page.close();
    }
  } finally {
    await browser.close();
    await service.close();
    await server.close();
  }
}
