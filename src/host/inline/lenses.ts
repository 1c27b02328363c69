/**
 * Code lenses with the actions of a pending edit: a row above each of its hunks. The first row has the
 * actions of the whole edit too.
 */
import * as vscode from "vscode";
import { DisposableOwner } from "../../base/disposables";
import type { Hunk } from "../../replyCode/hunks";
import { COMMANDS } from "../platform/contributions";
import type { InlineEntry } from "./inlineEntry";
import { reportNotice, waitText } from "./inlineMessages";

/** Argument of a lens's command: the edit, and the hunk for a lens of a hunk. */
export interface LensTarget {
  readonly entryId: string;
  readonly hunk?: Hunk;
  /** True to continue the reply instead of asking again. */
  readonly isContinuing?: boolean;
}

/** Upper limit of hunks with own lenses; more lenses would hide the code. */
const MAX_HUNK_LENSES = 50;

export class Lenses extends DisposableOwner implements vscode.CodeLensProvider {
  private readonly changes = this.owned.add(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.changes.event;

  constructor(private readonly entriesOf: (document: vscode.TextDocument) => InlineEntry[]) {
    super();
    this.owned.add(vscode.languages.registerCodeLensProvider({ pattern: "**" }, this));
  }

  /** Notifies VS Code of changed lenses. */
  changed(): void {
    this.changes.fire();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    return this.entriesOf(document).flatMap((entry) => lensesOf(entry));
  }
}

function lensesOf(entry: InlineEntry): vscode.CodeLens[] {
  const { session, edit, id: entryId } = entry;
  const { hunks } = session;
  const lineOf = (hunk: Hunk | undefined) =>
    Math.min(entry.startLine + (hunk?.proposedStart ?? 0), entry.endLine);
  const top = session.phase.kind === "streaming" ? entry.startLine : lineOf(hunks[0]);
  const at = (line: number) => new vscode.Range(line, 0, line, 0);
  const lens = (line: number, title: string, command: string, target: LensTarget) =>
    new vscode.CodeLens(at(line), { title, command, arguments: [target] });
  const word = (title: string) => new vscode.CodeLens(at(top), { title, command: "" });
  if (session.phase.kind === "streaming") {
    const title = edit.wait ? waitText(edit.wait) : vscode.l10n.t("Core Chat is writing…");
    return [
      word(`$(loading~spin) ${title}`),
      lens(top, vscode.l10n.t("Stop"), COMMANDS.inlineStop, { entryId }),
    ];
  }
  const notice = edit.report && reportNotice(entry, edit.report, edit.canContinue);
  const all = { entryId };
  const hasRows = hunks.length > 1 && hunks.length <= MAX_HUNK_LENSES;
  const [keep, discard] = hasRows
    ? [vscode.l10n.t("Keep All"), vscode.l10n.t("Discard All")]
    : [vscode.l10n.t("Keep"), vscode.l10n.t("Discard")];
  const lenses = [
    lens(top, keep, COMMANDS.inlineKeep, all),
    lens(top, discard, COMMANDS.inlineDiscard, all),
  ];
  for (const hunk of hasRows ? hunks : []) {
    const line = lineOf(hunk);
    const target = { entryId, hunk };
    lenses.push(
      lens(line, vscode.l10n.t("Keep This Change"), COMMANDS.inlineKeep, target),
      lens(line, vscode.l10n.t("Discard This Change"), COMMANDS.inlineDiscard, target),
    );
  }
  if (edit.canContinue) {
    const target = { ...all, isContinuing: true };
    lenses.push(lens(top, vscode.l10n.t("Continue"), COMMANDS.inlineRetry, target));
  }
  if (edit.canAskAgain) {
    lenses.push(lens(top, vscode.l10n.t("Try Again"), COMMANDS.inlineRetry, all));
  }
  lenses.push(lens(top, vscode.l10n.t("Compare"), COMMANDS.inlineCompare, all));
  if (edit.canAskAgain) {
    lenses.push(lens(top, vscode.l10n.t("Refine…"), COMMANDS.editSelection, all));
  }
  if (edit.report !== undefined && (edit.report.hasLeftOut || edit.report.rejection)) {
    lenses.push(lens(top, vscode.l10n.t("Open Reply"), COMMANDS.inlineOpenReply, all));
  }
  // The notice comes last, because a long sentence would push the actions out of sight.
  if (notice !== undefined) lenses.push(word(`$(warning) ${notice.text}`));
  return lenses;
}
