/**
 * Gathers the outline of a folder: the classes, functions and other symbols of its files, from
 * language extensions. Files that may hold secrets or are links are left out.
 */
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { estimateTextTokens } from "../../base/tokens";
import { mayListFolder, readText } from "../access/readAccess";
import { pathOf } from "../platform/sourceText";
import { searchExclude } from "./fileList";
import { refused, type Gathered } from "./gather";
import { outlineOf } from "./languageProviders";

/** Upper limits: files, symbols of a file, and estimated tokens of the outline. */
const MAX_FILES = 200;
const MAX_SYMBOLS = 60;
const MAX_TOKENS = 6_000;

/** Time limit, in milliseconds: language extensions may be starting. */
const TIME_LIMIT_MS = 5_000;

/** Symbols that show the structure of a file; others are details. */
const SHOWN_KINDS: ReadonlySet<vscode.SymbolKind> = new Set([
  vscode.SymbolKind.Class,
  vscode.SymbolKind.Constant,
  vscode.SymbolKind.Constructor,
  vscode.SymbolKind.Enum,
  vscode.SymbolKind.Function,
  vscode.SymbolKind.Interface,
  vscode.SymbolKind.Method,
  vscode.SymbolKind.Module,
  vscode.SymbolKind.Namespace,
  vscode.SymbolKind.Package,
  vscode.SymbolKind.Struct,
  vscode.SymbolKind.Variable,
]);

/** Gathers the outline of all files in a folder, as far as the limits allow. */
export async function gatherOutline(folder: vscode.Uri, clock: Clock): Promise<Gathered> {
  if (!(await mayListFolder(folder))) return refused();
  const path = pathOf(folder);
  const pattern = new vscode.RelativePattern(folder, "**/*");
  const files = await vscode.workspace.findFiles(pattern, searchExclude(folder), MAX_FILES);
  const sorted = files.toSorted((a, b) => a.path.localeCompare(b.path));
  const endMs = clock.nowMs() + TIME_LIMIT_MS;
  const outlines: string[] = [];
  let tokens = 0;
  let readCount = 0;
  for (const uri of sorted) {
    if (tokens > MAX_TOKENS || clock.nowMs() > endMs) break;
    readCount++;
    const outline = await outlineText(uri);
    if (outline === "") continue;
    outlines.push(outline);
    tokens += estimateTextTokens(outline);
  }
  if (outlines.length === 0) {
    return {
      ok: false,
      sentence: vscode.l10n.t(
        "No outline of {0} is available. Install an extension for its language, or add its files.",
        path,
      ),
    };
  }
  const missing = sorted.length - readCount;
  if (missing > 0) outlines.push(`[… ${missing} more files left out …]`);
  const label = vscode.l10n.t("Outline of {0}", `${path}/`);
  const text = `Outline of the folder ${path}/:\n${outlines.join("\n")}`;
  const remark =
    missing > 0 ? { remark: vscode.l10n.t("{0} files are not in the outline.", missing) } : {};
  return { ok: true, parts: [{ kind: "note", source: "folder", label, text }], ...remark };
}

/** Returns the symbols of a file with their lines; empty for a file that must not be read. */
async function outlineText(uri: vscode.Uri): Promise<string> {
  if ((await readText(uri, "unasked")).kind !== "text") return "";
  const symbols = await outlineOf(uri);
  const lines = linesOf(symbols, "  ", 2).slice(0, MAX_SYMBOLS);
  return lines.length === 0 ? "" : [`${pathOf(uri)}:`, ...lines].join("\n");
}

function linesOf(
  symbols: readonly vscode.DocumentSymbol[],
  indent: string,
  depth: number,
): string[] {
  return symbols
    .filter(({ kind }) => SHOWN_KINDS.has(kind))
    .flatMap(({ kind, name, detail, range, children }) => {
      const title = [vscode.SymbolKind[kind].toLowerCase(), name, detail].filter(Boolean).join(" ");
      const inner = depth > 1 ? linesOf(children, `${indent}  `, depth - 1) : [];
      return [`${indent}${title} (line ${range.start.line + 1})`, ...inner];
    });
}
