/** Explains what of a reply is not used: a line below the reply, and the blocks with their reasons. */
import * as vscode from "vscode";
import { writtenPoints } from "../../pointing/readPointing";
import type { UnusedReason } from "../../replyCode/changeSet";
import type { UnusedCode } from "../../chat/view/viewUpdater";
import { reasonOf } from "../access/writeAccess";
import { info } from "../messages/notices";
import { openText } from "../platform/files";
import { escapedPath } from "../platform/sourceText";
import type { PlannedChange, UnusedBlock } from "./replyChange";

/** Upper limit of file names in the line below a reply. */
const MAX_NAMES = 3;

/** Returns the line below a reply about its unused blocks; undefined if all of them are used. */
export function unusedNotice(change: PlannedChange): UnusedCode | undefined {
  // Positions in a picture are shown as marks.
  const unused = change.unused.filter(
    ({ why, info: language, lines }) =>
      why !== "no-file" || language !== "json" || writtenPoints(lines.join("\n")).length === 0,
  );
  if (unused.length === 0) return undefined;
  const names = new Set(
    unused.flatMap(({ path = "" }) => escapedPath(path.split(/[\\/]/).at(-1) ?? "") || []),
  );
  const listed = [...names].slice(0, MAX_NAMES).join(", ");
  const shown = names.size > MAX_NAMES ? `${listed}, …` : listed;
  const sentence =
    unused.length === 1
      ? vscode.l10n.t("1 block not used")
      : vscode.l10n.t("{0} blocks not used", unused.length);
  const text = shown === "" ? sentence : vscode.l10n.t("{0}: {1}", sentence, shown);
  return {
    notice: info(text, "show-unused-code"),
    show: () => openText(notesOf(unused), "markdown"),
  };
}

/** Returns the unused blocks with their reasons, as Markdown. */
export function notesOf(unused: readonly UnusedBlock[]): string {
  const parts = unused.flatMap(({ path, info: label, lines, why }) => {
    const name = path === undefined ? "" : `\`${escapedPath(path)}\`: `;
    const marks = lines.join("\n").match(/`{3,}/g) ?? [];
    const fence = marks.reduce(
      (longest, one) => (one.length < longest.length ? longest : `${one}\``),
      "```",
    );
    return ["", `${name}${sentenceOf(why)}`, "", `${fence}${label}`, ...lines, fence];
  });
  return [`# ${vscode.l10n.t("Not used")}`, ...parts].join("\n");
}

function sentenceOf(why: UnusedBlock["why"]): string {
  if (typeof why === "object") return vscode.l10n.t("Not written: {0}.", reasonOf(why));
  const sentences: Readonly<Record<UnusedReason, string>> = {
    "no-file": vscode.l10n.t("The block names no file."),
    "several-files": vscode.l10n.t("The text above the block names several files."),
    "several-matches": vscode.l10n.t("The workspace has several files with this name."),
    outside: vscode.l10n.t("The file is outside the workspace."),
    unreadable: vscode.l10n.t("The file is read-only, or could not be opened as text."),
    misread: vscode.l10n.t(
      'The file is not UTF-8. Open it, run "Change File Encoding", choose "Reopen with Encoding" and apply again.',
    ),
    "not-found": vscode.l10n.t("This file was not found in the workspace."),
    exists: vscode.l10n.t("The file exists already."),
    "other-language": vscode.l10n.t(
      "The block holds commands, output or another language than the file.",
    ),
    "cut-off": vscode.l10n.t("The block is incomplete because the reply ends in it."),
    "left-out": vscode.l10n.t("The code omits parts of the file. Ask for the complete code."),
    diff: vscode.l10n.t("The changes do not match the file as it is."),
    "several-positions": vscode.l10n.t(
      "The code fits several positions of the file. Use Apply on the block.",
    ),
    unclear: vscode.l10n.t("The position in the file is unclear. Use Apply on the block."),
    same: vscode.l10n.t("The file already contains this code."),
  };
  return sentences[why];
}
