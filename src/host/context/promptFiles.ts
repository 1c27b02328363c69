/**
 * Prompt files: those of the workspace (`.github/prompts`) and of the user (VS Code's `prompts`
 * folder). Lists their names; a file is read when the user chooses it. Loaded on first use.
 */
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { Disposables, type Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";
import { readFrontMatter, replaceVariables } from "../../context/instructionFile";
import { cleanHiddenCharacters } from "../../markdown/hiddenCharacters";
import type { PromptView } from "../../protocol/views";
import { hiddenNames } from "../access/confirmInsert";
import { maySendExcerpts, readText } from "../access/readAccess";
import { refusedFileSentence } from "../access/textFiles";
import { pathOf, sourceOf } from "../platform/sourceText";
import { selectedExcerpt } from "./excerpts";

const ENDING = ".prompt.md";

/** Upper limit of prompt files of a folder. */
const MAX_FILES = 100;

/** Delay before changed folders are listed again, in milliseconds. */
const RELIST_AFTER_MS = 200;

interface PromptFile {
  readonly name: string;
  readonly uri: vscode.Uri;
  readonly isOfUser: boolean;
}

/** The prompt files of the window. */
export class PromptFiles implements Disposable {
  private readonly owned = new Disposables();
  private readonly changes = this.owned.add(new Emitter<void>());
  private readonly userFolder: vscode.Uri;
  private files: readonly PromptFile[] = [];
  private timer: Disposable | undefined;
  private listCount = 0;

  /** Fires when `list` may have changed. */
  readonly onChanged = this.changes.event;

  /** @param storage storage folder of the extension */
  constructor(
    storage: vscode.Uri,
    private readonly clock: Clock,
  ) {
    const { owned } = this;
    // User/globalStorage/<extension> is next to User/prompts.
    this.userFolder = vscode.Uri.joinPath(storage, "..", "..", "prompts");
    const soon = () => this.listSoon();
    const ofUser = new vscode.RelativePattern(this.userFolder, `*${ENDING}`);
    // The folders too: VS Code can miss files that are written to a folder right after its creation.
    const ofWorkspace = `**/{.github,.github/prompts,.github/prompts/*${ENDING}}`;
    for (const glob of [ofWorkspace, ofUser]) {
      const watcher = owned.add(vscode.workspace.createFileSystemWatcher(glob, false, true, false));
      owned.add(watcher.onDidCreate(soon));
      owned.add(watcher.onDidDelete(soon));
    }
    owned.add(vscode.workspace.onDidChangeWorkspaceFolders(soon));
    owned.add(vscode.workspace.onDidGrantWorkspaceTrust(soon));
    owned.add({ dispose: () => this.timer?.dispose() });
    void this.listFiles();
  }

  /** True once `list` is complete. */
  isListed = false;

  /** Names and paths of the files. */
  get list(): readonly PromptView[] {
    return this.files.map(({ name, uri }) => ({ name, text: "", path: pathOf(uri) }));
  }

  /** Returns the text of a prompt with its variables replaced; shows why there is none. */
  async read(name: string): Promise<string | undefined> {
    const file = this.files.find((one) => one.name === name);
    if (file === undefined) return undefined;
    const { uri, isOfUser } = file;
    const access = await readText(uri, isOfUser ? "picked" : "chosen");
    if (access.kind === "refused") {
      void vscode.window.showInformationMessage(refusedFileSentence(uri, access.why));
    }
    if (access.kind !== "text") return undefined;
    const { body } = readFrontMatter(sourceOf(access.source).lines.join("\n"));
    const hidden = hiddenNames(body);
    if (hidden.length > 0) {
      const names = hidden.join(", ");
      void vscode.window.showWarningMessage(
        vscode.l10n.t("Hidden characters were removed from {0}: {1}", pathOf(uri), names),
      );
    }
    const text = cleanHiddenCharacters(body).trim();
    return replaceVariables(text, await variables(text));
  }

  dispose(): void {
    this.owned.dispose();
  }

  private listSoon(): void {
    this.timer ??= this.clock.after(RELIST_AFTER_MS, () => {
      this.timer = undefined;
      void this.listFiles();
    });
  }

  private async listFiles(): Promise<void> {
    const turn = ++this.listCount;
    const [ofWorkspace, ofUser] = await Promise.all([
      workspaceFiles(),
      filesIn(this.userFolder, ENDING),
    ]);
    if (turn !== this.listCount) return;
    const named = [
      ...ofWorkspace.map((uri) => ({ name: nameOf(uri), uri, isOfUser: false })),
      ...ofUser.map((uri) => ({ name: nameOf(uri), uri, isOfUser: true })),
    ];
    // Of two files with the same name, the workspace's comes first.
    const files = new Map(named.toReversed().map((file) => [file.name, file]));
    this.files = [...files.values()].toSorted((a, b) => a.name.localeCompare(b.name));
    this.isListed = true;
    this.changes.fire();
  }
}

/** Returns the prompt files of the workspace; none in Restricted Mode. */
async function workspaceFiles(): Promise<vscode.Uri[]> {
  if (!vscode.workspace.isTrusted) return [];
  const folders = vscode.workspace.workspaceFolders ?? [];
  const found = await Promise.all(
    folders.map(({ uri }) => filesIn(vscode.Uri.joinPath(uri, ".github", "prompts"), ENDING)),
  );
  return found.flat();
}

/** Returns the files of a folder whose names have this ending. */
export async function filesIn(folder: vscode.Uri, ending: string): Promise<vscode.Uri[]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(folder);
    return entries
      .filter(([name, type]) => name.endsWith(ending) && (type & vscode.FileType.Directory) === 0)
      .slice(0, MAX_FILES)
      .map(([name]) => vscode.Uri.joinPath(folder, name));
  } catch {
    // Most folders have no prompts.
    return [];
  }
}

/** Returns the name that is typed after "/". */
function nameOf({ path }: vscode.Uri): string {
  const file = path.slice(path.lastIndexOf("/") + 1, -ENDING.length);
  return file.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 40);
}

/** Returns the values of the variables that a text uses, from the active editor. */
async function variables(text: string): Promise<Record<string, string | undefined>> {
  const editor = vscode.window.activeTextEditor;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const path = editor && pathOf(editor.document.uri);
  const name = path?.slice(path.lastIndexOf("/") + 1);
  const parent = path?.slice(0, Math.max(0, path.lastIndexOf("/")));
  const selected = /\$\{selec(?:tion|tedText)\}/.test(text)
    ? await selectedText(editor)
    : undefined;
  return {
    workspaceFolder: folder?.name,
    workspaceFolderBasename: folder?.name,
    file: path,
    relativeFile: path,
    fileBasename: name,
    fileBasenameNoExtension: name?.replace(/(.)\.[^.]*$/, "$1"),
    fileDirname: parent === "" ? "." : parent,
    selection: selected,
    selectedText: selected,
  };
}

async function selectedText(editor: vscode.TextEditor | undefined): Promise<string | undefined> {
  if (editor === undefined || editor.selection.isEmpty) return undefined;
  const { document, selection } = editor;
  // eslint-disable-next-line no-restricted-syntax -- checked below
  const text = document.getText(selection);
  const { part } = selectedExcerpt(editor);
  return (await maySendExcerpts(document, [part], "add")) ? text : undefined;
}
