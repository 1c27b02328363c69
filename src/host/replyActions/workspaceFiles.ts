/** Files that a reply names: found in the workspace, with the texts that its changes start from. */
import * as vscode from "vscode";
import { parseMention } from "../../markdown/fileMentions";
import type { NamedFile, UnusedReason } from "../../replyCode/changeSet";
import { isEditable } from "../inline/editable";
import { pathOf } from "../platform/sourceText";
import { filesNamed } from "./fileLinks";

/** Files of a single reply. */
export class WorkspaceFiles {
  private readonly uris = new Map<string, vscode.Uri>();
  private readonly documents = new Map<string, vscode.TextDocument>();
  /** Texts when the files were read. */
  private readonly texts = new Map<string, string | undefined>();

  /** Returns the file of a name that a reply has. */
  async find(name: string): Promise<NamedFile | UnusedReason> {
    const path = parseMention(relativePath(name))?.path;
    if (path === undefined) return "outside";
    const [found, ...others] = await filesNamed(path);
    if (others.length > 0) return "several-matches";
    const uri = found ?? newUri(path);
    if (uri === undefined) return "not-found";
    const key = uri.toString();
    this.uris.set(pathOf(uri), uri);
    if (found === undefined) {
      this.texts.set(key, undefined);
      return { path: pathOf(uri) };
    }
    try {
      const document = await vscode.workspace.openTextDocument(uri);
      if (!(await isEditable(document))) return "unreadable";
      this.documents.set(key, document);
      this.texts.set(key, plain(document.getText()));
      return { path: pathOf(uri), lines: plain(document.getText()).split("\n") };
    } catch {
      return "unreadable";
    }
  }

  /** @param path of a file that was found */
  uriOf(path: string): vscode.Uri {
    const uri = this.uris.get(path);
    if (uri === undefined) throw new Error("The file was not looked up.");
    return uri;
  }

  documentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
    return this.documents.get(uri.toString());
  }

  /** Returns the first of these files whose text is not the one that was read. */
  async firstChanged(uris: readonly vscode.Uri[]): Promise<vscode.Uri | undefined> {
    for (const uri of uris) {
      if ((await currentText(uri)) !== this.texts.get(uri.toString())) return uri;
    }
    return undefined;
  }
}

/** Returns the text of a file as it is now, with its unsaved changes; undefined without a file. */
async function currentText(uri: vscode.Uri): Promise<string | undefined> {
  const { textDocuments, fs, decode } = vscode.workspace;
  const open = textDocuments.find((one) => one.uri.toString() === uri.toString());
  try {
    // The editor follows a changed file with a delay, so the file itself is read.
    const text = plain(await decode(await fs.readFile(uri), { uri }));
    return open?.isDirty === true ? plain(open.getText()) : text;
  } catch {
    return undefined;
  }
}

function plain(text: string): string {
  return text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
}

/** Returns an absolute path in a workspace folder as a relative one; any other path as it is. */
function relativePath(name: string): string {
  if (!/^(?:[/\\]|[a-z]:[/\\])/i.test(name)) return name;
  const folders = vscode.workspace.workspaceFolders ?? [];
  const path = vscode.Uri.file(name).path.replaceAll("\\", "/");
  const folder = folders.find(({ uri }) => path.startsWith(`${uri.path}/`));
  const relative = folder && path.slice(folder.uri.path.length + 1);
  return relative === undefined || folders.length === 1
    ? (relative ?? name)
    : `${folder?.name}/${relative}`;
}

/** Returns the URI of a new file; with several workspace folders the path begins with a name. */
function newUri(path: string): vscode.Uri | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const named = folders.find(({ name }) => folders.length > 1 && path.startsWith(`${name}/`));
  if (named !== undefined) return vscode.Uri.joinPath(named.uri, path.slice(named.name.length + 1));
  const [only] = folders;
  return folders.length === 1 && only ? vscode.Uri.joinPath(only.uri, path) : undefined;
}
