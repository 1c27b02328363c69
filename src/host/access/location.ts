/**
 * Locates files: their real path with links resolved, inside or outside the workspace. The folders
 * of the workspace may be links themselves.
 */
import * as vscode from "vscode";
import { foldCase, realPath } from "../node/realPath";
import { fileTypeOf } from "../platform/files";
import { exclusionOf, type Exclusion } from "./exclusion";

export interface FileLocation {
  /** The real path as users read paths; of other file systems the whole URI. */
  readonly realPath: string;
  /** True if the named path and the real path are both in the workspace. */
  readonly isInside: boolean;
  /** True if the file, or a folder between the workspace folder and the file, is a link. */
  readonly isLink: boolean;
  /** Reason of the organization, the user or the repository not to send the file. */
  readonly exclusion?: Exclusion | undefined;
}

/** Locates a file, which may not exist yet. */
export async function locate(uri: vscode.Uri): Promise<FileLocation> {
  const fileUri = uri.scheme === "vscode-notebook-cell" ? notebookOf(uri) : uri;
  if (fileUri.scheme === "file") return locationOf(fileUri, await realPath(fileUri.fsPath));
  const folder = folderOf(fileUri);
  const isLink = await isBehindLink(fileUri, folder?.uri.path);
  return {
    realPath: uri.toString(true),
    isInside: !isLink && folder !== undefined,
    isLink,
    exclusion: await exclusionOf(fileUri, fileUri.path),
  };
}

/** Returns true if the organization never sends a file. */
export async function isForbiddenFile(uri: vscode.Uri): Promise<boolean> {
  return (await locate(uri)).exclusion === "policy";
}

/**
 * Returns true if a file of a file system provider, or a folder between it and `folderPath`, is a
 * link. VS Code's API shows such links, but not their targets.
 */
async function isBehindLink(uri: vscode.Uri, folderPath: string | undefined): Promise<boolean> {
  let current = uri;
  for (;;) {
    if (((await fileTypeOf(current)) & vscode.FileType.SymbolicLink) !== 0) return true;
    const parent = vscode.Uri.joinPath(current, "..");
    if (folderPath === undefined || parent.path.length <= folderPath.length) return false;
    current = parent;
  }
}

/** Locates a file on the disk whose real path is known. */
export async function locationOf(uri: vscode.Uri, real: string): Promise<FileLocation> {
  const folder = folderOf(uri);
  const exclusion = await exclusionOf(uri, real);
  if (folder === undefined)
    return { realPath: real, isInside: false, isLink: !isSame(real, uri.fsPath), exclusion };
  const root = await realPath(folder.uri.fsPath);
  const straight =
    vscode.Uri.file(root).path.replace(/\/$/, "") +
    uri.path.slice(folder.uri.path.replace(/\/$/, "").length);
  const isLink = !isSame(real, vscode.Uri.file(straight).fsPath);
  const isInside = !isLink || (await isRealPathInside(real));
  return { realPath: real, isInside, isLink, exclusion };
}

/** Returns true if a real path is in a folder of the workspace, links of these folders resolved. */
export async function isRealPathInside(real: string): Promise<boolean> {
  if (folderOf(vscode.Uri.file(real)) !== undefined) return true;
  return (await realWorkspaceRoots()).some((root) => isBelow(real, root));
}

/**
 * Returns true if a folder, as of a repository, is in the workspace or holds a folder of the
 * workspace. True for every folder in a window without a workspace on the disk.
 */
export async function overlapsWorkspace(folder: vscode.Uri): Promise<boolean> {
  const roots = await realWorkspaceRoots();
  if (folder.scheme !== "file" || roots.length === 0) return true;
  const real = await realPath(folder.fsPath);
  return roots.some((root) => isBelow(real, root) || isBelow(root, real));
}

function realWorkspaceRoots(): Promise<string[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const onDisk = folders.filter(({ uri }) => uri.scheme === "file");
  return Promise.all(onDisk.map(({ uri }) => realPath(uri.fsPath)));
}

/** Returns true if a path is a folder or in that folder; both without links. */
export function isBelow(path: string, folder: string): boolean {
  const [inner, outer] = [path, folder].map((one) =>
    foldCase(vscode.Uri.file(one).path).replace(/\/$/, ""),
  ) as [string, string];
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** Returns the workspace folder of a URI; undefined for a path with "..". */
function folderOf(uri: vscode.Uri): vscode.WorkspaceFolder | undefined {
  if (uri.path.split("/").includes("..")) return undefined;
  return vscode.workspace.getWorkspaceFolder(uri);
}

function isSame(one: string, other: string): boolean {
  return foldCase(vscode.Uri.file(one).path) === foldCase(vscode.Uri.file(other).path);
}

function notebookOf(uri: vscode.Uri): vscode.Uri {
  const notebook = vscode.workspace.notebookDocuments.find((one) =>
    one.getCells().some(({ document }) => document.uri.toString() === uri.toString()),
  );
  return notebook?.uri ?? uri.with({ scheme: "file", fragment: "" });
}
