/**
 * Gathers the code of the questions that are sent from an editor: the function or class around the
 * selection, the file's imports, the definitions that it uses and, for tests, the project's way to test.
 */
import * as vscode from "vscode";
import * as z from "zod/mini";
import { systemClock } from "../../base/clock";
import { enclosingBlocks, withLeadingLines } from "../../context/enclosingBlock";
import {
  isOverBudget,
  surroundingsOf,
  widened,
  type LineSpan,
  type SourceText,
} from "../../context/excerpt";
import { withoutRepeats } from "../../context/overlap";
import type { ExcerptPart, Part } from "../../conversation/message";
import { importsAbove } from "../../edit/fileImports";
import { maySendExcerpts } from "../access/readAccess";
import { sourceOf, spanOf } from "../platform/sourceText";
import { builtInPrompts, type BuiltInPrompt } from "../settings/prompts";
import { findDefinitions } from "./definitions";
import { excerptIn } from "./excerpts";
import { flatOutline, outlineOf, resolveWithin } from "./languageProviders";
import { findTests, testRunner } from "./projectTests";
import { usedEditor } from "./relatedCode";
import { activeEditor } from "../platform/messages";

/** Time limit of an outline, in milliseconds; then indentation decides. */
const OUTLINE_MS = 1_000;

/** Time limit of the search for tests, in milliseconds. */
const TESTS_MS = 3_000;

/** Estimated tokens up to which the outermost declaration is sent whole, and the innermost. */
const MAX_OUTER_TOKENS = 1_500;
const MAX_INNER_TOKENS = 6_000;

/** Estimated tokens of the lines around a selection in a longer function. */
const MAX_AROUND_TOKENS = 2_500;

/** Lines before and after a problem in a longer function. */
const LINES_NEAR = 10;

const MAX_COLUMN = Number.MAX_SAFE_INTEGER;

/** Languages without declarations. */
const PROSE = new Set(["plaintext", "markdown", "log", "csv", "restructuredtext", "asciidoc"]);

/** Code of the document itself, and what other files add. */
export interface QuestionCode {
  readonly own: readonly ExcerptPart[];
  readonly found: readonly Part[];
}

const argumentSchema = z.object({ range: z.optional(z.instanceof(vscode.Range)) });

/**
 * Returns the code of a command in the active editor; undefined after a message if there is no editor.
 * @param argument of VS Code: the range of a code action, or anything else for the selection
 */
export async function editorQuestion(kind: BuiltInPrompt, argument: unknown) {
  const editor = activeEditor();
  if (editor === undefined) return undefined;
  const { document, selection } = editor;
  const range = argumentSchema.safeParse(argument).data?.range ?? selection;
  const code = await questionCode(kind, document, range);
  return { document, range, ...code, version: document.version };
}

/**
 * Returns the code at the cursor for a built-in prompt. Asks before lines with secrets are returned;
 * empty if the user declines, without an editor, and for other prompts.
 */
export async function promptCode(name: string): Promise<readonly Part[]> {
  const editor = usedEditor();
  const kind = (Object.keys(builtInPrompts()) as BuiltInPrompt[]).find((known) => known === name);
  if (editor === undefined || kind === undefined) return [];
  const { document, selection } = editor;
  const { own, found } = await questionCode(kind, document, selection);
  if (own.every(({ text }) => text.trim() === "")) return [];
  return (await maySendExcerpts(document, own, "add")) ? withoutRepeats([...own, ...found]) : [];
}

/** Returns the excerpts and other parts of a question about some lines. */
export async function questionCode(
  kind: BuiltInPrompt,
  document: vscode.TextDocument,
  range: vscode.Range,
): Promise<QuestionCode> {
  const span = spanOf(document.validateRange(range));
  const { version } = document;
  const declarations = await declarationsAround(document, span);
  // Lines that moved since are not those of the outline.
  const around = document.version === version ? declarations : [];
  const build = () => ownCode(document, document.validateRange(range), around);
  const [main] = build();
  const spans = main === undefined ? [span] : [span, spanOfPart(main)];
  const [definitions, tests] = await Promise.all([
    findDefinitions(document, spans, build()),
    kind === "tests" ? resolveWithin(systemClock, TESTS_MS, projectTests(document.uri)) : [],
  ]);
  // Built again without an `await` before the check, because the user may have typed since.
  const selectedCode = document.version === version ? build() : ownCode(document, range, []);
  return { own: selectedCode, found: [...(definitions ? [definitions] : []), ...(tests ?? [])] };
}

/** Returns the innermost declaration around the problems of a range; lines near if it is too long. */
export async function linesToFix(
  document: vscode.TextDocument,
  range: vscode.Range,
): Promise<vscode.Range> {
  const span = spanOf(document.validateRange(range));
  const declarations = await declarationsAround(document, span);
  const source = sourceOf(document);
  const around = declarations.findLast((one) => lengthOf(one) > lengthOf(span)) ?? span;
  const whole = withLeadingLines(source.lines, around);
  const isLong = isOverBudget(source, whole, MAX_OUTER_TOKENS);
  const { startLine, endLine } = isLong ? widened(span, LINES_NEAR, whole) : whole;
  return document.validateRange(new vscode.Range(startLine - 1, 0, endLine - 1, MAX_COLUMN));
}

/** Returns the excerpts of the document: the main one first. */
function ownCode(
  document: vscode.TextDocument,
  range: vscode.Range,
  around: readonly LineSpan[],
): ExcerptPart[] {
  const source = sourceOf(document);
  const span = spanOf(document.validateRange(range));
  const { chosen, header } = chooseSpan(source, span, around);
  const { part } = excerptIn(document, chosen);
  const isWider = chosen.startLine < span.startLine || chosen.endLine > span.endLine;
  const main: ExcerptPart = isWider ? { ...part, focus: span } : part;
  const imports = importsAbove(source, header?.startLine ?? chosen.startLine);
  const head = header && excerptIn(document, header).part;
  return [main, ...(head ? [head] : []), ...(imports ? [imports] : [])];
}

/** Returns the outermost declaration that is short enough, and the line of the class around it. */
function chooseSpan(
  source: SourceText,
  span: LineSpan,
  around: readonly LineSpan[],
): { readonly chosen: LineSpan; readonly header?: LineSpan } {
  const wholes = around.map((one) => withLeadingLines(source.lines, one));
  const short = wholes.findIndex((one) => !isOverBudget(source, one, MAX_OUTER_TOKENS));
  const at = short === -1 ? wholes.length - 1 : short;
  const innermost = wholes[at];
  if (innermost === undefined) return { chosen: span };
  const outer = around[at - 1]?.startLine;
  const header = outer === undefined ? {} : { header: { startLine: outer, endLine: outer } };
  if (!isOverBudget(source, innermost, MAX_INNER_TOKENS)) return { chosen: innermost, ...header };
  const { before, after } = surroundingsOf(source, span, MAX_AROUND_TOKENS);
  const startLine = Math.max(innermost.startLine, before?.startLine ?? span.startLine);
  const endLine = Math.min(innermost.endLine, after?.endLine ?? span.endLine);
  return { chosen: { startLine, endLine }, ...header };
}

/** Returns the declarations that hold all lines, the outermost first. */
async function declarationsAround(
  document: vscode.TextDocument,
  span: LineSpan,
): Promise<LineSpan[]> {
  if (PROSE.has(document.languageId)) return [];
  const outline = (await resolveWithin(systemClock, OUTLINE_MS, outlineOf(document.uri))) ?? [];
  if (outline.length === 0) {
    return enclosingBlocks(sourceOf(document).lines, span);
  }
  const enclosing = flatOutline(outline)
    .map(({ range }) => spanOf(range))
    .filter((own) => own.startLine <= span.startLine && own.endLine >= span.endLine);
  return enclosing.toSorted((a, b) => lengthOf(b) - lengthOf(a));
}

async function projectTests(uri: vscode.Uri): Promise<Part[]> {
  const [runner, tests] = await Promise.all([testRunner(uri), findTests(uri, 1)]);
  return [...(runner ? [runner] : []), ...tests];
}

function spanOfPart({ startLine = 1, endLine = startLine }: ExcerptPart): LineSpan {
  return { startLine, endLine };
}

function lengthOf({ startLine, endLine }: LineSpan): number {
  return endLine - startLine;
}
