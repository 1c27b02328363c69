/**
 * Documents as the context room wants them, and what VS Code knows about a span of one.
 */
import * as vscode from "vscode";
import type { LineSpan, SourceText } from "../../context/excerpt";
import type { Problem } from "../../context/problems";

/** Text with lines that is a document, or was read from a file that is not open. */
export interface TextSource {
  readonly uri: vscode.Uri;
  readonly languageId: string;
  readonly lineCount: number;
  /** @param line 0-based */
  lineAt(line: number): { readonly text: string };
  validateRange(range: vscode.Range): vscode.Range;
}

/** A document's lines and how a person knows it. */
export function sourceOf(document: TextSource): SourceText {
  const lines: string[] = [];
  for (let line = 0; line < document.lineCount; line++) lines.push(document.lineAt(line).text);
  const { uri, languageId } = document;
  return { path: pathOf(uri), uri: uri.toString(), languageId, lines };
}

/** Relative to the workspace where possible, with `/` between names; a folder of it has its name. */
export function pathOf(uri: vscode.Uri): string {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  // VS Code has no relative path for these: where they are on this machine is nobody's business.
  if (folder?.uri.toString() === uri.toString()) return folder.name;
  return vscode.workspace.asRelativePath(uri, false).replaceAll("\\", "/");
}

/** Whole lines of a range: one that ends at a line's very start does not hold that line. */
export function spanOf(range: vscode.Range): LineSpan {
  const { start, end } = range;
  const endLine = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return { startLine: start.line + 1, endLine: endLine + 1 };
}

const SEVERITIES = ["error", "warning", "information", "hint"] as const;

/** Problems in a span; all of the document's without one. */
export function problemsIn(uri: vscode.Uri, span?: LineSpan): Problem[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ range }) => span === undefined || touches(range, span))
    .map(problemOf);
}

/** One diagnostic as the context room wants it. */
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
