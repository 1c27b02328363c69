import * as vscode from "vscode";
import type { PictureFile } from "../../chat/view/editorContext";
import { MAX_PICTURE_BYTES } from "../../pictures/validateImage";
import { isBelow } from "../access/location";
import { gitRepositories } from "../access/git";
import type { ActiveChat } from "../panel/activeChat";
import { readPictures } from "../pictures/pictureFiles";
import { plainLabel } from "../messages/plainLabel";

/** Upper limit of the listed commits. */
const MAX_COMMITS = 50;

/** Length of the short id of a commit. */
const SHORT_ID = 8;

/**
 * @param clicked clicked item of the explorer
 * @param selected all selected items of the explorer
 */
export async function comparePictures(
  chat: ActiveChat,
  clicked: unknown,
  selected: unknown,
): Promise<void> {
  const chosen = Array.isArray(selected) && selected.length > 0 ? selected : [clicked];
  const [first, second] = chosen.filter((one) => one instanceof vscode.Uri);
  if (first && second) await compareFiles(chat, first, second);
  else if (first) await compareVersions(chat, first);
  else showChoice();
}

/** Compares two files; the older one is the earlier picture. */
async function compareFiles(chat: ActiveChat, one: vscode.Uri, other: vscode.Uri): Promise<void> {
  const times = await Promise.all([modifiedMs(one), modifiedMs(other)]);
  const uris = times[0] <= times[1] ? [one, other] : [other, one];
  const [earlier, later] = await readPictures(uris.map(String));
  if (earlier && later) await chat.compare(earlier, later);
}

/** Compares a file with its version in a commit that the user chooses. */
async function compareVersions(chat: ActiveChat, uri: vscode.Uri): Promise<void> {
  const repositories = (await gitRepositories()).filter(({ rootUri }) =>
    isBelow(uri.fsPath, rootUri.fsPath),
  );
  const [repository] = repositories.sort(
    (one, other) => other.rootUri.path.length - one.rootUri.path.length,
  );
  const path = uri.fsPath;
  const commits = (await repository?.log({ maxEntries: MAX_COMMITS, path })) ?? [];
  if (repository === undefined || commits.length === 0) {
    showChoice();
    return;
  }
  const picked = await vscode.window.showQuickPick(
    commits.map(({ hash, message, commitDate }) => ({
      label: plainLabel(message.trim().split("\n", 1)[0] ?? ""),
      description: [hash.slice(0, SHORT_ID), commitDate?.toLocaleString()]
        .filter(Boolean)
        .join(" "),
      hash,
    })),
    { title: vscode.l10n.t("Compare with the Version of…"), matchOnDescription: true },
  );
  if (picked === undefined) return;
  const [later] = await readPictures([uri.toString()]);
  if (later === undefined) return;
  const bytes = await repository.buffer(picked.hash, path).catch(() => undefined);
  const name = `${picked.hash.slice(0, SHORT_ID)} ${later.name}`.slice(-255);
  await chat.compare({ name, bytes: checkedBytes(bytes) }, later);
}

function checkedBytes(bytes: Uint8Array | undefined): PictureFile["bytes"] {
  if (bytes === undefined) return "unreadable";
  return bytes.length > MAX_PICTURE_BYTES ? "too-many-bytes" : new Uint8Array(bytes);
}

function showChoice(): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t("Select two pictures in the Explorer, or one that Git has versions of."),
  );
}

/** Returns 0 for a file that does not exist. */
async function modifiedMs(uri: vscode.Uri): Promise<number> {
  try {
    return (await vscode.workspace.fs.stat(uri)).mtime;
  } catch {
    return 0;
  }
}
