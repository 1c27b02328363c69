/**
 * What can be sent along with a question, as the parts of a message: files, folders, the problems,
 * the changes, what is selected in the terminal. Each within its budget; what cannot go is said in
 * a sentence.
 */
import * as vscode from "vscode";
import { listedPaths } from "../../context/folderList";
import { problemsText } from "../../context/problems";
import type { Part } from "../../conversation/message";
import { changesIn, changesOf } from "./changes";
import { wholeExcerpt } from "./excerpts";
import { searchExclude } from "./fileList";
import { gitRepositories } from "./git";
import { isBelow, isRealPathInside, locate } from "../access/location";
import { mayListFolder, maySendText, readText, type WayIn } from "../access/readAccess";
import { pathOf, problemsIn } from "../platform/sourceText";
import { leftOutFileSentence, namesOnlySentence, refusedFileSentence } from "../access/textFiles";

/** Longest piece of a terminal, in UTF-16 units: its end says what went wrong. */
const MAX_TERMINAL_LENGTH = 20_000;

/** Files whose problems are listed; more are counted. */
const MAX_PROBLEM_FILES = 40;

/** Files of a folder that are looked at; its list is bounded once more. */
const MAX_FOLDER_FILES = 5_000;

/** The parts and what to say beside them, or why there are none; empty when the person said no. */
export type Gathered =
  | { readonly ok: true; readonly parts: readonly Part[]; readonly remark?: string }
  | { readonly ok: false; readonly sentence: string };

/**
 * Gathers a file with its problems, or the names in a folder. Asks first where the real path or the
 * text gives a reason; where nobody is to be asked, the file is named only and a remark says so.
 */
export async function gatherFile(uri: vscode.Uri, way: WayIn = "chosen"): Promise<Gathered> {
  if (await isFolder(uri)) {
    const isAllowed = way === "unasked" ? (await locate(uri)).isInside : await mayListFolder(uri);
    return isAllowed ? gatherFolder(uri) : refused("");
  }
  const access = await readText(uri, way);
  if (access.kind === "refused") return refused(refusedFileSentence(uri, access.why));
  if (access.kind === "left-out") {
    return way === "unasked"
      ? { ok: true, parts: [nameOnly(uri)], remark: leftOutFileSentence(uri, access.concern) }
      : refused("");
  }
  const { part, linesLeftOut } = wholeExcerpt(access.source);
  if (linesLeftOut === 0) return { ok: true, parts: [part] };
  return { ok: true, parts: [part], remark: leftOutSentence(part.path, linesLeftOut) };
}

/** A file that goes by its name alone. */
export function nameOnly(uri: vscode.Uri): Part {
  return { kind: "text", text: `The file ${pathOf(uri)} is attached by its name only.` };
}

/** What to say of an excerpt that is not whole. */
export function leftOutSentence(path: string, lines: number): string {
  return vscode.l10n.t(
    "{0} is long: {1} lines of its middle are left out. Select a part of it to send that whole.",
    path,
    lines,
  );
}

/** Problems of some files, or of all of them. */
export function gatherProblems(uris?: readonly vscode.Uri[]): Gathered {
  const files = uris ?? vscode.languages.getDiagnostics().map(([uri]) => uri);
  const texts = files.flatMap((uri) => {
    const text = problemsText(problemsIn(uri));
    return text === "" ? [] : [`${pathOf(uri)}:\n${text}`];
  });
  const [only, ...others] = uris ?? [];
  if (texts.length === 0) return refused(vscode.l10n.t("There are no problems to add."));
  const more = texts.length - MAX_PROBLEM_FILES;
  if (more > 0) texts.splice(MAX_PROBLEM_FILES, Infinity, `and ${more} more files with problems`);
  const label =
    only !== undefined && others.length === 0
      ? vscode.l10n.t("Problems in {0}", pathOf(only))
      : vscode.l10n.t("Problems");
  return note("problems", label, `Problems:\n${texts.join("\n\n")}`);
}

/** What is staged, or else all changes, of the open repositories; or the changes of some files. */
export async function gatherChanges(uris?: readonly vscode.Uri[]): Promise<Gathered> {
  const texts: string[] = [];
  const leftOut: string[] = [];
  for (const repository of await gitRepositories()) {
    if (uris !== undefined) {
      const some = await changesIn(repository, uris);
      leftOut.push(...some.leftOut);
      if (some.diff !== "") texts.push(`Changes in ${pathOf(repository.rootUri)}:\n${some.diff}`);
      continue;
    }
    const changes = await changesOf(repository);
    if (changes === undefined) continue;
    leftOut.push(...changes.leftOut);
    const kind = changes.isStaged ? "Staged changes" : "Changes";
    texts.push(`${kind} in ${pathOf(repository.rootUri)}:\n${changes.newFiles}${changes.diff}`);
  }
  if (texts.length === 0) return refused(vscode.l10n.t("There are no changes to add."));
  const [first, ...others] = uris ?? [];
  const label =
    first === undefined || others.length > 0
      ? vscode.l10n.t("Changes")
      : vscode.l10n.t("Changes in {0}", pathOf(first));
  const gathered = note("changes", label, texts.join("\n\n"));
  return leftOut.length > 0 ? { ...gathered, remark: namesOnlySentence(leftOut) } : gathered;
}

/** What is selected in the terminal: VS Code gives it by way of the clipboard, which is put back. */
export async function gatherTerminal(): Promise<Gathered> {
  const nothing = vscode.l10n.t("Nothing is selected in the terminal. Select text there.");
  if (vscode.window.activeTerminal === undefined) return refused(nothing);
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  // A picture on the clipboard reads as no text; writing would lose it, and nothing is to be told
  // apart from it.
  const stand = before === "" ? "" : `core-chat ${Date.now()}`;
  if (before !== "") await clipboard.writeText(stand);
  try {
    await vscode.commands.executeCommand("workbench.action.terminal.copySelection");
    const copied = await clipboard.readText();
    const text = copied === stand ? "" : copied.trim();
    // VS Code itself shows that nothing is selected in its terminal.
    if (text === "") return refused("");
    const label = vscode.l10n.t("Terminal");
    if (!(await maySendText(label, text))) return refused("");
    return note("terminal", label, `From the terminal:\n${text.slice(-MAX_TERMINAL_LENGTH)}`);
  } finally {
    if (before !== "") await clipboard.writeText(before);
  }
}

/** The names of the files in a folder. */
async function gatherFolder(uri: vscode.Uri): Promise<Gathered> {
  const pattern = new vscode.RelativePattern(uri, "**/*");
  const found = await vscode.workspace.findFiles(pattern, searchExclude(uri), MAX_FOLDER_FILES);
  const path = pathOf(uri);
  const files = await withoutForeignFolders(uri, found);
  if (files.length === 0) {
    return refused(vscode.l10n.t("{0} holds no files. Choose another folder.", path));
  }
  const start = uri.path.endsWith("/") ? uri.path.length : uri.path.length + 1;
  const list = listedPaths(files.map((file) => file.path.slice(start)));
  return note("folder", `${path}/`, `Files in the folder ${path}/:\n${list}`);
}

/** Leaves out files behind links to folders that are neither in this folder nor in the workspace. */
async function withoutForeignFolders(
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

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    return (type & vscode.FileType.Directory) !== 0;
  } catch {
    return false;
  }
}

function note(
  source: Extract<Part, { kind: "note" }>["source"],
  label: string,
  text: string,
): Gathered & { ok: true } {
  return { ok: true, parts: [{ kind: "note", source, label, text }] };
}

function refused(sentence: string): Gathered {
  return { ok: false, sentence };
}
