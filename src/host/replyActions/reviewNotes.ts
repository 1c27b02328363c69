/** Explains what of a reply is not used, and which files are asked about, as Markdown. */
import * as vscode from "vscode";
import type { UnusedPart, UnusedReason } from "../../replyCode/changeSet";
import { reasonOf, type WriteConcern } from "../access/writeAccess";
import { escapedPath, pathOf } from "../platform/sourceText";

/** Code of a reply that is not used; the concern for a file that is never written. */
export interface UnusedCode extends Omit<UnusedPart, "why"> {
  readonly why: UnusedReason | WriteConcern;
}

interface NotedChange {
  readonly files: readonly {
    readonly uri: vscode.Uri;
    readonly concern: WriteConcern | undefined;
  }[];
  readonly unused: readonly UnusedCode[];
}

/** Returns the notes about a change; empty if all of the reply is used and no file is asked about. */
export function notesOf({ files, unused }: NotedChange): string {
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
  switch (why) {
    case "no-file":
      return vscode.l10n.t("The block names no file.");
    case "several-files":
      return vscode.l10n.t("The text above the block names several files.");
    case "several-matches":
      return vscode.l10n.t("The workspace has several files with this name.");
    case "outside":
      return vscode.l10n.t("The file is outside the workspace.");
    case "unreadable":
      return vscode.l10n.t("The file is read-only, or could not be opened as text.");
    case "not-found":
      return vscode.l10n.t("This file was not found in the workspace.");
    case "exists":
      return vscode.l10n.t("The file exists already.");
    case "other-language":
      return vscode.l10n.t("The block holds commands, output or another language than the file.");
    case "cut-off":
      return vscode.l10n.t("The block is incomplete because the reply ends in it.");
    case "left-out":
      return vscode.l10n.t("The code omits parts of the file. Ask for the complete code.");
    case "diff":
      return vscode.l10n.t("The changes do not match the file as it is.");
    case "several-positions":
      return vscode.l10n.t("The code fits several positions of the file. Use Apply on the block.");
    case "unclear":
      return vscode.l10n.t("The position in the file is unclear. Use Apply on the block.");
    case "same":
      return vscode.l10n.t("The file already contains this code.");
    default:
      return why satisfies never;
  }
}
