/**
 * Where an edit goes: the lines of the selection, or the place at the cursor, with how its document
 * wants lines to look. Whole lines always.
 */
import * as vscode from "vscode";
import type { LineSpan } from "../../context/excerpt";
import { indentOf } from "../../inline/indentation";
import type { DocumentStyle } from "../../inline/pendingEdit";
import type { EditPlace } from "../../inline/textSink";
import { spanOf } from "../platform/sourceText";

/** A place, its lines in the document and its style. */
export interface ChosenTarget {
  readonly kind: "rewrite" | "generate";
  readonly place: EditPlace;
  readonly span: LineSpan;
  readonly style: DocumentStyle;
}

/** Languages in which prose and code fences are content. */
const PROSE_LANGUAGES = new Set(["markdown", "plaintext", "restructuredtext", "asciidoc", "mdx"]);

/** So many lines before and after the place are compared with a reply's. */
const MAX_LINES_AROUND = 1_000;

/** The lines of a range, to be rewritten. */
export function rewriteTarget(editor: vscode.TextEditor, range: vscode.Range): ChosenTarget {
  const span = spanOf(range);
  const place = placeOf(editor.document, span);
  const style = styleOf(editor, indentOf(place.lines), span.startLine - 1, span.endLine);
  return { kind: "rewrite", place, span, style };
}

/** The place at a position: an empty line is filled; beside any other, new lines are made. */
export function generateTarget(editor: vscode.TextEditor, at: vscode.Position): ChosenTarget {
  const { document } = editor;
  const line = document.lineAt(at.line);
  const span = { startLine: at.line + 1, endLine: at.line + 1 };
  const place = placeOf(document, span);
  if (line.isEmptyOrWhitespace) {
    const indent = line.text === "" ? indentAfter(editor, at.line) : line.text;
    const style = styleOf(editor, indent, at.line, at.line + 1);
    return { kind: "generate", place, span, style };
  }
  const isBefore = at.character <= line.firstNonWhitespaceCharacterIndex;
  const frame = isBefore ? { before: [], after: [line.text] } : { before: [line.text], after: [] };
  const indent = isBefore ? indentOf([line.text]) : indentAfter(editor, at.line + 1);
  const between = isBefore ? at.line : at.line + 1;
  const style = styleOf(editor, indent, between, between);
  return { kind: "generate", place: { ...place, frame }, span, style };
}

/** The line ends of a document as a session wants them. */
export function eolOf(document: vscode.TextDocument): EditPlace["eol"] {
  return document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
}

function placeOf(document: vscode.TextDocument, { startLine, endLine }: LineSpan): EditPlace {
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

/** How long after a change VS Code saves this document by itself; undefined if it does not. */
function autoSaveDelayMs({ uri, isUntitled }: vscode.TextDocument): number | undefined {
  const files = vscode.workspace.getConfiguration("files", uri);
  if (isUntitled || files.get<string>("autoSave") !== "afterDelay") return undefined;
  // Its timer and our clock are not the same to the millisecond.
  return 0.9 * files.get<number>("autoSaveDelay", 1_000);
}

/**
 * @param start first line that is replaced, 0-based
 * @param end first line after these
 */
function styleOf(
  editor: vscode.TextEditor,
  base: string,
  start: number,
  end: number,
): DocumentStyle {
  const { document } = editor;
  const size = sizeOf(editor);
  return {
    indent: { base, usesTabs: editor.options.insertSpaces === false, size },
    isProse: PROSE_LANGUAGES.has(document.languageId),
    languageId: document.languageId,
    before: linesOf(document, Math.max(0, start - MAX_LINES_AROUND), start),
    after: linesOf(document, end, Math.min(document.lineCount, end + MAX_LINES_AROUND)),
  };
}

function sizeOf(editor: vscode.TextEditor): number {
  const { tabSize } = editor.options;
  return typeof tabSize === "number" && tabSize > 0 ? tabSize : 4;
}

/** What a line written at this 0-based line would be indented by, from the one above it. */
function indentAfter(editor: vscode.TextEditor, line: number): string {
  const { document } = editor;
  for (let above = line - 1; above >= 0; above--) {
    const { text, isEmptyOrWhitespace } = document.lineAt(above);
    if (isEmptyOrWhitespace) continue;
    const level = editor.options.insertSpaces === false ? "\t" : " ".repeat(sizeOf(editor));
    return indentOf([text]) + (/[{([:]\s*$/.test(text) ? level : "");
  }
  return "";
}
