/**
 * Finds references for "#": problems, changes, the terminal, open editors, files, pictures, folders
 * and symbols. Quick sources come first; slow ones follow.
 */
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { Disposables, type Disposable } from "../../base/disposables";
import { BestMatches, bestMatches, matchScore } from "../../base/fuzzy";
import { processInSlices } from "../../base/processInSlices";
import type { Reference } from "../../chat/editorContext";
import { PICTURE_EXTENSIONS } from "../../context/fileSignatures";
import { readPictures } from "../pictures/pictureFiles";
import { FileList, type ListedPath } from "./fileList";
import {
  gatherChanges,
  gatherFile,
  gatherProblems,
  gatherTerminal,
  showGatherErrors,
  type Gathered,
} from "./gather";
import { pathOf } from "../platform/sourceText";
import { gatherCallers, gatherTests } from "./relatedCode";
import { findSymbols } from "./symbols";

/** Upper limits of files (with folders) and of symbols in a list. */
const MAX_FILES = 40;
const MAX_SYMBOLS = 15;

/** Shortest text for a symbol search: a single letter would find thousands. */
const MIN_SYMBOL_TEXT = 2;

/** Names of pictures; SVG is text and sent as text. */
const PICTURE_NAME = new RegExp(
  `\\.(${PICTURE_EXTENSIONS.filter((ending) => ending !== "svg").join("|")})$`,
  "i",
);

/** The reference search of the window. */
export class ReferenceSearch implements Disposable {
  private readonly owned = new Disposables();
  private readonly files: FileList;

  constructor(
    private readonly clock: Clock,
    maxListed?: number,
  ) {
    this.files = this.owned.add(new FileList(clock, maxListed));
  }

  /** Yields the whole list each time it grows; ends early when the signal is aborted. */
  async *find(text: string, signal: AbortSignal): AsyncGenerator<readonly Reference[]> {
    const typed = text.toLowerCase();
    const symbols = typed.length < MIN_SYMBOL_TEXT ? [] : findSymbols(text, MAX_SYMBOLS);
    const quick = [...sources(typed), ...openEditors(typed), ...selectionSources(typed)];
    yield quick;
    const open = new Set(openUris().map(String));
    const score = ({ lowerPath }: ListedPath) => matchScore(typed, lowerPath);
    // Open files are in the list already.
    const best = new BestMatches(score, MAX_FILES + open.size);
    const addPath = (path: ListedPath) => best.addItem(path);
    if (!(await processInSlices(await this.files.paths(), addPath, this.clock, signal))) return;
    if (
      !(await processInSlices(await this.files.beyond(typed, signal), addPath, this.clock, signal))
    )
      return;
    const found = best.items
      .filter(({ uri, isFolder }) => isFolder || !open.has(uri.toString()))
      .slice(0, MAX_FILES)
      .map(({ uri, path, isFolder }) => fileReference(uri, path, isFolder));
    yield [...quick, ...found];
    const foundSymbols = await symbols;
    if (foundSymbols.length > 0) yield [...quick, ...found, ...foundSymbols];
  }

  dispose(): void {
    this.owned.dispose();
  }
}

/** Returns sources other than files, by their localized or English names. */
function sources(typed: string): Reference[] {
  const all: [english: string, reference: Reference][] = [
    ["problems", source("problems", vscode.l10n.t("Problems"), () => gatherProblems())],
    ["changes", source("changes", vscode.l10n.t("Changes"), () => gatherChanges())],
    ["terminal", source("terminal", vscode.l10n.t("Terminal"), gatherTerminal)],
  ];
  return named(typed, all);
}

/** Returns sources about the function at the cursor. */
function selectionSources(typed: string): Reference[] {
  return named(typed, [
    ["callers", selectionSource("callers", vscode.l10n.t("Callers"), gatherCallers)],
    ["tests", selectionSource("tests", vscode.l10n.t("Tests"), gatherTests)],
  ]);
}

function named(
  typed: string,
  all: readonly (readonly [english: string, reference: Reference])[],
): Reference[] {
  return all
    .filter(([english, { label }]) =>
      [english, label.toLowerCase()].some((name) => name.startsWith(typed)),
    )
    .map(([, reference]) => reference);
}

function source(
  kind: Reference["kind"],
  label: string,
  gather: () => Gathered | Promise<Gathered>,
): Reference {
  const detail =
    kind === "terminal" ? vscode.l10n.t("Terminal selection") : vscode.l10n.t("All of them");
  return { kind, label, detail, gather: async () => showGatherErrors(await gather()) };
}

function selectionSource(
  kind: Reference["kind"],
  label: string,
  gather: () => Promise<Gathered>,
): Reference {
  const detail = vscode.l10n.t("Of the selected function");
  return { kind, label, detail, gather: async () => showGatherErrors(await gather()) };
}

function openEditors(typed: string): Reference[] {
  return bestMatches(
    openUris(),
    (uri) => matchScore(typed, pathOf(uri).toLowerCase()),
    MAX_FILES,
  ).map((uri) => fileReference(uri, pathOf(uri), false));
}

/** Returns the files of the open tabs, each once. */
function openUris(): vscode.Uri[] {
  const uris = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : [])),
  );
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}

function fileReference(uri: vscode.Uri, path: string, isFolder: boolean): Reference {
  const start = path.lastIndexOf("/", path.length - 2) + 1;
  const isPicture = !isFolder && PICTURE_NAME.test(path);
  return {
    kind: isFolder ? "folder" : isPicture ? "picture" : "file",
    label: path.slice(start),
    detail: path.slice(0, Math.max(0, start - 1)),
    gather: async () =>
      isPicture
        ? { parts: [], pictures: await readPictures([uri.toString()]) }
        : showGatherErrors(await gatherFile(uri)),
  };
}
