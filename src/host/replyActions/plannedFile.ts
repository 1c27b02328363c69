/** Planned change of a file: the resulting text, and the edit that writes it. */
import * as vscode from "vscode";
import type { FileChange } from "../../replyCode/changeSet";
import { rangeOfChange } from "../../replyCode/findTarget";
import { withBoth } from "../../replyCode/hunks";
import { reasonOf, type WriteConcern } from "../access/writeAccess";
import { exists } from "../platform/files";
import { eolOf } from "../inline/editTarget";

export interface PlannedFile {
  readonly kind: FileChange["kind"];
  readonly uri: vscode.Uri;
  /** URI of the file as it is: another one for a file that is moved. */
  readonly source: vscode.Uri;
  /** Lines when the change was planned; none for a new file. */
  readonly before: readonly string[];
  readonly lines: readonly string[];
  /** Reason why Keep asks. */
  readonly concern: WriteConcern | undefined;
  /** Number of lines that go because the code lacks them; Keep asks about them. */
  readonly lacking: number;
}

/** Returns the reason why Keep asks about a file; undefined for a file that is kept unasked. */
export function questionAbout({ concern, lacking }: PlannedFile): string | undefined {
  if (concern !== undefined) return reasonOf(concern);
  if (lacking === 0) return undefined;
  return lacking === 1
    ? vscode.l10n.t("removes 1 line that the code lacks")
    : vscode.l10n.t("removes {0} lines that the code lacks", lacking);
}

/** Returns a text's lines without a byte order mark. */
export function linesOf(text: string): readonly string[] {
  return text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
}

/**
 * Returns the text after the change, in the file as its open document has it; undefined if the
 * document changed where the change does.
 */
export function plannedText({ kind, source, before, lines }: PlannedFile): string | undefined {
  const { textDocuments } = vscode.workspace;
  const open = textDocuments.find((one) => one.uri.toString() === source.toString());
  if (kind === "create" || open === undefined) return lines.join("\n");
  return withBoth(before, lines, linesOf(open.getText()))?.join("\n");
}

/** Returns true if the file on the disk and in the editor still is what the change expects. */
export async function isCurrent(file: PlannedFile): Promise<boolean> {
  const { kind, uri, source, before } = file;
  const { fs, decode } = vscode.workspace;
  const isNew = source.toString() !== uri.toString() || kind === "create";
  if (isNew && (await exists(uri))) return false;
  if (kind === "create") return true;
  try {
    const document = await vscode.workspace.openTextDocument(source);
    const now = linesOf(document.getText()).join("\n");
    // The editor follows a changed file with a delay, so the file itself is read.
    if (!document.isDirty && fs.isWritableFileSystem(source.scheme) !== undefined) {
      const text = await decode(await fs.readFile(source), { uri: source });
      if (linesOf(text).join("\n") !== now) return false;
    }
    if (kind !== "delete") return plannedText(file) !== undefined;
    // VS Code drops unsaved text with the file, and its undo does not restore that text.
    return !document.isDirty && now === before.join("\n");
  } catch {
    return false;
  }
}

/**
 * Returns the edit of all files. File operations come first and text edits last: so VS Code makes two
 * steps of them, which it undoes as one.
 */
export async function workspaceEditOf(
  files: readonly PlannedFile[],
): Promise<vscode.WorkspaceEdit> {
  const edit = new vscode.WorkspaceEdit();
  for (const { kind, uri, source, lines } of files) {
    if (kind === "move") edit.renameFile(source, uri, { overwrite: false });
    if (kind === "delete") edit.deleteFile(uri);
    if (kind !== "create") continue;
    const contents = new TextEncoder().encode(lines.join("\n"));
    edit.createFile(uri, { overwrite: false, contents });
  }
  for (const file of files) {
    if (file.kind === "create" || file.kind === "delete") continue;
    const document = await vscode.workspace.openTextDocument(file.source);
    const now = linesOf(document.getText());
    const after = linesOf(plannedText(file) ?? "");
    if (now.join("\n") === after.join("\n")) continue;
    const { startLine, endLine, lines } = rangeOfChange(now, after);
    const end = document.lineAt(Math.min(endLine, document.lineCount) - 1).range.end;
    const range = new vscode.Range(new vscode.Position(startLine, 0), end);
    edit.replace(file.uri, range, lines.join(eolOf(document)));
  }
  return edit;
}
