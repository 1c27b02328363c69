/**
 * Chooses the target of a code block: the document where the block clearly belongs, or the user's
 * choice.
 */
import * as vscode from "vscode";
import { linesAfterBlock } from "../../replyCode/changeSet";
import { findTargets, rangeOfChange } from "../../replyCode/findTarget";
import { placed } from "../../replyCode/indentation";
import { indentOf, isBlank, withoutBlankEnds } from "../../replyCode/lines";
import { isPatch } from "../../replyCode/patch";
import { indentIn } from "../inline/editTarget";
import { pathOf, sourceOf, spanOf } from "../platform/sourceText";
import { plainLabel } from "../messages/plainLabel";

/** Target of a block: whole lines, 0-based, end exclusive; or an empty range before a line. */
interface LineTarget {
  readonly startLine: number;
  readonly endLine: number;
  readonly lines: readonly string[];
}

export interface PickedTarget {
  readonly document: vscode.TextDocument;
  readonly lines: LineTarget;
}

interface TargetItem extends vscode.QuickPickItem {
  readonly target: LineTarget;
}

/**
 * @param editors candidates, the active editor first; at least a single editor
 * @returns undefined if the user cancels
 */
export async function chooseTarget(
  text: string,
  editors: readonly vscode.TextEditor[],
): Promise<PickedTarget | undefined> {
  const block = withoutBlankEnds(text.split(/\r\n|\r|\n/));
  let leftOut: vscode.TextDocument | undefined;
  for (const { document } of editors) {
    const { lines } = sourceOf(document);
    if (lines.every(isBlank)) continue;
    const after = linesAfterBlock(block, pathOf(document.uri), lines);
    if (typeof after === "object") return { document, lines: rangeOfChange(lines, after) };
    if (after === "same") return { document, lines: unchanged(lines, block) };
    // The placeholder is reported where it would be written.
    if (after === "left-out") leftOut ??= document;
  }
  if (leftOut !== undefined)
    return { document: leftOut, lines: { startLine: 0, endLine: 0, lines: block } };
  if (isPatch(block)) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        "The diff does not match any visible file. Open the file that it is for and apply it again.",
      ),
    );
    return undefined;
  }
  const [editor] = editors;
  const lines = editor && (await askForTarget(editor, block));
  return lines && { document: editor.document, lines };
}

/** Returns an empty range at the code that a file has already. */
function unchanged(lines: readonly string[], block: readonly string[]): LineTarget {
  const at = Math.max(0, lines.indexOf(block[0] ?? ""));
  return { startLine: at, endLine: at, lines: [] };
}

async function askForTarget(
  editor: vscode.TextEditor,
  block: readonly string[],
): Promise<LineTarget | undefined> {
  const { document, selection } = editor;
  const indent = indentIn(editor);
  const { lines } = sourceOf(document);
  const isEmpty = lines.every((line) => line.trim() === "");
  const items: TargetItem[] = findTargets(lines, block, indent).map((target) => ({
    label: vscode.l10n.t("Replace lines {0}–{1}", target.startLine + 1, target.endLine),
    description: plainLabel(lines[target.startLine] ?? ""),
    target,
  }));
  if (!selection.isEmpty) {
    const { startLine, endLine } = spanOf(selection);
    const selected = lines.slice(startLine - 1, endLine);
    items.push({
      label: vscode.l10n.t("Replace the selection"),
      description: vscode.l10n.t("Lines {0}–{1}", startLine, endLine),
      target: {
        startLine: startLine - 1,
        endLine,
        lines: placed(block, { ...indent, base: indentOf(selected) }),
      },
    });
  }
  const cursor = selection.active.line;
  const current = lines[cursor] ?? "";
  const isFree = current.trim() === "";
  items.push({
    label: vscode.l10n.t("Insert at the cursor"),
    description: vscode.l10n.t("Line {0}", cursor + 1),
    // An empty line is filled; before any other line, new lines are inserted.
    target: {
      startLine: cursor,
      endLine: isFree ? cursor + 1 : cursor,
      lines: placed(block, { ...indent, base: isFree ? current : indentOf([current]) }),
    },
  });
  if (isEmpty) return { startLine: 0, endLine: lines.length, lines: [...block, ""] };
  items.push({
    label: vscode.l10n.t("Replace the whole file"),
    description: vscode.l10n.t("{0} lines", lines.length),
    target: {
      startLine: 0,
      endLine: lines.length,
      lines: lines.at(-1) === "" ? [...block, ""] : block,
    },
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Where should this code go in {0}?", pathOf(document.uri)),
    placeHolder: vscode.l10n.t("The changes are shown before anything is written."),
  });
  return chosen?.target;
}
