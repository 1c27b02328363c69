/** Tests actions on several rows of the list of conversations, with one Undo. */
import assert from "node:assert/strict";
import { poll, type FakeHost } from "./support/fakeHost";
import { historyRow, showRows } from "./support/historyRow";
import { usePanel } from "./support/panelSuite";

const ROWS = Array.from({ length: 6 }, (_, index) =>
  historyRow(`h${index}`, `Talk ${index}`, { isPinned: index === 0 }),
);

describe("several rows in the history", () => {
  const open = usePanel();

  async function openList(widthPx = 250): Promise<FakeHost> {
    const host = await open({ widthPx });
    await host.send({ type: "history-opened" });
    await host.waitFor("history-asked");
    await showRows(host, ROWS, { workspace: undefined });
    await row(host, 0).waitFor();
    return host;
  }
  const row = ({ page }: FakeHost, index: number) =>
    page.getByRole("option", { name: `Talk ${index}` });
  const selected = ({ page }: FakeHost) =>
    page.getByRole("group", { name: "Selected conversations" });
  const idsOf = (
    host: FakeHost,
    type: "conversation-deleted" | "conversation-restored" | "conversation-pinned",
  ) => host.receivedOf(type).map(({ conversationId }) => conversationId);

  it("are selected with Ctrl-click and deleted together; one Undo restores all", async () => {
    const host = await openList();
    for (const index of [1, 3, 4]) await row(host, index).click({ modifiers: ["Control"] });
    await row(host, 3).click({ modifiers: ["Control"] }); // Removes it again.
    await selected(host).getByText("2 selected").waitFor();
    assert.equal(host.receivedOf("conversation-opened").length, 0);
    await selected(host).getByRole("button", { name: "Delete all" }).click();
    await host.waitFor("conversation-deleted", 2);
    assert.deepEqual(idsOf(host, "conversation-deleted"), ["h1", "h4"]);
    await host.page.getByText("2 conversations were moved to the bin.").waitFor();
    await host.page.getByRole("button", { name: "Undo" }).click();
    await host.waitFor("conversation-restored", 2);
    assert.deepEqual(idsOf(host, "conversation-restored"), ["h1", "h4"]);
    assert.equal(await host.page.getByRole("button", { name: "Undo" }).count(), 0);
  });

  it("are selected as a range with Shift-click and exported together", async () => {
    const host = await openList();
    await row(host, 4).click({ modifiers: ["Control"] });
    await row(host, 2).click({ modifiers: ["Shift"] });
    await selected(host).getByText("3 selected").waitFor();
    await selected(host).getByRole("button", { name: "Export all" }).click();
    const { conversationIds } = await host.waitFor("conversations-exported");
    assert.deepEqual([...conversationIds].sort(), ["h2", "h3", "h4"]);
    assert.equal(await host.page.evaluate(() => String(getSelection())), "");
  });

  it("are selected with Space and pinned; Undo unpins only those that were not pinned before", async () => {
    const host = await openList();
    const list = host.page.getByRole("listbox", { name: "Conversations" });
    await list.focus();
    for (const key of ["Home", "Space", "ArrowDown", "ArrowDown", "Space"])
      await host.page.keyboard.press(key);
    await selected(host).getByText("2 selected").waitFor();
    assert.equal(await list.getAttribute("aria-multiselectable"), "true");
    assert.equal(await list.locator("[aria-selected=true]").count(), 2);
    await selected(host).getByRole("button", { name: "Pin all" }).click();
    await host.page.getByRole("button", { name: "Undo" }).click();
    await host.waitFor("conversation-pinned", 2);
    const pinned = host.receivedOf("conversation-pinned");
    assert.deepEqual(
      pinned.map(({ conversationId, isPinned }) => [conversationId, isPinned]),
      [
        ["h2", true],
        ["h2", false],
      ],
    );
  });

  it("are deleted with the Delete key; Ctrl+Z restores them", async () => {
    const host = await openList();
    await row(host, 1).click({ modifiers: ["Control"] });
    await row(host, 2).click({ modifiers: ["Control"] });
    await host.page.getByRole("listbox", { name: "Conversations" }).focus();
    await host.page.keyboard.press("Delete");
    await host.waitFor("conversation-deleted", 2);
    await host.page.keyboard.press("Control+z");
    await host.waitFor("conversation-restored", 2);
  });

  it("are no longer selected after Escape, which keeps the list open", async () => {
    const host = await openList();
    await row(host, 1).click({ modifiers: ["Control"] });
    await host.page.getByRole("listbox", { name: "Conversations" }).focus();
    await host.page.keyboard.press("Escape");
    await poll(async () => (await selected(host).count()) === 0, "no selection");
    assert.equal(host.receivedOf("history-left").length, 0);
    await row(host, 1).click();
    assert.equal((await host.waitFor("conversation-opened")).conversationId, "h1");
  });
});
