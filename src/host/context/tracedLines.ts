/** Finds the lines of the workspace that a pasted trace names, as references with the code around. */
import * as vscode from "vscode";
import type { Reference } from "../../chat/view/editorContext";
import { enclosingBlocks } from "../../context/enclosingBlock";
import type { LineSpan } from "../../context/excerpt";
import { fileOf, traceIn } from "../../markdown/tracePlaces";
import { readText } from "../access/readAccess";
import { isFile } from "../platform/files";
import { sourceOf, type TextSource } from "../platform/sourceText";
import { excerptIn } from "./excerpts";
import { filesEndingWith } from "./fileList";
import { gatherText, showGatherErrors } from "./gather";

/** Lines of a function that is sent whole, and the lines around a place in a longer one. */
const MAX_BLOCK_LINES = 60;
const LINES_NEAR = 15;

/** Returns the places in the order of the trace; leaves out files that would be asked about. */
export async function findTracedLines(text: string): Promise<readonly Reference[]> {
  const places = traceIn(text)?.places ?? [];
  const files = await workspaceFilesOf(places.map(({ path }) => path));
  const references = new Map<string, Reference>();
  for (const { path, line } of places) {
    const file = files.get(path);
    if (file === undefined) continue;
    const access = await readText(file.uri, "unasked");
    if (access.kind !== "text" || line > access.source.lineCount) continue;
    // The text of the file changed since, or is another one.
    if (access.source.lineAt(line - 1).text.trim() === "") continue;
    const start = file.path.lastIndexOf("/") + 1;
    references.set(`${file.uri.toString()}:${line}`, {
      kind: "file",
      label: `${file.path.slice(start)}:${line}`,
      detail: file.path.slice(0, Math.max(0, start - 1)),
      gather: async () => {
        const now = await readText(file.uri, "chosen");
        return showGatherErrors(gatherText(file.uri, now, (source) => excerptAt(source, line)));
      },
    });
  }
  return [...references.values()];
}

/** Returns, for paths of foreign text, the only file of the workspace that each names. */
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
    const file = isHere ? files.find(({ uri }) => uri.toString() === here) : fileOf(path, files);
    return [path, file] as const;
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
  return (
    short ?? {
      startLine: Math.max(1, span.startLine - LINES_NEAR),
      endLine: Math.min(lines.length, span.endLine + LINES_NEAR),
    }
  );
}
