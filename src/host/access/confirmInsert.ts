/**
 * Asks before text of a reply is written to a file or the clipboard: about hidden characters, which
 * can be removed, and about sensitive files. Checks only the new text, not the text of the file.
 */
import * as vscode from "vscode";
import { cleanHiddenCharacters, findHiddenCharacters } from "../../markdown/hiddenCharacters";
import { mayWrite, type WriteConcern } from "./writeAccess";

/** Upper limit of kinds of hidden characters that a question names. */
const MAX_NAMED = 5;

/** Decision about a text. */
export type Verdict = "as-is" | "cleaned" | "canceled";

/**
 * Asks about hidden characters and sensitive files; asks nothing for ordinary text and files.
 * @param text new text of a reply
 * @param target the file of the text; undefined for the clipboard or an untitled file
 * @param known the concern about the file that the user has already accepted
 */
export async function confirmInsert(
  text: string,
  target: vscode.Uri | undefined,
  known?: WriteConcern,
): Promise<Verdict> {
  const hidden = await askHidden(text);
  if (hidden === "canceled" || target === undefined) return hidden;
  return (await mayWrite(target, { text }, known)) ? hidden : "canceled";
}

/** Returns the text as the user decided; undefined after Cancel. */
export async function confirmedText(
  text: string,
  target: vscode.Uri | undefined,
): Promise<string | undefined> {
  const verdict = await confirmInsert(text, target);
  if (verdict === "canceled") return undefined;
  return verdict === "cleaned" ? cleanHiddenCharacters(text) : text;
}

/** Returns the names of the hidden characters in a text, each once, with their number. */
export function hiddenNames(text: string): string[] {
  const counts = new Map<string, number>();
  for (const { name } of findHiddenCharacters(text)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count})`));
}

async function askHidden(text: string): Promise<Verdict> {
  const names = hiddenNames(text);
  if (names.length === 0) return "as-is";
  const named = names.slice(0, MAX_NAMED).join("\n");
  const detail =
    names.length > MAX_NAMED
      ? vscode.l10n.t("{0}\nand {1} more", named, names.length - MAX_NAMED)
      : named;
  const cleaned = vscode.l10n.t("Remove and Use");
  const asIs = vscode.l10n.t("Use As Is");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      "The reply contains invisible characters that can change the meaning of code. Remove them?",
    ),
    { modal: true, detail },
    cleaned,
    asIs,
  );
  if (chosen === cleaned) return "cleaned";
  return chosen === asIs ? "as-is" : "canceled";
}
