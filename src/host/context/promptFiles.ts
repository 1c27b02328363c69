/**
 * Prompt files: those of the workspace (`.github/prompts`) and of the user (VS Code's `prompts`
 * folder). Lists their names; a file is read when the user chooses it. Loaded on first use.
 */
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { readFrontMatter, replaceVariables } from "../../context/instructionFile";
import { cleanHiddenCharacters } from "../../markdown/hiddenCharacters";
import type { PromptView } from "../../protocol/views";
import { hiddenNames } from "../access/confirmInsert";
import { maySendExcerpts, readText } from "../access/readAccess";
import { refusedFileSentence } from "../access/textFiles";
import { pathOf, sourceOf } from "../platform/sourceText";
import { selectedExcerpt } from "./excerpts";
import { FollowedFiles, filesIn, userPromptFolder } from "./followedFiles";

const ENDING = ".prompt.md";

interface PromptFile {
  readonly name: string;
  readonly uri: vscode.Uri;
  readonly isOfUser: boolean;
}

/** The prompt files of the window; `value` has them. */
export class PromptFiles extends FollowedFiles<readonly PromptFile[]> {
  /** @param storage storage folder of the extension */
  constructor(storage: vscode.Uri, clock: Clock) {
    const userFolder = userPromptFolder(storage);
    const globs = [
      // The folders too: VS Code can miss files that are written to a folder right after its creation.
      `**/{.github,.github/prompts,.github/prompts/*${ENDING}}`,
      new vscode.RelativePattern(userFolder, `*${ENDING}`),
    ];
    super({ globs, read: () => listFiles(userFolder), clock });
  }

  /** Names and paths of the files; undefined until they are listed. */
  get list(): readonly PromptView[] | undefined {
    return this.used?.map(({ name, uri }) => ({ name, text: "", path: pathOf(uri) }));
  }

  /** Returns the text of a prompt with its variables replaced; shows why there is none. */
  async read(name: string): Promise<string | undefined> {
    const file = this.value?.find((one) => one.name === name);
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
}

/** Returns the files by name; of two with the same name, that of the workspace. */
async function listFiles(userFolder: vscode.Uri): Promise<readonly PromptFile[]> {
  const [ofWorkspace, ofUser] = await Promise.all([workspaceFiles(), filesIn(userFolder, ENDING)]);
  const prompts = [
    ...ofUser.map((uri) => ({ name: nameOf(uri), uri, isOfUser: true })),
    ...ofWorkspace.map((uri) => ({ name: nameOf(uri), uri, isOfUser: false })),
  ];
  const files = new Map(prompts.map((file) => [file.name, file]));
  return [...files.values()].toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Returns the prompt files of the workspace; none in Restricted Mode. */
async function workspaceFiles(): Promise<vscode.Uri[]> {
  if (!vscode.workspace.isTrusted) return [];
  const folders = vscode.workspace.workspaceFolders ?? [];
  const byFolder = await Promise.all(
    folders.map(({ uri }) => filesIn(vscode.Uri.joinPath(uri, ".github", "prompts"), ENDING)),
  );
  return byFolder.flat();
}

function nameOf({ path }: vscode.Uri): string {
  const file = path.slice(path.lastIndexOf("/") + 1, -ENDING.length);
  return file.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 40);
}

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
