/**
 * Gathers context for a question as parts of a message: files, folders, problems, changes, the
 * selection of the terminal. Each part has a budget. Returns a sentence for what cannot be sent.
 */
import * as vscode from "vscode";
import { listedPaths } from "../../context/folderList";
import type { BoundedExcerpt, LineSpan } from "../../context/excerpt";
import { problemsText } from "../../context/problems";
import type { PictureFile, ReferenceContent } from "../../chat/view/editorContext";
import type { Part } from "../../conversation/message";
import { changesIn, changesOf } from "./changes";
import { excerptIn, wholeExcerpt } from "./excerpts";
import { searchExclude } from "./fileList";
import { gitRepositories } from "../access/git";
import { isBelow, isRealPathInside, locate, overlapsWorkspace } from "../access/location";
import {
  mayBeQuoted,
  mayListFolder,
  maySendOffered,
  maySendText,
  readText,
  readTexts,
  type TextAccess,
  type FileChoice,
} from "../access/readAccess";
import { pathOf, problemsIn, type TextSource } from "../platform/sourceText";
import { namesOnlySentence, refusedFileSentence } from "../access/textFiles";
import { isFolder } from "../platform/files";

/** Upper limit of terminal text, in UTF-16 units. The end is kept: errors are there. */
const MAX_TERMINAL_LENGTH = 20_000;

/** Upper limit of files whose problems are listed; the others are counted. */
const MAX_PROBLEM_FILES = 40;

/** Upper limit of files that are listed of a folder; the text of the list has its own limit. */
const MAX_FOLDER_FILES = 5_000;

/** The parts with a remark to show, or the reason why there are none; empty if the user declined. */
export type Gathered =
  | {
      readonly ok: true;
      readonly parts: readonly Part[];
      readonly pictures?: readonly PictureFile[];
      readonly remark?: string;
    }
  | { readonly ok: false; readonly sentence: string };

/**
 * Gathers a file with its problems, or the names in a folder. Asks first where the real path or the
 * text gives a reason.
 */
export async function gatherFile(uri: vscode.Uri): Promise<Gathered> {
  if (await isFolder(uri)) {
    return (await mayListFolder(uri)) ? gatherFolder(uri) : refused();
  }
  return gatherText(uri, await readText(uri, "chosen"));
}

/** Gathers files and folders that were chosen together; asks a single question for all files. */
export async function gatherFiles(
  uris: readonly vscode.Uri[],
  choice: FileChoice = "chosen",
): Promise<Gathered[]> {
  const areFolders = await Promise.all(uris.map(isFolder));
  const files = uris.filter((_, index) => areFolders[index] === false);
  const texts = await readTexts(files, choice);
  const gathered = new Map(
    texts.flatMap((access, index) => {
      const uri = files[index];
      return uri === undefined ? [] : [[uri, gatherText(uri, access)]];
    }),
  );
  const all: Gathered[] = [];
  for (const uri of uris) all.push(gathered.get(uri) ?? (await gatherFile(uri)));
  return all;
}

/** Gathers the text of a file that was read, by default all of it. */
export function gatherText(
  uri: vscode.Uri,
  access: TextAccess,
  excerptFrom: (source: TextSource) => BoundedExcerpt = wholeExcerpt,
): Gathered {
  if (access.kind === "refused") return refused(refusedFileSentence(uri, access.why));
  if (access.kind === "left-out") return refused();
  return gatherExcerpt(excerptFrom(access.source));
}

export function gatherExcerpt({ part, linesLeftOut }: BoundedExcerpt): Gathered {
  if (linesLeftOut === 0) return { ok: true, parts: [part] };
  const remark = vscode.l10n.t(
    "{0} is long, so {1} lines in the middle are omitted. Select the part you need to send it whole.",
    part.symbol ?? part.path,
    linesLeftOut,
  );
  return { ok: true, parts: [part], remark };
}

/**
 * Gathers the problems of some files, or of all files. Messages often quote the text: of files that
 * may hold secrets or are outside the workspace only the name is included.
 */
export async function gatherProblems(uris?: readonly vscode.Uri[]): Promise<Gathered> {
  const files = (uris ?? vscode.languages.getDiagnostics().map(([uri]) => uri)).filter(
    (uri) => problemsIn(uri).length > 0,
  );
  const texts: string[] = [];
  const leftOut: string[] = [];
  for (const uri of files.slice(0, MAX_PROBLEM_FILES)) {
    const path = pathOf(uri);
    if (!(await mayBeQuoted(uri))) {
      leftOut.push(path);
      texts.push(
        `${path}:\n[… not included: the file may hold secrets or is outside the workspace …]`,
      );
    } else texts.push(`${path}:\n${problemsText(problemsIn(uri))}`);
  }
  if (texts.length === 0) return refused(vscode.l10n.t("There are no problems to add."));
  const more = files.length - texts.length;
  if (more > 0) texts.push(`and ${more} more files with problems`);
  const label =
    uris?.length === 1 && uris[0] !== undefined
      ? vscode.l10n.t("Problems in {0}", pathOf(uris[0]))
      : vscode.l10n.t("Problems");
  return note("problems", label, `Problems:\n${texts.join("\n\n")}`, leftOut);
}

/**
 * Gathers the staged changes, or else all changes, of the workspace's repositories; or the changes
 * of some files. Other worktrees, which VS Code opens on its own, count only if their files are named.
 */
export async function gatherChanges(uris?: readonly vscode.Uri[]): Promise<Gathered> {
  const texts: string[] = [];
  const leftOut: string[] = [];
  for (const repository of await gitRepositories()) {
    if (uris !== undefined) {
      const changes = await changesIn(repository, uris);
      leftOut.push(...changes.leftOut);
      if (changes.diff !== "")
        texts.push(`Changes in ${pathOf(repository.rootUri)}:\n${changes.diff}`);
      continue;
    }
    if (!(await overlapsWorkspace(repository.rootUri))) continue;
    const changes = await changesOf(repository);
    if (changes === undefined) continue;
    leftOut.push(...changes.leftOut);
    const kind = changes.isStaged ? "Staged changes" : "Changes";
    texts.push(`${kind} in ${pathOf(repository.rootUri)}:\n${changes.newFiles}${changes.diff}`);
  }
  if (texts.length === 0) return refused(vscode.l10n.t("There are no changes to add."));
  const label =
    uris?.length === 1 && uris[0] !== undefined
      ? vscode.l10n.t("Changes in {0}", pathOf(uris[0]))
      : vscode.l10n.t("Changes");
  return note("changes", label, texts.join("\n\n"), leftOut);
}

/** Gathers lines of a file. Asks first where the real path or the text gives a reason. */
export async function gatherLines(uri: vscode.Uri, span: LineSpan): Promise<Gathered> {
  return gatherText(uri, await readText(uri, "chosen"), (source) => {
    const inFile = (line: number) => Math.min(Math.max(1, line), source.lineCount);
    const [start, end] = [inFile(span.startLine), inFile(span.endLine)];
    return excerptIn(source, { startLine: Math.min(start, end), endLine: Math.max(start, end) });
  });
}

/** Gathers the selection of the terminal. VS Code offers only the clipboard for that; it is restored. */
export async function gatherTerminal(): Promise<Gathered> {
  const nothing = vscode.l10n.t(
    "No text is selected in the terminal. Select some text and try again.",
  );
  if (vscode.window.activeTerminal === undefined) return refused(nothing);
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  // A picture on the clipboard reads as no text, and writing would lose the picture.
  const marker = before === "" ? "" : `core-chat ${Date.now()}`;
  if (before !== "") await clipboard.writeText(marker);
  try {
    await vscode.commands.executeCommand("workbench.action.terminal.copySelection");
    const copied = await clipboard.readText();
    const text = copied === marker ? "" : copied.trim();
    // VS Code itself shows that nothing is selected in its terminal.
    if (text === "") return refused();
    const label = vscode.l10n.t("Terminal");
    if (!(await maySendText(label, text))) return refused();
    return note("terminal", label, `From the terminal:\n${text.slice(-MAX_TERMINAL_LENGTH)}`);
  } finally {
    if (before !== "") await clipboard.writeText(before);
  }
}

/** Gathers pasted text, or the text of a file without a URI. */
export async function gatherOffered(name: string, text: string): Promise<Part | undefined> {
  if (!(await maySendOffered(name, text))) return undefined;
  return { kind: "note", source: "text", label: name, text: `${name}:\n${text}` };
}

async function gatherFolder(uri: vscode.Uri): Promise<Gathered> {
  const pattern = new vscode.RelativePattern(uri, "**/*");
  const uris = await vscode.workspace.findFiles(pattern, searchExclude(uri), MAX_FOLDER_FILES);
  const path = pathOf(uri);
  const files = await withoutOutsideFiles(uri, uris);
  if (files.length === 0) {
    return refused(vscode.l10n.t("{0} contains no files. Choose another folder.", path));
  }
  const start = uri.path.endsWith("/") ? uri.path.length : uri.path.length + 1;
  const list = listedPaths(files.map((file) => file.path.slice(start)));
  return note("folder", `${path}/`, `Files in the folder ${path}/:\n${list}`);
}

/** Leaves out files behind links to folders that are neither in this folder nor in the workspace. */
async function withoutOutsideFiles(
  folder: vscode.Uri,
  files: readonly vscode.Uri[],
): Promise<vscode.Uri[]> {
  if (folder.scheme !== "file") return [...files];
  const { realPath: root } = await locate(folder);
  const parents = new Map<string, boolean>();
  for (const file of files) {
    const parent = vscode.Uri.joinPath(file, "..");
    if (parents.has(parent.path)) continue;
    const { realPath } = await locate(parent);
    parents.set(parent.path, isBelow(realPath, root) || (await isRealPathInside(realPath)));
  }
  return files.filter((file) => parents.get(vscode.Uri.joinPath(file, "..").path));
}

/** @param namesOnly paths of files of which only the names are in the text */
function note(
  source: Extract<Part, { kind: "note" }>["source"],
  label: string,
  text: string,
  namesOnly: readonly string[] = [],
): Gathered {
  const remark = namesOnly.length > 0 ? namesOnlySentence(namesOnly) : undefined;
  return { ok: true, parts: [{ kind: "note", source, label, text }], ...(remark && { remark }) };
}

/** Returns the reason why nothing was gathered. Without a sentence, because the user declined. */
export function refused(sentence = ""): Gathered {
  return { ok: false, sentence };
}

/** Returns all parts; shows a single message for everything that could not be gathered. */
export function showGatherErrors(...gathered: readonly Gathered[]): ReferenceContent {
  const sentences = gathered.flatMap((one) => (one.ok ? (one.remark ?? []) : one.sentence));
  const text = sentences.filter((sentence) => sentence !== "").join("\n");
  if (text !== "") void vscode.window.showInformationMessage(text);
  return {
    parts: gathered.flatMap((one) => (one.ok ? one.parts : [])),
    pictures: gathered.flatMap((one) => (one.ok ? (one.pictures ?? []) : [])),
  };
}
