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

const { t } = vscode.l10n;

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
    unused.length === 1 ? t("1 block not used") : t("{0} blocks not used", unused.length);
  const text = shown === "" ? sentence : t("{0}: {1}", sentence, shown);
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
  return [`# ${t("Not used")}`, ...parts].join("\n");
}

function sentenceOf(why: UnusedBlock["why"]): string {
  if (typeof why === "object") return t("Not written: {0}.", reasonOf(why));
  const sentences: Readonly<Record<UnusedReason, string>> = {
    "no-file": t("The block names no file."),
    "several-files": t("The text above the block names several files."),
    "several-matches": t("The workspace has several files with this name."),
    outside: t("The file is outside the workspace."),
    unreadable: t("The file is read-only, or could not be opened as text."),
    misread: t(
      'The file is not UTF-8. Open it, run "Change File Encoding", choose "Reopen with Encoding" and apply again.',
    ),
    "not-found": t("This file was not found in the workspace."),
    exists: t("The file exists already."),
    "other-language": t("The block holds commands, output or another language than the file."),
    "cut-off": t("The block is incomplete because the reply ends in it."),
    "left-out": t("The code omits parts of the file. Ask for the complete code."),
    diff: t("The changes do not match the file as it is."),
    "several-positions": t("The code fits several positions of the file. Use Apply on the block."),
    unclear: t("The position in the file is unclear. Use Apply on the block."),
    same: t("The file already contains this code."),
  };
  return sentences[why];
}
