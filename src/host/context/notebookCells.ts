/** Gathers the selected cells of the active notebook with their outputs; plots become pictures. */
import * as vscode from "vscode";
import * as z from "zod/mini";
import type { PictureFile, ReferenceContent } from "../../chat/view/editorContext";
import { parseJson } from "../../base/parseJson";
import { estimateTextTokens } from "../../base/tokens";
import { endOf } from "../../context/programText";
import type { ExcerptPart, Part } from "../../conversation/message";
import { maySendExcerpts, maySendText } from "../access/readAccess";
import { pathOf } from "../platform/sourceText";
import { wholeExcerpt } from "./excerpts";
import { sentText } from "./sentText";
import { showInformation } from "../platform/messages";

/** Upper limits: cells, outputs with pictures, and text of the outputs of a cell in UTF-16 units. */
const MAX_CELLS = 20;
const MAX_PICTURES = 8;
const MAX_OUTPUT = 8_000;

/** Upper limit of the cells above a cell, in estimated tokens. */
const MAX_ABOVE_TOKENS = 2_000;

const TEXT_TYPES = [
  "application/vnd.code.notebook.stdout",
  "application/vnd.code.notebook.stderr",
  "text/plain",
  "text/markdown",
];
const ERROR_TYPE = "application/vnd.code.notebook.error";
const errorSchema = z.object({
  name: z.string(),
  message: z.string(),
  stack: z.optional(z.string()),
});
const PICTURE_TYPE = /^image\/(png|jpeg|gif|webp)$/;

/** Returns the selected cells of the active notebook; empty without a notebook. */
export function selectedCells(): vscode.NotebookCell[] {
  const editor = vscode.window.activeNotebookEditor;
  if (editor === undefined) return [];
  return (
    editor.selections
      .flatMap((range) => editor.notebook.getCells(range))
      // eslint-disable-next-line no-restricted-syntax -- only tells empty cells
      .filter(({ document }) => document.getText().trim() !== "")
      .slice(0, MAX_CELLS)
  );
}

/** Gathers the code, the outputs and the plots of cells. */
export async function gatherCells(
  cells: readonly vscode.NotebookCell[],
): Promise<ReferenceContent> {
  const parts: Part[] = [];
  const pictures: PictureFile[] = [];
  for (const cell of cells) {
    const { document } = cell;
    const { part } = wholeExcerpt(document);
    if (!(await maySendExcerpts(document, [part], "add"))) continue;
    parts.push(part);
    const path = pathOf(document.uri);
    const output = endOf(await sentText(outputText(cell)), MAX_OUTPUT);
    const label = vscode.l10n.t("Output of {0}", path);
    if (output !== "" && (await maySendText(label, output))) {
      const text = `Output of ${path}:\n${output}`;
      parts.push({ kind: "note", source: "notebook", label, text });
    }
    pictures.push(...plotsOf(cell, path));
  }
  if (cells.length === 0) {
    showInformation(vscode.l10n.t("No notebook cell is selected. Select a cell and try again."));
  }
  return { parts, pictures: pictures.slice(0, MAX_PICTURES) };
}

/** Returns the code cells above a cell, from top to bottom; of too many, the nearest. */
export function cellsAbove(document: vscode.TextDocument): ExcerptPart[] {
  const cells = vscode.workspace.notebookDocuments.map((notebook) => notebook.getCells());
  const notebookCells = cells.find((all) => all.some((cell) => cell.document === document)) ?? [];
  const at = notebookCells.findIndex((cell) => cell.document === document);
  const above: ExcerptPart[] = [];
  let left = MAX_ABOVE_TOKENS;
  for (const cell of notebookCells.slice(0, Math.max(0, at)).reverse()) {
    if (cell.kind !== vscode.NotebookCellKind.Code) continue;
    const { part } = wholeExcerpt(cell.document);
    left -= estimateTextTokens(part.text);
    if (left < 0) break;
    above.unshift(part);
  }
  return above;
}

function outputText({ outputs }: vscode.NotebookCell): string {
  const texts = outputs.map(({ items }) => {
    const error = items.find(({ mime }) => mime === ERROR_TYPE);
    if (error !== undefined) return errorText(new TextDecoder().decode(error.data));
    const text = items.find(({ mime }) => TEXT_TYPES.includes(mime));
    // The text of a plot only names its object.
    const isPlot = items.some(({ mime }) => PICTURE_TYPE.test(mime));
    return text === undefined || isPlot ? "" : new TextDecoder().decode(text.data);
  });
  return texts.filter((text) => text.trim() !== "").join("\n");
}

/** Returns the stack of an error, which VS Code stores as JSON. */
function errorText(json: string): string {
  const parsed = errorSchema.safeParse(parseJson(json));
  if (!parsed.success) return json;
  const { name, message, stack = "" } = parsed.data;
  return stack === "" ? `${name}: ${message}` : stack;
}

function plotsOf({ outputs }: vscode.NotebookCell, path: string): PictureFile[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return outputs
    .flatMap(({ items }) => items.find(({ mime }) => PICTURE_TYPE.test(mime)) ?? [])
    .map(({ mime, data }, index) => ({
      name: `${name}, ${index + 1}.${PICTURE_TYPE.exec(mime)?.[1] ?? "png"}`,
      bytes: data,
    }));
}
