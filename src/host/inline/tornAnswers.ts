/**
 * Makes one undo remove an answer that is several steps of the undo stack, also after the answer was
 * kept. The user's own undo shows that the editor has the focus, which VS Code's command needs.
 */
import * as vscode from "vscode";
import { undoRest } from "../../edit/tornAnswer";
import type { TornAnswer } from "../../edit/textSink";
import { DocumentSink } from "./documentSink";

/** Upper limit of answers of a document; each holds three texts of it. */
const MAX_ANSWERS = 5;

export class TornAnswers {
  private readonly answers = new WeakMap<vscode.TextDocument, readonly TornAnswer[]>();
  private isUndoing = false;

  add(document: vscode.TextDocument, answer: TornAnswer): void {
    const all = this.answers.get(document) ?? [];
    if (!all.includes(answer)) this.answers.set(document, [...all, answer].slice(-MAX_ANSWERS));
  }

  /** Undoes the rest of an answer if the last undo in a document has removed its last part. */
  async undone(document: vscode.TextDocument): Promise<void> {
    const { activeTextEditor } = vscode.window;
    if (this.isUndoing || activeTextEditor?.document !== document) return;
    const text = document.getText();
    const last = this.answers.get(document)?.find(({ torn }) => torn === text);
    if (last === undefined) return;
    this.isUndoing = true;
    try {
      await undoRest(new DocumentSink(document), last);
    } finally {
      this.isUndoing = false;
    }
  }
}
