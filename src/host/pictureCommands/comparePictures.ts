import * as vscode from "vscode";
import type { ActiveChat } from "../panel/activeChat";
import { readPictures } from "../pictures/pictureFiles";

/**
 * Compares two files; the older one is the earlier picture.
 *
 * @param selected all selected items of the explorer
 */
export async function comparePictures(chat: ActiveChat, selected: unknown): Promise<void> {
  const items = Array.isArray(selected) ? selected : [];
  const [one, other] = items.filter((item) => item instanceof vscode.Uri);
  if (one === undefined || other === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("Select two pictures in the Explorer."),
    );
    return;
  }
  const times = await Promise.all([modifiedMs(one), modifiedMs(other)]);
  const uris = times[0] <= times[1] ? [one, other] : [other, one];
  const [earlier, later] = await readPictures(uris.map(String));
  if (earlier && later) await chat.compare(earlier, later);
}

/** Returns 0 for a file that does not exist. */
async function modifiedMs(uri: vscode.Uri): Promise<number> {
  try {
    return (await vscode.workspace.fs.stat(uri)).mtime;
  } catch {
    return 0;
  }
}
