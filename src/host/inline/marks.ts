/**
 * Decorations of a pending edit: changed lines, removed lines and pending lines. Never uses color
 * alone: changed lines have a bar, removed text is struck through behind its line, and the hover shows
 * the original lines. A decoration cannot add lines.
 */
import * as vscode from "vscode";
import { DisposableOwner } from "../../base/disposables";
import type { Hunk } from "../../replyCode/hunks";
import type { InlineEntry } from "./inlineEntry";

/** Longest original in a hover, in lines. */
const MAX_HOVER_LINES = 60;

/** Longest removed line behind a line, in UTF-16 units. */
const MAX_REMOVED_LENGTH = 100;

/** Upper limit of lines of a hunk with removed text of their own; each is a style of the page. */
const MAX_REMOVED_MARKS = 100;

/** Draws the edits of the visible editors. */
export class Marks extends DisposableOwner {
  private readonly marked = new WeakMap<vscode.TextEditor, Set<vscode.TextEditorDecorationType>>();
  private readonly changed = this.owned.add(
    vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor("diffEditor.insertedLineBackground"),
      borderColor: new vscode.ThemeColor("editorGutter.addedBackground"),
      borderStyle: "solid",
      borderWidth: "0 0 0 3px",
      overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.addedForeground"),
      overviewRulerLane: vscode.OverviewRulerLane.Left,
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    }),
  );
  private readonly removed = this.owned.add(
    vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.deletedForeground"),
      overviewRulerLane: vscode.OverviewRulerLane.Left,
      after: {
        margin: "0 0 0 2em",
        color: new vscode.ThemeColor("descriptionForeground"),
        backgroundColor: new vscode.ThemeColor("diffEditor.removedLineBackground"),
        textDecoration: "line-through",
      },
    }),
  );
  private readonly toCome = this.owned.add(
    vscode.window.createTextEditorDecorationType({ isWholeLine: true, opacity: "0.55" }),
  );

  draw(editor: vscode.TextEditor, entries: readonly InlineEntry[]): void {
    const changed: vscode.DecorationOptions[] = [];
    const removed: vscode.DecorationOptions[] = [];
    const toCome: vscode.Range[] = [];
    for (const entry of entries) {
      const top = entry.startLine;
      if (entry.session.phase.kind === "streaming") {
        const { changedLines, frontier } = entry.session.streamMarks;
        changed.push(...runsOf(changedLines, top).map((range) => ({ range })));
        if (frontier !== undefined)
          toCome.push(new vscode.Range(top + frontier, 0, entry.endLine, 0));
        continue;
      }
      for (const hunk of entry.session.hunks) {
        const language = entry.document.languageId;
        if (hunk.proposedLines.length > 0) changed.push(changedMark(hunk, top, language));
        removed.push(...removedMarks(hunk, top, entry, language));
      }
    }
    this.set(editor, this.changed, changed);
    this.set(editor, this.removed, removed);
    this.set(editor, this.toCome, toCome);
  }

  /** Skips the call to VS Code if the decoration is empty and was empty before. */
  private set(
    editor: vscode.TextEditor,
    type: vscode.TextEditorDecorationType,
    options: vscode.DecorationOptions[] | vscode.Range[],
  ): void {
    const marked = this.marked.get(editor) ?? new Set();
    this.marked.set(editor, marked);
    const wasMarked = marked.delete(type);
    if (options.length > 0) marked.add(type);
    if (options.length > 0 || wasMarked) editor.setDecorations(type, options);
  }
}

function changedMark(hunk: Hunk, top: number, language: string): vscode.DecorationOptions {
  const first = top + hunk.proposedStart;
  const range = new vscode.Range(first, 0, first + hunk.proposedLines.length - 1, 0);
  if (hunk.originalLines.length === 0) return { range };
  return { range, hoverMessage: originalHover(hunk, language) };
}

/** Returns a mark for each line of a hunk that replaced text; further lines are behind the last one. */
function removedMarks(
  hunk: Hunk,
  top: number,
  entry: InlineEntry,
  language: string,
): vscode.DecorationOptions[] {
  const { originalLines, proposedLines, proposedStart } = hunk;
  const count = proposedLines.length;
  const lineCount = count > MAX_REMOVED_MARKS ? 1 : Math.max(1, count);
  const first = proposedStart + Math.max(count, 1) - lineCount - (count === 0 ? 1 : 0);
  const marks: vscode.DecorationOptions[] = [];
  for (let index = 0; index < lineCount; index++) {
    const isLast = index === lineCount - 1;
    const old = originalLines.slice(index, isLast ? undefined : index + 1);
    const isSame = old.length === 1 && old[0]?.trim() === proposedLines[index]?.trim();
    const contentText = isSame ? "" : removedText(old);
    if (contentText === "") continue;
    const line = Math.min(Math.max(top + first + index, top), entry.endLine);
    marks.push({
      range: lineRange(line),
      ...(count === 0 && { hoverMessage: originalHover(hunk, language) }),
      renderOptions: { after: { contentText } },
    });
  }
  return marks;
}

function removedText(lines: readonly string[]): string {
  const [first = "", ...others] = lines.map((line) => line.trim()).filter((line) => line !== "");
  const text = first.length > MAX_REMOVED_LENGTH ? `${first.slice(0, MAX_REMOVED_LENGTH)}…` : first;
  if (others.length === 0) return text;
  const more =
    others.length === 1
      ? vscode.l10n.t("… 1 more line · Compare")
      : vscode.l10n.t("… {0} more lines · Compare", others.length);
  return `${text} ${more}`;
}

function originalHover(hunk: Hunk, language: string): vscode.MarkdownString {
  const text = hunk.originalLines.slice(0, MAX_HOVER_LINES).join("\n");
  return new vscode.MarkdownString(vscode.l10n.t("Before:")).appendCodeblock(text, language);
}

/** Joins neighbouring lines into ranges, because each write updates the decorations. */
function runsOf(lines: readonly number[], top: number): vscode.Range[] {
  const runs: vscode.Range[] = [];
  let start = 0;
  for (const [index, line] of lines.entries()) {
    if (lines[index + 1] === line + 1) continue;
    runs.push(new vscode.Range(top + (lines[start] ?? line), 0, top + line, 0));
    start = index + 1;
  }
  return runs;
}

function lineRange(line: number): vscode.Range {
  return new vscode.Range(line, 0, line, 0);
}
