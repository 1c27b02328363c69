/**
 * The commands that add something to the question being written: from menus, which say what was
 * clicked, or from the palette and keys, which mean what is active.
 */
import * as vscode from "vscode";
import * as z from "zod/mini";
import type { Part } from "../../conversation/message";
import { maySendLines } from "../access/readAccess";
import { selectedExcerpt } from "./excerpts";
import {
  gatherChanges,
  gatherFile,
  gatherProblems,
  gatherTerminal,
  leftOutSentence,
  type Gathered,
} from "./gather";

/** Attaches to the question in the chat that was used last, and shows that chat. */
export type AddToChat = (parts: readonly Part[]) => Promise<void>;

/** Files that one click adds at most. */
const MAX_FILES = 20;

const uriSchema = z.custom<vscode.Uri>((value) => value instanceof vscode.Uri);
const rangeSchema = z.object({ range: z.optional(z.instanceof(vscode.Range)) });

/** What the source control's menu gives for a changed file. */
const resourceSchema = z.object({ resourceUri: uriSchema });

/** Adds the lines that are selected, or that a code action names. */
export async function addSelection(argument: unknown, add: AddToChat): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    say(vscode.l10n.t("No file is open in an editor. Open one and put the cursor there."));
    return;
  }
  const parsed = rangeSchema.safeParse(argument);
  const range = parsed.success ? parsed.data.range : undefined;
  if (!(await maySendLines(editor.document, range ?? editor.selection, "add"))) return;
  const { part, linesLeftOut } = selectedExcerpt(editor, range);
  const remark = linesLeftOut === 0 ? {} : { remark: leftOutSentence(part.path, linesLeftOut) };
  await addAll([{ ok: true, parts: [part], ...remark }], add);
}

/** Adds files and folders: those that were clicked, or the active editor's file. */
export async function addFiles(arguments_: readonly unknown[], add: AddToChat): Promise<void> {
  const clicked = urisOf(arguments_);
  const active = vscode.window.activeTextEditor?.document.uri;
  const uris = clicked.length > 0 ? clicked : active === undefined ? [] : [active];
  if (uris.length === 0) {
    say(vscode.l10n.t("No file is open in an editor. Open one and add it then."));
    return;
  }
  const gathered: Gathered[] = [];
  for (const uri of uris.slice(0, MAX_FILES)) gathered.push(await gatherFile(uri));
  if (uris.length > MAX_FILES) {
    const sentence = vscode.l10n.t(
      "Only the first {0} files were added. Add their folder to send all their names.",
      MAX_FILES,
    );
    gathered.push({ ok: false, sentence });
  }
  await addAll(gathered, add);
}

/** Adds the problems of the files that were clicked, or all there are. */
export async function addProblems(arguments_: readonly unknown[], add: AddToChat): Promise<void> {
  const uris = urisOf(arguments_);
  await addAll([gatherProblems(uris.length > 0 ? uris : undefined)], add);
}

/** Adds the changes of the files that were clicked, or what is staged, or else all changes. */
export async function addChanges(arguments_: readonly unknown[], add: AddToChat): Promise<void> {
  const uris = arguments_.flatMap((argument) => {
    const parsed = resourceSchema.safeParse(argument);
    return parsed.success ? [parsed.data.resourceUri] : [];
  });
  try {
    await addAll([await gatherChanges(uris.length > 0 ? uris : undefined)], add);
  } catch {
    say(vscode.l10n.t("The changes could not be read from git. Check the repository."));
  }
}

/** Adds what is selected in the terminal. */
export async function addTerminal(add: AddToChat): Promise<void> {
  await addAll([await gatherTerminal()], add);
}

/** Adds what there is and says, in one message, what is not. */
async function addAll(gathered: readonly Gathered[], add: AddToChat): Promise<void> {
  const sentences = gathered.flatMap((one) => (one.ok ? (one.remark ?? []) : one.sentence));
  const text = sentences.filter((sentence) => sentence !== "").join("\n");
  if (text !== "") say(text);
  const parts = gathered.flatMap((one) => (one.ok ? one.parts : []));
  if (parts.length > 0) await add(parts);
}

/** Menus give what was clicked and then everything that is selected with it. */
function urisOf(arguments_: readonly unknown[]): vscode.Uri[] {
  const found = arguments_.flat().flatMap((argument) => {
    const parsed = uriSchema.safeParse(argument);
    if (parsed.success) return [parsed.data];
    const resource = resourceSchema.safeParse(argument);
    return resource.success ? [resource.data.resourceUri] : [];
  });
  return [...new Map(found.map((uri) => [uri.toString(), uri])).values()];
}

function say(text: string): void {
  void vscode.window.showInformationMessage(text);
}
