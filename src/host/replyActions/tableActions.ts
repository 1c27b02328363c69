/**
 * Actions on a table of a reply. Reads the table from the stored reply by its number; the page never
 * sends cells.
 */
import * as vscode from "vscode";
import type { SessionHost } from "../../chat/sessionHost";
import { saveCsv } from "../platform/saveCsv";
import { tableCsv, tableHtml, tableMarkdown, tables, tableTsv } from "../../markdown/tables";

export const useTable: SessionHost["useTable"] = async (action, text, number) => {
  const table = tables(text)[number];
  if (table === undefined) return undefined;
  switch (action) {
    case "copy-cells":
      return { text: tableTsv(table), html: tableHtml(table) };
    case "copy-markdown":
      await vscode.env.clipboard.writeText(tableMarkdown(table));
      return "copied";
    case "save-csv":
      await saveCsv(tableCsv(table), vscode.l10n.t("table"));
      return undefined;
    default:
      return action satisfies never;
  }
};
