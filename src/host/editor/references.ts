/**
 * What can be named by "#": problems, changes, the terminal, open editors, files, folders and
 * symbols. What is at hand comes first; what takes its time follows.
 */
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { Disposables, type Disposable } from "../../base/disposables";
import { bestFits, fitOf } from "../../base/fuzzy";
import type { Reference } from "../../chat/editorContext";
import { FileList } from "./fileList";
import { gatherChanges, gatherFile, gatherProblems, gatherTerminal, type Gathered } from "./gather";
import { told } from "./gatheredSaid";
import { pathOf } from "./sourceText";
import { findSymbols } from "./symbols";

/** Files and folders, and symbols, that are offered at once. */
const MAX_FILES = 40;
const MAX_SYMBOLS = 15;

/** Shortest text that symbols are looked for with: every letter alone would find thousands. */
const MIN_SYMBOL_TEXT = 2;

/** Pictures go another way than text. */
const PICTURE_NAME = /\.(png|jpe?g|gif|webp|bmp|ico|tiff?|avif|heic)$/i;

/** One for the window. */
export class ReferenceSearch implements Disposable {
  private readonly owned = new Disposables();
  private readonly files: FileList;

  constructor(clock: Clock) {
    this.files = this.owned.add(new FileList(clock));
  }

  /** What fits, the whole list each time it is longer; ends early when the signal is aborted. */
  async *find(text: string, signal: AbortSignal): AsyncGenerator<readonly Reference[]> {
    const typed = text.toLowerCase();
    const symbols = typed.length < MIN_SYMBOL_TEXT ? [] : findSymbols(text, MAX_SYMBOLS);
    const near = [...sources(typed), ...openEditors(typed)];
    yield near;
    const open = new Set(openUris().map(String));
    const paths = await this.files.paths();
    if (signal.aborted) return;
    const found = bestFits(paths, ({ lowerPath }) => fitOf(typed, lowerPath), MAX_FILES)
      .filter(({ uri, isFolder }) => isFolder || (!open.has(uri.toString()) && isText(uri)))
      .map(({ uri, path, isFolder }) => fileReference(uri, path, isFolder));
    yield [...near, ...found];
    const known = await symbols;
    if (known.length > 0) yield [...near, ...found, ...known];
  }

  dispose(): void {
    this.owned.dispose();
  }
}

/** What is no file: found by its name here, and by its English one. */
function sources(typed: string): Reference[] {
  const all: [english: string, reference: Reference][] = [
    ["problems", source("problems", vscode.l10n.t("Problems"), () => gatherProblems())],
    ["changes", source("changes", vscode.l10n.t("Changes"), () => gatherChanges())],
    ["terminal", source("terminal", vscode.l10n.t("Terminal"), gatherTerminal)],
  ];
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
    kind === "terminal" ? vscode.l10n.t("What is selected there") : vscode.l10n.t("All of them");
  return { kind, label, detail, gather: async () => told(await gather()) };
}

function openEditors(typed: string): Reference[] {
  const uris = openUris().filter(isText);
  return bestFits(uris, (uri) => fitOf(typed, pathOf(uri).toLowerCase()), MAX_FILES).map((uri) =>
    fileReference(uri, pathOf(uri), false),
  );
}

/** The files of the open tabs, each once. */
function openUris(): vscode.Uri[] {
  const uris = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : [])),
  );
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}

function fileReference(uri: vscode.Uri, path: string, isFolder: boolean): Reference {
  const start = path.lastIndexOf("/", path.length - 2) + 1;
  return {
    kind: isFolder ? "folder" : "file",
    label: path.slice(start),
    detail: path.slice(0, Math.max(0, start - 1)),
    gather: async () => told(await gatherFile(uri)),
  };
}

function isText(uri: vscode.Uri): boolean {
  return !PICTURE_NAME.test(uri.path);
}
