/**
 * Finds files that are never sent by the organization's policy, or that a list of the user or of the
 * repository excludes. Lists: https://cursor.com/docs/context/ignore-files,
 * https://developer.android.com/studio/gemini/aiexclude
 */
import * as vscode from "vscode";
import { ignoreListOf, MAX_LIST_CHARS, type IgnoreList } from "../../context/ignoreList";
import { readFileUpTo } from "../node/readFileUpTo";
import { homeFolder, realPath } from "../node/realPath";
import { uniqueUris } from "../platform/files";
import { policy } from "../policy/policy";

/** Names of the lists, in a workspace folder or in the user's home folder. */
const LIST_NAMES = [".aiexclude", ".cursorignore", ".copilotignore"] as const;

/** Reason why a file is not sent: the policy, which nobody can overrule, or a list. */
export type Exclusion = "policy" | (typeof LIST_NAMES)[number];

/** Lists of which the text did not change since they were read. */
const lists = new Map<string, { readonly text: string; readonly list: IgnoreList }>();

/** Returns the reason to exclude a file, by its name or its real path. */
export async function exclusionOf(
  uri: vscode.Uri,
  resolvedPath: string,
): Promise<Exclusion | undefined> {
  const real = uri.scheme === "file" ? vscode.Uri.file(resolvedPath) : uri;
  if (isNeverSent([uri, real])) return "policy";
  const folders = await listFolders();
  const home = homeFolder();
  if (home !== undefined) folders.push(vscode.Uri.file(home));
  for (const name of LIST_NAMES) {
    for (const folder of folders) {
      const paths = pathsIn(folder, [uri, real]);
      if (paths.length === 0) continue;
      const list = await listAt(vscode.Uri.joinPath(folder, name));
      if (list !== undefined && paths.some(list)) return name;
    }
  }
  return undefined;
}

/** Returns true if the policy forbids to send a file with one of these names. */
export function isNeverSent(uris: readonly vscode.Uri[]): boolean {
  const { isNeverSent: isListed } = policy();
  return uris.some((uri) => isListed(plainPath(uri).slice(1)));
}

async function listFolders(): Promise<vscode.Uri[]> {
  const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri) ?? [];
  const real = folders.flatMap((uri) => (uri.scheme === "file" ? realPath(uri.fsPath) : []));
  const all = [...folders, ...(await Promise.all(real)).map((path) => vscode.Uri.file(path))];
  return uniqueUris(all);
}

/**
 * Returns the paths of those files that are in a folder, relative to it. The scheme does not count: a
 * version of a file, as in Git or the timeline, has the path of the file.
 */
function pathsIn(folder: vscode.Uri, uris: readonly vscode.Uri[]): string[] {
  const start = `${plainPath(folder).replace(/\/$/, "")}/`;
  return uris
    .map(plainPath)
    .filter((path) => path.startsWith(start))
    .map((path) => path.slice(start.length));
}

const ROOT = vscode.Uri.from({ scheme: "file", path: "/" });

/** Returns the path with one `/` at its start, and without empty names, `.` and `..`. */
function plainPath({ path }: vscode.Uri): string {
  return vscode.Uri.joinPath(ROOT, path).path;
}

async function listAt(uri: vscode.Uri): Promise<IgnoreList | undefined> {
  try {
    const bytes =
      uri.scheme === "file"
        ? await readFileUpTo(uri.fsPath, MAX_LIST_CHARS)
        : await vscode.workspace.fs.readFile(uri);
    // The content of a list that is too long to read is unknown, so nothing is sent unasked.
    if (bytes === "too-many-bytes") return ignoreListOf(["*"]);
    if (typeof bytes === "string") return undefined;
    const text = new TextDecoder().decode(bytes);
    const cached = lists.get(uri.toString());
    if (cached?.text === text) return cached.list;
    const list = ignoreListOf(text.split("\n"));
    lists.set(uri.toString(), { text, list });
    return list;
  } catch {
    return undefined; // There is none.
  }
}
