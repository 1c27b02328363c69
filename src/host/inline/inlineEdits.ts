/**
 * All pending edits of the window: passes document events to their sessions, draws marks and
 * lenses, and updates the context keys.
 */
import * as vscode from "vscode";
import { systemClock } from "../../base/clock";
import { coalesce } from "../../base/coalesce";
import { DisposableOwner, toDisposable } from "../../base/disposables";
import { describeError, type Log } from "../../base/log";
import { EditSession, type Closing } from "../../edit/editSession";
import { PendingEdit, type AnswerReport, type DocumentStyle } from "../../edit/pendingEdit";
import { cleanHiddenCharacters, hiddenKinds } from "../../markdown/hiddenCharacters";
import type { AskService } from "../settings/askService";
import { Compare } from "./compare";
import { DocumentSink } from "./documentSink";
import { sourceOf } from "../platform/sourceText";
import { showLost, showNotRestored, showReloaded, showReplaced } from "./editNotifications";
import { editTargetOf, type ChosenTarget } from "./editTarget";
import { FileTracker } from "./fileTracker";
import { InlineEntry } from "./inlineEntry";
import { Lenses } from "./lenses";
import { Marks } from "./marks";
import { TornAnswers } from "./tornAnswers";
import {
  findProposal,
  readSavedEdits,
  savedEditOf,
  writeSavedEdits,
  type SavedEdit,
} from "./savedEdits";

/** Shortest interval between two redraws, in milliseconds. */
const DRAW_INTERVAL_MS = 50;

/** Shortest interval between two writes of the pending edits into the storage, in milliseconds. */
const SAVE_INTERVAL_MS = 1_000;

/** Style of a restored edit, which gets no answers. */
const NO_STYLE: DocumentStyle = { indent: { usesTabs: false, size: 4 }, isProse: false };

/** Context keys of `when` clauses; the values apply to the active editor. */
const CONTEXT_KEYS = ["coreChat.editPending", "coreChat.editStreaming", "coreChat.editAtCursor"];

export interface InlineEditsOptions {
  readonly ask: AskService;
  readonly log: Log;
  /** Storage of the workspace, for edits that are pending when the window reloads. */
  readonly memory: vscode.Memento;
}

export class InlineEdits extends DisposableOwner {
  private readonly entries = new Map<string, InlineEntry>();
  private readonly marks = this.owned.add(new Marks());
  private readonly tornAnswers = new TornAnswers();
  private readonly lenses: Lenses;
  private readonly compared: Compare;
  private readonly drawing = this.owned.add(
    coalesce(systemClock, DRAW_INTERVAL_MS, () => this.draw()),
  );
  private readonly keyValues = new Map<string, boolean>();
  private readonly saving = coalesce(systemClock, SAVE_INTERVAL_MS, () => this.save());
  /** Edits of an earlier window whose document is not open yet. */
  private unrestored: readonly SavedEdit[];
  private hasSaved: boolean;
  /** State that the current marks and lenses were drawn from. */
  private drawnMarks: readonly unknown[] = [];
  private drawnLenses: readonly unknown[] = [];
  private nextId = 1;

  constructor(private readonly options: InlineEditsOptions) {
    super();
    const { owned } = this;
    this.unrestored = readSavedEdits(options.memory);
    this.hasSaved = this.unrestored.length > 0;
    this.lenses = owned.add(new Lenses((document) => this.inDocument(document)));
    this.compared = owned.add(new Compare((id) => this.entries.get(id)));
    owned.add(
      new FileTracker({
        entries: () => [...this.entries.values()],
        lost: (entry) => {
          this.remove(entry);
          showLost(entry);
        },
        moved: () => this.drawing.push(),
      }),
    );
    owned.add(
      vscode.workspace.onDidChangeTextDocument((event) => {
        for (const entry of this.inDocument(event.document)) {
          entry.documentChanged(event);
          this.compared.changed(entry);
        }
        if (event.reason === vscode.TextDocumentChangeReason.Undo) this.undone(event.document);
      }),
    );
    owned.add(
      vscode.window.onDidChangeVisibleTextEditors(() => {
        for (const { session } of this.entries.values()) session.wake();
        this.drawing.push();
      }),
    );
    owned.add(vscode.window.onDidChangeActiveTextEditor(() => this.drawing.push()));
    owned.add(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
        if (this.entries.size === 0) return;
        this.setKeys();
        // A caret moved by the user ends an undo step; a caret that moves with the text does not.
        if (kind !== undefined) this.undoStopped(textEditor.document);
      }),
    );
    // Saving also ends an undo step, and auto save can happen at any time.
    owned.add(
      vscode.workspace.onWillSaveTextDocument(({ document }) => this.undoStopped(document)),
    );
    owned.add(vscode.workspace.onDidSaveTextDocument((document) => this.undoStopped(document)));
    owned.add(vscode.workspace.onDidOpenTextDocument((document) => this.restore(document)));
    owned.add(toDisposable(() => this.disposeEntries()));
    for (const document of vscode.workspace.textDocuments) this.restore(document);
  }

  /** Returns the edits of a document, from top to bottom. */
  inDocument(document: vscode.TextDocument): InlineEntry[] {
    return [...this.entries.values()]
      .filter((entry) => entry.document === document)
      .sort((a, b) => a.startLine - b.startLine);
  }

  get(id: string): InlineEntry | undefined {
    return this.entries.get(id);
  }

  get all(): readonly InlineEntry[] {
    return [...this.entries.values()];
  }

  atCursor(editor: vscode.TextEditor): InlineEntry | undefined {
    const { line } = editor.selection.active;
    return this.inDocument(editor.document).find((entry) => entry.includesLine(line));
  }

  /** Creates an edit for a target; sends nothing yet. */
  open(document: vscode.TextDocument, { target, style }: ChosenTarget): InlineEntry {
    const sink = new DocumentSink(document);
    return this.add(new EditSession(target, sink.checked, systemClock), style, sink);
  }

  private add(
    session: EditSession,
    style: DocumentStyle,
    sink: DocumentSink,
    report?: AnswerReport,
  ): InlineEntry {
    const before = [...session.originalLines, sink.document.getText()].join("\n");
    const kinds = hiddenKinds(before);
    const edit = new PendingEdit(
      session,
      style,
      {
        ask: this.options.ask,
        changed: () => this.changed(),
        clean: (line) => cleanHiddenCharacters(line, kinds),
        nowMs: () => systemClock.nowMs(),
      },
      report,
    );
    const entry = new InlineEntry(`${this.nextId++}`, edit, sink, kinds);
    this.entries.set(entry.id, entry);
    session.onChanged(() => {
      for (const answer of session.tornAnswers) this.tornAnswers.add(entry.document, answer);
      if (session.phase.kind === "closed") this.closed(entry, session.phase.why);
      else this.changed();
    });
    this.changed();
    return entry;
  }

  /** Opens VS Code's diff of an edit. */
  compare(entry: InlineEntry): Promise<void> {
    return this.compared.show(entry);
  }

  private undone(document: vscode.TextDocument): void {
    this.tornAnswers.undone(document).catch((error: unknown) => {
      this.options.log.error(`inline: an answer could not be undone (${describeError(error)})`);
    });
  }

  private undoStopped(document: vscode.TextDocument): void {
    for (const { session } of this.inDocument(document)) session.undoStopped();
  }

  private closed(entry: InlineEntry, why: Closing): void {
    if (!this.entries.has(entry.id)) return;
    this.remove(entry);
    if (why === "reloaded") showReloaded(entry);
    else if (why === "lost" && !entry.document.isClosed) showReplaced(entry);
  }

  private remove(entry: InlineEntry): void {
    if (!this.entries.delete(entry.id)) return;
    entry.dispose();
    this.changed();
  }

  private changed(): void {
    this.drawing.push();
    this.saving.push();
  }

  /** Opens the edits again that an earlier window left in a document. */
  private restore(document: vscode.TextDocument): void {
    const uri = document.uri.toString();
    const here = this.unrestored.filter((edit) => edit.uri === uri);
    if (here.length === 0) return;
    this.unrestored = this.unrestored.filter((edit) => edit.uri !== uri);
    const { lines } = sourceOf(document);
    for (const saved of here) {
      const line = findProposal(lines, saved);
      if (line === undefined) showNotRestored(saved);
      else this.reopen(document, line, saved);
    }
    this.changed();
  }

  private reopen(document: vscode.TextDocument, line: number, saved: SavedEdit): void {
    const { originalLines, proposedLines, ending, damagedParts } = saved;
    const span = { startLine: line + 1, endLine: line + proposedLines.length };
    const sink = new DocumentSink(document);
    const target = editTargetOf(document, span);
    const session = new EditSession(target, sink.checked, systemClock, originalLines);
    const reply = { hasMoreBlocks: false, hasLeftOut: false, hasBlocks: false };
    const restoredReply = { ...reply, rejection: undefined, reasons: [], readings: [] };
    const report = { ...restoredReply, ending, damagedParts, hiddenLines: [], text: "" };
    this.add(session, NO_STYLE, sink, report);
  }

  private save(): void {
    const edits = this.all.flatMap((entry) => savedEditOf(entry) ?? []);
    const all = [...this.unrestored, ...edits];
    if (all.length === 0 && !this.hasSaved) return;
    this.hasSaved = all.length > 0;
    writeSavedEdits(this.options.memory, all).catch((error: unknown) => {
      this.options.log.error(`inline: pending edits could not be saved (${describeError(error)})`);
    });
  }

  private disposeEntries(): void {
    // The window closes or reloads: the edits stay pending.
    this.save();
    this.saving.dispose();
    const entries = [...this.entries.values()];
    this.entries.clear();
    for (const entry of entries) entry.dispose();
  }

  /** Redraws changed content only; VS Code moves marks and lenses with the text. */
  private draw(): void {
    const marked = this.all.flatMap(({ session }) => [session.phase, session.proposedLines]);
    marked.push(...this.all.map(({ session }) => session.originalLines));
    const areMarksOutdated = !isSame(this.drawnMarks, [
      ...vscode.window.visibleTextEditors,
      ...marked,
    ]);
    if (areMarksOutdated) {
      this.drawnMarks = [...vscode.window.visibleTextEditors, ...marked];
      for (const editor of vscode.window.visibleTextEditors) {
        this.marks.draw(editor, this.inDocument(editor.document));
      }
      for (const entry of this.entries.values()) this.compared.changed(entry);
    }
    const lensed = this.all.flatMap(({ session, edit }) => {
      const isStreaming = session.phase.kind === "streaming";
      return [session.phase, edit.wait, edit.report, ...(isStreaming ? [] : [session.hunks])];
    });
    if (!isSame(this.drawnLenses, lensed)) {
      this.drawnLenses = lensed;
      this.lenses.changed();
    }
    this.setKeys();
  }

  private setKeys(): void {
    const editor = vscode.window.activeTextEditor;
    const entries = editor === undefined ? [] : this.inDocument(editor.document);
    const isStreaming = (entry: InlineEntry) => entry.session.phase.kind === "streaming";
    const values = [
      entries.some((entry) => !isStreaming(entry)),
      entries.some(isStreaming),
      editor !== undefined && this.atCursor(editor) !== undefined,
    ];
    for (const [index, key] of CONTEXT_KEYS.entries()) {
      const value = values[index] === true;
      if ((this.keyValues.get(key) ?? false) === value) continue;
      this.keyValues.set(key, value);
      vscode.commands.executeCommand("setContext", key, value).then(undefined, (error: unknown) => {
        this.options.log.error(`inline: a context key could not be set (${describeError(error)})`);
      });
    }
  }
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
