/** Makes excerpts of documents: lines within a budget, with path, language and problems. */
import type * as vscode from "vscode";
import { excerptOf, type BoundedExcerpt, type LineSpan } from "../../context/excerpt";
import { problemsText } from "../../context/problems";
import { systemTokens } from "../../base/tokens";
import { readSettings } from "../settings/settings";
import { problemsIn, sourceOf, spanOf, type TextSource } from "../platform/sourceText";

/** Share of the budget for the question and the start of a conversation, in tokens. */
const QUESTION_TOKENS = 2_000;

/** Lower limit of an excerpt's size for small budgets, in estimated tokens. */
const MIN_EXCERPT_TOKENS = 500;

/** Returns the upper limit of an excerpt, in estimated tokens. */
function maxExcerptTokens(): number {
  const { settings } = readSettings();
  const left = settings["context.budget"] - systemTokens(settings.systemPrompt) - QUESTION_TOKENS;
  return Math.max(MIN_EXCERPT_TOKENS, left);
}

export function excerptIn(document: TextSource, span: LineSpan): BoundedExcerpt {
  const { part, linesLeftOut } = excerptOf(sourceOf(document), span, maxExcerptTokens());
  const problems = problemsText(problemsIn(document.uri, span));
  return { part: { ...part, ...(problems !== "" && { problems }) }, linesLeftOut };
}

/** Returns the lines of a range or of the selection; the caret's line for an empty selection. */
export function selectedExcerpt(editor: vscode.TextEditor, range?: vscode.Range): BoundedExcerpt {
  const { document } = editor;
  return excerptIn(document, spanOf(document.validateRange(range ?? editor.selection)));
}

/** Returns a whole document, without line numbers. */
export function wholeExcerpt(document: TextSource): BoundedExcerpt {
  const { part, linesLeftOut } = excerptIn(document, {
    startLine: 1,
    endLine: document.lineCount,
  });
  const { kind, path, uri, languageId, text, problems } = part;
  const whole = {
    kind,
    path,
    uri,
    languageId,
    text,
    ...(linesLeftOut > 0 && { linesLeftOut }),
    ...(problems && { problems }),
  };
  return { part: whole, linesLeftOut };
}
