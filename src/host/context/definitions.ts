/**
 * Finds what some lines of code use: the declarations of their names and types, by VS Code's language
 * providers. The workspace's come first, of libraries only signatures. Whatever takes too long, costs
 * too much or may not be sent is left out.
 */
import * as vscode from "vscode";
import { systemClock, type Clock } from "../../base/clock";
import { readInBatches } from "../../base/readInBatches";
import type { LineSpan } from "../../context/excerpt";
import { isInside } from "../../context/overlap";
import { shortDeclaration } from "../../context/shortDeclaration";
import { estimateTextTokens } from "../../base/tokens";
import { usedNames } from "../../context/usedNames";
import type { ExcerptPart, Part, RelatedPart } from "../../conversation/message";
import { importsAbove } from "../../edit/fileImports";
import { isLibrary, readFound } from "../access/foundFiles";
import { sourceOf, spanOf, type TextSource } from "../platform/sourceText";
import { readSettings } from "../settings/settings";
import { declarationsOf, resolveWithin, type FoundLocation } from "./languageProviders";

/** Time limits of the providers, and of everything, in milliseconds. */
const FIND_MS = 250;
const ALL_MS = 400;

/** Upper limits of names that are looked up, and of declarations. */
const MAX_NAMES = 40;
const MAX_IMPORTED = 400;
const MAX_ITEMS = 16;
const MAX_LIBRARY_ITEMS = 6;

/** Upper limits in estimated tokens. */
const MAX_TOKENS = 2_000;
const MAX_ITEM_TOKENS = 400;
const MAX_LIBRARY_TOKENS = 80;

/** Declarations of the language itself, which models know. */
const STANDARD_LIBRARY = /\/(?:lib\.[\w.-]*d\.ts|builtins\.pyi)$|\/typeshed\/stdlib\//;

/**
 * Returns the declarations that some lines use; undefined if there are none.
 * @param spans lines whose names are looked up, in this order
 * @param present parts of the question; what they have is left out
 */
export async function findDefinitions(
  document: vscode.TextDocument,
  spans: readonly LineSpan[],
  present: readonly Part[] = [],
  clock: Clock = systemClock,
): Promise<RelatedPart | undefined> {
  const { settings } = readSettings();
  if (!settings["context.definitions"]) return undefined;
  const startMs = clock.elapsedMs();
  // Files are read while others are found. Each batch starts Git once, to leave out ignored files.
  const reading = readInBatches(readFound);
  reading.add([document.uri]);
  const locations = await findLocations(document, spans, clock, (found) =>
    reading.add(found.map(({ uri }) => uri)),
  );
  if (locations.length === 0) return undefined;
  // Files that are read too late are left out.
  await resolveWithin(clock, ALL_MS - (clock.elapsedMs() - startMs), reading.finished());
  const sources = reading.values;
  const maxTokens = Math.min(MAX_TOKENS, settings["context.budget"] / 8);
  const items = declarationsAt(locations, sources, present, maxTokens);
  const imports = importsOf(sources.get(document.uri.toString()), spans);
  if (imports !== undefined && !present.some((part) => isInside(imports, part))) {
    items.push(imports);
  }
  return items.length === 0 ? undefined : { kind: "related", relation: "definitions", items };
}

/** Returns the file's imports if the lines use a name of them. */
function importsOf(
  document: TextSource | undefined,
  spans: readonly LineSpan[],
): ExcerptPart | undefined {
  const [span] = spans;
  if (document === undefined || span === undefined) return undefined;
  const source = sourceOf(document);
  const imports = importsAbove(source, span.startLine);
  const lines = imports?.text.split("\n") ?? [];
  const imported = new Set(
    usedNames(lines, { startLine: 1, endLine: lines.length }, MAX_IMPORTED).map(({ name }) => name),
  );
  const isUsed = usedNames(source.lines, span, MAX_NAMES).some(({ name }) => imported.has(name));
  return isUsed ? imports : undefined;
}

/** Returns the definitions for a selection. */
export function definitionsIn(
  document: vscode.TextDocument,
  range: vscode.Range,
  part: Part,
): Promise<RelatedPart | undefined> {
  return findDefinitions(document, [spanOf(document.validateRange(range))], [part]);
}

/** Returns the locations of the declarations, each once, the workspace's first. */
async function findLocations(
  document: vscode.TextDocument,
  spans: readonly LineSpan[],
  clock: Clock,
  report: (locations: readonly FoundLocation[]) => void,
): Promise<FoundLocation[]> {
  const { lines } = sourceOf(document);
  const names = new Map(
    spans.flatMap((span) => usedNames(lines, span, MAX_NAMES)).map((used) => [used.name, used]),
  );
  const found = new Map<string, readonly FoundLocation[]>();
  const lookups = [...names.values()].slice(0, MAX_NAMES).map(async ({ name, line, character }) => {
    // The second answer of a name must not hold up the first.
    await declarationsOf(document.uri, new vscode.Position(line, character), (all) => {
      const locations = all.filter(({ uri }) => !STANDARD_LIBRARY.test(uri.path));
      found.set(name, [...(found.get(name) ?? []), ...locations]);
      report(locations);
    });
  });
  // Definitions found after the time limit are left out.
  await resolveWithin(clock, FIND_MS, Promise.all(lookups));
  const locations = [...names.keys()].flatMap((name) => found.get(name) ?? []);
  const unique = new Map(
    locations.map((location) => [
      `${location.uri.toString()} ${location.range.start.line}`,
      location,
    ]),
  );
  const isLate = ({ uri }: FoundLocation) => Number(isLibrary(uri));
  return [...unique.values()].toSorted((a, b) => isLate(a) - isLate(b));
}

/** Returns the declarations in short form, within the budget and without repeats. */
function declarationsAt(
  locations: readonly FoundLocation[],
  sources: ReadonlyMap<string, TextSource | undefined>,
  present: readonly Part[],
  maxTokens: number,
): ExcerptPart[] {
  const items: ExcerptPart[] = [];
  let left = maxTokens;
  let fromLibraries = 0;
  for (const { uri, range } of locations) {
    const source = sources.get(uri.toString());
    if (source === undefined || items.length === MAX_ITEMS) continue;
    const isOfLibrary = isLibrary(uri);
    if (isOfLibrary && ++fromLibraries > MAX_LIBRARY_ITEMS) continue;
    const limit = isOfLibrary ? MAX_LIBRARY_TOKENS : MAX_ITEM_TOKENS;
    const item = shortDeclaration(sourceOf(source), range.start.line + 1, limit);
    if (item === undefined || present.some((part) => isInside(item, part))) continue;
    if (items.some((other) => isInside(item, other))) continue;
    const tokens = estimateTextTokens(item.text);
    if (tokens > left) continue;
    left -= tokens;
    items.push(item);
  }
  return items;
}
