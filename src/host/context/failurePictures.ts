/** Reads the pictures that a failed command or test names, such as its screenshot. */
import * as vscode from "vscode";
import type { PictureFile } from "../../chat/view/editorContext";
import { picturePathsIn } from "../../pictures/picturePaths";
import { plainOutput } from "../../context/programText";
import { localUri, readWorkspacePicture } from "../pictures/pictureFiles";

/** Upper limit of attached pictures. */
const MAX_PICTURES = 4;

/** A path from the root, with a drive or with a scheme. */
const ABSOLUTE = /^(?:[\\/]|[a-z]:[\\/]|file:)/i;

/**
 * Returns the pictures of the workspace that the output names, at most 4.
 *
 * @param folder in which the program ran; without it, paths are relative to the workspace folders
 */
export async function picturesNamedIn(output: string, folder?: vscode.Uri): Promise<PictureFile[]> {
  const workspaceFolders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const bases = folder === undefined ? workspaceFolders : [folder, ...workspaceFolders];
  const pictures = new Map<string, PictureFile>();
  for (const path of picturePathsIn(plainOutput(output))) {
    for (const uri of candidates(path, bases)) {
      // Opening a path of another machine would already connect to that machine.
      if (vscode.workspace.getWorkspaceFolder(uri) === undefined) continue;
      if (pictures.size === MAX_PICTURES) return [...pictures.values()];
      const key = uri.toString();
      const picture = pictures.get(key) ?? (await readWorkspacePicture(uri));
      if (picture === undefined) continue;
      pictures.set(key, picture);
      break;
    }
  }
  return [...pictures.values()];
}

function candidates(path: string, bases: readonly vscode.Uri[]): vscode.Uri[] {
  if (/^file:/i.test(path)) return [localUri(path)].filter((uri) => uri !== undefined);
  const slashed = path.replaceAll("\\", "/");
  if (slashed.startsWith("//")) return []; // A path of another machine.
  if (!ABSOLUTE.test(path)) return bases.map((base) => vscode.Uri.joinPath(base, slashed));
  const [base] = bases;
  if (base === undefined) return [];
  return [base.with({ path: slashed.startsWith("/") ? slashed : `/${slashed}` })];
}
