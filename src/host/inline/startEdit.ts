/**
 * Starts and refines edits: finds the target, checks that the target can be edited and sent, asks
 * for the instruction, and builds the question.
 */
import * as vscode from "vscode";
import {
  excerptOf,
  isOverBudget,
  surroundingsOf,
  type LineSpan,
  type SourceText,
} from "../../context/excerpt";
import { problemsText } from "../../context/problems";
import type { ExcerptPart, NotePart, Part, RelatedPart } from "../../conversation/message";
import { editQuestion, refiningQuestion } from "../../edit/editPrompt";
import { importsAbove } from "../../edit/fileImports";
import { pathOf, problemsIn, sourceOf } from "../platform/sourceText";
import { maySendExcerpts } from "../access/readAccess";
import { askToWrite, writeConcernOf } from "../access/writeAccess";
import { isEditable } from "./editable";
import { generateTarget, rewriteTarget, type ChosenTarget } from "./editTarget";
import type { InlineEdits } from "./inlineEdits";
import type { InlineEntry } from "./inlineEntry";

/** Longest text to rewrite, in estimated tokens: a reply has at most 8192 (spec, section 8). */
const MAX_TARGET_TOKENS = 7_000;

/** Upper limit of surrounding text in the question, in estimated tokens. */
const MAX_SURROUNDING_TOKENS = 2_500;

/** Lines before and after the cursor whose names new lines may use. */
const LINES_NEAR = 10;

/** Instruction and lines of an edit; missing values come from the editor and from the user. */
export interface EditCommand {
  readonly kind: "rewrite" | "generate";
  readonly instruction?: string | undefined;
  /** Text that the box for the instruction shows at first, instead of a kept instruction. */
  readonly suggested?: string | undefined;
  readonly range?: vscode.Range | undefined;
}

/** Finds the definitions that some lines use; undefined if there are none. */
export type FindDefinitions = (
  document: vscode.TextDocument,
  spans: readonly LineSpan[],
) => Promise<RelatedPart | undefined>;

/** Sources of what is sent with the lines of an edit. */
export interface EditContext {
  readonly findDefinitions: FindDefinitions;
  /** Returns the project's rules for some files; undefined if there are none. */
  readonly rulesFor: (uris: readonly vscode.Uri[]) => Promise<NotePart | undefined>;
  /** Storage of the workspace, for an instruction that has not started an edit yet. */
  readonly memory: vscode.Memento;
}

/** Key of the last instruction, from the moment it is entered until its edit starts. */
const KEPT_INSTRUCTION = "inline.keptInstruction";

/** Edit that is ready to send. */
export interface StartedEdit {
  /** Editor of the document, which may have been opened again. */
  readonly editor: vscode.TextEditor;
  readonly entry: InlineEntry;
  readonly question: readonly Part[];
  readonly instruction: string;
  readonly chosen: ChosenTarget;
}

/** Opens an edit in this editor; undefined if the edit is not possible or the user cancels. */
export async function startEdit(
  edits: InlineEdits,
  editor: vscode.TextEditor,
  command: EditCommand,
  context: EditContext,
): Promise<StartedEdit | undefined> {
  const { document, selection } = editor;
  const { rulesFor, findDefinitions, memory } = context;
  if (!(await isEditable(document))) {
    showMessage(vscode.l10n.t("This file is read-only. Save a copy and edit that."));
    return undefined;
  }
  if (!canBeSent(document, chooseTarget(editor, command))) return undefined;
  // Searched while the user writes the instruction.
  const target = chooseTarget(editor, command);
  const finding = findDefinitions(document, [linesAround(document, target)]);
  const instruction =
    command.instruction ??
    (await askText(
      memory,
      instructionBox(document, target, await rulesFor([document.uri])),
      command.suggested,
    ));
  if (instruction === undefined) return undefined;
  await memory.update(KEPT_INSTRUCTION, instruction);
  const startAgain = async () => {
    const reopened = await openAgain(document, target.span.endLine);
    if (reopened === undefined) {
      showClosed(document);
      return undefined;
    }
    reopened.selection = selection;
    return startEdit(edits, reopened, { ...command, instruction }, context);
  };
  // A function, because the file may be closed during each wait.
  const isClosed = () => document.isClosed;
  if (isClosed()) return startAgain();
  // Saving, also by auto save, would write the answer before Keep asks. documentSink.ts asks about
  // the text of the answer.
  const accepted = await writeConcernOf(document.uri, { text: "" });
  const isAllowed =
    accepted === undefined || (await askToWrite(accepted, vscode.l10n.t("Edit Anyway")));
  if (!isAllowed) return undefined;
  const definitions = await finding;
  if (isClosed()) return startAgain();
  const checked = await checkedQuestion(document, () => {
    const chosen = chooseTarget(editor, command);
    return { chosen, parts: questionOf(sourceOf(document), chosen, instruction, definitions) };
  });
  if (checked === undefined) return undefined;
  if (checked === "closed") return startAgain();
  const { chosen, parts: question } = checked;
  if (!canBeSent(document, chosen)) return undefined;
  const { startLine, endLine } = chosen.span;
  const taken = edits
    .inDocument(document)
    .find((entry) => entry.startLine < endLine && entry.endLine >= startLine - 1);
  if (taken !== undefined) {
    showMessage(
      vscode.l10n.t("There is already a pending edit in these lines. Keep or discard it first."),
    );
    return undefined;
  }
  const entry = edits.open(document, chosen);
  entry.accepted = accepted;
  void memory.update(KEPT_INSTRUCTION, undefined);
  return { editor, entry, question, instruction, chosen };
}

/**
 * Opens a closed document again; undefined if it is gone, or if its text up to the end of a line
 * (1-based) is another.
 */
async function openAgain(
  closed: vscode.TextDocument,
  endLine: number,
): Promise<vscode.TextEditor | undefined> {
  try {
    const document = await vscode.workspace.openTextDocument(closed.uri);
    const textIn = (one: vscode.TextDocument) =>
      one.getText(new vscode.Range(0, 0, endLine - 1, Number.MAX_SAFE_INTEGER));
    if (document.lineCount < endLine || textIn(document) !== textIn(closed)) return undefined;
    return await vscode.window.showTextDocument(document);
  } catch {
    return undefined; // The file was deleted, or was never saved.
  }
}

/** Asks for a follow-up instruction for a pending edit; undefined if the user cancels. */
export async function refine(
  entry: InlineEntry,
  given: string | undefined,
  memory: vscode.Memento,
): Promise<{ readonly question: readonly Part[]; readonly instruction: string } | undefined> {
  const { session, document, edit } = entry;
  // A function, because the edit may end during each wait.
  const isPending = () => session.phase.kind === "pending";
  if (!isPending()) return undefined;
  const instruction =
    given ??
    (await askText(memory, {
      title: vscode.l10n.t("Refine the edit of {0}", pathOf(document.uri)),
      placeHolder: vscode.l10n.t("Describe what else to change"),
    }));
  if (instruction === undefined) return undefined;
  await memory.update(KEPT_INSTRUCTION, instruction);
  const checked = await checkedQuestion(document, () => ({
    // The last answer holds its lines, so they are sent once.
    parts: refiningQuestion(instruction, edit.isAsAnswered ? undefined : linesNow(entry)),
  }));
  if (checked === undefined) return undefined;
  if (checked === "closed" || !isPending()) {
    showClosed(document);
    return undefined;
  }
  await memory.update(KEPT_INSTRUCTION, undefined);
  return { question: checked.parts, instruction };
}

/**
 * Builds a question and asks if its text may hold secrets; undefined if the user declines, "closed"
 * if the document was closed meanwhile. Builds and checks again while the document changes, so that the text returned is the text checked.
 */
async function checkedQuestion<T extends { readonly parts: readonly Part[] }>(
  document: vscode.TextDocument,
  build: () => T,
): Promise<T | "closed" | undefined> {
  for (;;) {
    const { version } = document;
    const built = build();
    const excerpts = built.parts.filter((part) => part.kind === "excerpt");
    if (!(await maySendExcerpts(document, excerpts, "send"))) return undefined;
    if (document.isClosed) return "closed";
    if (document.version === version) return built;
  }
}

function chooseTarget(editor: vscode.TextEditor, { kind, range }: EditCommand): ChosenTarget {
  const { selection, document } = editor;
  const isOnEmptyLine =
    selection.isEmpty && document.lineAt(selection.active.line).isEmptyOrWhitespace;
  if (range === undefined && (kind === "generate" || isOnEmptyLine)) {
    return generateTarget(editor, lastSelected(editor));
  }
  return rewriteTarget(editor, document.validateRange(range ?? selection));
}

/** Returns the cursor; for whole selected lines, the end of the last one instead of the next line. */
function lastSelected({ selection, document }: vscode.TextEditor): vscode.Position {
  const { active, end, isEmpty } = selection;
  if (isEmpty || end.character > 0 || !active.isEqual(end)) return active;
  return document.lineAt(end.line - 1).range.end;
}

function canBeSent(document: vscode.TextDocument, { kind, span }: ChosenTarget): boolean {
  if (kind === "generate" || !isOverBudget(sourceOf(document), span, MAX_TARGET_TOKENS))
    return true;
  showMessage(vscode.l10n.t("The selection is too long for one reply. Select fewer lines."));
  return false;
}

function instructionBox(
  document: vscode.TextDocument,
  { kind, span }: ChosenTarget,
  rules: NotePart | undefined,
): vscode.InputBoxOptions {
  const path = pathOf(document.uri);
  const { startLine, endLine } = span;
  return {
    title:
      kind === "generate"
        ? vscode.l10n.t("Write at line {0} of {1}", startLine, path)
        : startLine === endLine
          ? vscode.l10n.t("Edit line {0} of {1}", startLine, path)
          : vscode.l10n.t("Edit lines {0} to {1} of {2}", startLine, endLine, path),
    placeHolder:
      kind === "generate"
        ? vscode.l10n.t("Describe what to write")
        : vscode.l10n.t("Describe the change"),
    ...(rules && {
      prompt: vscode.l10n.t("Sent as well: {0}", `${rules.label} (${rules.detail})`),
    }),
  };
}

/** Asks for a text, and offers a kept instruction; undefined if the user cancels or enters none. */
async function askText(
  memory: vscode.Memento,
  options: vscode.InputBoxOptions,
  suggested?: string,
): Promise<string | undefined> {
  const kept = memory.get<unknown>(KEPT_INSTRUCTION);
  const value = suggested ?? (typeof kept === "string" ? kept : "");
  const typed = await vscode.window.showInputBox({ ...options, value });
  return typed?.trim() === "" ? undefined : typed;
}

function showClosed({ uri }: vscode.TextDocument): void {
  showMessage(
    vscode.l10n.t(
      "{0} was closed or changed, so nothing was edited. The next edit offers your instruction again.",
      pathOf(uri),
    ),
  );
}

/** Returns the lines whose names are looked up: for new lines, those near the cursor. */
function linesAround(document: vscode.TextDocument, { kind, span }: ChosenTarget): LineSpan {
  if (kind === "rewrite") return span;
  return {
    startLine: Math.max(1, span.startLine - LINES_NEAR),
    endLine: Math.min(document.lineCount, span.endLine + LINES_NEAR),
  };
}

function questionOf(
  source: SourceText,
  chosen: ChosenTarget,
  instruction: string,
  definitions: RelatedPart | undefined,
): Part[] {
  const { kind, span } = chosen;
  const around = surroundingsOf(source, span, MAX_SURROUNDING_TOKENS);
  const imports = importsAbove(source, around.before?.startLine ?? span.startLine);
  return editQuestion({
    kind,
    instruction,
    target: wholeExcerpt(source, span),
    ...around,
    ...(imports && { imports }),
    ...(definitions && { definitions }),
    problems: problemsText(problemsIn(vscode.Uri.parse(source.uri), span)),
  });
}

/** Returns the current lines of an edit for a follow-up. */
function linesNow(entry: InlineEntry): ExcerptPart {
  const { session, document } = entry;
  const lines = session.answerableLines;
  const startLine = entry.startLine + 1;
  const span = { startLine, endLine: startLine + lines.length - 1 };
  return { ...wholeExcerpt(sourceOf(document), span), text: lines.join("\n") };
}

function wholeExcerpt(source: SourceText, span: LineSpan): ExcerptPart {
  return excerptOf(source, span, MAX_TARGET_TOKENS * 2).part;
}

function showMessage(text: string): void {
  void vscode.window.showInformationMessage(text);
}
