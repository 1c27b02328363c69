/**
 * Attaches what the user drops, pastes or selects in a dialog: pictures, text files, folders, and code
 * that was copied in an editor. All text passes `host/access`.
 */
import * as vscode from "vscode";
import type { OfferedText, ReferenceContent } from "../../chat/view/editorContext";
import type { Part } from "../../conversation/message";
import { maySendExcerpts } from "../access/readAccess";
import { PICTURE_EXTENSIONS } from "../../pictures/fileSignatures";
import { localUri, readPicture, readPictures } from "../pictures/pictureFiles";
import { excerptIn } from "./excerpts";
import { gatherChanges, gatherFiles, gatherOffered, showGatherErrors } from "./gather";

/** Files that are attached as pictures. */
const PICTURE_NAME = new RegExp(`\\.(?:${PICTURE_EXTENSIONS.join("|")})$`, "i");

export async function pickFiles(source?: "project" | "changes"): Promise<ReferenceContent> {
  if (source === "changes") return showGatherErrors(await gatherChanges());
  if (source === "project") {
    const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri) ?? [];
    const readme = await vscode.workspace.findFiles("README{,.*}", undefined, 1);
    return readFiles([...folders, ...readme].map(String));
  }
  const uris = await vscode.window.showOpenDialog({
    title: vscode.l10n.t("Attach Files"),
    openLabel: vscode.l10n.t("Attach"),
    canSelectMany: true,
  });
  const { pictures, others } = divided(uris ?? []);
  return {
    pictures: await Promise.all(pictures.map(readPicture)),
    parts: showGatherErrors(...(await gatherFiles(others, "picked"))).parts,
  };
}

/** Reads files and folders that were dropped from VS Code. */
export async function readFiles(addresses: readonly string[]): Promise<ReferenceContent> {
  const { pictures, others } = divided(addresses.flatMap((address) => localUri(address) ?? []));
  return {
    pictures: await readPictures(pictures.map(String)),
    parts: showGatherErrors(...(await gatherFiles(others))).parts,
  };
}

function divided(uris: readonly vscode.Uri[]) {
  const isPicture = ({ path }: vscode.Uri) => PICTURE_NAME.test(path);
  return { pictures: uris.filter(isPicture), others: uris.filter((uri) => !isPicture(uri)) };
}

/** Returns the lines of an open file that hold copied text, or a note with the text. */
export async function partOfText(offered: OfferedText): Promise<Part | undefined> {
  const { name, text, origin } = offered;
  if (origin !== "editor") return gatherOffered(name, text);
  const lines = findLines(text);
  if (lines === undefined) return undefined;
  const { document, startLine, endLine } = lines;
  const { part } = excerptIn(document, { startLine, endLine });
  return (await maySendExcerpts(document, [part], "add")) ? part : undefined;
}

/** 1-based and inclusive lines of an open document. */
interface FoundLines {
  readonly document: vscode.TextDocument;
  readonly startLine: number;
  readonly endLine: number;
}

/** Finds copied text: in a selection, else at its only place in the visible editors. */
function findLines(copied: string): FoundLines | undefined {
  const text = withPlainBreaks(copied);
  if (text.trim() === "") return undefined;
  const editors = vscode.window.visibleTextEditors;
  for (const { document, selections } of editors) {
    // eslint-disable-next-line no-restricted-syntax -- only compared with the copied text
    const selected = selections.find((range) => withPlainBreaks(document.getText(range)) === text);
    if (selected) return linesAt(document, selected.start.line, text);
  }
  const documents = new Set(editors.map(({ document }) => document));
  const places = [...documents].flatMap((document) => {
    // eslint-disable-next-line no-restricted-syntax -- only compared with the copied text
    const whole = withPlainBreaks(document.getText());
    const at = whole.indexOf(text);
    if (at < 0) return [];
    const line = whole.slice(0, at).split("\n").length - 1;
    const isOnly = whole.indexOf(text, at + 1) < 0;
    return [{ isOnly, lines: linesAt(document, line, text) }];
  });
  const [place] = places;
  return places.length === 1 && place?.isOnly === true ? place.lines : undefined;
}

/** @param line 0-based first line */
function linesAt(document: vscode.TextDocument, line: number, text: string): FoundLines {
  const count = text.replace(/\n$/, "").split("\n").length;
  return { document, startLine: line + 1, endLine: line + count };
}

function withPlainBreaks(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
