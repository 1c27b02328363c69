/** Compares two picture files, two versions of a picture in Git, or the pictures of a failed visual test. */
import * as vscode from "vscode";
import type { PictureFile } from "../../chat/view/editorContext";
import { ACTUAL_PICTURES, expectedPaths } from "../../pictures/testPictures";
import { MAX_PICTURE_BYTES } from "../../pictures/validateImage";
import { isBelow } from "../access/location";
import { gitRepositories } from "../context/git";
import type { ActiveChat } from "../panel/activeChat";
import { readPictures, readWorkspacePicture } from "../pictures/pictureFiles";
import { plainLabel } from "../messages/plainLabel";

/** Upper limits of the lists. */
const MAX_COMMITS = 50;
const MAX_TESTS = 200;

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
  else await compareTests(chat);
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
    const text = vscode.l10n.t(
      "Git has no version of this picture. Select two pictures to compare them.",
    );
    void vscode.window.showInformationMessage(text);
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

/** Compares the expected and the actual picture of a test that the user chooses, the latest first. */
async function compareTests(chat: ActiveChat): Promise<void> {
  const files = await vscode.workspace.findFiles(ACTUAL_PICTURES, "**/node_modules/**", MAX_TESTS);
  const tests = await Promise.all(files.map(testOf));
  const items = tests
    .flatMap((test) => test ?? [])
    .sort((one, other) => other.modifiedMs - one.modifiedMs);
  if (items.length === 0) {
    const text = vscode.l10n.t(
      "No pictures of failed tests were found. Select two pictures in the Explorer, or one that Git has versions of.",
    );
    void vscode.window.showInformationMessage(text);
    return;
  }
  const title = vscode.l10n.t("Compare Pictures of a Failed Test");
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  if (picked === undefined) return;
  const earlier = await readWorkspacePicture(picked.expected);
  const later = await readWorkspacePicture(picked.actual);
  if (earlier && later) await chat.compare(earlier, later);
}

async function testOf(actual: vscode.Uri) {
  for (const path of expectedPaths(actual.path)) {
    const expected = actual.with({ path });
    if ((await modifiedMs(expected)) === 0) continue;
    const changedMs = await modifiedMs(actual);
    const folder = plainLabel(vscode.workspace.asRelativePath(vscode.Uri.joinPath(actual, "..")));
    const description = `${folder}, ${new Date(changedMs).toLocaleString()}`;
    const label = plainLabel(actual.path.slice(actual.path.lastIndexOf("/") + 1));
    return { label, description, actual, expected, modifiedMs: changedMs };
  }
  return undefined;
}

/** Returns 0 for a file that does not exist. */
async function modifiedMs(uri: vscode.Uri): Promise<number> {
  try {
    return (await vscode.workspace.fs.stat(uri)).mtime;
  } catch {
    return 0;
  }
}
