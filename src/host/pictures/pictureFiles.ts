/**
 * Pictures in files, on any file system VS Code knows: chosen by the person, dropped on the panel or
 * named by a command. A file outside the workspace is read only when the person chose it in the
 * system's own dialog or agrees to its real place.
 */
import * as vscode from "vscode";
import type { PictureFile } from "../../chat/imageAttachments";
import { MAX_PICTURE_BYTES } from "../../context/validateImage";
import { locate, isRealPathInside } from "../access/location";
import { readFileUpTo } from "../node/readFileUpTo";
import { PICTURE_ENDINGS } from "./pictureEndings";

const EXTENSION_ID = "core-chat.core-chat";

/** Lets the person choose pictures. */
export async function pickPictures(): Promise<PictureFile[]> {
  const uris = await vscode.window.showOpenDialog({
    title: vscode.l10n.t("Attach Pictures"),
    openLabel: vscode.l10n.t("Attach"),
    canSelectMany: true,
    filters: { [vscode.l10n.t("Pictures")]: [...PICTURE_ENDINGS] },
  });
  return Promise.all((uris ?? []).map(readPicture));
}

/** Reads files by their addresses, as the page or a link of a document gave them. */
export async function readPictures(addresses: readonly string[]): Promise<PictureFile[]> {
  const files: PictureFile[] = [];
  for (const address of addresses) {
    const uri = parsed(address);
    const file = uri && (await readAllowed(uri, mayRead));
    if (file) files.push(file);
  }
  return files;
}

/** Reads one file that the person themselves chose: that choice is their word. */
export async function readPicture(uri: vscode.Uri): Promise<PictureFile> {
  const file = await readAllowed(uri, () => Promise.resolve(true));
  return file ?? { name: nameOf(uri), bytes: "unreadable" };
}

/** Reads one file; undefined when `isAllowed` says no to where it really is. */
async function readAllowed(
  uri: vscode.Uri,
  isAllowed: (real: vscode.Uri) => Promise<boolean>,
): Promise<PictureFile | undefined> {
  const name = nameOf(uri);
  try {
    if (uri.scheme === "file") {
      const bytes = await readFileUpTo(uri.fsPath, MAX_PICTURE_BYTES, (path) =>
        isAllowed(vscode.Uri.file(path)),
      );
      if (bytes === "refused") return undefined;
      return { name, bytes: bytes === "not-a-file" ? "unreadable" : bytes };
    }
    if (!(await isAllowed(uri))) return undefined;
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0) return { name, bytes: "unreadable" };
    if (size > MAX_PICTURE_BYTES) return { name, bytes: "too-many-bytes" };
    return { name, bytes: await vscode.workspace.fs.readFile(uri) };
  } catch {
    return { name, bytes: "unreadable" };
  }
}

/** Writes a picture of the conversation to where the person says. */
export async function savePicture(name: string, mediaType: string, bytes: Uint8Array) {
  const ending = mediaType === "image/jpeg" ? "jpg" : "png";
  const stem = name.replace(/\.\w{1,5}$/, "").replace(/[^\p{L}\p{N} ._-]+/gu, "-") || "picture";
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const fileName = `${stem}.${ending}`;
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t("Save Picture"),
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, fileName) }),
  });
  if (target) await vscode.workspace.fs.writeFile(target, bytes);
}

function parsed(address: string): vscode.Uri | undefined {
  try {
    return here(vscode.Uri.parse(address, true));
  } catch {
    return undefined; // No address at all: whatever else was dropped.
  }
}

/**
 * What is dropped from a remote window's explorer is named as the window sees it; for an extension on
 * that machine those are plain files.
 */
function here(uri: vscode.Uri): vscode.Uri {
  const isThere =
    vscode.extensions.getExtension(EXTENSION_ID)?.extensionKind === vscode.ExtensionKind.Workspace;
  return uri.scheme === "vscode-remote" && isThere ? vscode.Uri.file(uri.path) : uri;
}

/** Inside the workspace, links followed; or else with the person's word. */
async function mayRead(real: vscode.Uri): Promise<boolean> {
  const isInside =
    real.scheme === "file" ? await isRealPathInside(real.fsPath) : (await locate(real)).isInside;
  if (isInside) return true;
  const attach = vscode.l10n.t("Attach");
  const place = real.scheme === "file" ? real.fsPath : real.toString(true);
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t("Attach a file from outside the workspace?"),
    { modal: true, detail: place },
    attach,
  );
  return answer === attach;
}

function nameOf(uri: vscode.Uri): string {
  return (uri.path.split("/").at(-1) ?? "").slice(-255);
}
