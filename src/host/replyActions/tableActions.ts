/**
 * Actions on a table of a reply. Reads the table from the stored reply by its number; the page never
 * sends cells.
 */
import * as vscode from "vscode";
import type { SessionHost } from "../../chat/sessionHost";
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

/** Byte order mark, without which Excel does not read UTF-8. */
const BOM = "\ufeff";

/** Saves CSV where the user chooses. */
async function saveCsv(csv: string, name: string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t("Save as CSV"),
    filters: { CSV: ["csv"] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, `${name}.csv`) }),
  });
  if (target === undefined) return;
  try {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(BOM + csv));
  } catch {
    void vscode.window.showErrorMessage(
      vscode.l10n.t("The table could not be saved there. Choose another location."),
    );
  }
}
