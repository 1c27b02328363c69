import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { HistoryRow } from "../../src/protocol/views";
import {
  holdPart,
  poll,
  question,
  reply,
  type FakeHost,
  type OpenOptions,
} from "./support/fakeHost";
import { historyRow, showRows, type ListContent } from "./support/historyRow";
import { usePanel, type OpenPanel } from "./support/panelSuite";

const talk = [question("q1", "Why?"), reply("r1", "Because.")];

const rows = [
  historyRow("c1", "Retry with a countdown", { isShown: true }),
  historyRow("c2", "What is the error at ①?", {
    detail: "gpt-oss",
    pictureCount: 3,
    isRunning: true,
  }),
  historyRow("c3", "Release checklist", { isPinned: true, when: "Mon" }),
  historyRow("c4", "Explain parser.ts", { isDamaged: true, when: "3 Nov" }),
];

const answer = (host: FakeHost, more: ListContent = {}) => showRows(host, more.rows ?? rows, more);

/** Opens the panel with its list of conversations loaded. */
async function openList(
  open: OpenPanel,
  options: OpenOptions = {},
  shown: ListContent = {},
): Promise<FakeHost> {
  const host = await open({ shown: { messages: talk }, ...options });
  await host.send({ type: "history-opened" });
  await host.waitFor("history-asked");
  await host.page.locator("[type=search]").waitFor(); // In any language.
  await answer(host, shown);
  return host;
}

function search(page: Page) {
  return page.getByRole("searchbox", { name: "Search conversations" });
}

function list(page: Page) {
  return page.getByRole("listbox", { name: "Conversations" });
}

/** Waits until the active row has this title. */
async function waitForActive(page: Page, title: string): Promise<void> {
  await page.getByRole("option", { name: title, selected: true }).waitFor();
  const isNamed = await page.evaluate(() => {
    const id = document.activeElement?.getAttribute("aria-activedescendant");
    return id === document.querySelector("[aria-selected=true]")?.id;
  });
  assert.equal(isNamed, true, "the focused element names the active line");
}

async function isFocused(page: Page, selector: string): Promise<boolean> {
  return page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector);
}

describe("the list of conversations", () => {
  const open = usePanel();

  it("requests the conversations of this workspace when it opens, and takes the focus", async () => {
    const host = await openList(open);
    assert.deepEqual(await host.waitFor("history-asked"), {
      type: "history-asked",
      text: "",
      isInBin: false,
      isThisWorkspace: true,
    });
    await host.page.getByText("4 conversations", { exact: true }).waitFor();
    assert.equal(await list(host.page).getByRole("option").count(), 4);
    assert.equal(await isFocused(host.page, "[type=search]"), true);
  });

  it("searches for what was typed before it was loaded", async () => {
    let load = () => {};
    const host = await open({
      shown: { messages: talk },
      early: async (page) => {
        load = await holdPart(page, "historyView");
      },
    });
    await host.send({ type: "history-opened" });
    await host.waitFor("history-asked");
    await host.page.keyboard.type("ret");
    load();
    await host.page.getByText("Reading…").waitFor(); // The list is loaded.
    await host.page.keyboard.type("ry");
    await poll(() => host.receivedOf("history-asked").at(-1)?.text === "retry", "the search");
    assert.equal(await search(host.page).inputValue(), "retry");
  });

  it("shows the status of each conversation", async () => {
    const { page } = await openList(open);
    await page.getByRole("option", { name: /^Retry.* Open now core_llm/ }).waitFor();
    await page.getByRole("option", { name: /①.* 3 pictures .*Running gpt-oss/ }).waitFor();
    await page.getByRole("option", { name: /^Pinned Release checklist Mon/ }).waitFor();
    await page.getByRole("option", { name: /^Explain parser.ts 3 Nov Damaged/ }).waitFor();
  });

  it("highlights only the matches", async () => {
    const found = historyRow("c1", "Retry twice", {
      titleRanges: [{ start: 0, end: 5 }],
      snippets: [
        {
          text: "…honour <b>Retry</b> and retry",
          ranges: [
            { start: 11, end: 16 },
            { start: 25, end: 30 },
            { start: 29, end: 99 },
          ],
        },
      ],
    });
    const host = await openList(open);
    await search(host.page).fill("retry");
    await host.waitFor("history-asked", 2);
    await answer(host, { text: "retry", rows: [found] });
    await poll(async () => (await host.page.locator("mark").count()) === 3, "marks");
    assert.deepEqual(await host.page.locator("mark").allTextContents(), [
      "Retry",
      "Retry",
      "retry",
    ]);
    await host.page.getByText("1 conversation", { exact: true }).waitFor();
  });

  it("has a heading for each period, and none in a search or in the bin", async () => {
    const dated = [
      historyRow("c1", "Pinned one", { isPinned: true, period: "Older" }),
      historyRow("c2", "First", { period: "Today" }),
      historyRow("c3", "Second", { period: "Today" }),
      historyRow("c4", "Third", { period: "Yesterday", when: "Sat 14:02" }),
    ];
    const host = await openList(open, {}, { rows: dated });
    const headings = host.page.locator(".history-period");
    assert.deepEqual(await headings.allTextContents(), ["Pinned", "Today", "Yesterday"]);
    await host.page.getByRole("option", { name: /^Third Yesterday Sat 14:02/ }).waitFor();
    await search(host.page).fill("ir");
    await host.waitFor("history-asked", 2);
    await answer(host, { text: "ir", rows: dated.slice(1) });
    await host.page.getByText("3 conversations", { exact: true }).waitFor();
    assert.equal(await headings.count(), 0);
  });

  it("searches once for a word typed quickly, and ignores older results", async () => {
    const host = await openList(open);
    await search(host.page).pressSequentially("retry");
    await poll(() => host.receivedOf("history-asked").at(-1)?.text === "retry", "the search");
    await answer(host, { text: "ret", rows: [] });
    await answer(host, { text: "retry", rows: [historyRow("c9", "Found")] });
    await host.page.getByRole("option", { name: "Found" }).waitFor();
    assert.ok(host.receivedOf("history-asked").length < 6);
  });

  it("reports that the conversations could not be read, instead of loading forever", async () => {
    const host = await openList(open, {}, { rows: [], isUnavailable: true });
    await host.page.getByText("Could not read the conversations.").waitFor();
    await host.page.getByText("Check access to the storage folder").waitFor();
    assert.equal(await host.page.getByText("reading…").count(), 0);
  });

  it("explains why it is empty", async () => {
    const host = await openList(open, {}, { rows: [], hiddenCount: 0 });
    const { page } = host;
    await page.getByText("No conversations yet.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Show all workspaces" }).count(), 0);
    await page.getByRole("button", { name: "All workspaces" }).click();
    assert.equal((await host.waitFor("history-asked", 2)).isThisWorkspace, false);
    await search(page).fill("zzz");
    await host.waitFor("history-asked", 3);
    await answer(host, { text: "zzz", rows: [] });
    await page.getByText("No matching conversations.").waitFor();
    await search(page).fill("");
    await host.waitFor("history-asked", 4);
    await page.getByRole("button", { name: "Bin" }).click();
    assert.equal((await host.waitFor("history-asked", 5)).isInBin, true);
    await answer(host, { rows: [], isInBin: true });
    await page.getByText("The bin is empty.").waitFor();
  });

  it("offers all workspaces when this one has no conversations, no match or none in the bin", async () => {
    const host = await openList(open, {}, { rows: [], hiddenCount: 7 });
    const { page } = host;
    const pressed = page.locator(".toggle-group [aria-pressed=true]");
    await page.getByText("No conversations in this workspace yet.").waitFor();
    await page.getByRole("button", { name: "Show all workspaces" }).click();
    assert.equal((await host.waitFor("history-asked", 2)).isThisWorkspace, false);
    await answer(host);
    await list(page).waitFor();
    assert.equal(await pressed.textContent(), "All workspaces");
    assert.equal(await isFocused(page, "[type=search]"), true);

    await page.getByRole("button", { name: "This workspace" }).click();
    await search(page).fill("zzz");
    assert.equal((await host.waitFor("history-asked", 4)).isThisWorkspace, true);
    await answer(host, { text: "zzz", rows: [] });
    await page.getByText("No matches in this workspace.").waitFor();
    await page.getByRole("button", { name: "Search all workspaces" }).click();
    const asked = await host.waitFor("history-asked", 5);
    assert.deepEqual([asked.text, asked.isThisWorkspace], ["zzz", false]);

    await page.getByRole("button", { name: "This workspace" }).click();
    await page.getByRole("button", { name: "Bin" }).click();
    await search(page).fill("");
    await host.waitFor("history-asked", 8);
    await answer(host, { rows: [], isInBin: true, hiddenCount: 1 });
    await page.getByText("No deleted conversations in this workspace.").waitFor();
  });

  it("says how many conversations other workspaces have while this one has some", async () => {
    const host = await openList(open, {}, { hiddenCount: 1234 });
    const { page } = host;
    await list(page).waitFor();
    const all = page.getByRole("button", { name: "All workspaces (1,234 more)" });
    await all.click();
    assert.equal((await host.waitFor("history-asked", 2)).isThisWorkspace, false);
    await page.getByRole("button", { name: "All workspaces", exact: true }).waitFor();
  });

  it("returns to the composer with Escape without stopping the reply", async () => {
    const host = await open();
    await host.showStreaming("Half");
    await host.send({ type: "history-opened" });
    await host.waitFor("history-asked");
    await host.page.keyboard.press("Escape");
    await host.waitFor("history-left");
    await poll(() => isFocused(host.page, ".composer-text"), "the focus");
    assert.equal(await list(host.page).count(), 0);
    assert.deepEqual(host.receivedOf("stop-asked"), []);
  });
});

/** Rows from `firstRow` on, in the shape that the host sends. */
function rowsFrom(firstRow: number): HistoryRow[] {
  return Array.from({ length: 100 }, (_, at) =>
    historyRow(`m${firstRow + at}`, `Number ${firstRow + at}`),
  );
}

describe("a list of more conversations than the page renders", () => {
  const open = usePanel();
  const foundCount = 100_000;

  it("renders the visible rows and requests those it is scrolled to", async () => {
    const host = await openList(open, {}, { rows: rowsFrom(0), foundCount });
    const { page } = host;
    await list(page).evaluate((element) => {
      const scroller = element.parentElement!;
      scroller.scrollTop = scroller.scrollHeight / 2;
    });
    const { firstRow = 0 } = await host.waitFor("history-asked", 2);
    await answer(host, { rows: rowsFrom(firstRow), firstRow, foundCount });
    assert.ok(firstRow > 40_000 && firstRow < 60_000, `row ${firstRow}`);
    const shown = page.getByRole("option", { name: `Number ${firstRow + 45}` });
    await shown.waitFor();
    assert.equal(await shown.getAttribute("aria-posinset"), String(firstRow + 46));
    assert.equal(await shown.getAttribute("aria-setsize"), String(foundCount));
    assert.equal(await list(page).getByRole("option").count(), 100);
  });

  it("moves to the last row with End before that row is loaded", async () => {
    const host = await openList(open, {}, { rows: rowsFrom(0), foundCount });
    await list(host.page).press("End");
    const { firstRow = 0 } = await host.waitFor("history-asked", 2);
    const rest = rowsFrom(firstRow).slice(0, foundCount - firstRow);
    await answer(host, { rows: rest, firstRow, foundCount });
    await waitForActive(host.page, `Number ${foundCount - 1}`);
  });
});

describe("the list of conversations by keyboard", () => {
  const open = usePanel();

  it("moves from the search box and opens with Enter", async () => {
    const host = await openList(open);
    await waitForActive(host.page, "Retry");
    await host.page.keyboard.press("ArrowDown");
    await waitForActive(host.page, "①");
    await host.page.keyboard.press("Enter");
    assert.equal((await host.waitFor("conversation-opened")).conversationId, "c2");
    await host.show({ conversationId: "c2", messages: talk });
    await host.send({ type: "focus-asked" });
    await host.waitFor("history-left");
    await poll(() => isFocused(host.page, ".composer-text"), "the focus");
  });

  it("reaches the ends with Home and End and stays within them", async () => {
    const { page } = await openList(open);
    await list(page).focus();
    await page.keyboard.press("End");
    await waitForActive(page, "Explain");
    await page.keyboard.press("ArrowDown");
    await waitForActive(page, "Explain");
    await page.keyboard.press("Home");
    await waitForActive(page, "Retry");
    await page.keyboard.press("PageDown");
    await waitForActive(page, "Explain");
  });

  it("renames with F2 and Enter, and not with Escape", async () => {
    const host = await openList(open);
    const title = host.page.getByRole("textbox", { name: "New title" });
    await list(host.page).focus();
    await host.page.keyboard.press("F2");
    await title.fill("Never");
    await title.press("Escape");
    await title.waitFor({ state: "detached" });
    assert.equal(await isFocused(host.page, "[role=listbox]"), true);
    await host.page.keyboard.press("F2");
    assert.equal(await title.inputValue(), "Retry with a countdown");
    await title.fill("  Retries ");
    await title.press("Enter");
    assert.deepEqual(await host.waitFor("conversation-renamed"), {
      type: "conversation-renamed",
      conversationId: "c1",
      title: "Retries",
    });
    assert.equal(host.receivedOf("conversation-renamed").length, 1);
    assert.equal(await isFocused(host.page, "[role=listbox]"), true);
  });

  it("pins and unpins the active row", async () => {
    const host = await openList(open);
    await host.page.getByRole("button", { name: "Pin", exact: true }).click();
    assert.deepEqual(await host.waitFor("conversation-pinned"), {
      type: "conversation-pinned",
      conversationId: "c1",
      isPinned: true,
    });
    await host.waitForToast("Pinned");
    await list(host.page).focus();
    await host.page.keyboard.press("End");
    await host.page.keyboard.press("ArrowUp");
    await host.page.getByRole("button", { name: "Unpin" }).click();
    assert.equal((await host.waitFor("conversation-pinned", 2)).isPinned, false);
  });

  it("deletes once, and undoes the deletion from the notice", async () => {
    const host = await openList(open);
    await list(host.page).focus();
    await host.page.keyboard.press("Delete");
    await host.page.keyboard.press("Delete");
    await host.waitFor("conversation-deleted");
    await host.show({ conversationId: "new" });
    await answer(host, { rows: rows.slice(1) });
    await waitForActive(host.page, "①");
    assert.equal(host.receivedOf("conversation-deleted").length, 1);
    const status = host.page.getByRole("status").filter({ hasText: "Retry with a countdown" });
    await status.getByRole("button", { name: "Undo" }).click();
    assert.equal((await host.waitFor("conversation-restored")).conversationId, "c1");
    await answer(host);
    await waitForActive(host.page, "Retry");
  });

  it("deletes permanently with Shift+Delete, and in the bin with Delete and the button", async () => {
    const host = await openList(open);
    await list(host.page).focus();
    await host.page.keyboard.press("Shift+Delete");
    assert.deepEqual(await host.waitFor("conversation-removed"), {
      type: "conversation-removed",
      conversationId: "c1",
      title: rows[0]!.title,
    });
    await host.page.getByRole("button", { name: "Bin", exact: true }).click();
    await host.waitFor("history-asked", 2);
    await answer(host, { isInBin: true, rows: rows.slice(2), binCount: 5 });
    await list(host.page).focus();
    await host.page.keyboard.press("Delete");
    assert.equal((await host.waitFor("conversation-removed", 2)).conversationId, "c3");
    await host.page.getByRole("button", { name: "Delete Permanently" }).click();
    await host.waitFor("conversation-removed", 3);
    assert.deepEqual(host.receivedOf("conversation-deleted"), []);
    await host.page.getByRole("button", { name: "Empty Bin (5)" }).click();
    await host.waitFor("bin-emptied");
  });

  it("restores from the bin with the button and with Enter, without opening the conversation", async () => {
    const host = await openList(open);
    await host.page.getByRole("button", { name: "Bin" }).click();
    await host.waitFor("history-asked", 2);
    await answer(host, { isInBin: true, rows: rows.slice(2) });
    await host.page.getByRole("option", { name: "Explain" }).click();
    await host.page.getByRole("button", { name: "Restore" }).click();
    assert.equal((await host.waitFor("conversation-restored")).conversationId, "c4");
    await answer(host, { isInBin: true, rows: rows.slice(2, 3) });
    await waitForActive(host.page, "Release");
    await host.page.keyboard.press("Enter");
    assert.equal((await host.waitFor("conversation-restored", 2)).conversationId, "c3");
    await answer(host, { isInBin: true, rows: [] });
    await poll(() => isFocused(host.page, "[type=search]"), "the focus");
    assert.deepEqual(host.receivedOf("conversation-opened"), []);
  });
});

describe("the list of conversations with a mouse", () => {
  const open = usePanel();

  it("shows the buttons of the hovered row on that row", async () => {
    const host = await openList(open);
    const second = host.page.getByRole("option", { name: "①" });
    await second.hover();
    await waitForActive(host.page, "①");
    const [line, button] = [
      (await second.boundingBox())!,
      (await host.page.getByRole("button", { name: "Delete", exact: true }).boundingBox())!,
    ];
    assert.ok(button.y >= line.y && button.y + button.height <= line.y + line.height);
    await host.page.getByRole("button", { name: "Delete", exact: true }).click();
    assert.equal((await host.waitFor("conversation-deleted")).conversationId, "c2");
  });
});

describe("the layout of the list of conversations", () => {
  const open = usePanel();
  it("has a menu on each row: More actions opens VS Code's menu with the row's conversation", async () => {
    const { page } = await openList(open);
    await page.evaluate(() => {
      const opened: unknown[] = [];
      Object.assign(window, { opened });
      document.addEventListener("contextmenu", (event) => {
        const holder = (event.target as Element).closest<HTMLElement>("[data-vscode-context]");
        opened.push(JSON.parse(holder?.dataset.vscodeContext ?? "null"));
      });
    });
    const list = page.getByRole("listbox", { name: "Conversations" });
    const second = list.getByRole("option").nth(1);
    await second.hover();
    await page.getByRole("button", { name: "More actions" }).click();
    await second.click({ button: "right" });
    await list.focus();
    await page.keyboard.press("Home");
    await list.dispatchEvent("contextmenu");
    const opened = await page.evaluate(() => Reflect.get(window, "opened") as unknown);
    const menuOf = (conversationId: string) => ({
      "coreChat.conversation": true,
      conversationId,
      preventDefaultContextMenuItems: true,
    });
    assert.deepEqual(opened, ["c2", "c2", "c1"].map(menuOf));
  });
});

describe("the panel's header", () => {
  const open = usePanel();

  it("has the conversation's title, and opens the list with one click", async () => {
    const host = await open({ widthPx: 280, shown: { messages: talk } });
    const header = host.page.locator(".panel-header");
    await host.send({ type: "title-changed", title: "Why is the sum wrong?" });
    await header.getByText("Why is the sum wrong?", { exact: true }).waitFor();
    await header.getByRole("button", { name: "Show history" }).click();
    await host.waitFor("history-asked");
    await answer(host);
    await host.page.getByText("Release checklist").waitFor();
    await host.page.keyboard.press("Escape");
    await host.page.locator("[type=search]").waitFor({ state: "detached" });
    await host.page.locator(".composer-text:focus").waitFor();
  });

  it("is not shown above an empty conversation, whose latest conversations lead to all", async () => {
    const host = await open({ shown: { messages: [] } });
    await host.send({ type: "recent-shown", rows });
    await host.page.getByRole("button", { name: "All conversations" }).click();
    await host.page.locator("[type=search]").waitFor();
    assert.equal(await host.page.locator(".panel-header").count(), 0);
  });
});
