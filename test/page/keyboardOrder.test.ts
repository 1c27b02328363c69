/**
 * Tests the Tab order in each state of the panel: every stop has a name, follows the reading order
 * and shows that it has the focus.
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { AttachmentView } from "../../src/protocol/views";
import { question, reply, type FakeHost, pictureAnswer } from "./support/fakeHost";
import { historyRow, showRows } from "./support/historyRow";
import type { ThemeName } from "./support/panelServer";
import { usePanel } from "./support/panelSuite";

const picture = { hash: "1".repeat(64), widthPx: 40, heightPx: 20 };
const chip = { kind: "picture" as const, label: "shot.png", detail: "40×20 PNG", picture };
const file = { kind: "file" as const, label: "parser.ts", detail: "41-58" };
const SHOT: AttachmentView = { id: "a1", ...chip, fit: "whole" };
const answer = pictureAnswer(40, 20);

const talk = [
  question("q1", "First question", { chips: [file, chip], sentLine: "core_vl · 1 picture" }),
  reply("r1", "See [this](https://example.com)", {
    notice: {
      tone: "warning",
      text: "The reply was cut off. Continue to get the rest.",
      action: { id: "continue", label: "Continue" },
    },
    version: { index: 2, count: 3 },
  }),
];

const row = historyRow("c2", "Another");

/** Last stops of the composer when there is nothing to send. */
const TOOLS = ["Message", "Add context", "Model", "Parameters"];

describe("the Tab order", () => {
  const open = usePanel();

  /** Asserts the stops of a whole round, whichever of them is the first. */
  async function assertStops(page: Page, expected: readonly string[]): Promise<void> {
    const names: string[] = [];
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press("Tab");
      const stop = await page.evaluate(focusedStop);
      if (stop === undefined) continue; // The focus was in the browser's own interface.
      if (stop.isSeenBefore) break;
      assert.ok(stop.isVisible, `"${stop.name}" does not show the focus`);
      names.push(stop.name);
    }
    const start = Math.max(0, names.indexOf(expected[0] ?? ""));
    assert.deepEqual([...names.slice(start), ...names.slice(0, start)], expected);
  }

  it("covers the setup steps and the composer before the first question", async () => {
    const { page } = await open({
      shown: {
        panel: {
          setup: [
            { id: "service", isDone: false, title: "Service", detail: "Paste it." },
            { id: "key", isDone: false, title: "API key", detail: "Kept by VS Code." },
          ],
        },
      },
    });
    await page.getByRole("button", { name: "Connect" }).waitFor();
    const steps = ["Conversation", "Show First Steps", "Address", "Connect"];
    await assertStops(page, [...steps, ...TOOLS]);
  });

  for (const theme of ["dark", "highContrast"] satisfies ThemeName[]) {
    it(`goes from the messages to the attachments and Send in ${theme}`, async () => {
      const automatic = { ...file, label: "loop.ts", id: "x", isOn: true };
      const host = await open({
        theme,
        heightPx: 1100, // Tall enough for the whole page: "Scroll to end" is a stop only while there is something to scroll.
        shown: {
          messages: talk,
          attachments: [{ id: "a2", ...file }, SHOT],
          queued: [{ id: "w1", text: "And then?" }],
          panel: { automatic },
        },
      });
      await host.page.locator(".reply-body.is-final").getByRole("link", { name: "this" }).waitFor();
      // These are loaded after the first frame.
      await host.page.getByRole("button", { name: "Edit queued question" }).waitFor();
      await host.page.getByRole("button", { name: "Mark in picture" }).waitFor();
      await assertStops(host.page, [
        ...["Show history", "Conversation", "Open shot.png as sent", "parser.ts41-58"],
        ...["Edit message", "this", "Continue", "Copy"],
        ...["Send now", "Edit queued question", "Remove queued question"],
        ...["parser.ts41-58", "Remove attachment parser.ts 41-58"],
        ...["Mark up shot.png", "Open shot.png as it will be sent", "Remove attachment shot.png"],
        "Selectionloop.ts:41-58",
        ...["Find problems", ...TOOLS, "Send"],
      ]);
    });
  }

  it("skips disabled controls while a reply streams, and ends at Stop", async () => {
    const host = await open();
    await host.showStreaming("Half");
    await host.page.getByRole("button", { name: "Stop" }).waitFor();
    await assertStops(host.page, [
      "Show history",
      "Conversation",
      "Message menu",
      ...TOOLS,
      "Stop",
    ]);
  });

  it("covers the history and nothing behind it", async () => {
    const host = await open({ shown: { messages: talk } });
    await host.send({ type: "history-opened" });
    await host.waitFor("history-asked");
    await showRows(host, [row]);
    await host.page.getByRole("option", { name: /Another/ }).waitFor();
    await assertStops(host.page, [
      ...[
        "Back to the conversation",
        "Search conversations",
        "This workspace",
        "All workspaces",
        "Bin",
        "Conversations",
      ],
      ...["Rename", "Pin", "Delete", "More actions"],
    ]);
  });

  async function openPicture(button: string): Promise<FakeHost> {
    const host = await open();
    host.answer = answer;
    await host.show({ messages: talk, attachments: [SHOT] });
    await host.page.getByRole("button", { name: button, exact: true }).click();
    return host;
  }

  it("stays in the picture editor", async () => {
    const { page } = await openPicture("Mark up shot.png");
    await page.getByRole("application").waitFor();
    await assertStops(page, [
      ...["Note", "Box", "Arrow", "Redact", "Crop"],
      ...["Zoom out", "Zoom in", "More actions", "Close"],
      "Picture. Move with the arrow keys, set corners with Enter.",
      "Done",
    ]);
  });

  it("stays in the picture viewer", async () => {
    const { page } = await openPicture("Open shot.png as sent");
    await page.locator(".picture-area img[src]").waitFor();
    await assertStops(page, [
      ...["Zoom out", "Zoom in", "Copy picture", "More actions"],
      ...["Close", "shot.png", "Next picture"],
    ]);
  });
});

/**
 * Runs in the page: returns the name and the visibility of the focused element; undefined for the
 * page itself.
 */
function focusedStop():
  | { readonly name: string; readonly isVisible: boolean; readonly isSeenBefore: boolean }
  | undefined {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return undefined;
  const isSeenBefore = element.dataset["tabStop"] !== undefined;
  element.dataset["tabStop"] = "";
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const box = element.closest<HTMLElement>(".composer-box, .history");
  const isOutlined = outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
  // The composer's box and the history list show the focus of the text box and of the active row.
  const isShownAround =
    (element.matches("textarea") && box !== null) || element.matches(".history-list");
  const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
  const name = element.ariaLabel ?? label ?? (element.textContent.trim() || element.title);
  return { name, isVisible: isSeen && (isOutlined || isShownAround), isSeenBefore };
}
