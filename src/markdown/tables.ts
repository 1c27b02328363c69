/**
 * Numbers the tables of a message as the page does, and writes them as Markdown, tab-separated text,
 * HTML and CSV.
 */
import type { ContainerBlock, TableBlock } from "./blockTree";
import { markdownLength, normalizeText } from "./limits";
import { createParser } from "./parser";
import { plainInline } from "./plainText";

/** Table of a message. The first row is the head; all rows have the same number of cells. */
export interface Table {
  readonly alignments: TableBlock["alignments"];
  /** Markdown of the cells. */
  readonly sources: readonly (readonly string[])[];
  /** Texts of the cells without Markdown marks; "\n" is a line break. */
  readonly rows: readonly (readonly string[])[];
}

/** Returns all tables of a message, in source order. */
export function tables(message: string): Table[] {
  const text = normalizeText(message);
  const parser = createParser();
  const { root, definitions } = parser.blocks(text.slice(0, markdownLength(text)));
  const complete: Table[] = [];
  const visit = (container: ContainerBlock) => {
    for (const block of container.children) {
      if (block.kind === "table") {
        const { alignments } = block;
        const sources = block.rows.map((row) => alignments.map((_, at) => row[at] ?? ""));
        const toText = (source: string) => plainInline(parser, definitions, source, true);
        complete.push({ alignments, sources, rows: sources.map((row) => row.map(toText)) });
      } else if ("children" in block) visit(block);
    }
  };
  visit(root);
  return complete;
}

const DASHES: Readonly<Record<TableBlock["alignments"][number], string>> = {
  "": "---",
  left: ":---",
  center: ":---:",
  right: "---:",
};

/** Returns the table as Markdown, outside the list or quote that it was in. */
export function tableMarkdown({ alignments, sources }: Table): string {
  // The parser has removed the backslash before a pipe.
  const rows = sources.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  rows.splice(
    1,
    0,
    alignments.map((alignment) => DASHES[alignment]),
  );
  return rows.map((row) => `| ${row.join(" | ")} |\n`).join("");
}

/** Returns the table as tab-separated text, quoted as spreadsheets do. */
export function tableTsv({ rows }: Table): string {
  return rows.map((row) => `${row.map((cell) => quoted(cell, /["\t\n\r]/)).join("\t")}\n`).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // Excel starts a new row at a line break without this style.
  "\n": '<br style="mso-data-placement:same-cell">',
};

/** Returns the table as HTML, from which spreadsheets and word processors make cells. */
export function tableHtml({ rows }: Table): string {
  const toHtml = (text: string) => text.replace(/[&<>"\n]/g, (sign) => ENTITIES[sign] ?? sign);
  const lines = rows.map((row, at) => {
    const tag = at === 0 ? "th" : "td";
    return `<tr>${row.map((cell) => `<${tag}>${toHtml(cell)}</${tag}>`).join("")}</tr>\n`;
  });
  return `<table>\n${lines.join("")}</table>`;
}

/**
 * First characters that make a spreadsheet read a cell as a formula.
 * Source: https://owasp.org/www-community/attacks/CSV_Injection
 */
const STARTS_FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

const PLAIN_NUMBER = /^[+-]\d[\d.,]*%?$/;

/** Returns the table as CSV (RFC 4180). An apostrophe keeps text from being read as a formula. */
export function tableCsv({ rows }: Pick<Table, "rows">): string {
  const toCell = (text: string) => {
    const isFormula = STARTS_FORMULA.test(text) && !PLAIN_NUMBER.test(text);
    return quoted(isFormula ? `'${text}` : text, /[",\r\n]/);
  };
  return rows.map((row) => `${row.map(toCell).join(",")}\r\n`).join("");
}

function quoted(text: string, needsQuotes: RegExp): string {
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
