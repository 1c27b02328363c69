/**
 * Decides where a block of a reply goes: into the document where it clearly belongs, or where the
 * person says. Names in the reply decide nothing: a path in a fence is a label.
 */
import * as vscode from "vscode";
import {
  blockLines,
  indentedBlock,
  placesForBlock,
  type DocumentIndent,
} from "../../inline/placeForBlock";
import { indentOf } from "../../inline/indentation";
import { pathOf, sourceOf, spanOf } from "../editor/sourceText";
import type { LinesPlace } from "./proposal";

/** A document and a place in it. */
export interface ChosenTarget {
  readonly document: vscode.TextDocument;
  readonly place: LinesPlace;
}

interface PlaceItem extends vscode.QuickPickItem {
  readonly place: LinesPlace;
}

/**
 * @param editors those the code may be for, the one in front first; at least one
 * @returns undefined when the person does not want to choose
 */
export async function chooseTarget(
  text: string,
  editors: readonly vscode.TextEditor[],
): Promise<ChosenTarget | undefined> {
  const block = blockLines(text);
  for (const editor of editors) {
    const { document } = editor;
    const places = placesForBlock(sourceOf(document).lines, block, indentIn(editor));
    const [place] = places;
    if (place !== undefined && places.length === 1) return { document, place };
  }
  const [editor] = editors;
  if (editor === undefined) return undefined;
  const place = await askPlace(editor, block);
  return place && { document: editor.document, place };
}

async function askPlace(
  editor: vscode.TextEditor,
  block: readonly string[],
): Promise<LinesPlace | undefined> {
  const { document, selection } = editor;
  const indent = indentIn(editor);
  const { lines } = sourceOf(document);
  const items: PlaceItem[] = placesForBlock(lines, block, indent).map((place) => ({
    label: vscode.l10n.t("Replace lines {0}–{1}", place.startLine + 1, place.endLine),
    description: lines[place.startLine]?.trim() ?? "",
    place,
  }));
  if (!selection.isEmpty) {
    const { startLine, endLine } = spanOf(selection);
    const own = lines.slice(startLine - 1, endLine);
    items.push({
      label: vscode.l10n.t("Replace the selection"),
      description: vscode.l10n.t("Lines {0}–{1}", startLine, endLine),
      place: {
        startLine: startLine - 1,
        endLine,
        lines: indentedBlock(block, indentOf(own), indent),
      },
    });
  }
  const cursor = selection.active.line;
  const current = lines[cursor] ?? "";
  const isFree = current.trim() === "";
  items.push({
    label: vscode.l10n.t("Insert at the cursor"),
    description: vscode.l10n.t("Line {0}", cursor + 1),
    // A line that holds nothing is filled; before any other, new ones are made.
    place: {
      startLine: cursor,
      endLine: isFree ? cursor + 1 : cursor,
      lines: indentedBlock(block, isFree ? current : indentOf([current]), indent),
    },
  });
  const isEmpty = lines.every((line) => line.trim() === "");
  if (isEmpty) return { startLine: 0, endLine: lines.length, lines: [...block, ""] };
  items.push({
    label: vscode.l10n.t("Replace the whole file"),
    description: vscode.l10n.t("{0} lines", lines.length),
    place: {
      startLine: 0,
      endLine: lines.length,
      lines: lines.at(-1) === "" ? [...block, ""] : block,
    },
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Where in {0} does the code go?", pathOf(document.uri)),
    placeHolder: vscode.l10n.t("You see the difference before anything changes."),
  });
  return chosen?.place;
}

function indentIn({ options }: vscode.TextEditor): DocumentIndent {
  const { insertSpaces, tabSize } = options;
  return {
    usesTabs: insertSpaces === false,
    size: typeof tabSize === "number" && tabSize > 0 ? tabSize : 4,
  };
}
