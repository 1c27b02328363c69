/** Makes text of programs ready to send: without secrets and without paths of this machine. */
import * as vscode from "vscode";
import { plainOutput, withoutFolders, type NamedFolder } from "../../context/programText";
import { withoutSecrets } from "../../secrets/secretText";
import { realPath } from "../node/realPath";

/** Returns the text as a terminal shows it, without secrets and with relative paths. */
export async function sentText(text: string): Promise<string> {
  return withoutFolders(withoutSecrets(plainOutput(text)), await workspaceFolders());
}

/** Returns the folders of the workspace, under their names and their real paths. */
async function workspaceFolders(): Promise<NamedFolder[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const folderNames = await Promise.all(
    folders
      .filter(({ uri }) => uri.scheme === "file")
      .map(async ({ uri, name }) => {
        const shown = folders.length === 1 ? "" : name;
        const real = await realPath(uri.fsPath);
        return [...new Set([uri.fsPath, real])].map((path) => ({ path, shown }));
      }),
  );
  return folderNames.flat();
}
