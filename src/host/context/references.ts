/**
 * Finds references for "#": problems, changes, terminals, tests, notebooks, open
 * editors, files, pictures, folders and symbols. Quick sources come first; slow ones follow.
 */
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";
import { DisposableOwner } from "../../base/disposables";
import { BestMatches, bestMatches, matchScore } from "../../base/fuzzy";
import { TimeSlice } from "../../base/timeSlice";
import type { Reference } from "../../chat/view/editorContext";
import type { LineSpan } from "../../context/excerpt";
import { PICTURE_EXTENSIONS } from "../../pictures/fileSignatures";
import { readPictures } from "../pictures/pictureFiles";
import { FileList, type ListedPath } from "./fileList";
import {
  gatherChanges,
  gatherFile,
  gatherFiles,
  gatherLines,
  gatherProblems,
  showGatherErrors,
  type Gathered,
} from "./gather";
import { uniqueUris } from "../platform/files";
import { pathOf } from "../platform/sourceText";
import { detailOf, gatherLastCommand, gatherTerminalOutput } from "./failures";
import { gatherCells, selectedCells } from "./notebookCells";
import { gatherCallers, gatherTests } from "./relatedCode";
import { findSymbols } from "./symbols";
import type { TerminalCommands } from "./terminalCommands";

/** Upper limits of files (with folders) and of symbols in a list. */
const MAX_FILES = 40;
const MAX_SYMBOLS = 15;

/** Shortest text for a symbol search: a single letter would find thousands. */
const MIN_SYMBOL_TEXT = 2;

// Made of the names of formats, without SVG, which is sent as text.
const PICTURE_NAME = new RegExp(
  `\\.(${PICTURE_EXTENSIONS.filter((ending) => ending !== "svg").join("|")})$`,
  "i",
);

export class ReferenceSearch extends DisposableOwner {
  private readonly files: FileList;

  /** @param terminals undefined before the first command in a terminal */
  constructor(
    private readonly clock: Clock,
    private readonly terminals: () => TerminalCommands | undefined = () => undefined,
    maxListed?: number,
  ) {
    super();
    this.files = this.owned.add(new FileList(clock, maxListed));
  }

  /** Yields the whole list each time it grows; throws the reason of an aborted signal. */
  async *find(text: string, signal: AbortSignal): AsyncGenerator<readonly Reference[]> {
    const range = lineRangeIn(text);
    const typed = (range?.path ?? text).toLowerCase();
    const hasSymbols = range === undefined && typed.length >= MIN_SYMBOL_TEXT;
    const symbols = hasSymbols ? findSymbols(text, MAX_SYMBOLS) : [];
    const editors = openEditors(typed);
    const sources = range ? [] : await this.sources(typed);
    const ofFunction = sources.filter(isOfFunction);
    const general = sources.filter((one) => !isOfFunction(one));
    // The file that the user works in is meant most often.
    const active = vscode.window.activeTextEditor?.document.uri.toString();
    const at = editors.findIndex(({ uri }) => uri.toString() === active);
    const files = editors.map(({ uri, path }) => fileReference(uri, path, range));
    const quick = [...files.splice(at, at < 0 ? 0 : 1), ...general, ...files, ...ofFunction];
    yield quick;
    const open = new Set(openUris().map(String));
    const score = ({ lowerPath }: ListedPath) => matchScore(typed, lowerPath);
    // Open files are in the list already.
    const best = new BestMatches(score, MAX_FILES + open.size);
    const addPath = (path: ListedPath) => best.addItem(path);
    const slice = new TimeSlice(this.clock, signal);
    await slice.map(await this.files.paths(), addPath);
    await slice.map(await this.files.beyond(typed, signal), addPath);
    const otherFiles = best.items
      .filter(({ uri, isFolder }) => isFolder || !open.has(uri.toString()))
      .slice(0, MAX_FILES)
      .flatMap(({ uri, path, isFolder }) => {
        if (!isFolder) return [fileReference(uri, path, range)];
        if (range) return [];
        return [folderReference(uri, path)];
      });
    yield [...quick, ...otherFiles];
    const foundSymbols = await symbols;
    if (foundSymbols.length > 0) yield [...quick, ...otherFiles, ...foundSymbols];
  }

  /**
   * Returns sources other than files, by their localized or English names. Sources that have nothing
   * to add now are listed only when their name is typed.
   */
  private async sources(typed: string): Promise<Reference[]> {
    const { l10n } = vscode;
    const ofFunction = l10n.t("Of the selected function");
    const commands = this.terminals();
    const last = commands?.last;
    const cells = selectedCells();
    const sources: NamedSource[] = [
      source("problems", "problems", l10n.t("Problems"), l10n.t("All problems"), () =>
        gatherProblems(),
      ),
      source("changes", "changes", l10n.t("Changes"), l10n.t("All changes"), () => gatherChanges()),
      source("callers", "callers", l10n.t("Callers"), ofFunction, gatherCallers),
      source("tests", "tests", l10n.t("Tests"), ofFunction, gatherTests),
      source(
        "openFiles",
        "file",
        l10n.t("Open files"),
        l10n.t("Files of all tabs"),
        () => gatherFiles(openUris()),
        openUris().length < 2,
      ),
      source("terminal", "terminal", l10n.t("Terminal"), l10n.t("Recent output or selection"), () =>
        gatherTerminalOutput(commands),
      ),
      source(
        "lastCommand",
        "terminal",
        l10n.t("Last command"),
        last === undefined ? "" : await detailOf(last),
        () => gatherLastCommand(commands),
        last === undefined,
      ),
      {
        reference: {
          kind: "notebook",
          name: "cell",
          label: l10n.t("Notebook cell"),
          detail: cells.length === 0 ? "" : l10n.t("Code, output and plots"),
          gather: () => gatherCells(selectedCells()),
        },
        isEmpty: cells.length === 0,
      },
    ];
    return sources
      .filter(({ reference: { name, label }, isEmpty }) =>
        typed === "" ? !isEmpty : [name, label].some((one) => one.toLowerCase().startsWith(typed)),
      )
      .map(({ reference }) => reference);
  }
}

/** Sources about the function at the cursor come after the open files, which are picked more often. */
function isOfFunction({ kind }: Reference): boolean {
  return kind === "callers" || kind === "tests";
}

/** A source with its name after "#", which is the same in every language. */
interface NamedSource {
  readonly reference: Reference & { readonly name: string };
  /** True if there is nothing to add now. */
  readonly isEmpty: boolean;
}

function source(
  name: string,
  kind: Reference["kind"],
  label: string,
  detail: string,
  gather: () => Promise<Gathered | Gathered[]>,
  isEmpty = false,
): NamedSource {
  const shown = async () => showGatherErrors(...[await gather()].flat());
  return { reference: { kind, label, detail, name, gather: shown }, isEmpty };
}

function openEditors(typed: string): { uri: vscode.Uri; path: string }[] {
  return bestMatches(
    openUris(),
    (uri) => matchScore(typed, pathOf(uri).toLowerCase()),
    MAX_FILES,
  ).map((uri) => ({ uri, path: pathOf(uri) }));
}

/** Returns the files of the open tabs, each once. */
function openUris(): vscode.Uri[] {
  const uris = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : [])),
  );
  return uniqueUris(uris);
}

/** Lines after a path, as in "src/cart.ts:10-50". */
interface TypedRange {
  readonly path: string;
  /** Text after the path, with its colon. */
  readonly suffix: string;
  /** 1-based, both ends included; undefined before a line is typed. */
  readonly span: LineSpan | undefined;
}

function lineRangeIn(text: string): TypedRange | undefined {
  const match = /^([^:]+)(:(\d{0,7})(?:-(\d{0,7}))?)$/.exec(text);
  if (match === null) return undefined;
  const [, path = "", suffix = "", start = "", end = ""] = match;
  const startLine = Number(start);
  const span = start === "" ? undefined : { startLine, endLine: Number(end === "" ? start : end) };
  return { path, suffix, span };
}

function fileReference(uri: vscode.Uri, path: string, range: TypedRange | undefined): Reference {
  const start = path.lastIndexOf("/") + 1;
  const isPicture = PICTURE_NAME.test(path);
  const span = isPicture ? undefined : range?.span;
  return {
    kind: isPicture ? "picture" : "file",
    label: path.slice(start) + (range?.suffix ?? ""),
    detail: path.slice(0, Math.max(0, start - 1)),
    gather: async () => {
      if (isPicture) return { parts: [], pictures: await readPictures([uri.toString()]) };
      return showGatherErrors(span ? await gatherLines(uri, span) : await gatherFile(uri));
    },
  };
}

/** @param path with `/` at the end */
function folderReference(uri: vscode.Uri, path: string): Reference {
  const start = path.lastIndexOf("/", path.length - 2) + 1;
  return {
    kind: "folder",
    label: path.slice(start),
    detail: path.slice(0, Math.max(0, start - 1)),
    gather: async () => showGatherErrors(await gatherFile(uri)),
  };
}
