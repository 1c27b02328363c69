/** Notifications at the end of an answer, and questions before keeping or discarding an edit. */
import * as vscode from "vscode";
import type { NoticeAction } from "../../protocol/views";
import type { AnswerReport } from "../../edit/pendingEdit";
import type { Hunk } from "../../replyCode/hunks";
import { cleanHiddenCharacters } from "../../markdown/hiddenCharacters";
import { confirmInsert } from "../access/confirmInsert";
import { isRetry } from "../messages/notices";
import { openText } from "../platform/files";
import { pathOf } from "../platform/sourceText";
import type { InlineEntry } from "./inlineEntry";
import { reportNotice } from "./inlineMessages";
import type { ReadingActions } from "./readings";
import type { SavedEdit } from "./savedEdits";

const { t } = vscode.l10n;

export interface EditNotificationOptions {
  /** Runs an action that other features share, such as setting a key or opening settings. */
  readonly runAction: (action: NoticeAction) => void;
  /** Sends the same question again. */
  readonly tryAgain: () => void;
  readonly continue: () => void;
  /** Actions of a reply that is not clear. */
  readonly unclear: ReadingActions;
}

/** Reports the end of an answer in cases that the lenses do not show. */
export function showEnding(
  entry: InlineEntry,
  report: AnswerReport,
  options: EditNotificationOptions,
): void {
  const { phase } = entry.session;
  const notice = reportNotice(entry, report, phase.kind === "pending" && entry.edit.canContinue);
  const open = openReplyChoices(report.text);
  const { rejection } = report;
  if (rejection !== undefined && report.ending.kind === "complete" && notice !== undefined) {
    const { insert, askForWholeBlock } = options.unclear;
    const [best] = report.readings;
    const run = () => best && insert(best);
    const ask = { label: t("Ask for the Whole Block"), run: askForWholeBlock };
    // Prose is read; code is more often inserted.
    const label = report.hasBlocks ? t("Insert") : t("Insert Anyway");
    const choices = best ? [{ label, run }] : [];
    const all = report.hasBlocks
      ? [...choices, ask, ...open]
      : [...open, ...(best === undefined ? [ask] : choices)];
    void offer("info", notice.text, all);
    return;
  }
  if (entry.isDeclined) {
    const text = t(
      "The reply was not fully written to {0}. Open the reply to see all of it.",
      pathOf(entry.document.uri),
    );
    void offer("info", text, open);
    return;
  }
  if (phase.kind === "closed") {
    if (phase.why === "refused") {
      void offer(
        "error",
        t("The file could not be changed and may be read-only. Save a copy of it."),
        open,
      );
    } else if (phase.why === "unchanged") {
      const text = notice?.text ?? t("The reply does not change these lines.");
      const action = notice?.action && actionOf(notice.action, options);
      const isSilent = report.ending.kind === "stopped";
      if (!isSilent) void offer(notice?.tone ?? "info", text, action ? [action] : open);
    }
    return;
  }
  if (entry.session.isRefused) {
    const text = t("The file can no longer be changed. You can keep the text so far.");
    void offer("error", text, open);
  } else if (report.hiddenLines.length > 0) {
    void offer(
      "warning",
      t(
        "The reply contains invisible characters that can change the meaning of code. They were removed from this edit; you decide when you keep it.",
      ),
      open,
    );
  } else if (isIncomplete(report) && notice !== undefined) {
    const action = notice.action && actionOf(notice.action, options);
    void offer("warning", notice.text, action ? [action] : []);
  }
}

/** Returns true for an answer that lacks its end although the user did not stop it. */
function isIncomplete({ ending }: AnswerReport): boolean {
  return ending.kind === "failed" || ending.kind === "cut-short";
}

/**
 * Reports that an edit ended because its text was replaced as a whole; parts of the edit may
 * remain.
 */
export function showReplaced(entry: InlineEntry): void {
  const text = t(
    "The lines being edited in {0} were replaced, so the edit has ended. Check the file: it may still contain parts of the reply.",
    pathOf(entry.document.uri),
  );
  void offer("warning", text, openReplyChoices(entry.edit.lastReply));
}

/** Reports that an edit ended because its document was closed. */
export function showLost({ edit, document, isUnsaved }: InlineEntry): void {
  const choices = openReplyChoices(edit.lastReply);
  if (choices.length === 0 || !isUnsaved) return;
  const text = t("{0} was closed, so its pending edit has ended.", pathOf(document.uri));
  void offer("info", text, choices);
}

/**
 * Reports that an edit ended because its file has the text on disk again. VS Code does not say
 * whether the disk changed, or the user reverted the file or closed its tab without saving.
 */
export function showReloaded({ edit, document }: InlineEntry): void {
  const text = t(
    "{0} went back to the text on disk, so its pending edit has ended.",
    pathOf(document.uri),
  );
  void offer("info", text, openReplyChoices(edit.lastReply));
}

/** Reports that an edit of an earlier window was not restored; offers the original lines. */
export function showNotRestored({ uri, originalLines }: SavedEdit): void {
  const text = t(
    "{0} changed while its edit was pending, so the edit was closed. Check the file: parts of the reply may still be in it.",
    pathOf(vscode.Uri.parse(uri)),
  );
  const open = t("Open Original Lines");
  void offer("info", text, [{ label: open, run: () => openText(originalLines.join("\n")) }]);
}

/**
 * Asks the required questions before text of an answer is kept; removes hidden characters if the
 * user wants.
 * @param hunk the hunk to keep; all hunks if undefined
 * @returns the current hunk, "all", or undefined if the user cancels
 */
export async function askToKeep(
  entry: InlineEntry,
  hunk: Hunk | undefined,
): Promise<Hunk | "all" | undefined> {
  const { session, edit, document, hiddenKinds, accepted } = entry;
  if ((edit.report?.damagedParts ?? 0) > 0 && !(await askDamaged())) return undefined;
  const keptHunks = hunk === undefined ? session.hunks : [hunk];
  const proposed = session.proposedLines;
  const received = replaceLines(keptHunks, proposed, edit.asReceived(proposed));
  const text = keptHunks.flatMap((one) => linesOf(one, received)).join("\n");
  const verdict = await confirmInsert(text, document.uri, hiddenKinds, accepted);
  if (verdict === "canceled" || session.proposedLines !== proposed) return undefined;
  const chosenLines =
    verdict === "cleaned"
      ? replaceLines(
          keptHunks,
          received,
          received.map((line) => cleanHiddenCharacters(line, hiddenKinds)),
        )
      : received;
  const isAsWanted = chosenLines.every((line, index) => line === proposed[index]);
  if (!isAsWanted && !(await session.amend(chosenLines))) return undefined;
  if (hunk === undefined) return "all";
  return session.hunks.find(({ proposedStart }) => proposedStart === hunk.proposedStart);
}

/** Returns true if the user's own changes in the proposal may be discarded. */
export async function askToDiscard(entry: InlineEntry): Promise<boolean> {
  if (!entry.session.isTouched) return true;
  return isConfirmed(
    t("You changed text of this edit. Discard your changes too?"),
    t("Discard Both"),
  );
}

function askDamaged(): Promise<boolean> {
  return isConfirmed(
    t("Damaged parts of the reply were skipped, so code may be missing. Keep it anyway?"),
    t("Keep Anyway"),
  );
}

async function isConfirmed(question: string, button: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true }, button)) === button;
}

/** Returns `lines` with the lines of the hunks taken from `elsewhere`. */
function replaceLines(
  hunks: readonly Hunk[],
  lines: readonly string[],
  elsewhere: readonly string[],
): string[] {
  const result = [...lines];
  for (const { proposedStart, proposedLines } of hunks) {
    for (let line = proposedStart; line < proposedStart + proposedLines.length; line++) {
      result[line] = elsewhere[line] ?? "";
    }
  }
  return result;
}

function linesOf({ proposedStart, proposedLines }: Hunk, lines: readonly string[]): string[] {
  return lines.slice(proposedStart, proposedStart + proposedLines.length);
}

interface Choice {
  readonly label: string;
  readonly run: () => unknown;
}

function openReplyChoices(text = ""): Choice[] {
  const label = t("Open Reply");
  return text === "" ? [] : [{ label, run: () => openText(text, "markdown") }];
}

function actionOf(
  action: { id: NoticeAction; label: string },
  options: EditNotificationOptions,
): Choice {
  const { label, id } = action;
  if (isRetry(id)) return { label, run: options.tryAgain };
  if (id === "continue") return { label, run: options.continue };
  return { label, run: () => options.runAction(id) };
}

async function offer(
  tone: "info" | "warning" | "error",
  text: string,
  choices: readonly Choice[],
): Promise<void> {
  const show = {
    info: vscode.window.showInformationMessage,
    warning: vscode.window.showWarningMessage,
    error: vscode.window.showErrorMessage,
  }[tone];
  const label = await show(text, ...choices.map((choice) => choice.label));
  await choices.find((choice) => choice.label === label)?.run();
}
