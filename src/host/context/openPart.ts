/** Opens the part behind a chip: the lines in their file, or a note's text as it is sent. */
import * as vscode from "vscode";
import { relatedText } from "../../ask/excerptText";
import type { Part } from "../../conversation/message";
import type { VirtualDocuments } from "../platform/virtualDocuments";

/** Texts of opened notes, by the name of their document. */
export type Notes = Map<string, string>;

/** Upper limit of cached notes. */
const MAX_NOTES = 20;

/** Opens the file of an excerpt at its lines; shows the text of a note. */
export async function openPart(
  part: Part,
  notes: Notes,
  documents: VirtualDocuments,
): Promise<void> {
  if (part.kind === "note" || part.kind === "related") {
    const name = part.kind === "note" ? nameOf(part) : `${part.relation}.md`;
    notes.delete(name);
    notes.set(name, part.kind === "note" ? part.text : relatedText(part));
    const [oldest] = notes.keys();
    if (notes.size > MAX_NOTES && oldest !== undefined) notes.delete(oldest);
    documents.update(name);
    await documents.show(name);
  } else if (part.kind === "excerpt") await openExcerpt(part);
}

async function openExcerpt(part: Extract<Part, { kind: "excerpt" }>): Promise<void> {
  try {
    const uri = vscode.Uri.parse(part.uri, true);
    if (!isOpenable(uri)) throw new Error("not openable");
    const document = await vscode.workspace.openTextDocument(uri);
    const { startLine, endLine } = part;
    const selection =
      startLine === undefined || endLine === undefined
        ? undefined
        : document.validateRange(new vscode.Range(startLine - 1, 0, endLine - 1, Infinity));
    await vscode.window.showTextDocument(document, { ...(selection && { selection }) });
  } catch {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("{0} could not be opened. It may have been moved or deleted.", part.path),
    );
  }
}

/** Returns true for files that this window could open anyway: an imported conversation names any URI. */
function isOpenable(uri: vscode.Uri): boolean {
  if (vscode.workspace.getWorkspaceFolder(uri) !== undefined) return true;
  const isOpen = vscode.workspace.textDocuments.some(
    (document) => document.uri.toString() === uri.toString(),
  );
  return isOpen || (uri.scheme === "file" && uri.authority === "");
}

function nameOf({ source, label }: Extract<Part, { kind: "note" }>): string {
  const ending = source === "changes" ? "diff" : "txt";
  return `${label.replaceAll(/[/\\:*?"<>|#]+/g, " ").trim()}.${ending}`;
}
