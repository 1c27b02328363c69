/** Answers short questions about files, and shows text that is no file. */
import * as vscode from "vscode";

/** Returns the type of a file or folder; 0 (`FileType.Unknown`) for a path that does not exist. */
export async function fileTypeOf(uri: vscode.Uri): Promise<vscode.FileType> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => type,
    () => vscode.FileType.Unknown,
  );
}

export async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

export async function isFolder(uri: vscode.Uri): Promise<boolean> {
  return ((await fileTypeOf(uri)) & vscode.FileType.Directory) !== 0;
}

export async function isFile(uri: vscode.Uri): Promise<boolean> {
  return ((await fileTypeOf(uri)) & vscode.FileType.File) !== 0;
}

/** Parses URI text from outside; undefined for other text. */
export function parsedUri(text: string): vscode.Uri | undefined {
  try {
    return vscode.Uri.parse(text, true);
  } catch {
    return undefined;
  }
}

export function uniqueUris(uris: readonly vscode.Uri[]): vscode.Uri[] {
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}

/** Opens a text in an editor of its own. */
export async function openText(content: string, language?: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({
    content,
    ...(language !== undefined && { language }),
  });
  await vscode.window.showTextDocument(document);
}
