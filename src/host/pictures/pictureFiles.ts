/**
 * Reads and writes picture files on any file system of VS Code. A file outside the workspace is read
 * only if the user selects the file in a dialog or confirms its real path.
 */
import * as vscode from "vscode";
import type { PictureFile } from "../../chat/view/editorContext";
import { MAX_PICTURE_BYTES } from "../../pictures/validateImage";
import { refuseFixed } from "../policy/policy";
import { exclusionOf, isNeverSent } from "../access/exclusion";
import { locate, isRealPathInside } from "../access/location";
import { parsedUri } from "../platform/files";
import { readFileUpTo } from "../node/readFileUpTo";
import { PICTURE_EXTENSIONS } from "../../pictures/fileSignatures";

const EXTENSION_ID = "core-chat.core-chat";

export async function pickPictures(): Promise<PictureFile[]> {
  const uris = await vscode.window.showOpenDialog({
    title: vscode.l10n.t("Attach Pictures"),
    openLabel: vscode.l10n.t("Attach"),
    canSelectMany: true,
    filters: { [vscode.l10n.t("Pictures")]: [...PICTURE_EXTENSIONS] },
  });
  return Promise.all((uris ?? []).map(readPicture));
}

/** Reads files by URI text from the webview or from a link in a document. */
export async function readPictures(addresses: readonly string[]): Promise<PictureFile[]> {
  const files: PictureFile[] = [];
  for (const address of addresses) {
    const uri = localUri(address);
    if (uri && refuseFixed(isNeverSent([uri]), nameOf(uri))) continue;
    const file = uri && (await readAllowed(uri, (real) => mayRead(uri, real)));
    if (file) files.push(file);
  }
  return files;
}

/** Reads a file that the user selected, without asking for confirmation. */
export async function readPicture(uri: vscode.Uri): Promise<PictureFile> {
  refuseFixed(isNeverSent([uri]), nameOf(uri));
  const file = await readAllowed(uri, () => Promise.resolve(true));
  return file ?? { name: nameOf(uri), bytes: "unreadable" };
}

/** Reads a file without asking; undefined if its real path is not a file inside the workspace. */
export async function readWorkspacePicture(uri: vscode.Uri): Promise<PictureFile | undefined> {
  const file = await readAllowed(uri, isInsideWorkspace);
  return file?.bytes === "unreadable" ? undefined : file;
}

/**
 * Reads a file; undefined if `isAllowed` rejects its real path and number of names, or if the organization
 * never sends it.
 */
async function readAllowed(
  uri: vscode.Uri,
  isAllowedHere: (real: vscode.Uri, nameCount: number) => Promise<boolean>,
): Promise<PictureFile | undefined> {
  const name = nameOf(uri);
  const isAllowed = async (real: vscode.Uri, nameCount: number) =>
    !isNeverSent([uri, real]) && (await isAllowedHere(real, nameCount));
  try {
    if (uri.scheme === "file") {
      const bytes = await readFileUpTo(uri.fsPath, MAX_PICTURE_BYTES, (path, nameCount) =>
        isAllowed(vscode.Uri.file(path), nameCount),
      );
      if (bytes === "refused") return undefined;
      return { name, bytes: bytes === "not-a-file" ? "unreadable" : bytes };
    }
    if (!(await isAllowed(uri, 1))) return undefined;
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0) return { name, bytes: "unreadable" };
    if (size > MAX_PICTURE_BYTES) return { name, bytes: "too-many-bytes" };
    // eslint-disable-next-line no-restricted-syntax -- a picture that the user chose
    return { name, bytes: await vscode.workspace.fs.readFile(uri) };
  } catch {
    return { name, bytes: "unreadable" };
  }
}

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

/** Parses URI text from outside as a URI of this machine; undefined for other text. */
export function localUri(address: string): vscode.Uri | undefined {
  const uri = parsedUri(address);
  return uri && toLocalUri(uri);
}

/**
 * Converts `vscode-remote:` URIs, which the explorer of a remote window drops, to plain files for an
 * extension that runs on the remote machine.
 */
function toLocalUri(uri: vscode.Uri): vscode.Uri {
  const isOnRemote =
    vscode.extensions.getExtension(EXTENSION_ID)?.extensionKind === vscode.ExtensionKind.Workspace;
  return uri.scheme === "vscode-remote" && isOnRemote ? vscode.Uri.file(uri.path) : uri;
}

/** True for files inside the workspace, after resolving links, that no list excludes; else asks the user. */
async function mayRead(uri: vscode.Uri, real: vscode.Uri): Promise<boolean> {
  const exclusion = await exclusionOf(uri, real.scheme === "file" ? real.fsPath : real.path);
  const isInside = await isInsideWorkspace(real);
  if (isInside && exclusion === undefined) return true;
  const attach = vscode.l10n.t("Attach");
  const shownPath = real.scheme === "file" ? real.fsPath : real.toString(true);
  const answer = await vscode.window.showWarningMessage(
    exclusion === undefined || !isInside
      ? vscode.l10n.t("Attach a file from outside the workspace?")
      : vscode.l10n.t("Attach a file that is listed in {0}?", exclusion),
    { modal: true, detail: shownPath },
    attach,
  );
  return answer === attach;
}

async function isInsideWorkspace(real: vscode.Uri): Promise<boolean> {
  return real.scheme === "file" ? isRealPathInside(real.fsPath) : (await locate(real)).isInside;
}

function nameOf(uri: vscode.Uri): string {
  return (uri.path.split("/").at(-1) ?? "").slice(-255);
}
