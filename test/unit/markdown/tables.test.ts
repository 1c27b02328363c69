import assert from "node:assert/strict";
import { tableCsv, tableHtml, tableMarkdown, tables, tableTsv } from "../../../src/markdown/tables";

/** Texts of cells as models write them; "\n" is written as `<br>` in Markdown. */
const SAMPLES = [
  'He said "yes"',
  "first\nsecond",
  "a | b",
  "订单金额，含税",
  "x, y; z",
  "tab in text",
  '"',
  "3.14",
  "'quoted'",
  "a < b & c > d",
  "＝不是公式?",
  "C:\\temp",
];

/** 40 rows of 12 cells, the head included. */
const CELLS = Array.from({ length: 40 }, (_, row) =>
  SAMPLES.map((_, column) => `${row} ${SAMPLES[(row + column) % SAMPLES.length]}`),
);

function markdownOf(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => {
    const cells = row.map((cell) =>
      cell.replace(/[\\|<&]/g, (sign) => `\\${sign}`).replaceAll("\n", "<br>"),
    );
    return `| ${cells.join(" | ")} |`;
  });
  lines.splice(1, 0, `|${"---|".repeat(rows[0]?.length ?? 0)}`);
  return lines.join("\n");
}

/** Reads separated values with quotes, by the grammar of RFC 4180. */
function readValues(text: string, separator: string, lineEnd: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  while (at < text.length) {
    let value = "";
    if (text[at] === '"') {
      const quotedValue = /"((?:[^"]|"")*)"/y;
      quotedValue.lastIndex = at;
      const match = quotedValue.exec(text);
      assert.ok(match, "an open quote");
      value = match[1]!.replaceAll('""', '"');
      at = quotedValue.lastIndex;
    } else {
      while (at < text.length && text[at] !== separator && !text.startsWith(lineEnd, at)) {
        assert.notEqual(text[at], '"');
        value += text.charAt(at++);
      }
    }
    rows.at(-1)!.push(value);
    if (text[at] === separator) at += 1;
    else {
      assert.ok(text.startsWith(lineEnd, at), "the end of a row");
      at += lineEnd.length;
      if (at < text.length) rows.push([]);
    }
  }
  return rows;
}

describe("a table of a reply as data", () => {
  const [table] = tables(`Some text\n\n${markdownOf(CELLS)}\n\nMore text`);

  it("comes back as 480 cells from CSV, tab-separated text and Markdown", () => {
    assert.ok(table);
    assert.deepEqual(readValues(tableCsv(table), ",", "\r\n"), CELLS);
    assert.deepEqual(readValues(tableTsv(table), "\t", "\n"), CELLS);
    const again = tables(tableMarkdown(table))[0]!;
    assert.deepEqual(again.rows, CELLS);
    assert.equal(again.rows.flat().length, 480);
    assert.equal(tableHtml(table).match(/<t[dh]>/g)?.length, 480);
  });

  it("keeps alignments and Markdown inside cells when copied as Markdown", () => {
    const source =
      "| a | b | c |\n| :--- | :---: | ---: |\n| **x** | `y \\| z` | [w](https://a.example) |\n";
    assert.equal(tableMarkdown(tables(source)[0]!), source);
  });

  it("is found in lists and quotes, and numbered in source order", () => {
    const found = tables("- item\n\n  |a|\n  |-|\n  |1|\n\n> |b|\n> |-|\n> |2|\n");
    assert.deepEqual(
      found.map(({ rows }) => rows),
      [
        [["a"], ["1"]],
        [["b"], ["2"]],
      ],
    );
  });

  it("pads rows that have fewer cells than the head", () => {
    assert.equal(tableCsv(tables("|a|b|\n|-|-|\n|1|\n")[0]!), "a,b\r\n1,\r\n");
  });

  it("writes no cell into CSV that a spreadsheet reads as a formula", () => {
    const dangerous = ["=1+1", "+SUM(A1)", "-2+3", "@cmd", "＝1+1", "=HYPERLINK(0)"];
    const [found] = tables(`|head|\n|-|\n${dangerous.map((cell) => `|${cell}|`).join("\n")}\n`);
    const [, ...written] = readValues(tableCsv(found!), ",", "\r\n").flat();
    assert.deepEqual(
      written,
      dangerous.map((cell) => `'${cell}`),
    );
  });

  it("leaves negative numbers numbers", () => {
    const numbers = ["-5", "+7", "-1,234.50", "-3%"];
    const [found] = tables(`|head|\n|-|\n${numbers.map((cell) => `|${cell}|`).join("\n")}\n`);
    assert.deepEqual(readValues(tableCsv(found!), ",", "\r\n").flat().slice(1), numbers);
  });
});
