/** Makes the change of a whole reply: finds its files in the workspace and checks what is written. */
import * as vscode from "vscode";
import { systemClock } from "../../base/clock";
import { TimeSlice } from "../../base/timeSlice";
import { parseMention } from "../../markdown/fileMentions";
import { cleanHiddenCharacters, hiddenKinds } from "../../markdown/hiddenCharacters";
import {
  changeSetOf,
  type FindFile,
  type NamedFile,
  type UnusedPart,
  type UnusedReason,
} from "../../replyCode/changeSet";
import { askHidden, hiddenNames } from "../access/confirmInsert";
import { isMisreadDocument } from "../access/encoding";
import { writeConcernOf, type WriteConcern } from "../access/writeAccess";
import { isEditable } from "../inline/editable";
import { exists } from "../platform/files";
import { pathOf } from "../platform/sourceText";
import { filesNamed } from "./fileLinks";
import { linesOf, type PlannedFile } from "./plannedFile";

/** Code of a reply that is not used; the concern for a file that is never written. */
export interface UnusedBlock extends Omit<UnusedPart, "why"> {
  readonly why: UnusedReason | WriteConcern;
}

/** Changes that the user reviews together. */
export interface PlannedChange {
  readonly files: readonly PlannedFile[];
  readonly unused: readonly UnusedBlock[];
}

/** Returns the number of files of the workspace, also new ones, that the code of a reply names. */
export async function countNamedFiles(markdown: string): Promise<number> {
  const paths = new Set<string | undefined>();
  const findFile: FindFile = async (name) => {
    const uri = await uriOf(name);
    if (typeof uri === "string") return uri;
    const path = pathOf(uri);
    paths.add(path);
    return { path };
  };
  const slice = new TimeSlice(systemClock, new AbortController().signal);
  const { changes, unused } = await changeSetOf(markdown, findFile, slice);
  // Both paths of a moved file were looked up; its part has one.
  const partPaths = new Set([...changes, ...unused].map(({ path }) => path));
  return [...partPaths].filter((path) => paths.has(path)).length;
}

/**
 * Returns the change of a reply; undefined if the user cancels a question. Files of a Git directory are
 * refused: the user did not name them.
 * @param only text of a block, to return its change only
 */
export async function changeOf(
  markdown: string,
  only?: string,
): Promise<PlannedChange | undefined> {
  const uris = new Map<string, vscode.Uri>();
  const byPath = new Map<string, NamedFile>();
  const findFile: FindFile = async (name) => {
    const uri = await uriOf(name);
    if (typeof uri === "string") return uri;
    const file = await fileAt(uri);
    if (typeof file === "string") return file;
    uris.set(file.path, uri);
    byPath.set(file.path, file);
    return file;
  };
  const slice = new TimeSlice(systemClock, new AbortController().signal);
  const set = await changeSetOf(markdown, findFile, slice, only);
  const unused: UnusedBlock[] = [...set.unused];
  const files: PlannedFile[] = [];
  const together = [...uris.values()];
  for (const { kind, path, from = path, lines, lacking = 0 } of set.changes) {
    const [uri, source] = [uris.get(path), uris.get(from)];
    if (uri === undefined || source === undefined) continue;
    const concerns: WriteConcern[] = [];
    for (const one of new Set([uri, source])) {
      const concern = await writeConcernOf(one, { text: lines.join("\n"), together });
      if (concern !== undefined) concerns.push(concern);
    }
    const git = concerns.find(({ why }) => why === "git");
    const before = byPath.get(from)?.lines ?? [];
    if (git !== undefined) unused.push({ path, lines, info: "", why: git });
    else files.push({ kind, uri, source, before, lines, concern: concerns[0], lacking });
  }
  const kindsOf = ({ before }: PlannedFile) => hiddenKinds(before.join("\n"));
  const names = files.flatMap((file) => hiddenNames(file.lines.join("\n"), kindsOf(file)));
  const verdict = await askHidden([...new Set(names)]);
  if (verdict === "canceled") return undefined;
  if (verdict === "as-is") return { files, unused };
  const cleaned = files.map((file) => {
    const kinds = kindsOf(file);
    return { ...file, lines: file.lines.map((line) => cleanHiddenCharacters(line, kinds)) };
  });
  return { files: cleaned, unused };
}

/** Returns the only file of a name, or the URI of a new file. */
async function uriOf(name: string): Promise<vscode.Uri | UnusedReason> {
  const path = parseMention(relativePath(name))?.path;
  if (path === undefined) return "outside";
  const [uri, ...further] = await filesNamed(path);
  if (further.length > 0) return "several-matches";
  return uri ?? newUri(path) ?? "not-found";
}

async function fileAt(uri: vscode.Uri): Promise<NamedFile | UnusedReason> {
  const path = pathOf(uri);
  if (!(await exists(uri))) {
    return { path, hasFolder: await exists(vscode.Uri.joinPath(uri, "..")) };
  }
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    if (!(await isEditable(document))) return "unreadable";
    if (await isMisreadDocument(document)) return "misread";
    return { path, lines: linesOf(document.getText()) };
  } catch {
    return "unreadable";
  }
}

/** Returns an absolute path in a workspace folder as a relative one; any other path as it is. */
function relativePath(name: string): string {
  if (!/^(?:[/\\]|[a-z]:[/\\])/i.test(name)) return name;
  const folders = vscode.workspace.workspaceFolders ?? [];
  const path = vscode.Uri.file(name).path;
  const folder = folders.find(({ uri }) => path.startsWith(`${uri.path}/`));
  if (folder === undefined) return name;
  const relative = path.slice(folder.uri.path.length + 1);
  return folders.length === 1 ? relative : `${folder.name}/${relative}`;
}

/** Returns the URI of a new file; with several workspace folders the path begins with a name. */
function newUri(path: string): vscode.Uri | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const folder = folders.find(({ name }) => folders.length > 1 && path.startsWith(`${name}/`));
  if (folder !== undefined)
    return vscode.Uri.joinPath(folder.uri, path.slice(folder.name.length + 1));
  const [only] = folders;
  return folders.length === 1 && only ? vscode.Uri.joinPath(only.uri, path) : undefined;
}
