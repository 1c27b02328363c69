/**
 * Chooses the target of a code block: the document where the block clearly belongs, or the user's
 * choice. Names in the reply never decide, because a path in a fence is only a label.
 */
import * as vscode from "vscode";
import {
  blockLines,
  classesForBlock,
  indentedBlock,
  targetForPatch,
  findTargets,
  type DocumentIndent,
} from "../../replyCode/findTarget";
import { indentOf } from "../../replyCode/lines";
import { findPatch, type PatchSection } from "../../replyCode/patch";
import { pathOf, sourceOf, spanOf } from "../platform/sourceText";

/** Target of a block: whole lines, 0-based, end exclusive; or an empty range before a line. */
interface LineTarget {
  readonly startLine: number;
  readonly endLine: number;
  readonly lines: readonly string[];
}

/** Document and position in the document. */
export interface PickedTarget {
  readonly document: vscode.TextDocument;
  readonly lines: LineTarget;
}

interface TargetItem extends vscode.QuickPickItem {
  readonly target: LineTarget | "named";
}

/**
 * @param named file from the reply, offered as a choice if the target is ambiguous
 * @param editors candidates, the active editor first; at least a single editor
 * @returns undefined if the user cancels
 */
export async function chooseTarget(
  text: string,
  editors: readonly vscode.TextEditor[],
  named?: string,
): Promise<PickedTarget | undefined> {
  const block = blockLines(text);
  const patch = findPatch(block);
  if (patch !== undefined) return targetOfPatch(patch, editors);
  for (const editor of editors) {
    const { document } = editor;
    const targets = findTargets(sourceOf(document).lines, block, indentIn(editor));
    const [target] = targets;
    if (target !== undefined && targets.length === 1) return { document, lines: target };
  }
  const [editor] = editors;
  if (editor === undefined) return undefined;
  const file = named === undefined ? undefined : await findNamed(named, editor.document);
  const target = await askForTarget(editor, block, file);
  if (target !== "named") return target && { document: editor.document, lines: target };
  if (file === undefined) return undefined;
  const document = await vscode.workspace.openTextDocument(file);
  return chooseTarget(text, [await vscode.window.showTextDocument(document, { preview: false })]);
}

/** Returns the target of a diff: the first document that all of its changes fit. */
function targetOfPatch(
  patch: readonly PatchSection[],
  editors: readonly vscode.TextEditor[],
): PickedTarget | undefined {
  for (const { document } of editors) {
    const lines = targetForPatch(sourceOf(document).lines, patch);
    if (lines !== undefined) return { document, lines };
  }
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      "The diff does not match any visible file. Open the file that it is for and apply it again.",
    ),
  );
  return undefined;
}

/** Returns the only workspace file with this path, unless the active editor shows that file. */
async function findNamed(
  named: string,
  { uri: active }: vscode.TextDocument,
): Promise<vscode.Uri | undefined> {
  const pattern = `**/${named.replace(/^(?:\.?\/)+/, "").replaceAll(/[*?{}[\]]/g, "?")}`;
  const found = await vscode.workspace.findFiles(pattern, "**/node_modules/**", 2);
  const [file] = found;
  return found.length === 1 && file?.toString() !== active.toString() ? file : undefined;
}

async function askForTarget(
  editor: vscode.TextEditor,
  block: readonly string[],
  named: vscode.Uri | undefined,
): Promise<LineTarget | "named" | undefined> {
  const { document, selection } = editor;
  const indent = indentIn(editor);
  const { lines } = sourceOf(document);
  const isEmpty = lines.every((line) => line.trim() === "");
  const items: TargetItem[] = [];
  if (named !== undefined) {
    items.push({
      label: vscode.l10n.t("Open {0}", pathOf(named)),
      description: vscode.l10n.t("Mentioned in the reply"),
      target: "named",
    });
  }
  for (const { name, line, indent: base } of classesForBlock(lines, block, indent)) {
    items.push({
      label: vscode.l10n.t("Add to {0}", name),
      description: vscode.l10n.t("After line {0}", line),
      target: {
        startLine: line,
        endLine: line,
        lines: ["", ...indentedBlock(block, base, indent)],
      },
    });
  }
  const replacements: TargetItem[] = findTargets(lines, block, indent).map((target) => ({
    label: vscode.l10n.t("Replace lines {0}–{1}", target.startLine + 1, target.endLine),
    description: lines[target.startLine]?.trim() ?? "",
    target,
  }));
  items.push(...replacements);
  if (!selection.isEmpty) {
    const { startLine, endLine } = spanOf(selection);
    const selected = lines.slice(startLine - 1, endLine);
    items.push({
      label: vscode.l10n.t("Replace the selection"),
      description: vscode.l10n.t("Lines {0}–{1}", startLine, endLine),
      target: {
        startLine: startLine - 1,
        endLine,
        lines: indentedBlock(block, indentOf(selected), indent),
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
      lines: indentedBlock(block, isFree ? current : indentOf([current]), indent),
    },
  });
  if (isEmpty && named === undefined)
    return { startLine: 0, endLine: lines.length, lines: [...block, ""] };
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

function indentIn({ options }: vscode.TextEditor): DocumentIndent {
  const { insertSpaces, tabSize } = options;
  return {
    usesTabs: insertSpaces === false,
    size: typeof tabSize === "number" && tabSize > 0 ? tabSize : 4,
  };
}
