/** Commands that send a question about the selection at once: explain, fix, test, document. */
import * as vscode from "vscode";
import * as z from "zod/mini";
import type { Part } from "../../conversation/message";
import { builtInPrompts, type BuiltInPrompt } from "../settings/prompts";
import { maySendLines } from "../access/readAccess";
import { selectedExcerpt } from "../context/excerpts";

/** Sends a question in the current conversation of the panel and shows the panel. */
export type SendQuestion = (parts: readonly Part[]) => Promise<void>;

const argumentSchema = z.object({ range: z.optional(z.instanceof(vscode.Range)) });

/** Asks about the selection, or about the range of a code action. */
export async function askAboutSelection(
  kind: BuiltInPrompt,
  argument: unknown,
  send: SendQuestion,
): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("No file is open in an editor. Open a file and place the cursor in it."),
    );
    return;
  }
  const parsed = argumentSchema.safeParse(argument);
  const range = (parsed.success ? parsed.data.range : undefined) ?? editor.selection;
  const { part } = selectedExcerpt(editor, range);
  if (!(await maySendLines(editor.document, range, "send"))) return;
  await send([{ kind: "text", text: builtInPrompts()[kind] }, part]);
}
