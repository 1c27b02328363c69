/** Tests the states of the screenshots, and rarer ones, in every theme and at the smallest width. */
import assert from "node:assert/strict";
import { withLanguage } from "../support/fakes/fakeVscode";
import { SAMPLE_TEXTS } from "../screenshots/sampleTexts";
import { STATES, type Language, type State } from "../screenshots/states";
import { ALL } from "../support/depth";
import { OTHER_THEMES, QUICK_THEMES, violationsInThemes } from "./support/everyTheme";
import {
  question,
  reply,
  type FakeHost,
  type OpenOptions,
  meterOf,
  pictureAnswer,
} from "./support/fakeHost";
import { historyRow, showRows } from "./support/historyRow";
import type { ThemeName } from "./support/panelServer";
import { usePanel, WIDTHS_PX } from "./support/panelSuite";

const answer = pictureAnswer(1600, 1000);

const shown = (texts: { readonly reply: string }) => ({
  messages: [question("q1", "Why?"), reply("r1", texts.reply)],
});

const RICH = `## A heading

- [x] done
- [ ] open

1. One and $x^2$

$$
\\int_0^1 x\\,dx
$$

| a | b |
| --- | --- |
| \`1\` | [2](https://example.com) |

\`\`\`ts
let a = 1; // a comment
\`\`\`

\`\`\`mermaid
flowchart LR
  A --> B
\`\`\`

\`\`\`mermaid
mindmap
  root((Tea))
\`\`\`
`;

/** Text that cannot be broken, and must not become an element. */
const LONG = `<img src=x onerror="document.title='owned'">\u202e${"averyveryverylongword".repeat(12)}`;

const OTHER_STATES: readonly State[] = [
  {
    name: "every kind of content of a reply",
    shown: () => shown({ reply: RICH }),
    reach: async ({ page }) => {
      await page.locator("img.diagram").waitFor();
      await page.locator(".diagram-failed").waitFor();
      await page.locator("math").first().waitFor({ state: "attached" });
    },
  },
  {
    name: "notices and a picture to send again",
    shown: () => ({
      messages: [
        question("q1", "?"),
        reply("r1", "", {
          notice: { tone: "error", text: "The request was too large. Send a smaller picture." },
          pictureRetry: { canShrink: true },
          toolCalls: [{ name: "look", argumentsText: '{"at": 1}' }],
        }),
      ],
      panel: {
        notices: (["info", "warning", "error"] as const).map((tone) => ({
          tone,
          text: `A notice. Do ${tone}.`,
          action: { id: "set-api-key", label: `Set ${tone}` },
        })),
      },
    }),
  },
  {
    name: "words that cannot be broken",
    shown: () => ({
      messages: [
        question("q1", LONG, {
          chips: [{ kind: "file", label: LONG, detail: LONG }],
          sentLine: LONG,
        }),
        reply(
          "r1",
          `${LONG}\n\n\`\`\`${LONG}\n${LONG}\n\`\`\`\n\n|a|b|\n|-|-|\n|${LONG}|${LONG}|\n`,
          {
            metaLine: LONG,
            notice: { tone: "warning", text: LONG, action: { id: "continue", label: "Continue" } },
            toolCalls: [{ name: LONG, argumentsText: LONG }],
            version: { index: 11, count: 12 },
          },
        ),
      ],
      panel: {
        profiles: [{ name: "x", label: LONG, models: [{ id: "auto", label: LONG }] }],
        profile: "x",
        notices: [{ tone: "error", text: LONG }],
      },
    }),
    reach: ({ page }) => page.locator(".code-block").waitFor(),
  },
  {
    name: "a row of the history that was deleted and one that is renamed",
    shown,
    reach: async (host) => {
      await host.send({ type: "history-opened" });
      await host.page.locator("[type=search]").waitFor();
      const rows = [historyRow("c1", LONG, { detail: LONG }), historyRow("c2", "Second")];
      await showRows(host, rows);
      const list = host.page.getByRole("listbox");
      await list.press("ArrowDown");
      await list.press("Delete");
      await host.page.getByRole("button", { name: /^(Undo|撤消)$/ }).waitFor();
      await list.press("F2");
      await host.page.locator(".history input:not([type=search])").waitFor();
    },
  },
  {
    name: "a parameter out of its range",
    shown,
    reach: async ({ page }) => {
      await page.locator(".parameters-button button").click();
      await page.getByRole("spinbutton").nth(1).fill("5");
      await page.keyboard.press("Tab");
      await page.locator("[aria-invalid=true]").waitFor();
    },
  },
  {
    name: "a search in a reply that streams",
    shown: () => ({}),
    reach: async (host) => {
      await host.showStreaming("Half of");
      const text = "Busy (503). Try 2 of 3 in %s s.";
      await host.send({ type: "turn-status", messageId: "r1", text, untilMs: Date.now() + 60_000 });
      await host.page.keyboard.press("Control+f");
      await host.page.locator(".find-bar input").waitFor();
    },
  },
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
      const meter = meterOf({ system: 40, history: 29_100, files: 380, question: 24 });
      await host.send({ type: "meter-changed", meter });
      await host.page.locator(".context-ring .icon-button").click();
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

/** The smallest and the largest width, and 1280 × 1024 at 400 % zoom (WCAG 1.4.10). */
const SIZES = [
  [Math.min(...WIDTHS_PX), 700],
  [Math.max(...WIDTHS_PX), 700],
  [320, 256],
] as const;

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
    it(`keeps its colors, buttons and texts readable: ${state.name}`, async () => {
      const host = await openState(state, { theme: "dark2026" });
      const size = host.page.viewportSize()!;
      const outOfReachLines = await outOfReachAtSizes(host);
      await host.page.setViewportSize(size);
      const problems = {
        "out of reach": outOfReachLines,
        axe: await violationsInThemes(host, QUICK_THEMES),
        placeholders: await inThemes(host, QUICK_THEMES, faintPlaceholders),
        ...(await problemsOfLargeText(host)),
      };
      assert.deepEqual(
        Object.entries(problems).filter(([, lines]) => lines.length > 0),
        [],
      );
    });

    it(`needs no horizontal scrolling at 250 px in Chinese: ${state.name} ${ALL}`, async () => {
      const { page } = await openState(state, { widthPx: 250, language: "zh-cn" });
      assert.deepEqual(await page.evaluate(sticksOut), []);
    });

    it(`keeps its colors in the other themes: ${state.name} ${ALL}`, async () => {
      const host = await openState(state, { theme: "light2026" });
      assert.deepEqual(await violationsInThemes(host, OTHER_THEMES), []);
      assert.deepEqual(await inThemes(host, OTHER_THEMES, faintPlaceholders), []);
    });
  }
});

/** Returns what a check finds in each theme, one line each. */
async function inThemes(
  host: FakeHost,
  themes: readonly ThemeName[],
  check: () => string[],
): Promise<string[]> {
  const lines: string[] = [];
  for (const theme of themes) {
    if (theme !== host.theme) await host.changeTheme(theme);
    const problems = await host.page.evaluate(check);
    lines.push(...problems.map((problem) => `${theme}: ${problem}`));
  }
  return lines;
}

async function outOfReachAtSizes(host: FakeHost): Promise<string[]> {
  const { page } = host;
  const lines: string[] = [];
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => new Promise(requestAnimationFrame));
    const buttons = await lasting(host, outOfReach);
    lines.push(...buttons.map((button) => `${width} × ${height}: ${button}`));
  }
  return lines;
}

/** Returns what sticks out, is covered or out of reach at 250 px with text of 24 px. */
async function problemsOfLargeText(host: FakeHost): Promise<Record<string, string[]>> {
  const { page } = host;
  await page.setViewportSize({ width: 250, height: 700 });
  // Set last, because some states send a panel of their own.
  await page.evaluate(() => {
    const { style } = document.documentElement;
    style.setProperty("--core-chat-zoom", String(24 / 13), "important");
  });
  await page.evaluate(() => new Promise(requestAnimationFrame));
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).fontSize), "24px");
  return {
    "sticks out with large text": await lasting(host, sticksOut),
    "covered with large text": await lasting(host, coveredTexts),
    "out of reach with large text": await lasting(host, outOfReach),
  };
}

/** Returns what a check finds in 60 frames in turn: places that depend on a size follow it some frames later. */
async function lasting({ page }: FakeHost, check: () => string[]): Promise<string[]> {
  let lines = await page.evaluate(check);
  for (let frame = 0; frame < 60 && lines.length > 0; frame++) {
    await page.evaluate(() => new Promise(requestAnimationFrame));
    lines = await page.evaluate(check);
  }
  return lines;
}

/** Returns the texts that another element is painted over, where both are visible. */
function coveredTexts(): string[] {
  const found = new Set<string>();
  const layer = document.querySelector("dialog[open], .history-layer, .drop-overlay");
  const walker = document.createTreeWalker(layer ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const owner = node.parentElement;
    if (owner === null || node.textContent?.trim() === "") continue;
    if (!owner.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (getComputedStyle(owner).pointerEvents === "none") continue;
    if (owner.closest(".visually-hidden, [inert], script, style, option, math, svg")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, top, width, height } of range.getClientRects()) {
      const [x, y] = [left + width / 2, top + height / 2];
      const hit = document.elementFromPoint(x, y);
      if (hit === null || owner.contains(hit) || hit.contains(owner)) continue;
      // On top by design: lists, actions under the pointer, and the question of the scrolled reply.
      const onTop = ".completion-box, .context-details, .code-actions, .question-band, [popover]";
      if (hit.closest(onTop)) continue;
      let box: HTMLElement | null = owner;
      let isClipped = false;
      for (; box !== null && !isClipped; box = box.parentElement) {
        const { overflowX, overflowY, clipPath } = getComputedStyle(box);
        const outer = box.getBoundingClientRect();
        isClipped =
          clipPath !== "none" ||
          (overflowX !== "visible" && (x < outer.left || x > outer.right)) ||
          (overflowY !== "visible" && (y < outer.top || y > outer.bottom));
      }
      if (!isClipped)
        found.add(`${node.textContent?.slice(0, 40)} under ${hit.outerHTML.slice(0, 90)}`);
    }
  }
  return [...found];
}

/** Returns elements that are wider than the page, except those that scroll themselves. */
function sticksOut(): string[] {
  const found: string[] = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push("page");
  const log = document.querySelector("[role=log]");
  if (log && log.scrollWidth > log.clientWidth) found.push("conversation");
  for (const element of document.querySelectorAll<HTMLElement>("button, select, textarea, input")) {
    const { left, right, width } = element.getBoundingClientRect();
    const scrolling = "pre, .table-box, .attachments, .picture-prompts, .picture-area";
    const isScrolled = element.closest(`${scrolling}, .visually-hidden`) !== null;
    if (width === 0 || isScrolled || !element.checkVisibility({ visibilityProperty: true }))
      continue;
    if (right > innerWidth + 1 || left < -1) found.push(element.outerHTML.slice(0, 120));
  }
  return found;
}

/**
 * Returns buttons that cannot be seen or clicked as a whole after scrolling to them: cut off, covered
 * by another control, or in a scrolling strip that is hardly larger than the button.
 */
function outOfReach(): string[] {
  const found: string[] = [];
  const isWithin = (inner: DOMRect, outer: DOMRect) =>
    inner.left >= outer.left - 1 &&
    inner.right <= outer.right + 1 &&
    inner.top >= outer.top - 1 &&
    inner.bottom <= outer.bottom + 1;
  const layer = document.querySelector("dialog[open], .history-layer, .drop-overlay") ?? document;
  for (const button of layer.querySelectorAll<HTMLElement>("button, select")) {
    const options = { visibilityProperty: true, opacityProperty: true };
    if (!button.checkVisibility(options) || button.closest("[inert]") !== null) continue;
    button.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const rect = button.getBoundingClientRect();
    const problems: string[] = [];
    if (!isWithin(rect, new DOMRect(0, 0, innerWidth, innerHeight))) problems.push("outside");
    for (let box = button.parentElement; box !== null; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box);
      if (overflowX === "visible" && overflowY === "visible") continue;
      if (!isWithin(rect, box.getBoundingClientRect())) problems.push(`cut by ${box.className}`);
      if (box.scrollWidth > box.clientWidth + 1 && box.clientWidth < 80 && overflowX !== "clip")
        problems.push(`in a strip of ${box.clientWidth} px: ${box.className}`);
      if (box.scrollHeight > box.clientHeight + 1 && box.clientHeight < 44 && overflowY !== "clip")
        problems.push(`in a strip of ${box.clientHeight} px: ${box.className}`);
    }
    for (const [x, y] of [
      [0.5, 0.5],
      [0.1, 0.5],
      [0.9, 0.5],
    ] as const) {
      const hit = document.elementFromPoint(rect.left + rect.width * x, rect.top + rect.height * y);
      const other = hit?.closest("button, select, textarea, input");
      if (other && other !== button && !button.contains(other)) {
        problems.push(`under ${other.outerHTML.slice(0, 80)}`);
      }
    }
    if (problems.length > 0) {
      const name = button.getAttribute("aria-label") ?? button.title;
      found.push(`${name || button.innerText}: ${problems.join(", ")}`);
    }
  }
  return found;
}

/** Returns the placeholders below 4.5 : 1 (WCAG 1.4.3), with their contrast. */
function faintPlaceholders(): string[] {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true })!;
  /** Linear luminance of colors painted over each other. */
  const luminance = (colors: readonly string[]) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const color of colors) {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => {
      const part = byte / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  return [...document.querySelectorAll<HTMLElement>("[placeholder]")].flatMap((box) => {
    if (!box.checkVisibility()) return [];
    const behind: string[] = [];
    for (let one: Element | null = box; one !== null; one = one.parentElement) {
      behind.unshift(getComputedStyle(one).backgroundColor);
    }
    const back = luminance(["white", ...behind]);
    const front = luminance(["white", ...behind, getComputedStyle(box, "::placeholder").color]);
    const contrast = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
    return contrast >= 4.5 ? [] : [`${box.outerHTML.slice(0, 80)}: ${contrast.toFixed(2)}`];
  });
}
