/**
 * Finds the target of an edit, always whole lines: the selection, or the cursor position. Includes
 * the indentation and line ends of the document.
 */
import * as vscode from "vscode";
import type { LineSpan } from "../../context/excerpt";
import type { DocumentIndent } from "../../replyCode/findTarget";
import type { DocumentStyle } from "../../edit/pendingEdit";
import type { EditTarget } from "../../edit/textSink";
import { languageOfFile } from "../../replyCode/labels";
import { pathOf, spanOf } from "../platform/sourceText";

/** Target range, its lines in the document and their style. */
export interface ChosenTarget {
  readonly kind: "rewrite" | "generate";
  readonly target: EditTarget;
  readonly span: LineSpan;
  readonly style: DocumentStyle;
}

/** Languages in which prose and code fences are content. */
const PROSE_LANGUAGES = new Set(
  (
    "markdown plaintext restructuredtext asciidoc mdx quarto rmd org textile prompt instructions " +
    "chatmode chatagent skill"
  ).split(" "),
);

/** Returns a target that rewrites the lines of a range, without blank lines at its ends. */
export function rewriteTarget(editor: vscode.TextEditor, range: vscode.Range): ChosenTarget {
  const span = trimmedSpan(editor.document, spanOf(range));
  const target = editTargetOf(editor.document, span);
  const style = styleOf(editor, span.startLine - 1, span.endLine);
  return { kind: "rewrite", target, span, style };
}

/** Returns the span from its first to its last line with text; the same span if it has none. */
function trimmedSpan(document: vscode.TextDocument, span: LineSpan): LineSpan {
  const lines = linesOf(document, span.startLine - 1, span.endLine);
  const first = lines.findIndex((line) => line.trim() !== "");
  if (first < 0) return span;
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return { startLine: span.startLine + first, endLine: span.startLine + last };
}

/**
 * Returns a target at a position: fills an empty line, or adds new lines next to a line with text.
 */
export function generateTarget(editor: vscode.TextEditor, at: vscode.Position): ChosenTarget {
  const { document } = editor;
  const line = document.lineAt(at.line);
  const span = { startLine: at.line + 1, endLine: at.line + 1 };
  const target = editTargetOf(document, span);
  if (line.isEmptyOrWhitespace) {
    const style = styleOf(editor, at.line, at.line + 1);
    return { kind: "generate", target, span, style };
  }
  const isBefore = at.character <= line.firstNonWhitespaceCharacterIndex;
  const frame = isBefore ? { before: [], after: [line.text] } : { before: [line.text], after: [] };
  const between = isBefore ? at.line : at.line + 1;
  const style = styleOf(editor, between, between);
  return { kind: "generate", target: { ...target, frame }, span, style };
}

export function eolOf(document: vscode.TextDocument): EditTarget["eol"] {
  return document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
}

/** Returns the target of whole lines, as they are now. */
export function editTargetOf(
  document: vscode.TextDocument,
  { startLine, endLine }: LineSpan,
): EditTarget {
  const lines = linesOf(document, startLine - 1, endLine);
  const start = document.offsetAt(new vscode.Position(startLine - 1, 0));
  const savedAfterMs = autoSaveDelayMs(document);
  const { version } = document;
  return {
    start,
    lines,
    eol: eolOf(document),
    version,
    ...(savedAfterMs !== undefined && { savedAfterMs }),
  };
}

function linesOf(document: vscode.TextDocument, start: number, end: number): string[] {
  const lines: string[] = [];
  for (let line = start; line < end; line++) lines.push(document.lineAt(line).text);
  return lines;
}

/** Returns the delay of VS Code's auto save in milliseconds; undefined if auto save is off. */
function autoSaveDelayMs({ uri, isUntitled }: vscode.TextDocument): number | undefined {
  const files = vscode.workspace.getConfiguration("files", uri);
  if (isUntitled || files.get<string>("autoSave") !== "afterDelay") return undefined;
  // The timers of VS Code and of the extension differ by some milliseconds.
  return 0.9 * files.get<number>("autoSaveDelay", 1_000);
}

/**
 * @param start first replaced line, 0-based
 * @param end first line after the replaced lines
 */
function styleOf(editor: vscode.TextEditor, start: number, end: number): DocumentStyle {
  const { document } = editor;
  const languageId = languageOfFile(document.languageId, document.uri.path);
  return {
    indent: indentIn(editor),
    isProse: PROSE_LANGUAGES.has(languageId),
    languageId,
    path: pathOf(document.uri),
    before: linesOf(document, 0, start),
    after: linesOf(document, end, document.lineCount),
  };
}

export function indentIn({ options }: vscode.TextEditor): DocumentIndent {
  const { insertSpaces, tabSize } = options;
  return {
    usesTabs: insertSpaces === false,
    size: typeof tabSize === "number" && tabSize > 0 ? tabSize : 4,
  };
}
