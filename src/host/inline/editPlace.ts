/**
 * Where an edit goes: the lines of the selection, or the place at the cursor, with how its document
 * wants lines to look. Whole lines always.
 */
import * as vscode from "vscode";
import type { LineSpan } from "../../context/excerpt";
import { indentOf } from "../../inline/indentation";
import type { DocumentStyle } from "../../inline/pendingEdit";
import type { EditPlace } from "../../inline/textSink";
import { spanOf } from "../editor/sourceText";

/** A place, its lines in the document and its style. */
export interface ChosenPlace {
  readonly kind: "rewrite" | "generate";
  readonly place: EditPlace;
  readonly span: LineSpan;
  readonly style: DocumentStyle;
}

/** Languages in which prose and code fences are content. */
const PROSE_LANGUAGES = new Set(["markdown", "plaintext", "restructuredtext", "asciidoc", "mdx"]);

/** The lines of a range, to be rewritten. */
export function rewritePlace(editor: vscode.TextEditor, range: vscode.Range): ChosenPlace {
  const span = spanOf(range);
  const place = placeOf(editor.document, span);
  return { kind: "rewrite", place, span, style: styleOf(editor, indentOf(place.lines)) };
}

/** The place at a position: an empty line is filled; beside any other, new lines are made. */
export function generatePlace(editor: vscode.TextEditor, at: vscode.Position): ChosenPlace {
  const { document } = editor;
  const line = document.lineAt(at.line);
  const span = { startLine: at.line + 1, endLine: at.line + 1 };
  const place = placeOf(document, span);
  if (line.isEmptyOrWhitespace) {
    const indent = line.text === "" ? indentAfter(editor, at.line) : line.text;
    return { kind: "generate", place, span, style: styleOf(editor, indent) };
  }
  const isBefore = at.character <= line.firstNonWhitespaceCharacterIndex;
  const frame = isBefore ? { before: [], after: [line.text] } : { before: [line.text], after: [] };
  const indent = isBefore ? indentOf([line.text]) : indentAfter(editor, at.line + 1);
  return { kind: "generate", place: { ...place, frame }, span, style: styleOf(editor, indent) };
}

/** The line ends of a document as a session wants them. */
export function eolOf(document: vscode.TextDocument): EditPlace["eol"] {
  return document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
}

function placeOf(document: vscode.TextDocument, { startLine, endLine }: LineSpan): EditPlace {
  const lines: string[] = [];
  for (let line = startLine - 1; line < endLine; line++) lines.push(document.lineAt(line).text);
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

/** How long after a change VS Code saves this document by itself; undefined if it does not. */
function autoSaveDelayMs({ uri, isUntitled }: vscode.TextDocument): number | undefined {
  const files = vscode.workspace.getConfiguration("files", uri);
  if (isUntitled || files.get<string>("autoSave") !== "afterDelay") return undefined;
  // Its timer and our clock are not the same to the millisecond.
  return 0.9 * files.get<number>("autoSaveDelay", 1_000);
}

function styleOf(editor: vscode.TextEditor, base: string): DocumentStyle {
  const size = sizeOf(editor);
  return {
    indent: { base, usesTabs: editor.options.insertSpaces === false, size },
    isProse: PROSE_LANGUAGES.has(editor.document.languageId),
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
