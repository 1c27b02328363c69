/** Explains what of a reply is not used, and which files are asked about, as Markdown. */
import * as vscode from "vscode";
import type { UnusedReason } from "../../replyCode/changeSet";
import { reasonOf } from "../access/writeAccess";
import { escapedPath, pathOf } from "../platform/sourceText";
import type { PlannedChange, UnusedCode } from "./replyChange";

/** Returns the notes about a change; empty if all of the reply is used and no file is asked about. */
export function notesOf({ files, unused }: PlannedChange): string {
  const asked = files.flatMap(({ uri, concern }) =>
    concern ? [`- \`${pathOf(uri)}\`: ${reasonOf(concern)}`] : [],
  );
  const parts = unused.flatMap(({ path, info, lines, why }) => {
    const name = path === undefined ? "" : `\`${escapedPath(path)}\`: `;
    const marks = lines.join("\n").match(/`{3,}/g) ?? [];
    const fence = marks.reduce(
      (longest, one) => (one.length < longest.length ? longest : `${one}\``),
      "```",
    );
    return ["", `${name}${sentenceOf(why)}`, "", `${fence}${info}`, ...lines, fence];
  });
  return [
    ...(asked.length > 0
      ? [`# ${vscode.l10n.t("Asked about before they are kept")}`, "", ...asked, ""]
      : []),
    ...(parts.length > 0 ? [`# ${vscode.l10n.t("Not used")}`, ...parts] : []),
  ].join("\n");
}

function sentenceOf(why: UnusedCode["why"]): string {
  if (typeof why === "object") return vscode.l10n.t("Not written: {0}.", reasonOf(why));
  const sentences: Readonly<Record<UnusedReason, string>> = {
    "no-file": vscode.l10n.t("The block names no file."),
    "several-files": vscode.l10n.t("The text above the block names several files."),
    "several-matches": vscode.l10n.t("The workspace has several files with this name."),
    outside: vscode.l10n.t("The file is outside the workspace."),
    unreadable: vscode.l10n.t("The file is read-only, or could not be opened as text."),
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
