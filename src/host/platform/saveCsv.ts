import * as vscode from "vscode";

/** Byte order mark, without which Excel does not read UTF-8. */
const BOM = "\ufeff";

/** Saves CSV where the user chooses. */
export async function saveCsv(csv: string, name: string): Promise<void> {
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
