/**
 * Questions about the selection that are sent at once: explain it, fix it, test it, document it.
 * What the panel shows of them is the panel's.
 */
import * as vscode from "vscode";
import * as z from "zod/mini";
import type { Part } from "../../conversation/message";
import { gatherSelection } from "./gather";

/** Sends a question in the conversation the panel shows, and shows the panel. */
export type SendQuestion = (parts: readonly Part[]) => Promise<void>;

/** What a question is about; the words are what the model reads. */
const QUESTIONS = {
  explain: "Explain this code: what it does, how, and what to watch out for.",
  fix: "Find and fix what is wrong in this code. Show the corrected code and say what was wrong.",
  tests: "Write tests for this code in the test framework its project uses.",
  document: "Write the documentation comments for this code in the style of its language.",
} as const;

export type QuestionKind = keyof typeof QUESTIONS;

const argumentSchema = z.object({ range: z.optional(z.instanceof(vscode.Range)) });

/** Asks about the selection, or about the range a code action gives. */
export async function askAboutSelection(
  kind: QuestionKind,
  argument: unknown,
  send: SendQuestion,
): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("No file is open in an editor. Open one and put the cursor there."),
    );
    return;
  }
  const parsed = argumentSchema.safeParse(argument);
  const gathered = gatherSelection(editor, parsed.success ? parsed.data.range : undefined);
  if (!gathered.ok) return;
  await send([{ kind: "text", text: QUESTIONS[kind] }, ...gathered.parts]);
}
