/**
 * Lines of a document as a part of a question, with their path, their language and the problems in
 * them, within a budget.
 */
import type * as vscode from "vscode";
import { excerptOf, type BoundedExcerpt, type LineSpan } from "../../context/excerpt";
import { problemsText } from "../../context/problems";
import { problemsIn, sourceOf, spanOf, type TextSource } from "./sourceText";

/** What one excerpt may cost, in estimated tokens. */
export const MAX_EXCERPT_TOKENS = 8_000;

/** Lines of a document with the problems in them. */
export function excerptIn(document: TextSource, span: LineSpan): BoundedExcerpt {
  const { part, linesLeftOut } = excerptOf(sourceOf(document), span, MAX_EXCERPT_TOKENS);
  const problems = problemsText(problemsIn(document.uri, span));
  return { part: { ...part, ...(problems !== "" && { problems }) }, linesLeftOut };
}

/** The lines of a range, or of the selection; the caret's line where nothing is selected. */
export function selectedExcerpt(editor: vscode.TextEditor, range?: vscode.Range): BoundedExcerpt {
  const { document } = editor;
  return excerptIn(document, spanOf(document.validateRange(range ?? editor.selection)));
}

/** A whole document, which has no lines to name. */
export function wholeExcerpt(document: TextSource): BoundedExcerpt {
  const { part, linesLeftOut } = excerptIn(document, {
    startLine: 1,
    endLine: document.lineCount,
  });
  const { kind, path, uri, languageId, text, problems } = part;
  const whole = { kind, path, uri, languageId, text, ...(problems && { problems }) };
  return { part: whole, linesLeftOut };
}
