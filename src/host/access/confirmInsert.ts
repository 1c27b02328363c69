/**
 * Asks before text of a reply is written to a file or the clipboard: about hidden characters, which
 * can be removed, and about sensitive files. Characters of kinds that the file has are not asked about.
 */
import * as vscode from "vscode";
import {
  cleanHiddenCharacters,
  findHiddenCharacters,
  hiddenKinds,
} from "../../markdown/hiddenCharacters";
import { refuseMisread } from "./encoding";
import { mayWrite, type WriteConcern } from "./writeAccess";

/** Upper limit of kinds of hidden characters that a question names. */
const MAX_NAMED = 5;

/** Decision about a text. */
export type Verdict = "as-is" | "cleaned" | "canceled";

/**
 * Asks about hidden characters and sensitive files; asks nothing for ordinary text and files.
 * @param text new text of a reply
 * @param kinds hidden characters of the file
 * @param accepted the concern about the file that the user has already accepted
 */
export async function confirmInsert(
  text: string,
  target: vscode.Uri,
  kinds: ReadonlySet<string>,
  accepted?: WriteConcern,
): Promise<Verdict> {
  const hidden = await askHidden(hiddenNames(text, kinds));
  if (hidden === "canceled") return hidden;
  return (await mayWrite(target, { text }, accepted)) ? hidden : "canceled";
}

/** Returns the text for a document or the clipboard as the user decided; undefined after Cancel. */
export async function confirmedText(
  text: string,
  document?: vscode.TextDocument,
): Promise<string | undefined> {
  if (document !== undefined && (await refuseMisread(document))) return undefined;
  const confirmed = await withoutHidden(text, document?.getText() ?? "");
  if (confirmed === undefined || document === undefined) return confirmed;
  return (await mayWrite(document.uri, { text })) ? confirmed : undefined;
}

/**
 * Returns a text as the user decided about its hidden characters; undefined after Cancel.
 * @param before text of the file
 */
export async function withoutHidden(text: string, before: string): Promise<string | undefined> {
  const kinds = hiddenKinds(before);
  const verdict = await askHidden(hiddenNames(text, kinds));
  if (verdict === "canceled") return undefined;
  return verdict === "cleaned" ? cleanHiddenCharacters(text, kinds) : text;
}

/** Returns the names of the hidden characters in a text, each once, with their number. */
export function hiddenNames(text: string, known?: ReadonlySet<string>): string[] {
  const counts = new Map<string, number>();
  for (const { name } of findHiddenCharacters(text, known)) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count})`));
}

/** Asks about hidden characters by their names; asks nothing for none. */
export async function askHidden(names: readonly string[]): Promise<Verdict> {
  if (names.length === 0) return "as-is";
  const shownNames = names.slice(0, MAX_NAMED).join("\n");
  const detail =
    names.length > MAX_NAMED
      ? vscode.l10n.t("{0}\nand {1} more", shownNames, names.length - MAX_NAMED)
      : shownNames;
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
