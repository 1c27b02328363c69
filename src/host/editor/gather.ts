/**
 * What can be sent along with a question, as the parts of a message: the selection, a file, the
 * problems, the changes, what is selected in the terminal. Each within its budget; what cannot go
 * is said in a sentence.
 */
import * as vscode from "vscode";
import { excerptOf, type LineSpan } from "../../context/excerpt";
import { problemsText } from "../../context/problems";
import type { Part } from "../../conversation/message";
import { changesOf } from "./changes";
import { gitRepositories } from "./git";
import { pathOf, problemOf, problemsIn, sourceOf, spanOf } from "./sourceText";
import { readTextFile, refusedFileSentence } from "./textFiles";

/** What one excerpt may cost, in estimated tokens. */
const MAX_EXCERPT_TOKENS = 8_000;

/** Longest piece of a terminal, in UTF-16 units: its end says what went wrong. */
const MAX_TERMINAL_LENGTH = 20_000;

/** The parts, or why there are none. */
export type Gathered =
  | { readonly ok: true; readonly parts: readonly Part[]; readonly linesLeftOut: number }
  | { readonly ok: false; readonly sentence: string };

/** Lines of a document with the problems in them; the caret's line where nothing is selected. */
export function gatherSelection(editor: vscode.TextEditor, range?: vscode.Range): Gathered {
  const { document } = editor;
  return gatherLines(document, spanOf(document.validateRange(range ?? editor.selection)));
}

/** A whole file with its problems; a file outside the workspace only after a yes. */
export async function gatherFile(
  uri: vscode.Uri,
  realPath: (path: string) => Promise<string>,
): Promise<Gathered> {
  if (!(await mayRead(uri, realPath))) return { ok: false, sentence: "" };
  const reading = await readTextFile(uri);
  if (!reading.ok) return { ok: false, sentence: refusedFileSentence(uri, reading.kind) };
  return gatherLines(reading.document, { startLine: 1, endLine: reading.document.lineCount });
}

/** Problems of one file, or of all of them. */
export function gatherProblems(uri?: vscode.Uri): Gathered {
  const files = uri === undefined ? vscode.languages.getDiagnostics() : [[uri, null] as const];
  const texts = files.flatMap(([file, found]) => {
    const text = problemsText(found === null ? problemsIn(file) : found.map(problemOf));
    return text === "" ? [] : [`${pathOf(file)}:\n${text}`];
  });
  if (texts.length === 0) {
    return { ok: false, sentence: vscode.l10n.t("There are no problems to add.") };
  }
  return textOnly(`Problems:\n${texts.join("\n\n")}`);
}

/** What is staged, or else all changes, of the open repositories. */
export async function gatherChanges(): Promise<Gathered> {
  const texts: string[] = [];
  for (const repository of await gitRepositories()) {
    const changes = await changesOf(repository);
    if (changes === undefined) continue;
    const kind = changes.isStaged ? "Staged changes" : "Changes";
    texts.push(`${kind} in ${pathOf(repository.rootUri)}:\n${changes.newFiles}${changes.diff}`);
  }
  if (texts.length === 0) {
    return { ok: false, sentence: vscode.l10n.t("There are no changes to add.") };
  }
  return textOnly(texts.join("\n\n"));
}

/** What is selected in the terminal: VS Code gives it by way of the clipboard, which is put back. */
export async function gatherTerminal(): Promise<Gathered> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  await clipboard.writeText("");
  try {
    await vscode.commands.executeCommand("workbench.action.terminal.copySelection");
    const text = (await clipboard.readText()).trim();
    if (text === "") {
      const sentence = vscode.l10n.t("Nothing is selected in the terminal. Select text there.");
      return { ok: false, sentence };
    }
    return textOnly(`From the terminal:\n${text.slice(-MAX_TERMINAL_LENGTH)}`);
  } finally {
    await clipboard.writeText(before);
  }
}

function gatherLines(document: vscode.TextDocument, span: LineSpan): Gathered {
  const { part, linesLeftOut } = excerptOf(sourceOf(document), span, MAX_EXCERPT_TOKENS);
  const problems = problemsText(problemsIn(document.uri, span));
  const parts: Part[] = [part];
  if (problems !== "") parts.push({ kind: "text", text: `Problems in these lines:\n${problems}` });
  return { ok: true, parts, linesLeftOut };
}

function textOnly(text: string): Gathered {
  return { ok: true, parts: [{ kind: "text", text }], linesLeftOut: 0 };
}

/** True inside the workspace, by the real path too; else the person is asked with that path. */
async function mayRead(
  uri: vscode.Uri,
  realPath: (path: string) => Promise<string>,
): Promise<boolean> {
  if (uri.scheme !== "file") return vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  const real = await realPath(uri.fsPath).catch(() => uri.fsPath);
  const isInside = [uri, vscode.Uri.file(real)].every(
    (one) => vscode.workspace.getWorkspaceFolder(one) !== undefined,
  );
  if (isInside) return true;
  const add = vscode.l10n.t("Add It");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("{0} is outside the workspace. Add it all the same?", real),
    { modal: true },
    add,
  );
  return chosen === add;
}
