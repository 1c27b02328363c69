/**
 * Locates files: their real path with links resolved, and whether that is in the workspace. The
 * folders of the workspace may be links themselves.
 */
import * as vscode from "vscode";
import { realPath } from "../node/realPath";

/** A file's location on its file system. */
export interface FileLocation {
  /** The real path as a user reads it; of other file systems the whole URI. */
  readonly realPath: string;
  /** True if the named path and the real path are both in the workspace. */
  readonly isInside: boolean;
  /** True if the file, or a folder between it and the workspace's folder, is a link. */
  readonly isLink: boolean;
}

/** Locates a file that need not exist. */
export async function locate(uri: vscode.Uri): Promise<FileLocation> {
  const fileUri = uri.scheme === "vscode-notebook-cell" ? notebookOf(uri) : uri;
  if (fileUri.scheme === "file") return locationOf(fileUri, await realPath(fileUri.fsPath));
  // Links of other file systems can be seen, but not followed.
  const isLink = await vscode.workspace.fs.stat(fileUri).then(
    ({ type }) => (type & vscode.FileType.SymbolicLink) !== 0,
    () => false,
  );
  return {
    realPath: uri.toString(true),
    isInside: !isLink && folderOf(fileUri) !== undefined,
    isLink,
  };
}

/** Locates a file on the disk whose real path is known. */
export async function locationOf(uri: vscode.Uri, real: string): Promise<FileLocation> {
  const folder = folderOf(uri);
  if (folder === undefined)
    return { realPath: real, isInside: false, isLink: !isSame(real, uri.fsPath) };
  const root = await realPath(folder.uri.fsPath);
  const straight =
    vscode.Uri.file(root).path.replace(/\/$/, "") +
    uri.path.slice(folder.uri.path.replace(/\/$/, "").length);
  const isLink = !isSame(real, vscode.Uri.file(straight).fsPath);
  return { realPath: real, isInside: !isLink || (await isRealPathInside(real)), isLink };
}

/** Tells whether a real path is in one of the workspace's folders, wherever these really are. */
export async function isRealPathInside(real: string): Promise<boolean> {
  if (folderOf(vscode.Uri.file(real)) !== undefined) return true;
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(
    ({ uri }) => uri.scheme === "file",
  );
  const roots = await Promise.all(folders.map(({ uri }) => realPath(uri.fsPath)));
  return roots.some((root) => isBelow(real, root));
}

/** Tells whether a path is a folder or in it; both without links. */
export function isBelow(path: string, folder: string): boolean {
  const [inner, outer] = [path, folder].map((one) =>
    folded(vscode.Uri.file(one).path).replace(/\/$/, ""),
  ) as [string, string];
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** The folder of the workspace a URI is in; a path that climbs is in none. */
function folderOf(uri: vscode.Uri): vscode.WorkspaceFolder | undefined {
  if (uri.path.split("/").includes("..")) return undefined;
  return vscode.workspace.getWorkspaceFolder(uri);
}

function isSame(one: string, other: string): boolean {
  return folded(vscode.Uri.file(one).path) === folded(vscode.Uri.file(other).path);
}

/** Windows and macOS do not tell small letters from capitals, nor ways to write an umlaut. */
function folded(path: string): string {
  const isFolding = process.platform === "win32" || process.platform === "darwin";
  return isFolding ? path.normalize("NFC").toLowerCase() : path;
}

/** The file of a notebook's cell. */
function notebookOf(uri: vscode.Uri): vscode.Uri {
  const notebook = vscode.workspace.notebookDocuments.find((one) =>
    one.getCells().some(({ document }) => document.uri.toString() === uri.toString()),
  );
  return notebook?.uri ?? uri.with({ scheme: "file", fragment: "" });
}
