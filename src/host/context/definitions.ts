/**
 * Finds what some lines of code use: the declarations of their names and types, and what the signatures
 * of those use, by VS Code's language providers. The workspace's come first, of libraries only signatures. Whatever takes too long, costs too much or may not be sent is left out.
 */
import * as vscode from "vscode";
import { systemClock, type Clock } from "../../base/clock";
import { readInBatches } from "../../base/readInBatches";
import type { LineSpan, SourceText } from "../../context/excerpt";
import { isInside } from "../../context/overlap";
import { shortDeclaration } from "../../context/shortDeclaration";
import { estimateTextTokens } from "../../base/tokens";
import { namesInSentence, usedNames, type UsedName } from "../../context/usedNames";
import type { ExcerptPart, Part, RelatedPart } from "../../conversation/message";
import type { DefinitionSearch } from "../inline/startEdit";
import { importsAbove } from "../../edit/fileImports";
import { isLibrary, readFound } from "../access/foundFiles";
import { sourceOf, spanOf, type TextSource } from "../platform/sourceText";
import { readSettings } from "../settings/settings";
import {
  declarationsOf,
  resolveWithin,
  runProvider,
  type FoundLocation,
} from "./languageProviders";

/** Time limit of the search, in milliseconds; for an edit from the end of the instruction. */
const ALL_MS = 400;

/** Upper limits of names that are looked up, and of declarations. */
const MAX_NAMES = 40;
const MAX_IMPORTED = 400;
const MAX_NAMED = 8;
const MAX_INDIRECT = 10;

/** Upper limit of declarations with the same name that the user wrote. */
const MAX_SAME = 2;

const MAX_ITEMS = 16;
const MAX_LIBRARY_ITEMS = 6;

/** Upper limits in estimated tokens. */
const MAX_TOKENS = 2_000;
const MAX_ITEM_TOKENS = 400;
const MAX_LIBRARY_TOKENS = 80;

/** Declarations of the language itself, which models know. */
const STANDARD_LIBRARY = /\/(?:lib\.[\w.-]*d\.ts|builtins\.pyi)$|\/typeshed\/stdlib\//;

/**
 * Returns the declarations that some lines use, within a short time; undefined if there are none.
 * @param spans lines whose names are looked up, in this order
 * @param present parts of the question; what they have is left out
 */
export async function findDefinitions(
  document: vscode.TextDocument,
  spans: readonly LineSpan[],
  present: readonly Part[] = [],
  clock: Clock = systemClock,
): Promise<RelatedPart | undefined> {
  if (!readSettings().settings["context.definitions"]) return undefined;
  const search = new Search(document, spans);
  await resolveWithin(clock, ALL_MS, search.used);
  return search.result(present);
}

/** Searches while the user writes an instruction; the search ends a moment after that. */
export function startSearch(
  document: vscode.TextDocument,
  spans: readonly LineSpan[],
  clock: Clock = systemClock,
): DefinitionSearch {
  if (!readSettings().settings["context.definitions"]) {
    const nothing = Promise.resolve(undefined);
    return { first: nothing, finish: () => nothing };
  }
  const search = new Search(document, spans);
  return {
    first: search.used.then(() => search.result([])),
    finish: async (instruction) => {
      const namedSearch = search.findNamed(namesInSentence(instruction, MAX_NAMED));
      await resolveWithin(clock, ALL_MS, Promise.all([search.used, namedSearch]));
      return search.result([]);
    },
  };
}

/** Declarations by the name that led to them, in the order of the names. */
type FoundByName = Map<string, readonly FoundLocation[]>;

/** Searches the declarations that some lines use; what is found so far can be read at any time. */
class Search {
  /** Files are read while others are found. Each batch starts Git once, to leave out ignored files. */
  private readonly reading = readInBatches(readFound);
  private readonly named: FoundByName = new Map();
  private readonly direct: FoundByName = new Map();
  /** Declarations that the signatures of the direct ones use. */
  private readonly indirect: FoundByName = new Map();
  private readonly source: SourceText;
  /** Resolves when the names of the lines, and those of their declarations, were looked up. */
  readonly used: Promise<void>;

  constructor(
    private readonly document: vscode.TextDocument,
    private readonly spans: readonly LineSpan[],
  ) {
    this.source = sourceOf(document);
    this.reading.add([document.uri]);
    this.used = this.findUsed();
  }

  /** Returns what is found so far, without what the parts have. */
  result(present: readonly Part[]): RelatedPart | undefined {
    const { document, spans, reading } = this;
    const maxTokens = Math.min(MAX_TOKENS, readSettings().settings["context.budget"] / 8);
    const items = declarationsAt(this.locations(), reading.values, present, maxTokens);
    if (items.length === 0) return undefined;
    const imports = importsOf(reading.values.get(document.uri.toString()), spans);
    if (imports !== undefined && !present.some((part) => isInside(imports, part))) {
      items.push(imports);
    }
    return { kind: "related", relation: "definitions", items };
  }

  /** Looks up names that the user wrote. */
  async findNamed(names: readonly string[]): Promise<void> {
    const lookups = names.map(async (name) => {
      type Found = vscode.SymbolInformation;
      const symbols = await runProvider<Found>("vscode.executeWorkspaceSymbolProvider", name);
      const exact = symbols.filter((symbol) => symbol.name.split("(")[0] === name);
      this.report(this.named, name, exact.map(({ location }) => location).slice(0, MAX_SAME));
    });
    await Promise.all(lookups);
    await this.reading.finished();
  }

  private async findUsed(): Promise<void> {
    const { document, source, spans } = this;
    const names = spans.flatMap((span) => usedNames(source.lines, span, MAX_NAMES));
    await this.lookUp(this.direct, document.uri, names.slice(0, MAX_NAMES));
    await this.reading.finished();
    const declarations = declarationsAt(this.locations(), this.reading.values, [], MAX_TOKENS);
    await Promise.all(
      declarations.map(async ({ uri, startLine = 1, endLine = startLine, text }) => {
        const file = this.reading.values.get(uri);
        if (file === undefined || isLibrary(file.uri)) return;
        const shown = text.split("\n");
        const words = usedNames(shown, { startLine: 1, endLine: shown.length }, MAX_NAMES);
        const isShown = new Set(words.map(({ name }) => name));
        const inFile = usedNames(sourceOf(file).lines, { startLine, endLine }, MAX_IMPORTED);
        const inSignature = inFile.filter(({ name }) => isShown.has(name) && !this.isKnown(name));
        await this.lookUp(this.indirect, file.uri, inSignature.slice(0, MAX_INDIRECT));
      }),
    );
    await this.reading.finished();
  }

  /** Looks names of a file up by the providers. */
  private async lookUp(
    into: FoundByName,
    uri: vscode.Uri,
    names: readonly UsedName[],
  ): Promise<void> {
    // Keeps the order of the names, whichever is found first.
    for (const { name } of names) into.set(name, into.get(name) ?? []);
    const lookups = names.map(({ name, line, character }) =>
      declarationsOf(uri, new vscode.Position(line, character), (all) => {
        this.report(into, name, all);
      }),
    );
    await Promise.all(lookups);
  }

  private report(into: FoundByName, name: string, all: readonly FoundLocation[]): void {
    const locations = all.filter(({ uri }) => !STANDARD_LIBRARY.test(uri.path));
    into.set(name, [...(into.get(name) ?? []), ...locations]);
    this.reading.add(locations.map(({ uri }) => uri));
  }

  private isKnown(name: string): boolean {
    return [this.direct, this.indirect].some((found) => (found.get(name) ?? []).length > 0);
  }

  /** Returns the locations of the declarations, each once, the workspace's first. */
  private locations(): FoundLocation[] {
    const all = [this.named, this.direct, this.indirect].flatMap((found) =>
      [...found.values()].flat(),
    );
    const unique = new Map(
      all.map((location) => [`${location.uri.toString()} ${location.range.start.line}`, location]),
    );
    const isLate = ({ uri }: FoundLocation) => Number(isLibrary(uri));
    return [...unique.values()].toSorted((a, b) => isLate(a) - isLate(b));
  }
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

export function definitionsIn(
  document: vscode.TextDocument,
  range: vscode.Range,
  part: Part,
): Promise<RelatedPart | undefined> {
  return findDefinitions(document, [spanOf(document.validateRange(range))], [part]);
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
