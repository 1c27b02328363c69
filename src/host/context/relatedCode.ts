/** Gathers code around the function at the cursor on request: its callers, and existing tests. */
import * as vscode from "vscode";
import { excerptOf, isOverBudget, widened } from "../../context/excerpt";
import { estimateTextTokens } from "../../base/tokens";
import type { ExcerptPart, RelatedPart } from "../../conversation/message";
import { readFound } from "../access/foundFiles";
import { sourceOf, spanOf, type TextSource } from "../platform/sourceText";
import { refused, type Gathered } from "./gather";
import { callersOf, flatOutline, outlineOf, type FoundCaller } from "./languageProviders";
import { findTests } from "./projectTests";

/** Upper limits of callers, and of their text in estimated tokens. */
const MAX_CALLERS = 10;
const MAX_CALLER_TOKENS = 400;
const MAX_TOKENS = 3_000;

/** Lines before and after the call in a long caller. */
const LINES_NEAR = 4;

/** Upper limit of test files. */
const MAX_TESTS = 2;

export async function gatherCallers(): Promise<Gathered> {
  const editor = usedEditor();
  const callers = editor ? await callersAt(editor) : [];
  const sources = await readFound(callers.map(({ uri }) => uri));
  const items: ExcerptPart[] = [];
  let left = MAX_TOKENS;
  for (const [index, caller] of callers.entries()) {
    const source = sources[index];
    if (source === undefined || items.length === MAX_CALLERS) continue;
    const item = callerExcerpt(source, caller);
    left -= estimateTextTokens(item.text);
    if (left >= 0) items.push(item);
  }
  return related(
    { kind: "related", relation: "callers", items },
    vscode.l10n.t("No callers were found. Place the cursor in a function that other code calls."),
  );
}

/** Gathers existing tests of the file in the editor, or tests near it. */
export async function gatherTests(): Promise<Gathered> {
  const uri = usedEditor()?.document.uri;
  const items = uri === undefined ? [] : await findTests(uri, MAX_TESTS);
  return related(
    { kind: "related", relation: "tests", items },
    vscode.l10n.t("No tests of this file were found."),
  );
}

async function callersAt({ document, selection }: vscode.TextEditor): Promise<FoundCaller[]> {
  const around = flatOutline(await outlineOf(document.uri)).filter(({ range }) =>
    range.contains(selection.active),
  );
  const positions = [selection.active, ...around.map((symbol) => symbol.selectionRange.start)];
  // The innermost function that anything calls.
  for (const position of new Set(positions.reverse())) {
    const callers = await callersOf(document.uri, position);
    if (callers.length > 0) return callers;
  }
  return [];
}

function callerExcerpt(document: TextSource, { range, call }: FoundCaller): ExcerptPart {
  const source = sourceOf(document);
  const whole = spanOf(document.validateRange(range));
  if (!isOverBudget(source, whole, MAX_CALLER_TOKENS)) {
    return excerptOf(source, whole, MAX_CALLER_TOKENS).part;
  }
  const near = widened(spanOf(document.validateRange(call)), LINES_NEAR, whole);
  return excerptOf(source, near, MAX_CALLER_TOKENS).part;
}

/** Returns the active editor; while a panel has the focus, a visible one. */
export function usedEditor(): vscode.TextEditor | undefined {
  return vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
}

function related(part: RelatedPart, nothing: string): Gathered {
  return part.items.length > 0 ? { ok: true, parts: [part] } : refused(nothing);
}
