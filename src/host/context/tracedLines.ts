/** Finds the lines of the workspace that a trace or a mark names, as references with the code around. */
import * as vscode from "vscode";
import type { Reference } from "../../chat/view/editorContext";
import { enclosingBlocks } from "../../context/enclosingBlock";
import { widened, type LineSpan } from "../../context/excerpt";
import { filesOf, traceIn } from "../../markdown/tracePlaces";
import { CodeSearch } from "../../pointing/codeSearch";
import { readFound } from "../access/foundFiles";
import { readText } from "../access/readAccess";
import { isFile } from "../platform/files";
import { pathOf, sourceOf, type TextSource } from "../platform/sourceText";
import { excerptIn } from "./excerpts";
import { filesEndingWith, searchExclude } from "./fileList";
import { gatherText, showGatherErrors } from "./gather";

/** Lines of a function that is sent whole, and the lines around a place in a longer one. */
const MAX_BLOCK_LINES = 60;
const LINES_NEAR = 15;

/** Upper limits of a search in the workspace: files, files that are read at once, and milliseconds. */
const MAX_SEARCHED = 10_000;
const READ_AT_ONCE = 50;
const MAX_SEARCH_MS = 5_000;

/** Returns the places in the order of the trace; leaves out files that would be asked about. */
export async function findTracedLines(text: string): Promise<readonly Reference[]> {
  const places = traceIn(text)?.places ?? [];
  const files = await workspaceFilesOf(places.map(({ path }) => path));
  const references = new Map<string, Reference>();
  for (const { path, line } of places) {
    const [file, ...further] = files.get(path) ?? [];
    if (file === undefined || further.length > 0) continue;
    const access = await readText(file.uri, "unasked");
    if (access.kind !== "text" || line > access.source.lineCount) continue;
    // The text of the file changed since, or is another one.
    if (access.source.lineAt(line - 1).text.trim() === "") continue;
    references.set(`${file.uri.toString()}:${line}`, lineReference(file.uri, file.path, line));
  }
  return [...references.values()];
}

/** Returns the lines that have the texts of a mark, in files that may be sent unasked. */
export async function findCode(
  label: string,
  reply: string,
  signal: AbortSignal,
): Promise<readonly Reference[]> {
  const search = new CodeSearch<vscode.Uri>(label, reply);
  const ending = AbortSignal.any([signal, AbortSignal.timeout(MAX_SEARCH_MS)]);
  const title = vscode.l10n.t("Searching the workspace for the code of the mark…");
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title },
    async () => {
      const uris = await vscode.workspace.findFiles("**/*", searchExclude(), MAX_SEARCHED);
      for (let at = 0; at < uris.length && !ending.aborted; at += READ_AT_ONCE) {
        const batch = uris.slice(at, at + READ_AT_ONCE);
        for (const [index, source] of (await readFound(batch)).entries()) {
          const uri = batch[index];
          if (uri && source) search.addFile(uri, sourceOf(source).lines);
        }
      }
    },
  );
  return search.best().map(([file, line]) => lineReference(file, pathOf(file), line));
}

function lineReference(uri: vscode.Uri, path: string, line: number): Reference {
  const start = path.lastIndexOf("/") + 1;
  return {
    kind: "file",
    label: `${path.slice(start)}:${line}`,
    detail: path.slice(0, Math.max(0, start - 1)),
    gather: async () => {
      const now = await readText(uri, "chosen");
      return showGatherErrors(gatherText(uri, now, (source) => excerptAt(source, line)));
    },
  };
}

/** Returns, for paths of foreign text, the files of the workspace that each can name. */
export async function workspaceFilesOf(paths: readonly string[]) {
  const names = new Set(paths.map((path) => path.split(/[\\/]/).at(-1) ?? ""));
  const files = [...(await filesEndingWith([...names])).values()].flat().flatMap((uri) => {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder === undefined) return [];
    const path = uri.path.slice(folder.uri.path.replace(/\/$/, "").length + 1);
    return [{ uri, path, folder: folder.name }];
  });
  const entries = paths.map(async (path) => {
    const here = vscode.Uri.file(path).toString();
    const isHere = await isOnThisMachine(path);
    const matching = isHere
      ? files.filter(({ uri }) => uri.toString() === here)
      : filesOf(path, files);
    return [path, matching] as const;
  });
  return new Map(await Promise.all(entries));
}

/** Returns true for an absolute path of a file of this machine, in the workspace or not. */
async function isOnThisMachine(path: string): Promise<boolean> {
  return /^(?:\/|[A-Za-z]:[\\/])/.test(path) && (await isFile(vscode.Uri.file(path)));
}

function excerptAt(source: TextSource, line: number) {
  const span = { startLine: line, endLine: line };
  const { part, linesLeftOut } = excerptIn(source, spanAround(sourceOf(source).lines, span));
  return { part: { ...part, focus: span }, linesLeftOut };
}

function spanAround(lines: readonly string[], span: LineSpan): LineSpan {
  const short = enclosingBlocks(lines, span).find(
    ({ startLine, endLine }) => endLine - startLine < MAX_BLOCK_LINES,
  );
  return short ?? widened(span, LINES_NEAR, { startLine: 1, endLine: lines.length });
}
