/**
 * Commands of inline edits from menus, keys, the palette and lenses. A command applies to the edit
 * in its argument, or to the edit at the cursor.
 */
import * as vscode from "vscode";
import * as z from "zod/mini";
import type { Disposable } from "../../base/disposables";
import { describeError, type Log } from "../../base/log";
import type { NoticeAction } from "../../protocol/views";
import type { Part } from "../../conversation/message";
import { wholeBlockQuestion } from "../../edit/editPrompt";
import type { AnswerReport } from "../../edit/pendingEdit";
import type { Hunk } from "../../replyCode/hunks";
import { openText } from "../platform/files";
import type { AskService } from "../settings/askService";
import { askToDiscard, askToKeep, showEnding } from "./editNotifications";
import type { ChosenTarget } from "./editTarget";
import { InlineEdits } from "./inlineEdits";
import type { InlineEntry } from "./inlineEntry";
import type { LensTarget } from "./lenses";
import { COMMENT_SCHEME } from "./instructionBox";
import { Readings, type ReadingActions } from "./readings";
import { refine, startEdit, type EditCommand, type EditContext } from "./startEdit";
import { activeEditor, showError, showInformation } from "../platform/messages";

/** Arguments from key bindings, code actions and lenses; menus pass a file's URI. */
const argumentSchema = z.object({
  instruction: z.optional(z.string().check(z.maxLength(20_000))),
  entryId: z.optional(z.string()),
  isContinuing: z.optional(z.boolean()),
  range: z.optional(z.instanceof(vscode.Range)),
  isFix: z.optional(z.boolean()),
});

export interface InlineCommandsOptions {
  readonly ask: AskService;
  readonly context: EditContext;
  readonly runAction: (action: NoticeAction) => void;
  /** Storage of the workspace, for edits that are pending when the window reloads. */
  readonly memory: vscode.Memento;
  readonly log: Log;
}

/** Implements the commands; each promise resolves when the command's work is complete. */
export class InlineCommands implements Disposable {
  private readonly edits: InlineEdits;
  readonly readings = new Readings();

  constructor(private readonly options: InlineCommandsOptions) {
    this.edits = new InlineEdits(options);
  }

  /** Rewrites the selection, or refines the given edit or the edit at the cursor. */
  async editSelection(argument: unknown): Promise<void> {
    const { instruction, entryId, range, isFix = false } = readArgument(argument);
    const editor = vscode.window.activeTextEditor;
    if (isFix && range !== undefined && editor !== undefined)
      return this.fix(editor, range, instruction);
    const entry = entryId === undefined ? this.pendingAtCursor() : this.edits.get(entryId);
    if (entry?.edit.canAskAgain) await this.refine(entry, instruction);
    else if (entryId === undefined) await this.begin({ kind: "rewrite", instruction, range });
  }

  /** Inserts new lines at the cursor. */
  async generateAtCursor(argument: unknown): Promise<void> {
    const { instruction } = readArgument(argument);
    await this.begin({ kind: "generate", instruction });
  }

  async keep(argument: unknown): Promise<void> {
    const target = this.target(argument);
    if (target?.entry.session.phase.kind !== "pending") return;
    const { entry, hunk } = target;
    const keptLines = await askToKeep(entry, hunk);
    if (keptLines === undefined) return;
    entry.session.keep(keptLines === "all" ? undefined : keptLines);
    if (keptLines === "all") await removeEmptiedLine(entry);
  }

  /** Streams a fix of the problems in a range into the declaration around them. */
  private async fix(editor: vscode.TextEditor, range: vscode.Range, instruction?: string) {
    const command = {
      kind: "rewrite" as const,
      instruction: instruction ?? vscode.l10n.t("Fix the problems in these lines."),
      range: await this.options.context.linesToFix(editor.document, range),
    };
    await this.begin(command, editor);
  }

  async discard(argument: unknown): Promise<void> {
    const target = this.target(argument);
    if (target === undefined || !(await askToDiscard(target.entry))) return;
    await target.entry.session.discard(target.hunk);
  }

  async keepChange(): Promise<void> {
    const target = this.changeAtCursor();
    if (target !== undefined) await this.keep(target);
  }

  async discardChange(): Promise<void> {
    const target = this.changeAtCursor();
    if (target !== undefined) await this.discard(target);
  }

  /** Stops the given edit, or the edits of the active document, or all edits. */
  stop(argument: unknown): void {
    const entryId = readArgument(argument).entryId;
    const editor = vscode.window.activeTextEditor;
    const entries =
      entryId === undefined
        ? this.edits.all.filter((entry) => entry.document === editor?.document)
        : [this.edits.get(entryId)];
    for (const entry of entries.length === 0 ? this.edits.all : entries) entry?.edit.stop();
  }

  /** Sends the last question of an edit again, or continues its last reply. */
  async retry(argument: unknown): Promise<void> {
    const entry = this.target(argument)?.entry;
    if (entry === undefined || !(await askToDiscard(entry))) return;
    const { isContinuing = false } = readArgument(argument);
    await this.run(
      entry,
      () => (isContinuing ? entry.edit.continue() : entry.edit.retry()),
      () => void this.retry({ entryId: entry.id }),
    );
  }

  async openReply(argument: unknown): Promise<void> {
    const reply = this.target(argument)?.entry.edit.lastReply;
    if (reply !== undefined) await openText(reply, "markdown");
  }

  async compare(argument: unknown): Promise<void> {
    const entry = this.target(argument)?.entry;
    if (entry !== undefined) await this.edits.compare(entry);
  }

  dispose(): void {
    this.readings.dispose();
    this.edits.dispose();
  }

  private async begin(command: EditCommand, active = activeEditor()): Promise<void> {
    // The key was pressed in a box, which is no file.
    if (active === undefined || active.document.uri.scheme === COMMENT_SCHEME) return;
    const started = await startEdit(this.edits, active, command, this.options.context);
    if (started === undefined) return;
    const { editor, entry, question, instruction, chosen } = started;
    const { version } = editor.document;
    const range = collapseSelection(editor, chosen);
    const again = () => {
      // If the document changed, the user chooses the target again.
      const isSame = editor.document.version === version;
      const asked = isSame ? { instruction, range } : { suggested: instruction };
      void this.begin({ kind: command.kind, ...asked });
    };
    await this.run(entry, () => entry.edit.ask(question), again, chosen);
  }

  /**
   * Returns an edit, opened again if it has ended; undefined if its file has changed since.
   * @param chosen target of the ended edit
   */
  private reopened(entry: InlineEntry, chosen: ChosenTarget | undefined): InlineEntry | undefined {
    if (this.edits.get(entry.id) !== undefined) return entry;
    const { document, instruction, accepted } = entry;
    if (document.isClosed || document.version !== chosen?.target.version) {
      showInformation(
        vscode.l10n.t("The file has changed since. Open the reply and copy what you need."),
      );
      return undefined;
    }
    const opened = this.edits.open(document, chosen);
    Object.assign(opened, { instruction, accepted });
    opened.edit.follow(entry.edit);
    return opened;
  }

  /** Returns the actions of a reply that is not clear; the first one that is chosen counts. */
  private actionsFor(
    entry: InlineEntry,
    { rejection = "doubtful", text }: AnswerReport,
    chosen: ChosenTarget | undefined,
  ): ReadingActions {
    let isUsed = false;
    const use = async (action: (opened: InlineEntry) => Promise<unknown>) => {
      const opened = isUsed ? undefined : this.reopened(entry, chosen);
      if (opened === undefined) return;
      isUsed = true;
      await this.readings.close();
      await action(opened);
    };
    const question = wholeBlockQuestion(rejection);
    const again = (opened: InlineEntry) => () => void this.retry({ entryId: opened.id });
    return {
      insert: (reading) => void use(({ edit }) => edit.insert(reading)),
      askForWholeBlock: () => void use((opened) => this.ask(opened, question, again(opened))),
      openReply: () => void openText(text, "markdown"),
    };
  }

  private async refine(entry: InlineEntry, instruction: string | undefined): Promise<void> {
    if (!(await askToDiscard(entry))) return;
    const refined = await refine(entry, instruction, this.options.context);
    if (refined === undefined) return;
    entry.instruction = refined.instruction;
    await this.ask(entry, refined.question, () => void this.retry({ entryId: entry.id }));
  }

  private ask(entry: InlineEntry, question: readonly Part[], again: () => void): Promise<void> {
    return this.run(entry, () => entry.edit.ask(question), again);
  }

  private async run(
    entry: InlineEntry,
    ask: () => ReturnType<InlineEntry["edit"]["ask"]>,
    tryAgain: () => void,
    chosen?: ChosenTarget,
  ): Promise<void> {
    const { document } = entry;
    const saved = document.isDirty ? undefined : document.getText();
    // After a save, as by auto save, the disk has a part of the answer.
    const written = new Set<vscode.TextDocument>();
    const saves = vscode.workspace.onWillSaveTextDocument((event) => written.add(event.document));
    try {
      const report = await ask();
      if (!written.has(document) && saved === document.getText()) await unmarkChanged(document);
      const { runAction, context } = this.options;
      if (report?.ending.kind === "failed") await context.box.keepDraft(entry.instruction);
      if (report !== undefined) {
        // If the edit still exists, its own question is sent again.
        const isThere = this.edits.get(entry.id) !== undefined;
        const again = isThere ? () => void this.retry({ entryId: entry.id }) : tryAgain;
        const goOn = () => void this.retry({ entryId: entry.id, isContinuing: true });
        const unclear = this.actionsFor(entry, report, chosen && targetNow(entry, chosen));
        showEnding(entry, report, { runAction, tryAgain: again, continue: goOn, unclear });
        const isUnclear = report.ending.kind === "complete" && report.rejection !== undefined;
        if (isUnclear && report.hasBlocks)
          await this.readings.show(entry, report.readings, unclear);
      }
    } catch (error) {
      this.options.log.error(`inline: an edit failed unexpectedly (${describeError(error)})`);
      entry.edit.stop();
      showError(vscode.l10n.t("Something went wrong in Core Chat. See the log for details."));
    } finally {
      saves.dispose();
    }
  }

  private pendingAtCursor(): InlineEntry | undefined {
    const editor = vscode.window.activeTextEditor;
    const entry = editor && this.edits.atCursor(editor);
    return entry?.session.phase.kind === "pending" ? entry : undefined;
  }

  /** Returns the given edit, the edit at the cursor, or the only edit that an editor shows. */
  private target(argument: unknown): { entry: InlineEntry; hunk: Hunk | undefined } | undefined {
    const { entryId } = readArgument(argument);
    if (entryId !== undefined) {
      const entry = this.edits.get(entryId);
      return entry && { entry, hunk: (argument as LensTarget).hunk };
    }
    const editor = vscode.window.activeTextEditor;
    const here = editor === undefined ? [] : this.edits.inDocument(editor.document);
    const shown = this.edits.all.filter(({ document }) =>
      vscode.window.visibleTextEditors.some((one) => one.document === document),
    );
    const entry =
      (editor && this.edits.atCursor(editor)) ??
      here.find(({ session }) => session.phase.kind === "pending") ??
      here[0] ??
      (shown.length === 1 ? shown[0] : undefined);
    return entry && { entry, hunk: undefined };
  }

  private changeAtCursor(): LensTarget | undefined {
    const editor = vscode.window.activeTextEditor;
    const entry = this.pendingAtCursor();
    if (editor === undefined || entry === undefined) return undefined;
    const line = editor.selection.active.line - entry.startLine;
    const hunk = entry.session.hunks.find(
      ({ proposedStart, proposedLines }) =>
        line >= proposedStart && line < proposedStart + Math.max(1, proposedLines.length),
    );
    return hunk && { entryId: entry.id, hunk };
  }
}

/** Marks a document as unchanged that has the text on disk again after an answer was withdrawn. */
async function unmarkChanged(document: vscode.TextDocument): Promise<void> {
  const isActive = vscode.window.activeTextEditor?.document === document;
  if (!isActive || !document.isDirty || document.isUntitled) return;
  await vscode.commands.executeCommand("workbench.action.files.revert");
}

/** Returns the target of an edit that has just ended, where its lines are now. */
function targetNow({ document, session }: InlineEntry, chosen: ChosenTarget): ChosenTarget {
  const { version } = document;
  return { ...chosen, target: { ...chosen.target, start: session.startOffset, version } };
}

/**
 * Removes the empty line that stays where all lines were deleted, because a range has at least one
 * line. Of the blank lines above and below only one stays.
 */
async function removeEmptiedLine({ document, session, startLine }: InlineEntry): Promise<void> {
  const { originalLines, proposedLines } = session;
  const isEmptied = proposedLines.length === 1 && proposedLines[0]?.trim() === "";
  if (!isEmptied || originalLines.every((line) => line.trim() === "")) return;
  const isBlank = (line: number) =>
    line < 0 || line >= document.lineCount || document.lineAt(line).isEmptyOrWhitespace;
  const end = isBlank(startLine - 1) && isBlank(startLine + 1) ? startLine + 2 : startLine + 1;
  const range = document.validateRange(new vscode.Range(startLine, 0, end, 0));
  const edit = new vscode.WorkspaceEdit();
  edit.delete(document.uri, range);
  await vscode.workspace.applyEdit(edit);
}

/**
 * Moves the caret to the start of the rewritten lines. A selection would cover the marks, and the
 * next key would replace the lines.
 * @returns the lines, so that the caller can select the lines again
 */
function collapseSelection(
  editor: vscode.TextEditor,
  { kind, span }: ChosenTarget,
): vscode.Range | undefined {
  if (kind !== "rewrite") return undefined;
  const { document, selection } = editor;
  const start = new vscode.Position(span.startLine - 1, 0);
  const range = new vscode.Range(start, document.lineAt(span.endLine - 1).range.end);
  if (!selection.isEmpty && range.intersection(selection) !== undefined) {
    const caret = range.intersection(selection)?.start ?? start;
    editor.selection = new vscode.Selection(caret, caret);
  }
  // The box was below the lines, which the reply fills from the top.
  editor.revealRange(new vscode.Range(start, start));
  return range;
}

function readArgument(argument: unknown): z.infer<typeof argumentSchema> {
  const parsed = argumentSchema.safeParse(argument);
  return parsed.success ? parsed.data : {};
}
