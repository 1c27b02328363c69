/**
 * Runs the commands that add context to the question being written. Menus pass the clicked items;
 * the command palette and keys pass nothing and mean the active editor.
 */
import * as vscode from "vscode";
import * as z from "zod/mini";
import type { PictureFile } from "../../chat/view/editorContext";
import type { Part } from "../../conversation/message";
import { maySendExcerpts } from "../access/readAccess";
import { uniqueUris } from "../platform/files";
import { selectedExcerpt } from "./excerpts";
import {
  gatherChanges,
  gatherExcerpt,
  gatherFiles,
  gatherProblems,
  gatherTerminal,
  showGatherErrors,
  type Gathered,
} from "./gather";
import { gatherCells, selectedCells } from "./notebookCells";
import { activeEditor, showInformation } from "../platform/messages";

/** Attaches parts and pictures to the question in the chat that was used last, and shows that chat. */
export type AddToChat = (parts: readonly Part[], pictures: readonly PictureFile[]) => Promise<void>;

/** Upper limit of files that a click adds. */
const MAX_FILES = 20;

const uriSchema = z.custom<vscode.Uri>((value) => value instanceof vscode.Uri);
const rangeSchema = z.object({ range: z.optional(z.instanceof(vscode.Range)) });

/** Argument of the source control's menu: a changed file. */
const resourceSchema = z.object({ resourceUri: uriSchema });

/** Adds the selected lines, or the lines of a code action. */
export async function addSelection(argument: unknown, add: AddToChat): Promise<void> {
  const editor = activeEditor();
  if (editor === undefined) return;
  const excerpt = selectedExcerpt(editor, rangeSchema.safeParse(argument).data?.range);
  if (!(await maySendExcerpts(editor.document, [excerpt.part], "add"))) return;
  await addGathered([gatherExcerpt(excerpt)], add);
}

/** Adds the clicked files and folders, or the active editor's file. */
export async function addFiles(arguments_: readonly unknown[], add: AddToChat): Promise<void> {
  const clicked = urisOf(arguments_);
  const active = vscode.window.activeTextEditor?.document.uri;
  const uris = clicked.length > 0 ? clicked : active === undefined ? [] : [active];
  if (uris.length === 0) {
    showInformation(vscode.l10n.t("No file is open in an editor. Open one, then add it."));
    return;
  }
  const gathered = await gatherFiles(uris.slice(0, MAX_FILES));
  if (uris.length > MAX_FILES) {
    const sentence = vscode.l10n.t(
      "Only the first {0} files were added. To send all file names, add the folder.",
      MAX_FILES,
    );
    gathered.push({ ok: false, sentence });
  }
  await addGathered(gathered, add);
}

/** Adds the problems of the clicked files, or all problems. */
export async function addProblems(arguments_: readonly unknown[], add: AddToChat): Promise<void> {
  const uris = urisOf(arguments_);
  await addGathered([await gatherProblems(uris.length > 0 ? uris : undefined)], add);
}

/** Adds the changes of the clicked files, or the staged changes, or else all changes. */
export async function addChanges(arguments_: readonly unknown[], add: AddToChat): Promise<void> {
  const uris = arguments_.flatMap((argument) => {
    const parsed = resourceSchema.safeParse(argument);
    return parsed.success ? [parsed.data.resourceUri] : [];
  });
  try {
    await addGathered([await gatherChanges(uris.length > 0 ? uris : undefined)], add);
  } catch {
    showInformation(vscode.l10n.t("Could not read the changes from Git. Check the repository."));
  }
}

export async function addTerminal(add: AddToChat): Promise<void> {
  await addGathered([await gatherTerminal()], add);
}

/** Adds the cell of a notebook's menu, or else the selected cells, with their outputs and plots. */
export async function addNotebookCell(argument: unknown, add: AddToChat): Promise<void> {
  const open = vscode.workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  const clicked = open.filter((cell) => cell === argument);
  const cells = clicked.length > 0 ? clicked : selectedCells();
  const { parts, pictures } = await gatherCells(cells);
  if (parts.length > 0 || pictures.length > 0) await add(parts, pictures);
}

/** Adds all parts; shows a single message for everything that could not be added. */
export async function addGathered(gathered: readonly Gathered[], add: AddToChat): Promise<void> {
  const { parts, pictures } = showGatherErrors(...gathered);
  if (parts.length > 0) await add(parts, pictures);
}

/** Returns the files of a menu: the clicked file, then all selected files. Each file once. */
function urisOf(arguments_: readonly unknown[]): vscode.Uri[] {
  const uris = arguments_.flat().flatMap((argument) => {
    const parsed = uriSchema.safeParse(argument);
    if (parsed.success) return [parsed.data];
    const resource = resourceSchema.safeParse(argument);
    return resource.success ? [resource.data.resourceUri] : [];
  });
  return uniqueUris(uris);
}
