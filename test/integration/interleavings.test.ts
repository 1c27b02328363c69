/**
 * Types, moves the caret and saves in random order while replies stream into several real
 * documents. No typed text is lost, nothing else changes, and a single undo removes an undisturbed
 * reply. test/unit/inline/interleavings.test.ts runs a thousand rounds with a fake document.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { TurnEvent } from "../../src/ask/ask";
import { silentLog } from "../support/fakes/silentLog";
import { rewriteTarget } from "../../src/host/inline/editTarget";
import { InlineEdits } from "../../src/host/inline/inlineEdits";
import type { InlineEntry } from "../../src/host/inline/inlineEntry";
import { firstSeed, randomOf, randomLine, type Random } from "../support/fakes/seeded";
import {
  closeAll,
  MapMemento,
  plainText,
  readFile,
  showFile,
  untilText,
  workspaceUri,
} from "./editing";
import { run, suiteWithAnswers } from "./editingSuite";

/** Number of rounds, in three editors at once. */
const ROUNDS = 3;

/** The first column is shown last, so that keys are sent to its editor. */
const COLUMNS = [vscode.ViewColumn.Three, vscode.ViewColumn.Two, vscode.ViewColumn.One];

/** Text that the user types: inside a line, as a line above, as a line below. */
const TYPED = /«(\d+)»|⟦(\d+)⟧\r?\n|\r?\n⟪(\d+)⟫/g;

const BYSTANDER = "nobody edits this\n";

/** Pieces of a reply that a document waits for. */
class Reply {
  private pieces: string[] = [];
  private isWhole = false;
  private wake: () => void = () => {};

  give(piece: string): void {
    this.pieces.push(piece);
    this.wake();
  }

  end(): void {
    this.isWhole = true;
    this.wake();
  }

  async *events(signal: AbortSignal): AsyncGenerator<TurnEvent, void, void> {
    signal.addEventListener("abort", () => this.wake());
    while (!signal.aborted) {
      const text = this.pieces.shift();
      if (text !== undefined) yield { type: "text-delta", text };
      else if (this.isWhole) break;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
    yield { type: "turn-ended", ending: { kind: signal.aborted ? "stopped" : "complete" } };
  }
}

/** Outcome of a round. */
type Outcome = "undone" | "discarded" | "taken-over";

/** A document in a column of its own, used for every round. */
class Place {
  private typed = 0;
  private unseenStops = 0;
  /** Actions of the current round with their times, for the message of a failure. */
  private actions: string[] = [];

  constructor(
    private readonly editor: vscode.TextEditor,
    private readonly edits: InlineEdits,
    private readonly asked: Map<string, Reply>,
  ) {}

  /** True if this editor receives keys. */
  private get isActive(): boolean {
    return vscode.window.activeTextEditor === this.editor;
  }

  async play(random: Random): Promise<Outcome> {
    const { editor } = this;
    const { document } = editor;
    const lines = (count: number) => Array.from({ length: count }, () => randomLine(random).trim());
    const place = ["start of the place", ...lines(random(8)), "end of the place"];
    const before = ["first line", ...lines(random(5)), ""];
    const after = ["", ...lines(random(5)), "last line"];
    const answer = ["start of the answer", ...lines(random(12)), "end of the answer"];
    const all = [...before, ...place, ...after];
    this.actions = [];
    await this.replaceAll(all);
    const range = new vscode.Range(before.length, 0, before.length + place.length - 1, 99);
    const entry = this.edits.open(document, rewriteTarget(editor, document.validateRange(range)));
    const reply = new Reply();
    const name = `question ${random(1_000_000)} of ${document.uri.path}`;
    this.asked.set(name, reply);
    const isQuiet = random(4) === 0;
    const done = entry.edit.ask([{ kind: "text", text: name }]);
    const from = this.typed;
    const stops = this.unseenStops;
    let left = ["```", ...answer, "```", ""].join("\n");
    while (left !== "" && entry.session.phase.kind === "streaming") {
      const length = 1 + random(120);
      this.note(`reply ${length}`);
      reply.give(left.slice(0, length));
      left = left.slice(length);
      await this.live(entry, random, isQuiet);
    }
    this.note("end");
    reply.end();
    if (random(2) === 0) await this.live(entry, random, isQuiet);
    await done;
    this.asked.delete(name);
    this.check(from, before, after);
    const isItsOwn = entry.session.phase.kind === "pending" && !entry.session.isTouched;
    if (!isItsOwn) {
      entry.session.keep();
      return "taken-over";
    }
    assert.deepEqual(entry.session.proposedLines, answer);
    if (this.typed === from && this.isActive && this.unseenStops === stops) {
      await run("undo");
      // VS Code's undo may end before the extension has undone the rest of the answer.
      await untilText(document, all.join("\n")).catch((error: unknown) => {
        throw new Error(`undone after ${this.actions.join(", ")}`, { cause: error });
      });
      return "undone";
    }
    assert.equal(await entry.session.discard(), true);
    this.check(from, before, after);
    assert.ok(plainText(document).includes(place.join("\n")), "the place did not come back");
    return "discarded";
  }

  private note(action: string): void {
    this.actions.push(`${Math.round(performance.now())} ${action}`);
  }

  /** Performs a random action, or waits briefly. */
  private async live(entry: InlineEntry, random: Random, isQuiet: boolean): Promise<void> {
    const { editor } = this;
    const { document } = editor;
    switch (random(8)) {
      case 0:
      case 1:
      case 2:
        if (!isQuiet) await this.type(entry, random);
        return;
      case 3:
        if (this.isActive) await this.moveCaret(random(2) === 0 ? "cursorTop" : "cursorBottom");
        return;
      case 4:
        if (random(4) === 0) {
          this.note("save");
          await document.save();
          this.note("saved");
        }
        return;
      case 5:
        // A pause without a condition, because real users pause too.
        await new Promise((resolve) => setTimeout(resolve, random(60)));
        return;
      default:
        await new Promise(setImmediate);
    }
  }

  /**
   * Moves the caret and counts commands without an event: setting the caret to its current position
   * also ends an undo step.
   */
  private async moveCaret(command: string): Promise<void> {
    let eventCount = 0;
    const listening = vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
      if (textEditor === this.editor && kind !== undefined) eventCount++;
    });
    this.note(command);
    await run(command);
    listening.dispose();
    this.note(`${eventCount} events`);
    if (eventCount === 0) this.unseenStops++;
  }

  /** Types mostly outside the edit; typing inside the edit ends the streaming. */
  private async type(entry: InlineEntry, random: Random): Promise<void> {
    const { editor } = this;
    const { document } = editor;
    const { startOffset: start, proposedLines } = entry.session;
    const eol = document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
    const end = start + proposedLines.join(eol).length;
    const number = this.typed;
    const spot = random(10);
    const put = async (offset: number, text: string) => {
      const at = document.positionAt(offset);
      if (this.isActive && !/[\r\n]/.test(text)) {
        // Uses the `type` command as keys do, without a check of the document version.
        editor.selection = new vscode.Selection(at, at);
        await run("type", { text });
        this.typed++;
      } else if (await editor.edit((change) => change.insert(at, text))) this.typed++;
    };
    if (spot === 0) await put(start + 1 + random(Math.max(1, end - start - 1)), `«${number}»`);
    else if (spot < 5) await put(random(start), `«${number}»`);
    else if (spot < 7) await put(start, `⟦${number}⟧${eol}`);
    else if (spot === 7) await put(end, `${eol}⟪${number}⟫`);
    else await put(end + 1 + random(document.getText().length - end), `«${number}»`);
  }

  /**
   * Asserts that all text typed since `from` is present once, and that the lines around the edit
   * are unchanged.
   */
  private check(from: number, before: readonly string[], after: readonly string[]): void {
    const text = this.editor.document.getText();
    const { numbers, rest } = takeOutTyped(text);
    const typed = Array.from({ length: this.typed - from }, (_, index) => from + index);
    assert.deepEqual(numbers, typed, `typed: ${typed.join()}, there: ${JSON.stringify(text)}`);
    assert.ok(rest.startsWith(`${before.join("\n")}\n`), `above: ${JSON.stringify(text)}`);
    assert.ok(rest.endsWith(`\n${after.join("\n")}`), `below: ${JSON.stringify(text)}`);
  }

  private async replaceAll(lines: readonly string[]): Promise<void> {
    const { editor } = this;
    const text = lines.join("\n");
    const whole = new vscode.Range(0, 0, editor.document.lineCount, 0);
    while (plainText(editor.document) !== text) {
      await editor.edit((edit) => edit.replace(editor.document.validateRange(whole), text));
    }
  }
}

/**
 * Returns the numbers of all typed texts, in order, and the text without them, with `\n` line
 * endings. Typed texts may be nested (`«3«38»7»`), so the inner texts are removed first.
 */
function takeOutTyped(text: string): { numbers: number[]; rest: string } {
  const numbers: number[] = [];
  let rest = text;
  for (let found = [...rest.matchAll(TYPED)]; found.length > 0; found = [...rest.matchAll(TYPED)]) {
    for (const [, within, above, below] of found) numbers.push(Number(within ?? above ?? below));
    rest = rest.replaceAll(TYPED, "");
  }
  return { numbers: numbers.sort((a, b) => a - b), rest: rest.replaceAll("\r\n", "\n") };
}

/** Opens a file in a column of its own; the second file has CRLF line endings. */
async function openIn(column: vscode.ViewColumn): Promise<vscode.TextEditor> {
  const uri = workspaceUri(`interleaved-${column}.ini`);
  const text = column === vscode.ViewColumn.Two ? "\r\n" : "\n";
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return vscode.window.showTextDocument(uri, { viewColumn: column, preview: false });
}

describe("typing in real documents while replies stream", () => {
  const answers = suiteWithAnswers();
  const seed = firstSeed();

  it(`loses nothing in random interleavings (seed ${seed})`, async function () {
    this.timeout(300_000);
    const asked = new Map<string, Reply>();
    const edits = new InlineEdits({
      ask: async function* (path, signal) {
        const question = path.at(-1);
        const [part] = question?.role === "user" ? question.parts : [];
        const reply = asked.get(part?.kind === "text" ? part.text : "");
        assert.ok(reply, "a question nobody asked");
        yield* reply.events(signal);
      },
      log: silentLog,
      memory: new MapMemento(),
    });
    const outcomes: Record<Outcome, number> = { undone: 0, discarded: 0, "taken-over": 0 };
    const bystander = (await showFile("interleaved.ini", BYSTANDER)).document;
    let rounds = 0;
    const playOn = async (editor: vscode.TextEditor) => {
      const place = new Place(editor, edits, asked);
      while (rounds < ROUNDS) {
        const ownSeed = seed + rounds++;
        try {
          outcomes[await place.play(randomOf(ownSeed))]++;
        } catch (error) {
          throw new Error(`seed ${ownSeed}: ${String(error)}`, { cause: error });
        }
      }
    };
    try {
      const editors: vscode.TextEditor[] = [];
      for (const column of COLUMNS) editors.push(await openIn(column));
      await Promise.all(editors.map(playOn));
      assert.equal(plainText(bystander), BYSTANDER);
      assert.equal(bystander.version, 1);
    } finally {
      edits.dispose();
      await closeAll();
    }
    assert.equal(await readFile("interleaved.ini"), BYSTANDER);
    // No edit was lost, replaced or restored.
    assert.deepEqual(answers.shown, []);
    this.test!.title += `: ${JSON.stringify(outcomes)}`;
  });
});
