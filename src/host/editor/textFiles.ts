/**
 * Files read as text: regular files of a bounded size whose first bytes are text; anything else
 * is refused by what it is. VS Code itself reads and decodes what is accepted.
 */
import * as vscode from "vscode";
import { fileKindOf, MAX_TEXT_FILE_BYTES, type FileKind } from "../../context/fileKind";
import { pathOf } from "./sourceText";

/** A document, or why there is none. */
export type TextFileReading =
  | { readonly ok: true; readonly document: vscode.TextDocument }
  | { readonly ok: false; readonly kind: Exclude<FileKind, "text"> | "unreadable" };

/** Reads a file; an open document is taken as it is in its editor. */
export async function readTextFile(uri: vscode.Uri): Promise<TextFileReading> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open !== undefined) return { ok: true, document: open };
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0) return { ok: false, kind: "unreadable" };
    // The size decides before anything is read.
    if (size > MAX_TEXT_FILE_BYTES) return { ok: false, kind: "huge" };
    const bytes = await vscode.workspace.fs.readFile(uri);
    const kind = fileKindOf(bytes, bytes.length);
    if (kind !== "text") return { ok: false, kind };
    return { ok: true, document: await vscode.workspace.openTextDocument(uri) };
  } catch {
    return { ok: false, kind: "unreadable" };
  }
}

/** Why a file is not sent, in a sentence. */
export function refusedFileSentence(
  uri: vscode.Uri,
  kind: Exclude<TextFileReading, { ok: true }>["kind"],
): string {
  const path = pathOf(uri);
  switch (kind) {
    case "picture":
      return vscode.l10n.t("{0} is a picture. Attach it as a picture instead.", path);
    case "archive":
      return vscode.l10n.t("{0} is an archive. Unpack it and add a file of it.", path);
    case "program":
      return vscode.l10n.t("{0} is a program, not text. Add its source instead.", path);
    case "document":
      return vscode.l10n.t("{0} is not a plain text. Add its text or a picture of it.", path);
    case "sound-or-video":
      return vscode.l10n.t("{0} is sound or video. Add text about it instead.", path);
    case "font":
    case "binary":
      return vscode.l10n.t("{0} is not text. Add a text file instead.", path);
    case "huge":
      return vscode.l10n.t("{0} is larger than 1 MiB. Select a part of it and add that.", path);
    case "unreadable":
      return vscode.l10n.t("{0} could not be read. Check that it is there.", path);
    default:
      return kind satisfies never;
  }
}
