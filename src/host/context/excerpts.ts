/**
 * Lines of a document as a part of a question, with their path, their language and the problems in
 * them, within a budget.
 */
import type * as vscode from "vscode";
import { excerptOf, type BoundedExcerpt, type LineSpan } from "../../context/excerpt";
import { problemsText } from "../../context/problems";
import { systemTokens } from "../../context/tokens";
import { readSettings } from "../settings/settings";
import { problemsIn, sourceOf, spanOf, type TextSource } from "../platform/sourceText";

/** What the question itself and the start of a conversation need of the budget, in tokens. */
const QUESTION_TOKENS = 2_000;

/** Least cost of an excerpt that is not cut, in estimated tokens, however small the budget. */
const MIN_EXCERPT_TOKENS = 500;

/** What one excerpt may cost, in estimated tokens: what the budget leaves beside the question. */
function maxExcerptTokens(): number {
  const { settings } = readSettings();
  const left = settings["context.budget"] - systemTokens(settings.systemPrompt) - QUESTION_TOKENS;
  return Math.max(MIN_EXCERPT_TOKENS, left);
}

/** Lines of a document with the problems in them. */
export function excerptIn(document: TextSource, span: LineSpan): BoundedExcerpt {
  const { part, linesLeftOut } = excerptOf(sourceOf(document), span, maxExcerptTokens());
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
  const whole = {
    ...{ kind, path, uri, languageId, text },
    ...(linesLeftOut > 0 && { linesLeftOut }),
    ...(problems && { problems }),
  };
  return { part: whole, linesLeftOut };
}
