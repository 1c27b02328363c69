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
import { editQuestion, refiningQuestion } from "../../inline/editPrompt";
import { importsAbove } from "../../inline/fileImports";
import { pathOf, problemsIn, sourceOf } from "../platform/sourceText";
import { maySendExcerpts } from "../access/readAccess";
import { writeConcernOf } from "../access/writeAccess";
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
}

/** Edit that is ready to send. */
export interface StartedEdit {
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
  { rulesFor, findDefinitions }: EditContext,
): Promise<StartedEdit | undefined> {
  const { document } = editor;
  if (!(await isEditable(document))) {
    showMessage(vscode.l10n.t("This file is read-only. Save a copy and edit that."));
    return undefined;
  }
  if (!canBeSent(document, chooseTarget(editor, command))) return undefined;
  // Searched while the user writes the instruction.
  const finding = findDefinitions(document, [linesAround(document, chooseTarget(editor, command))]);
  const instruction =
    command.instruction ??
    (await askInstruction(document, chooseTarget(editor, command), await rulesFor([document.uri])));
  if (instruction === undefined || document.isClosed) return undefined;
  if (!(await mayWriteWhileStreaming(document))) return undefined;
  const definitions = await finding;
  const checked = await checkedQuestion(document, () => {
    const chosen = chooseTarget(editor, command);
    return { chosen, parts: questionOf(sourceOf(document), chosen, instruction, definitions) };
  });
  if (checked === undefined) return undefined;
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
  return { entry: edits.open(document, chosen), question, instruction, chosen };
}

/** Asks for a follow-up instruction for a pending edit; undefined if the user cancels. */
export async function refine(
  entry: InlineEntry,
  given: string | undefined,
): Promise<{ readonly question: readonly Part[]; readonly instruction: string } | undefined> {
  if (entry.session.phase.kind !== "pending") return undefined;
  const instruction =
    given ??
    (await vscode.window.showInputBox({
      title: vscode.l10n.t("Refine the edit of {0}", pathOf(entry.document.uri)),
      placeHolder: vscode.l10n.t("Describe what else to change"),
    }));
  if (instruction === undefined || instruction.trim() === "") return undefined;
  // The last answer holds these lines, so they are sent once.
  if (entry.edit.isAsAnswered) {
    return { question: refiningQuestion(instruction, undefined), instruction };
  }
  const checked = await checkedQuestion(entry.document, () => ({
    parts: refiningQuestion(instruction, linesNow(entry)),
  }));
  return checked && { question: checked.parts, instruction };
}

/**
 * Builds a question and asks if its text may hold secrets; undefined if the user declines. Builds
 * and checks again while the document changes, so that the text returned is the text checked.
 */
async function checkedQuestion<T extends { readonly parts: readonly Part[] }>(
  document: vscode.TextDocument,
  build: () => T,
): Promise<T | undefined> {
  for (;;) {
    const { version } = document;
    const built = build();
    const excerpts = built.parts.filter((part) => part.kind === "excerpt");
    if (!(await maySendExcerpts(document, excerpts, "send")) || document.isClosed) return undefined;
    if (document.version === version) return built;
  }
}

/** Asks before writing to sensitive files, because auto save could precede the user's review. */
async function mayWriteWhileStreaming({ uri, isUntitled }: vscode.TextDocument): Promise<boolean> {
  const autoSave = vscode.workspace.getConfiguration("files", uri).get<string>("autoSave", "off");
  if (isUntitled || autoSave === "off") return true;
  const concern = await writeConcernOf(uri);
  if (concern === undefined) return true;
  const write = vscode.l10n.t("Write Anyway");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      "{0} can run code or controls access, and auto save is on: the reply is saved before you have read it. Turn off auto save, or write it anyway?",
      concern.path,
    ),
    { modal: true },
    write,
  );
  return chosen === write;
}

function chooseTarget(editor: vscode.TextEditor, { kind, range }: EditCommand): ChosenTarget {
  const { selection, document } = editor;
  const isOnEmptyLine =
    selection.isEmpty && document.lineAt(selection.active.line).isEmptyOrWhitespace;
  if (range === undefined && (kind === "generate" || isOnEmptyLine)) {
    return generateTarget(editor, selection.active);
  }
  return rewriteTarget(editor, document.validateRange(range ?? selection));
}

function canBeSent(document: vscode.TextDocument, { kind, span }: ChosenTarget): boolean {
  if (kind === "generate" || !isOverBudget(sourceOf(document), span, MAX_TARGET_TOKENS))
    return true;
  showMessage(vscode.l10n.t("The selection is too long for one reply. Select fewer lines."));
  return false;
}

async function askInstruction(
  document: vscode.TextDocument,
  { kind, span }: ChosenTarget,
  rules: NotePart | undefined,
): Promise<string | undefined> {
  const path = pathOf(document.uri);
  const { startLine, endLine } = span;
  const typed = await vscode.window.showInputBox({
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
  });
  return typed === undefined || typed.trim() === "" ? undefined : typed;
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
