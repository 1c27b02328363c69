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

/** Sources and, for each of their tables, the cells of its rows. */
const INPUTS: Readonly<Record<string, readonly (readonly [string, readonly string[][]])[]>> = {
  "bars in code and formulas (cherry-studio#8850)": [
    [
      "|a|n|\n|-|-|\n|$rank(A) = ran([A|\\mathbf{b}]) = 3$| 1 |",
      [["a ; n", "$rank(A) = ran([A|\\mathbf{b}]) = 3$ ; 1"]],
    ],
    [
      "|a|b|\n|-|-|\n| $P(A|B)$ | x |\n| \\(P(A|B)\\) | x |",
      [["a ; b", "$P(A|B)$ ; x", "\\(P(A|B)\\) ; x"]],
    ],
    [
      "|a|b|\n|-|-|\n| `a | b` | or |\n| `a || b` | x |",
      [["a ; b", "`a | b` ; or", "`a || b` ; x"]],
    ],
    ["|a|b|\n|-|-|\n| `a \\| b` | ``x ` | y`` |", [["a ; b", "`a | b` ; ``x ` | y``"]]],
    ["| `a|b` | c |\n|-|-|\n| 1 | 2 |", [["`a|b` ; c", "1 ; 2"]]],
    [
      "|a|b|\n|-|-|\n| `x | y` |\n| $5 | $6 |\n| \\` | x | ` |",
      [["a ; b", "`x ; y`", "$5 ; $6", "\\` ; x | `"]],
    ],
  ],
  "surplus and missing cells": [
    ["|a|b|\n|-|-|\n|1|\n|1|2|3|4|\n|1|2|||", [["a ; b", "1 ; ", "1 ; 2 | 3 | 4", "1 ; 2"]]],
  ],
  "a blank line between rows (cherry-studio#10804)": [
    [
      "|a|b|\n|-|-|\n|1|2|\n\n|3|4|\n|5|6|\n\n|7|8|\n",
      [["a ; b", "1 ; 2", "3 ; 4", "5 ; 6", "7 ; 8"]],
    ],
    ["|a|b|\n|-|-|\n\n|1|2|", [["a ; b", "1 ; 2"]]],
    ["- x\n\n  |a|b|\n  |-|-|\n  |1|2|\n\n  |3|4|\n\n|5|6|", [["a ; b", "1 ; 2", "3 ; 4"]]],
    [
      "|a|b|\n|-|-|\n|1|2|\n\n|c|d|\n|-|-|\n|3|4|",
      [
        ["a ; b", "1 ; 2"],
        ["c ; d", "3 ; 4"],
      ],
    ],
    [
      "|a|b|\n|-|-|\n|1|2|\n\n\n|3|4|\n\n|a|b|\n|-|-|\n\n|3|\n\nx|y",
      [["a ; b", "1 ; 2"], ["a ; b"]],
    ],
  ],
  "another number of delimiters, long dashes, wide bars (cherry-markdown#1441)": [
    ["| a | b |\n|---|---|---|\n| 1 | 2 |", [["a ; b", "1 ; 2"]]],
    ["| a | b | c |\n|:--|--:|\n| 1 | 2 | 3 |", [["a ; b ; c", "1 ; 2 ; 3"]]],
    ["| a | b |\n|——|——|\n| 1 | 2 |", [["a ; b", "1 ; 2"]]],
    ["｜甲｜乙｜\n｜---｜---｜\n｜1｜2|3｜", [["甲 ; 乙", "1 ; 2 | 3"]]],
    // GitHub's examples 199 and 203, and lines that are no table.
    ["a|b\n-|-\n1|2", [["a ; b", "1 ; 2"]]],
    ["| abc | def |\n| --- |\n| bar |", []],
    ["a | b\n|---|---|---|\n\na | b\n—|—\n\n| a |\n|——|\n\n| a | b |\n| x | y |", []],
  ],
  "below the text of an item or a quote (markup#1169)": [
    ["- x:\n| a | b |\n|--|--|\n| 1 | 2 |\n- y", [["a ; b", "1 ; 2"]]],
    ["1. x\n   - y:\n   | a | b |\n   |--|--|\n   | 1 | 2 |", [["a ; b", "1 ; 2"]]],
    ["1. Set:\n    | a | b |\n    |--|--|\n    | 1 | 2 |", [["a ; b", "1 ; 2"]]],
    ["> x:\n| a | b |\n|--|--|\n| 1 | 2 |", [["a ; b", "1 ; 2"]]],
    ["- x\n      | a | b |\n      |--|--|", []],
  ],
};

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

  for (const [kind, inputs] of Object.entries(INPUTS)) {
    it(`has the rows that the source shows: ${kind}`, () => {
      for (const [source, expected] of inputs) {
        const rows = tables(source).map(({ sources }) => sources.map((row) => row.join(" ; ")));
        assert.deepEqual(rows, expected, source);
      }
    });
  }

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
