/** Tests the buttons under the tables of replies, with the real clipboard of the browser. */
import assert from "node:assert/strict";
import { tableHtml, tables, tableTsv } from "../../src/markdown/tables";
import { poll, question, reply, type FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const ROWS = Array.from({ length: 39 }, (_, row) =>
  Array.from({ length: 12 }, (__, column) => `${row} "说" a \\| b<br>line ${column}`),
);
const LINES = [
  Array.from({ length: 12 }, (_, column) => `列 ${column}`),
  Array(12).fill("-"),
  ...ROWS,
];
const TABLE = LINES.map((row) => `| ${row.join(" | ")} |`).join("\n");
const TEXT = `Before\n\n| x |\n|---|\n| 1 |\n\nBetween\n\n${TABLE}\n\nAfter`;

describe("the buttons under a table", () => {
  const open = usePanel();

  async function openTable(more: { isStreaming?: boolean } = {}): Promise<FakeHost> {
    const host = await open({
      widthPx: 250,
      shown: { messages: [question("q1", "A table?"), reply("r1", TEXT, more)] },
    });
    await host.page.locator("article table").nth(1).waitFor();
    return host;
  }
  const toolbar = (host: FakeHost) =>
    host.page.getByRole("toolbar", { name: "Actions for the table: 列 0, 列 1" });

  it("copy 480 cells for spreadsheets, as text and as HTML", async () => {
    const host = await openTable();
    const [, table] = tables(TEXT);
    assert.ok(table);
    host.answer = { isAccepted: true, table: { text: tableTsv(table), html: tableHtml(table) } };
    await host.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await toolbar(host).getByRole("button", { name: "Copy for spreadsheets" }).click();
    const asked = await host.waitFor("table-asked");
    assert.deepEqual([asked.messageId, asked.table, asked.action], ["r1", 1, "copy-cells"]);
    // Another page, whose policy allows to parse HTML.
    const other = await host.page.context().newPage();
    await other.goto(new URL("/other", host.page.url()).href);
    const read = async () => {
      await other.bringToFront();
      return other.evaluate(async () => {
        const [item] = await navigator.clipboard.read();
        if (item?.types.includes("text/html") !== true) return undefined;
        const html = await (await item.getType("text/html")).text();
        const page = new DOMParser().parseFromString(html, "text/html");
        const cells = [...page.querySelectorAll("th, td")].map((cell) => {
          for (const line of cell.querySelectorAll("br")) line.replaceWith("\n");
          return cell.textContent;
        });
        return { cells, text: await (await item.getType("text/plain")).text() };
      });
    };
    await poll(async () => (await read()) !== undefined, "the clipboard");
    const copied = await read();
    assert.ok(copied);
    assert.deepEqual(copied.cells, table.rows.flat());
    assert.equal(copied.cells.length, 480);
    assert.equal(copied.text, tableTsv(table));
  });

  it("ask the host to copy Markdown and to save CSV, and send no cells", async () => {
    const host = await openTable();
    await toolbar(host).getByRole("button", { name: "Copy as Markdown" }).click();
    await toolbar(host).getByRole("button", { name: "Save as CSV" }).click();
    await host.waitFor("table-asked", 2);
    assert.deepEqual(host.receivedOf("table-asked"), [
      { type: "table-asked", action: "copy-markdown", messageId: "r1", table: 1 },
      { type: "table-asked", action: "save-csv", messageId: "r1", table: 1 },
    ]);
  });

  it("are visible on hover and focus, move nothing and are one stop of the Tab key", async () => {
    const host = await openTable();
    const opacity = () => toolbar(host).evaluate((element) => getComputedStyle(element).opacity);
    const top = () => host.page.getByText("After").evaluate((e) => e.getBoundingClientRect().top);
    await host.page.mouse.move(0, 0);
    assert.equal(await opacity(), "0");
    const before = await top();
    await host.page.locator("article table").nth(1).locator("td").last().hover();
    assert.equal(await opacity(), "1");
    assert.equal(await top(), before);
    await host.page.mouse.move(0, 0);
    await toolbar(host).getByRole("button").first().focus();
    assert.equal(await opacity(), "1");
    await host.page.keyboard.press("ArrowRight");
    const focused = await host.page.evaluate(() => document.activeElement?.getAttribute("title"));
    assert.equal(focused, "Copy for spreadsheets");
    assert.equal(await toolbar(host).locator("[tabindex='0']").count(), 1);
  });

  it("are below the table and above the text, whose rows have headers for screen readers", async () => {
    const host = await open({ shown: { messages: [question("q1", "?"), reply("r1", TEXT)] } });
    await host.page.locator(".table-actions").nth(1).waitFor();
    const gaps = await host.page.locator(".table-actions").evaluateAll((all) =>
      all.map((actions) => {
        const { top, bottom } = actions.getBoundingClientRect();
        const box = actions.previousElementSibling!.getBoundingClientRect();
        return [top - box.bottom, actions.nextElementSibling!.getBoundingClientRect().top - bottom];
      }),
    );
    assert.ok(
      gaps.flat().every((gap) => gap >= 0),
      JSON.stringify(gaps),
    );
    const table = host.page.getByRole("table").last();
    assert.equal(await table.getByRole("rowgroup").count(), 2);
    assert.equal(await table.getByRole("rowheader").count(), ROWS.length);
    assert.equal(await table.getByRole("columnheader").count(), 12);
  });

  it("appear once the reply has ended", async () => {
    const host = await openTable({ isStreaming: true });
    assert.equal(await host.page.locator(".table-actions").count(), 0);
  });

  it("say so if the table could not be copied", async () => {
    const host = await openTable();
    host.answer = "refuse";
    await toolbar(host).getByRole("button", { name: "Copy for spreadsheets" }).click();
    await host.waitForToast("The table could not be copied. Try again.");
  });
});
