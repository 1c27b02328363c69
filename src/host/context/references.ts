/**
 * Finds references for "#": problems, changes, terminals, tests, the debugger, notebooks, open
 * editors, files, pictures, folders and symbols. Quick sources come first; slow ones follow.
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
  showGatherErrors,
  type Gathered,
} from "./gather";
import { pathOf } from "../platform/sourceText";
import { detailOf, gatherLastCommand, gatherTerminalOutput, gatherTestFailure } from "./failures";
import { gatherCells, selectedCells } from "./notebookCells";
import { gatherStoppedHere, isStopped } from "./stoppedHere";
import { gatherCallers, gatherTests } from "./relatedCode";
import { findSymbols } from "./symbols";
import type { TerminalCommands } from "./terminalCommands";

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

  /** @param terminals undefined before the first command in a terminal */
  constructor(
    private readonly clock: Clock,
    private readonly terminals: () => TerminalCommands | undefined = () => undefined,
    maxListed?: number,
  ) {
    this.files = this.owned.add(new FileList(clock, maxListed));
  }

  /** Yields the whole list each time it grows; ends early when the signal is aborted. */
  async *find(text: string, signal: AbortSignal): AsyncGenerator<readonly Reference[]> {
    const typed = text.toLowerCase();
    const symbols = typed.length < MIN_SYMBOL_TEXT ? [] : findSymbols(text, MAX_SYMBOLS);
    const quick = [...(await this.sources(typed)), ...openEditors(typed)];
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

  /**
   * Returns sources other than files, by their localized or English names. Sources that have nothing
   * to add now are listed only when their name is typed.
   */
  private async sources(typed: string): Promise<Reference[]> {
    const { l10n } = vscode;
    const all = l10n.t("All of them");
    const ofFunction = l10n.t("Of the selected function");
    const commands = this.terminals();
    const { last, failedTests } = commands ?? {};
    const cells = selectedCells();
    const named: NamedSource[] = [
      source("problems", "problems", l10n.t("Problems"), all, () => gatherProblems()),
      source("changes", "changes", l10n.t("Changes"), all, () => gatherChanges()),
      source("callers", "callers", l10n.t("Callers"), ofFunction, gatherCallers),
      source("tests", "tests", l10n.t("Tests"), ofFunction, gatherTests),
      source("terminal", "terminal", l10n.t("Terminal"), l10n.t("Recent output or selection"), () =>
        gatherTerminalOutput(commands),
      ),
      {
        ...source(
          "lastCommand",
          "terminal",
          l10n.t("Last command"),
          last === undefined ? "" : await detailOf(last),
          () => gatherLastCommand(commands),
        ),
        isEmpty: last === undefined,
      },
      {
        ...source(
          "testFailure",
          "test",
          l10n.t("Test failure"),
          failedTests === undefined ? "" : await detailOf(failedTests),
          () => gatherTestFailure(commands),
        ),
        isEmpty: failedTests === undefined,
      },
      {
        ...source(
          "stoppedHere",
          "debugger",
          l10n.t("Paused debugger"),
          l10n.t("Stack and variables"),
          () => gatherStoppedHere(this.clock),
        ),
        isEmpty: !isStopped(),
      },
      {
        name: "cell",
        reference: {
          ...{ kind: "notebook", label: l10n.t("Notebook cell") },
          detail: cells.length === 0 ? "" : l10n.t("Code, output and plots"),
          gather: () => gatherCells(selectedCells()),
        },
        isEmpty: cells.length === 0,
      },
    ];
    return named
      .filter(({ name, reference, isEmpty }) =>
        typed === ""
          ? !isEmpty
          : [name.toLowerCase(), reference.label.toLowerCase()].some((one) =>
              one.startsWith(typed),
            ),
      )
      .map(({ reference }) => reference);
  }
}

/** A source with its name after "#", which is the same in every language. */
interface NamedSource {
  readonly name: string;
  readonly reference: Reference;
  readonly isEmpty?: boolean;
}

function source(
  name: string,
  kind: Reference["kind"],
  label: string,
  detail: string,
  gather: () => Gathered | Promise<Gathered>,
): NamedSource {
  const reference = { kind, label, detail, gather: async () => showGatherErrors(await gather()) };
  return { name, reference };
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
