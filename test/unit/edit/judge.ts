/** Judges replies of models to an edit by the file that results. */
import assert from "node:assert/strict";
import type { TextEditor } from "vscode";
import type { TurnEvent } from "../../../src/ask/ask";
import { rewriteTarget } from "../../../src/host/inline/editTarget";
import { EditSession } from "../../../src/edit/editSession";
import { PendingEdit, type AnswerReport } from "../../../src/edit/pendingEdit";
import { cleanHiddenCharacters } from "../../../src/markdown/hiddenCharacters";
import { ThinkingTags, type SeparatedText } from "../../../src/service/thinkingTags";
import { ManualClock } from "../../support/fakes/manualClock";
import type { Edit, EditedFile } from "./editCorpus";
import { FakeDocument } from "./fakeDocument";

export type Verdict = "exact" | "asked" | "wrong";

/** Text of the file after an answer, and if the user is told that no line of the reply was used. */
export interface Outcome {
  readonly text: string;
  readonly isAsked: boolean;
}

/** Returns the parts of the editor that the target of an edit is made from. */
function editorOf(file: EditedFile): TextEditor {
  const { path, languageId, indent, isCrlf, before, selected, after } = file;
  const lines = [...before, ...selected, ...after, ""];
  const length = isCrlf ? 2 : 1;
  const offsetAt = ({ line }: { line: number }) =>
    lines.slice(0, line).reduce((sum, text) => sum + text.length + length, 0);
  const start = { line: before.length, character: 0 };
  const end = { line: before.length + selected.length, character: 0 };
  const options = {
    insertSpaces: indent !== "tab",
    tabSize: indent === "tab" ? 4 : Number(indent),
  };
  return {
    options,
    selection: { start, end },
    document: {
      uri: { scheme: "file", path: `/project/${path}` },
      fileName: `/project/${path}`,
      languageId,
      eol: isCrlf ? 2 : 1,
      version: 1,
      lineCount: lines.length,
      lineAt: (line: number) => ({ text: lines[line] ?? "" }),
      offsetAt,
      getText: () => lines.join(isCrlf ? "\r\n" : "\n"),
    },
  } as unknown as TextEditor;
}

export async function outcomeOf(
  { file, kind, reply }: Edit,
  pieces: readonly string[],
): Promise<Outcome> {
  const editor = editorOf(file);
  const { target, style } = rewriteTarget(editor, editor.selection);
  const [from, to] = file.columns;
  const selectedPart = {
    before: target.lines[0]?.slice(0, from ?? 0) ?? "",
    after: to === undefined ? "" : (target.lines.at(-1)?.slice(to) ?? ""),
  };
  const clock = new ManualClock();
  // An edit may change any line of its file.
  const document = new FakeDocument("", editor.document.getText(), "");
  const session = new EditSession(target, document, clock);
  document.sessions.push(session);
  assert.equal(pieces.join(""), reply);
  const edited = from === undefined ? style : { ...style, selectedPart };
  const edit = new PendingEdit(session, edited, {
    ask: () => answerOf(pieces, kind === "cut"),
    changed: () => undefined,
    clean: cleanHiddenCharacters,
    nowMs: () => clock.nowMs(),
  });
  let report: AnswerReport | undefined;
  const asking = edit.ask([{ kind: "text", text: "change it" }]).then((given) => (report = given));
  for (let turn = 0; report === undefined && turn < 10_000; turn++) await document.settle();
  await asking;
  const { text } = document;
  edit.dispose();
  return { text, isAsked: report?.rejection !== undefined };
}

async function* answerOf(pieces: readonly string[], isCut: boolean): AsyncGenerator<TurnEvent> {
  const tags = new ThinkingTags();
  const separated = function* (part: SeparatedText): Generator<TurnEvent> {
    if (part.isEarlierTextReasoning) yield { type: "text-was-reasoning" };
    if (part.text !== "") yield { type: "text-delta", text: part.text };
  };
  for (const piece of pieces) yield* separated(tags.push(piece));
  yield* separated(tags.end());
  const kind = isCut ? "cut-short" : "complete";
  yield await Promise.resolve({ type: "turn-ended", ending: { kind } });
}

/** Compares an outcome with the expectation: `asked` means a question where none is needed. */
export function verdictOn({ file, expected }: Edit, { text, isAsked }: Outcome): Verdict {
  const { before, selected, after, isCrlf } = file;
  const original = [...before, ...selected, ...after, ""].join(isCrlf ? "\r\n" : "\n");
  if (expected.kind === "unchanged") return text === original ? "exact" : "wrong";
  if (isAsked && text === original) return expected.kind === "result" ? "asked" : "exact";
  return expected.kind !== "asks" && text === expected.text ? "exact" : "wrong";
}
