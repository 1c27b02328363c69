/** Converts documents, ranges and diagnostics of VS Code into the types of `src/context`. */
import * as vscode from "vscode";
import type { LineSpan, SourceText } from "../../context/excerpt";
import type { Problem } from "../../context/problems";
import { secretIn } from "../../secrets/secretText";
import { MARK_SOURCE } from "./contributions";

/** Text with lines: a document, or the text of a file that is not open. */
export interface TextSource {
  readonly uri: vscode.Uri;
  readonly languageId: string;
  readonly lineCount: number;
  /** @param line 0-based */
  lineAt(line: number): { readonly text: string };
  validateRange(range: vscode.Range): vscode.Range;
}

/** Returns a document's lines with the path that is shown for them. */
export function sourceOf(document: TextSource): SourceText {
  const lines: string[] = [];
  for (let line = 0; line < document.lineCount; line++) lines.push(document.lineAt(line).text);
  const { uri, languageId } = document;
  return { path: pathOf(uri), uri: uri.toString(), languageId, lines };
}

/**
 * Returns the path that is shown and sent: relative to the workspace, with `/` between names, after
 * the folder's name where the workspace has several. Outside the workspace only the file's name,
 * because a whole path shows where the user keeps files. A notebook's cell has its number.
 */
export function pathOf(uri: vscode.Uri): string {
  return escapedPath(plainPathOf(uri));
}

/**
 * Escapes line breaks, control characters and direction characters of a path, so that a file name
 * cannot change how the text around the name reads.
 */
export function escapedPath(path: string): string {
  return path.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}

function plainPathOf(uri: vscode.Uri): string {
  const cell = cellOf(uri);
  if (cell !== undefined) {
    return vscode.l10n.t("{0}, cell {1}", pathOf(cell.notebook.uri), cell.index + 1);
  }
  const { workspaceFolders = [], getWorkspaceFolder, asRelativePath } = vscode.workspace;
  // Other schemes (git, a cell that is gone) name files of the workspace by the same path.
  const around = workspaceFolders.find((folder) => uri.path.startsWith(`${folder.uri.path}/`));
  const isKnown = getWorkspaceFolder(uri) !== undefined || around === undefined;
  const file = isKnown ? uri : around.uri.with({ path: uri.path });
  const folder = getWorkspaceFolder(file);
  if (folder?.uri.toString() === file.toString()) return folder.name;
  if (folder !== undefined) return asRelativePath(file).replaceAll("\\", "/");
  return uri.path.split("/").findLast((name) => name !== "") ?? uri.scheme;
}

function cellOf(uri: vscode.Uri): vscode.NotebookCell | undefined {
  if (uri.scheme !== "vscode-notebook-cell") return undefined;
  const cells = vscode.workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  return cells.find(({ document }) => document.uri.toString() === uri.toString());
}

/** Returns the lines of a range. The last line is left out if the range ends at its start. */
export function spanOf(range: vscode.Range): LineSpan {
  const { start, end } = range;
  const endLine = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return { startLine: start.line + 1, endLine: endLine + 1 };
}

const SEVERITIES = ["error", "warning", "information", "hint"] as const;

/**
 * Returns the problems in a span; all of the document's without a span. Leaves out messages that
 * quote a secret, and the marks of a reply.
 */
export function problemsIn(uri: vscode.Uri, span?: LineSpan): Problem[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ range }) => span === undefined || touches(range, span))
    .filter(({ source, message }) => source !== MARK_SOURCE && secretIn(message) === undefined)
    .map(problemOf);
}

export function problemOf(diagnostic: vscode.Diagnostic): Problem {
  const { severity, range, message, source = "", code } = diagnostic;
  const value = typeof code === "object" ? code.value : code;
  return {
    severity: SEVERITIES[severity],
    startLine: range.start.line + 1,
    message,
    source: [source, value ?? ""].join(" ").trim(),
  };
}

function touches(range: vscode.Range, { startLine, endLine }: LineSpan): boolean {
  return range.start.line + 1 <= endLine && range.end.line + 1 >= startLine;
}
