/**
 * A document that records the author of each character. Writes without an undo stop between them
 * are one undo step, as in VS Code. A write is answered when the test says so, and fails if the
 * document has changed.
 */
import assert from "node:assert/strict";
import type { EditSession } from "../../../src/edit/editSession";
import type { UndoableText } from "../../../src/edit/tornAnswer";
import type { TextSink, UndoStops, WriteResult } from "../../../src/edit/textSink";
import type { TextChange } from "../../../src/edit/trackedRange";

type Owner = "place" | "around" | "user" | "answer";

interface Character {
  readonly value: string;
  readonly owner: Owner;
}

interface UndoStep {
  /** Changes that revert the step, last change first. */
  readonly inverseChanges: { offset: number; length: number; characters: Character[] }[];
  isOpen: boolean;
}

interface PendingWrite {
  readonly changes: readonly TextChange[];
  readonly version: number;
  readonly stops: UndoStops;
  readonly answer: (result: WriteResult) => void;
}

export class FakeDocument implements TextSink {
  version = 1;
  isHidden = false;
  isReadOnly = false;
  writes = 0;
  private characters: Character[];
  private readonly pendingWrites: PendingWrite[] = [];
  private undoStack: UndoStep[] = [];
  private redoStack: UndoStep[] = [];
  readonly sessions: EditSession[] = [];
  /** Changes that VS Code itself makes together with the next write. */
  trims: TextChange[] = [];

  /** @param place Lines of the edit. The text around these lines must not change. */
  constructor(before: string, place: string, after: string) {
    this.characters = [
      ...charactersOf(before, "around"),
      ...charactersOf(place, "place"),
      ...charactersOf(after, "around"),
    ];
  }

  get text(): string {
    return this.characters.map(({ value }) => value).join("");
  }

  /** Returns the text outside of the edit, including the text typed by the user. */
  get othersText(): string {
    return this.characters
      .filter(({ owner }) => owner === "user" || owner === "around")
      .map(({ value }) => value)
      .join("");
  }

  get waitingWrites(): number {
    return this.pendingWrites.length;
  }

  current(): { text: string; version: number } {
    return { text: this.text, version: this.version };
  }

  replace(changes: readonly TextChange[], version: number, stops: UndoStops): Promise<WriteResult> {
    return new Promise((answer) => {
      this.pendingWrites.push({ changes, version, stops, answer });
    });
  }

  /** Applies the oldest pending write. */
  answerWrite(): void {
    const write = this.pendingWrites.shift();
    if (write === undefined) return;
    if (this.isHidden) write.answer("hidden");
    else if (write.version !== this.version) write.answer("moved");
    else if (this.isReadOnly) write.answer("refused");
    else {
      this.writes++;
      if (write.stops.before) this.stopUndo();
      this.change([...this.trims.splice(0), ...write.changes], "answer");
      if (write.stops.after) this.stopUndo();
      write.answer("done");
    }
  }

  /** Applies all pending writes. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 20; quiet++) {
      await Promise.resolve();
      if (this.pendingWrites.length > 0 && !this.isHidden) {
        this.answerWrite();
        quiet = 0;
      }
    }
  }

  /** Types as the user, in a separate undo step. */
  type(offset: number, length: number, text: string): void {
    this.stopUndo();
    this.change([{ offset, length, text }], "user");
    this.stopUndo();
  }

  /** The document, for steps that are undone in the place of the user. */
  get asUndoable(): UndoableText {
    return {
      current: () => this.current(),
      replace: (changes) => {
        this.stopUndo();
        this.change(changes, "user");
        this.stopUndo();
        return Promise.resolve("done");
      },
      undo: () => {
        this.undo();
        return Promise.resolve();
      },
      redo: () => {
        this.revert(this.redoStack, this.undoStack);
        return Promise.resolve();
      },
    };
  }

  /** Undoes the last step, as the user. */
  undo(): void {
    this.revert(this.undoStack, this.redoStack);
  }

  private revert(steps: UndoStep[], others: UndoStep[]): void {
    const step = steps.pop();
    if (step === undefined) return;
    const reverted: UndoStep = { inverseChanges: [], isOpen: false };
    others.push(reverted);
    // The document reports a single change that covers all changed characters.
    let from = Infinity;
    let unchangedAtEnd = Infinity;
    const total = this.characters.length;
    for (const { offset, length, characters } of step.inverseChanges.toReversed()) {
      from = Math.min(from, offset);
      unchangedAtEnd = Math.min(unchangedAtEnd, this.characters.length - offset - length);
      const removed = this.characters.splice(offset, length, ...characters);
      reverted.inverseChanges.push({ offset, length: characters.length, characters: removed });
    }
    const text = this.text.slice(from, this.text.length - unchangedAtEnd);
    this.notifySessions([{ offset: from, length: total - from - unchangedAtEnd, text }]);
  }

  /** Replaces the whole text at once. */
  replaceAll(text: string): void {
    const length = this.characters.length;
    this.characters = charactersOf(text, "place");
    this.notifySessions([{ offset: 0, length, text }]);
  }

  /** Loads a new file content and reports a single change of all different lines, as VS Code does. */
  reloadFromDisk(text: string): void {
    const before = this.text.split("\n");
    const after = text.split("\n");
    let top = 0;
    while (top < Math.min(before.length, after.length) && before[top] === after[top]) top++;
    let same = 0;
    const most = Math.min(before.length, after.length) - top;
    while (same < most && before.at(-1 - same) === after.at(-1 - same)) same++;
    const lineStart = (lines: readonly string[], line: number) =>
      lines.slice(0, line).reduce((sum, previous) => sum + previous.length + 1, 0);
    const offset = lineStart(before, top);
    const length = lineStart(before, before.length - same) - offset;
    const inserted = text.slice(offset, lineStart(after, after.length - same));
    this.characters.splice(offset, length, ...charactersOf(inserted, "around"));
    this.undoStack = [];
    this.notifySessions([{ offset, length, text: inserted }], true);
  }

  private change(changes: readonly TextChange[], owner: Owner): void {
    for (const { offset, length, text } of changes) {
      const removed = this.characters.splice(offset, length, ...charactersOf(text, owner));
      if (owner === "answer") {
        const removedUserText = removed.filter((character) => character.owner === "user");
        assert.equal(
          removedUserText.map(({ value }) => value).join(""),
          "",
          "a write removed user text",
        );
        const around = removed.filter((character) => character.owner === "around");
        assert.equal(
          around.map(({ value }) => value).join(""),
          "",
          "a write changed text outside of the edit",
        );
      }
      this.redoStack = [];
      const step = this.openStep();
      step.inverseChanges.push({ offset, length: text.length, characters: removed });
    }
    this.notifySessions(changes);
  }

  private notifySessions(changes: readonly TextChange[], isFromDisk = false): void {
    this.version++;
    for (const session of this.sessions) {
      session.documentChanged(this.version, changes, isFromDisk);
    }
  }

  private openStep(): UndoStep {
    const last = this.undoStack.at(-1);
    if (last?.isOpen) return last;
    const step: UndoStep = { inverseChanges: [], isOpen: true };
    this.undoStack.push(step);
    return step;
  }

  /** Starts a new undo step, as after a cursor move or a save. */
  stopUndo(): void {
    const last = this.undoStack.at(-1);
    if (last) last.isOpen = false;
  }
}

function charactersOf(text: string, owner: Owner): Character[] {
  return Array.from({ length: text.length }, (_, at) => ({ value: text.charAt(at), owner }));
}
