/**
 * Starts and refines edits: finds the target, checks that the target can be edited and sent, asks
 * for the instruction, and builds the question.
 */
import * as vscode from "vscode";
import {
  excerptOf,
  isOverBudget,
  surroundingsOf,
  widened,
  type LineSpan,
  type SourceText,
} from "../../context/excerpt";
import { problemsText } from "../../context/problems";
import type { ExcerptPart, NotePart, Part, RelatedPart } from "../../conversation/message";
import { editQuestion, refiningQuestion, type EditRequest } from "../../edit/editPrompt";
import { importsAbove } from "../../edit/fileImports";
import { FollowedLines } from "../platform/followedLines";
import { pathOf, problemsIn, sourceOf } from "../platform/sourceText";
import { refuseMisread } from "../access/encoding";
import { maySendExcerpts } from "../access/readAccess";
import { askToWrite, writeConcernOf } from "../access/writeAccess";
import { isEditable } from "./editable";
import { generateTarget, rewriteTarget, type ChosenTarget } from "./editTarget";
import type { InlineEdits } from "./inlineEdits";
import type { BoxQuestion, InstructionBox } from "./instructionBox";
import type { InlineEntry } from "./inlineEntry";
import { showInformation } from "../platform/messages";

const { t } = vscode.l10n;

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

/** Search for the code that some lines use, which goes on while the user writes an instruction. */
export interface DefinitionSearch {
  /** Definitions that the lines use. */
  readonly first: Promise<RelatedPart | undefined>;
  /** Ends the search soon, with the names of the instruction; undefined if nothing was found. */
  finish(instruction: string): Promise<RelatedPart | undefined>;
}

/** Starts the search for the definitions that some lines use. */
export type FindDefinitions = (
  document: vscode.TextDocument,
  spans: readonly LineSpan[],
) => DefinitionSearch;

/** Sources of what is sent with the lines of an edit. */
export interface EditContext {
  readonly box: Pick<InstructionBox, "ask" | "keepDraft">;
  readonly findDefinitions: FindDefinitions;
  /** Returns the project's rules for some files; undefined if there are none. */
  readonly rulesFor: (uris: readonly vscode.Uri[]) => Promise<NotePart | undefined>;
  /** Returns the cells above that of a document; empty outside a notebook. */
  readonly cellsAbove: (document: vscode.TextDocument) => readonly ExcerptPart[];
  /** Returns the lines to rewrite for the problems in a range. */
  readonly linesToFix: (
    document: vscode.TextDocument,
    range: vscode.Range,
  ) => Promise<vscode.Range>;
  /** Names the parts of a question in one line, for the box. */
  readonly describe: (parts: readonly Part[]) => string;
}

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
  const { document } = editor;
  const { box, findDefinitions, cellsAbove } = context;
  if (!(await isEditable(document))) {
    showReadOnly();
    return undefined;
  }
  if (await refuseMisread(document)) return undefined;
  const target = chooseTarget(editor, command, editor.selection);
  if (!canBeSent(document, target)) return undefined;
  const finding = findDefinitions(document, [linesAround(document, target)]);
  // The box leaves the editor free, so the lines can move before the user has answered.
  const { selection } = editor;
  const { start, end } = command.range ?? selection;
  const followed = new FollowedLines(
    document,
    command.range ? new vscode.Selection(start, end) : selection,
  );
  const chooseNow = () => {
    const { current } = followed;
    return chooseTarget(editor, { ...command, range: command.range && current }, current);
  };
  const questionFor = (instruction: string, definitions: RelatedPart | undefined) => {
    const chosen = chooseNow();
    const selected = partlySelected(chosen);
    const above = cellsAbove(document);
    const details = { instruction, definitions, selected, above };
    return { chosen, parts: questionOf(sourceOf(document), chosen, details) };
  };
  try {
    const instruction =
      command.instruction ??
      (await box.ask(instructionBox(editor, target, command, context, finding, questionFor)));
    if (instruction === undefined) return undefined;
    // A function, because the file may be closed during each wait.
    const isClosed = () => document.isClosed && showClosed(document);
    if (isClosed()) return undefined;
    // Saving, also by auto save, would write the answer before Keep asks. documentSink.ts asks about
    // the text of the answer.
    const accepted = await writeConcernOf(document.uri, { text: "" });
    const isAllowed = accepted === undefined || (await askToWrite(accepted, t("Edit Anyway")));
    if (!isAllowed) return undefined;
    const definitions = await finding.finish(instruction);
    if (isClosed()) return undefined;
    const checked = await checkedQuestion(document, () => questionFor(instruction, definitions));
    if (checked === undefined) return undefined;
    const { chosen, parts: question } = checked;
    if (!canBeSent(document, chosen)) return undefined;
    const { startLine, endLine } = chosen.span;
    const overlapping = edits
      .inDocument(document)
      .find((entry) => entry.startLine < endLine && entry.endLine >= startLine - 1);
    if (overlapping !== undefined) {
      showInformation(
        t("There is already a pending edit in these lines. Keep or discard it first."),
      );
      return undefined;
    }
    const entry = edits.open(document, chosen);
    entry.accepted = accepted;
    entry.instruction = instruction;
    void box.keepDraft("");
    return { editor, entry, question, instruction, chosen };
  } finally {
    followed.dispose();
  }
}

/** Asks for a follow-up instruction for a pending edit; undefined if the user cancels. */
export async function refine(
  entry: InlineEntry,
  given: string | undefined,
  { box }: EditContext,
): Promise<{ readonly question: readonly Part[]; readonly instruction: string } | undefined> {
  const { session, document, edit, startLine, endLine } = entry;
  // A function, because the edit may end during each wait.
  const isPending = () => session.phase.kind === "pending";
  if (!isPending()) return undefined;
  const instruction =
    given ??
    (await box.ask({
      document,
      range: new vscode.Range(startLine, 0, endLine, 0),
      title: t("Refine the edit of {0}", pathOf(document.uri)),
      placeHolder: t("Describe what else to change"),
      sent: [],
    }));
  if (instruction === undefined) return undefined;
  const checked = await checkedQuestion(document, () => ({
    // The last answer holds its lines, so they are sent once.
    parts: refiningQuestion(instruction, edit.isAsAnswered ? undefined : linesNow(entry)),
  }));
  if (checked === undefined || (!isPending() && showClosed(document))) return undefined;
  await box.keepDraft("");
  return { question: checked.parts, instruction };
}

/**
 * Builds a question and asks if its text may hold secrets; undefined if the user declines, or if the
 * document was closed meanwhile. Builds and checks again while the document changes, so that the text
 * returned is the text checked.
 */
async function checkedQuestion<T extends { readonly parts: readonly Part[] }>(
  document: vscode.TextDocument,
  build: () => T,
): Promise<T | undefined> {
  for (;;) {
    const { version } = document;
    const built = build();
    const excerpts = built.parts.filter((part) => part.kind === "excerpt");
    if (!(await maySendExcerpts(document, excerpts, "send"))) return undefined;
    if (document.isClosed && showClosed(document)) return undefined;
    if (document.version === version) return built;
  }
}

function chooseTarget(
  editor: vscode.TextEditor,
  { kind, range }: EditCommand,
  selection: vscode.Selection,
): ChosenTarget {
  const { document } = editor;
  const isOnEmptyLine =
    selection.isEmpty && document.lineAt(selection.active.line).isEmptyOrWhitespace;
  if (range === undefined && (kind === "generate" || isOnEmptyLine)) {
    return generateTarget(editor, lastSelected(document, selection));
  }
  const chosen = rewriteTarget(editor, document.validateRange(range ?? selection));
  return range === undefined ? withSelectedPart(chosen, selection) : chosen;
}

/** Returns the cursor; for whole selected lines, the end of the last one instead of the next line. */
function lastSelected(
  document: vscode.TextDocument,
  { active, end, isEmpty }: vscode.Selection,
): vscode.Position {
  if (isEmpty || end.character > 0 || !active.isEqual(end)) return active;
  return document.lineAt(end.line - 1).range.end;
}

/** Adds the text around the selection in its first and its last line, if there is any. */
function withSelectedPart(chosen: ChosenTarget, { start, end, isEmpty }: vscode.Selection) {
  const { target, span, style } = chosen;
  const [first = "", last = ""] = [target.lines[0], target.lines.at(-1)];
  const before = start.line + 1 === span.startLine ? first.slice(0, start.character) : "";
  const after = end.line + 1 === span.endLine ? last.slice(end.character) : "";
  if (isEmpty || (before.trim() === "" && after.trim() === "")) return chosen;
  return { ...chosen, style: { ...style, selectedPart: { before, after } } };
}

/** Returns the selected text if the lines to rewrite have more text than that. */
function partlySelected({ target, style: { selectedPart } }: ChosenTarget): string | undefined {
  if (selectedPart === undefined) return undefined;
  const { before, after } = selectedPart;
  const text = target.lines.join("\n");
  return text.slice(before.length, text.length - after.length).trim();
}

function canBeSent(document: vscode.TextDocument, { kind, span }: ChosenTarget): boolean {
  if (kind === "generate" || !isOverBudget(sourceOf(document), span, MAX_TARGET_TOKENS))
    return true;
  showInformation(t("The selection is too long for one reply. Select fewer lines."));
  return false;
}

function instructionBox(
  { document, selections }: vscode.TextEditor,
  { kind, span }: ChosenTarget,
  { suggested }: EditCommand,
  { rulesFor, describe }: EditContext,
  finding: DefinitionSearch,
  questionFor: (
    instruction: string,
    definitions: RelatedPart | undefined,
  ) => { readonly parts: readonly Part[] },
): BoxQuestion {
  const path = pathOf(document.uri);
  const { startLine, endLine } = span;
  const contents = Promise.all([finding.first, rulesFor([document.uri])]);
  const otherCount = selections.length - 1;
  return {
    document,
    range: new vscode.Range(startLine - 1, 0, endLine - 1, 0),
    title:
      kind === "generate"
        ? t("Write at line {0} of {1}", startLine, path)
        : startLine === endLine
          ? t("Edit line {0} of {1}", startLine, path)
          : t("Edit lines {0} to {1} of {2}", startLine, endLine, path),
    placeHolder: kind === "generate" ? t("Describe what to write") : t("Describe the change"),
    suggested,
    ...(otherCount > 0 && {
      remark: t("One selection is edited at a time. {0} more are left as they are.", otherCount),
    }),
    sent: [
      Promise.resolve(describe(questionFor("", undefined).parts)),
      contents.then(([definitions, rules]) =>
        describe([...questionFor("", definitions).parts, ...(rules ? [rules] : [])]),
      ),
    ],
  };
}

/** Says why a file cannot be edited. */
export function showReadOnly(): void {
  showInformation(t("This file is read-only. Save a copy and edit that."));
}

/** Says that the target of an edit is gone; returns true. */
function showClosed({ uri }: vscode.TextDocument): boolean {
  showInformation(
    t(
      "{0} was closed or changed, so nothing was edited. The next box has your instruction.",
      pathOf(uri),
    ),
  );
  return true;
}

/** Returns the lines whose names are looked up: for new lines, those near the cursor. */
function linesAround(document: vscode.TextDocument, { kind, span }: ChosenTarget): LineSpan {
  if (kind === "rewrite") return span;
  return widened(span, LINES_NEAR, { startLine: 1, endLine: document.lineCount });
}

function questionOf(
  source: SourceText,
  { kind, span }: ChosenTarget,
  given: Pick<EditRequest, "instruction" | "definitions" | "selected" | "above">,
): Part[] {
  const around = surroundingsOf(source, span, MAX_SURROUNDING_TOKENS);
  const imports = importsAbove(source, around.before?.startLine ?? span.startLine);
  return editQuestion({
    kind,
    ...given,
    target: wholeExcerpt(source, span),
    ...around,
    imports,
    problems: problemsText(problemsIn(vscode.Uri.parse(source.uri), span)),
  });
}

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
