/** Finds the files that the imports of a file mean, where no extension knows the language. */
import * as vscode from "vscode";
import { importedPaths, type ImportedPath } from "../../context/importedPaths";
import { isFile } from "../platform/files";
import { sourceOf, type TextSource } from "../platform/sourceText";

/** Upper limit of files of a folder. */
const MAX_FOLDER_FILES = 20;

/**
 * Returns the files in which a file's imports may declare some names, the file itself first; empty for
 * languages whose extension is part of VS Code. Their text is not read.
 */
export async function importedFiles(
  file: TextSource,
  names: ReadonlySet<string>,
): Promise<vscode.Uri[]> {
  const root = vscode.workspace.getWorkspaceFolder(file.uri)?.uri;
  const paths = importedPaths(file.languageId, sourceOf(file).lines, names);
  if (paths === undefined || root === undefined) return [];
  const existingFiles = await Promise.all(paths.map((path) => existing(file.uri, root, path)));
  return [file.uri, ...existingFiles.flat()];
}

async function existing(
  importing: vscode.Uri,
  root: vscode.Uri,
  { candidates, base }: ImportedPath,
): Promise<vscode.Uri[]> {
  for (const folder of basesOf(importing, root, base)) {
    for (const candidate of candidates) {
      const uri = vscode.Uri.joinPath(folder, candidate);
      if (!uri.path.startsWith(`${root.path}/`) && uri.path !== root.path) continue;
      const isFilePath = !candidate.endsWith("/");
      if (isFilePath && (await isFile(uri))) return [uri];
      const files = isFilePath ? [] : await filesIn(uri, importing);
      if (files.length > 0) return files;
    }
  }
  return [];
}

function basesOf(
  importing: vscode.Uri,
  root: vscode.Uri,
  base: ImportedPath["base"],
): vscode.Uri[] {
  const folders: vscode.Uri[] = [];
  let folder = vscode.Uri.joinPath(importing, "..");
  for (; folder.path.length >= root.path.length; folder = vscode.Uri.joinPath(folder, "..")) {
    folders.push(folder);
    if (folder.path === root.path) break;
  }
  if (base === "folder") return folders.slice(0, 1);
  return base === "ancestors" ? folders : folders.filter(({ path }) => path.endsWith("/src"));
}

/** Returns the files of a folder with the ending of the importing file, without its tests. */
async function filesIn(folder: vscode.Uri, importing: vscode.Uri): Promise<vscode.Uri[]> {
  const ending = importing.path.slice(importing.path.lastIndexOf("."));
  try {
    const names = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
    return names
      .filter((name) => name.endsWith(ending) && !name.endsWith(`_test${ending}`))
      .map((name) => vscode.Uri.joinPath(folder, name))
      .filter(({ path }) => path !== importing.path)
      .slice(0, MAX_FOLDER_FILES);
  } catch {
    return []; // There is no such folder.
  }
}
