/** Asks the language extensions of VS Code: definitions, outlines and callers, bounded in time. */
import * as vscode from "vscode";
import { systemClock, type Clock } from "../../base/clock";

/** Longest wait for a language extension, which may be starting or hang, in milliseconds. */
const MAX_WAIT_MS = 5_000;

export interface FoundLocation {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
}

/** Resolves with undefined if `promise` takes longer, or fails as providers of extensions may. */
export async function resolveWithin<T>(clock: Clock, limitMs: number, promise: Thenable<T>) {
  return new Promise<T | undefined>((resolve) => {
    const timer = clock.after(limitMs, () => resolve(undefined));
    const end = (value?: T) => {
      timer.dispose();
      resolve(value);
    };
    promise.then(end, () => end());
  });
}

/** Returns the outline of a file; empty if no extension provides an outline with ranges. */
export async function outlineOf(uri: vscode.Uri): Promise<vscode.DocumentSymbol[]> {
  const symbols = await runProvider<vscode.DocumentSymbol>(
    "vscode.executeDocumentSymbolProvider",
    uri,
  );
  return symbols.filter((symbol) => "selectionRange" in symbol);
}

export function flatOutline(symbols: readonly vscode.DocumentSymbol[]): vscode.DocumentSymbol[] {
  return symbols.flatMap((symbol) => [symbol, ...flatOutline(symbol.children)]);
}

/** Reports where the name at a position, and the type of its value, are declared. */
export async function declarationsOf(
  uri: vscode.Uri,
  position: vscode.Position,
  report: (locations: readonly FoundLocation[]) => void,
): Promise<void> {
  const commands = ["vscode.executeDefinitionProvider", "vscode.executeTypeDefinitionProvider"];
  const asking = commands.map(async (command) => {
    type Found = vscode.Location | vscode.LocationLink;
    report((await runProvider<Found>(command, uri, position)).map(locationOf));
  });
  await Promise.all(asking);
}

export interface FoundCaller extends FoundLocation {
  readonly call: vscode.Range;
}

/** Returns the declarations that call the function at a position. */
export async function callersOf(
  uri: vscode.Uri,
  position: vscode.Position,
): Promise<FoundCaller[]> {
  const items = await runProvider<vscode.CallHierarchyItem>(
    "vscode.prepareCallHierarchy",
    uri,
    position,
  );
  const calls = await Promise.all(
    items.map((item) =>
      runProvider<vscode.CallHierarchyIncomingCall>("vscode.provideIncomingCalls", item),
    ),
  );
  return calls.flat().map(({ from, fromRanges }) => ({
    uri: from.uri,
    range: from.range,
    call: fromRanges[0] ?? from.selectionRange,
  }));
}

/** Returns nothing if the provider fails or takes too long. */
export async function runProvider<T>(command: string, ...args: unknown[]): Promise<T[]> {
  const pending = vscode.commands.executeCommand<T[] | undefined>(command, ...args);
  return (await resolveWithin(systemClock, MAX_WAIT_MS, pending)) ?? [];
}

function locationOf(found: vscode.Location | vscode.LocationLink): FoundLocation {
  return "targetUri" in found
    ? { uri: found.targetUri, range: found.targetSelectionRange ?? found.targetRange }
    : found;
}
