/** Tests the states of the screenshots, and four more, in every theme and at the smallest width. */
import assert from "node:assert/strict";
import { madePng } from "../support/pictures/madePng";
import { withLanguage } from "../support/fakes/fakeVscode";
import { SAMPLE_TEXTS } from "../screenshots/sampleTexts";
import { STATES, type Language, type State } from "../screenshots/states";
import { violationsInEveryTheme } from "./support/everyTheme";
import { question, reply, type FakeHost, type OpenOptions } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const bytes = Uint8Array.from(madePng(1600, 1000));
const answer = { isAccepted: true, picture: { mediaType: "image/png", bytes } };

const shown = (texts: { readonly reply: string }) => ({
  messages: [question("q1", "Why?"), reply("r1", texts.reply)],
});

const OTHER_STATES: readonly State[] = [
  {
    name: "menu of a code block",
    shown,
    reach: async ({ page }) => {
      await page.locator("[data-code-action=menu]").click();
      await page.locator(".menu-item").first().waitFor();
    },
  },
  {
    name: "details of the context",
    shown,
    reach: async (host) => {
      const counts = { system: 40, history: 29_100, files: 380, pictures: 0, question: 24 };
      const meter = { ...counts, budget: 32_000, leftOut: "", olderPictures: 0 };
      await host.send({ type: "meter-changed", meter: { ...meter, olderPicturesLeftOut: [] } });
      await host.page.locator(".context-ring button").click();
      await host.page.locator(".context-details").waitFor();
    },
  },
  {
    name: "thinking that is open",
    shown: (texts) => ({
      messages: [
        question("q1", "Why?"),
        reply("r1", texts.reply, {
          thinking: { text: texts.tableReply, durationMs: 4_000, isOngoing: false },
        }),
      ],
    }),
    reach: async ({ page }) => {
      await page.locator(".thinking-toggle").click();
      await page.locator(".thinking-region table").waitFor();
    },
  },
  {
    name: "files over the panel",
    shown,
    reach: async ({ page }) => {
      await page.evaluate(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["a"], "a.md"));
        const options = { bubbles: true, cancelable: true, dataTransfer };
        document.body.dispatchEvent(new DragEvent("dragover", options));
      });
      await page.locator(".drop-overlay").waitFor();
    },
  },
];

describe("every state of the screenshots", () => {
  const open = usePanel();

  async function openState(state: State, options: OpenOptions): Promise<FakeHost> {
    const language: Language = options.language === "zh-cn" ? "zh-cn" : "en";
    const texts = SAMPLE_TEXTS[language];
    const first = withLanguage(language, () => state.shown(texts));
    const host = await open({ ...options, shown: first, answer });
    await state.reach?.(host, texts, (read) => withLanguage(language, read));
    return host;
  }

  for (const state of [...STATES, ...OTHER_STATES]) {
    it(`has no axe violations in any theme: ${state.name}`, async () => {
      const host = await openState(state, { theme: "dark" });
      assert.deepEqual(await violationsInEveryTheme(host), []);
    });

    it(`needs no horizontal scrolling at 250 px in Chinese: ${state.name}`, async () => {
      const { page } = await openState(state, { widthPx: 250, language: "zh-cn" });
      assert.deepEqual(await page.evaluate(sticksOut), []);
    });
  }
});

/** Returns elements that are wider than the page, except those that scroll themselves. */
function sticksOut(): string[] {
  const found: string[] = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push("page");
  const log = document.querySelector("[role=log]");
  if (log && log.scrollWidth > log.clientWidth) found.push("conversation");
  for (const element of document.querySelectorAll<HTMLElement>("button, select, textarea, input")) {
    const { left, right, width } = element.getBoundingClientRect();
    const isScrolled = element.closest("pre, .table-box, .attachments, .visually-hidden") !== null;
    if (width === 0 || isScrolled || !element.checkVisibility({ visibilityProperty: true }))
      continue;
    if (right > innerWidth + 1 || left < -1) found.push(element.outerHTML.slice(0, 120));
  }
  return found;
}
