/** Finds symbols of the workspace and of the active file by name, from language extensions. */
import * as vscode from "vscode";
import { bestMatches, matchScore } from "../../base/fuzzy";
import type { Reference } from "../../chat/view/editorContext";
import { excerptIn } from "./excerpts";
import { gatherText, showGatherErrors, type Gathered } from "./gather";
import { readText } from "../access/readAccess";
import { flatOutline, outlineOf, runProvider } from "./languageProviders";
import { pathOf, spanOf } from "../platform/sourceText";

interface FoundSymbol {
  readonly name: string;
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
}

/** Returns symbols whose name matches, best first. */
export async function findSymbols(text: string, count: number): Promise<Reference[]> {
  const typed = text.toLowerCase();
  const symbols = (await Promise.all([inWorkspace(text), inActiveFile()])).flat();
  const unique = new Map(
    symbols.map((symbol) => [`${symbol.name} ${symbol.uri.toString()}`, symbol]),
  );
  const score = ({ name }: FoundSymbol) => matchScore(typed, name.toLowerCase());
  return bestMatches(unique.values(), score, count).map((symbol) => ({
    kind: "symbol",
    label: symbol.name,
    detail: pathOf(symbol.uri),
    gather: async () => showGatherErrors(await gatherSymbol(symbol)),
  }));
}

async function gatherSymbol({ name, uri, range }: FoundSymbol): Promise<Gathered> {
  const access = await readText(uri, "chosen");
  const whole = wholeRange(await outlineOf(uri), name, range) ?? range;
  return gatherText(uri, access, (source) => {
    const excerpt = excerptIn(source, spanOf(source.validateRange(whole)));
    return { ...excerpt, part: { ...excerpt.part, symbol: name } };
  });
}

async function inWorkspace(text: string): Promise<FoundSymbol[]> {
  const symbols = await runProvider<vscode.SymbolInformation>(
    "vscode.executeWorkspaceSymbolProvider",
    text,
  );
  return symbols
    .filter(({ location }) => vscode.workspace.getWorkspaceFolder(location.uri) !== undefined)
    .map(({ name, location: { uri, range } }) => ({ name, uri, range }));
}

async function inActiveFile(): Promise<FoundSymbol[]> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined) return [];
  return flatOutline(await outlineOf(uri)).map(({ name, range }) => ({ name, uri, range }));
}

/** Returns the range of the outline entry, because a symbol's location may be its name only. */
function wholeRange(
  outline: readonly vscode.DocumentSymbol[],
  name: string,
  range: vscode.Range,
): vscode.Range | undefined {
  return flatOutline(outline).find(
    (symbol) => symbol.name === name && symbol.range.contains(range.start),
  )?.range;
}
