/**
 * Replies of models to an edit, judged by the file that results. No outcome is wrong; a reply with
 * which the user is asked although the code is there is listed in asked.txt, which can only shrink.
 */
import assert from "node:assert/strict";
import type { TextEditor } from "vscode";
import type { TurnEvent } from "../../../src/ask/ask";
import { rewriteTarget } from "../../../src/host/inline/editTarget";
import { EditSession } from "../../../src/edit/editSession";
import { PendingEdit, type AnswerReport } from "../../../src/edit/pendingEdit";
import { cleanHiddenCharacters } from "../../../src/markdown/hiddenCharacters";
import { ThinkingTags, type SeparatedText } from "../../../src/service/thinkingTags";
import { ManualClock } from "../../support/fakes/manualClock";
import { firstSeed, randomOf, type Random } from "../../support/fakes/seeded";
import { readEdits, readAsked, type Edit, type EditedFile } from "./editCorpus";
import { FakeDocument } from "./fakeDocument";

/** Text of the file after an answer, and if the user is told that no line of the reply was used. */
interface Outcome {
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

async function outcomeOf({ file, kind, reply }: Edit, pieces: readonly string[]): Promise<Outcome> {
  const editor = editorOf(file);
  const { target, style } = rewriteTarget(editor, editor.selection);
  const clock = new ManualClock();
  // An edit may change any line of its file.
  const document = new FakeDocument("", editor.document.getText(), "");
  const session = new EditSession(target, document, clock);
  document.sessions.push(session);
  assert.equal(pieces.join(""), reply);
  const edit = new PendingEdit(session, style, {
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
function verdictOn(
  { file, expected }: Edit,
  { text, isAsked }: Outcome,
): "exact" | "asked" | "wrong" {
  const { before, selected, after, isCrlf } = file;
  const original = [...before, ...selected, ...after, ""].join(isCrlf ? "\r\n" : "\n");
  if (expected.kind === "unchanged") return text === original ? "exact" : "wrong";
  if (isAsked && text === original) return expected.kind === "result" ? "asked" : "exact";
  return expected.kind !== "asks" && text === expected.text ? "exact" : "wrong";
}

function randomPieces(text: string, random: Random): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += pieces.at(-1)?.length ?? 1) {
    pieces.push(text.slice(at, at + 1 + random(12)));
  }
  return pieces;
}

describe("the file after a model's reply to an edit", () => {
  const edits = readEdits();
  const asked = readAsked();
  const verdicts = new Map<string, ReturnType<typeof verdictOn>>();
  const outcomes = new Map<string, Outcome>();

  before("reads each reply as a whole", async () => {
    for (const edit of edits) {
      const outcome = await outcomeOf(edit, [edit.reply]);
      outcomes.set(edit.id, outcome);
      verdicts.set(edit.id, verdictOn(edit, outcome));
    }
  });

  after("prints a table", () => {
    const kinds = [...new Set(edits.map(({ kind }) => kind))].sort();
    const count = (some: readonly Edit[]) =>
      ["exact", "asked", "wrong"].map(
        (verdict) => some.filter(({ id }) => verdicts.get(id) === verdict).length,
      );
    const row = (name: string, counts: readonly (number | string)[]) =>
      `${name.padEnd(16)}${counts.map((one) => `${one}`.padStart(7)).join("")}`;
    const table = kinds.map((kind) => row(kind, count(edits.filter((edit) => edit.kind === kind))));
    console.log(
      [row("", ["exact", "asked", "wrong"]), ...table, row("all", count(edits))].join("\n"),
    );
  });

  it("comes from at least 300 replies with different names, in 25 languages", () => {
    assert.ok(edits.length >= 300, `${edits.length} replies`);
    assert.equal(new Set(edits.map(({ id }) => id)).size, edits.length);
    const labels = new Set(edits.map(({ file }) => file.label));
    assert.ok(labels.size >= 25, `${labels.size} languages`);
  });

  it("is never wrong", () => {
    const wrong = edits.filter(({ id }) => verdicts.get(id) === "wrong");
    const shown = wrong.map(({ id }) => `${id}:\n${outcomes.get(id)?.text}`);
    assert.ok(wrong.length === 0, `${wrong.length} wrong\n\n${shown.slice(0, 5).join("\n\n")}`);
  });

  it("is exact, except for the listed replies with which the user is asked", () => {
    const found = edits.filter(({ id }) => verdicts.get(id) === "asked").map(({ id }) => id);
    assert.deepEqual(found.sort(), [...asked.keys()].sort());
  });

  const seed = firstSeed();
  it(`does not depend on the parts in which the reply arrives (seed ${seed})`, async () => {
    const random = randomOf(seed);
    for (const edit of edits) {
      const expected = outcomes.get(edit.id);
      for (const pieces of [randomPieces(edit.reply, random), Array.from(edit.reply)]) {
        assert.deepEqual(await outcomeOf(edit, pieces), expected, edit.id);
      }
    }
  }).timeout(120_000);
});
