import { l10n } from "vscode";
import type { AnswerReport, AnswerWait } from "../../edit/pendingEdit";
import type { Rejection } from "../../replyCode/candidates";
import type { Reason } from "../../replyCode/judge";
import type { NoticeView } from "../../protocol/views";
import { hiddenNames } from "../access/confirmInsert";
import { failureNotice, skippedParts } from "../messages/failureMessages";
import { actionButton, plainNotice } from "../messages/notices";
import type { InlineEntry } from "./inlineEntry";

/**
 * Returns the notice for an incomplete answer; undefined for a complete answer.
 * @param canContinue true if the edit is pending and its reply can go on
 */
export function reportNotice(
  { hiddenKinds }: Pick<InlineEntry, "hiddenKinds">,
  report: AnswerReport,
  canContinue: boolean,
): NoticeView | undefined {
  const ending = endingNotice(report, canContinue);
  const { damagedParts, hasMoreBlocks, hiddenLines } = report;
  const remarks: string[] = [];
  if (damagedParts > 0) remarks.push(skippedParts(damagedParts, ending === undefined));
  if (hasMoreBlocks) {
    remarks.push(
      l10n.t("Only part of the code in the reply was used. Open the reply to see the rest."),
    );
  }
  if (hiddenLines.length > 0) {
    const names = hiddenNames(hiddenLines.join("\n"), hiddenKinds);
    remarks.push(l10n.t("Invisible characters were removed: {0}.", names.join(", ")));
  }
  if (remarks.length === 0) return ending;
  const text = remarks.join(" ");
  return ending === undefined
    ? { tone: "warning", text }
    : { ...ending, text: `${ending.text} ${text}` };
}

/** Longest text of a file in a message, in UTF-16 units. */
const MAX_QUOTED_LENGTH = 60;

/** Returns what lines of a reply would damage, in the words of the file, without a full stop. */
export function reasonText(reason: Reason): string {
  const quoted = (text = "") =>
    text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text;
  switch (reason.kind) {
    case "gone": {
      const [first, ...others] = reason.names;
      if (others.length === 0) return l10n.t('"{0}" would be gone', quoted(first));
      return l10n.t('"{0}" and {1} more would be gone', quoted(first), others.length);
    }
    case "text-gone":
      return l10n.t('"{0}" would be gone', quoted(reason.text));
    case "twice":
      return l10n.t('"{0}" would be there twice', quoted(reason.text));
    case "comment":
      return l10n.t('The comment "{0}" would replace code', quoted(reason.text));
    case "missing":
      return l10n.t('"{0}" would be missing', reason.name);
    case "structure":
      return l10n.t("The brackets would not match");
    default:
      return reason satisfies never;
  }
}

function rejectionText(rejection: Rejection, hasBlocks: boolean, reason?: Reason): string {
  if (reason !== undefined) {
    const text = reasonText(reason);
    return l10n.t("Nothing was changed: {0}. Read the reply before you insert it.", text);
  }
  const texts: Readonly<Record<Rejection, string>> = {
    "no-code": l10n.t("The reply contains no code, so nothing was changed."),
    doubtful: hasBlocks
      ? l10n.t("The reply may not be code, so nothing was changed. Read it before you insert it.")
      : l10n.t("This does not look like code. Nothing was changed."),
    diff: l10n.t("The reply is a diff that does not match these lines, so nothing was changed."),
    "left-out": l10n.t("The reply omits code that could not be filled in, so nothing was changed."),
  };
  return texts[rejection];
}

function endingNotice(
  { ending, rejection, readings, reasons: [reason], hasBlocks }: AnswerReport,
  canContinue: boolean,
): NoticeView | undefined {
  switch (ending.kind) {
    case "complete":
      if (rejection === "doubtful" && readings.length === 0) rejection = "no-code";
      return rejection && { tone: "info", text: rejectionText(rejection, hasBlocks, reason) };
    case "cut-short":
      return {
        tone: "warning",
        text: l10n.t("Stopped at the length limit."),
        action: actionButton(canContinue ? "continue" : "try-again"),
      };
    case "stopped":
      return { tone: "info", text: l10n.t("Stopped.") };
    case "withheld":
      return {
        tone: "warning",
        text: l10n.t("The service's content filter blocked this reply. Try rephrasing."),
      };
    case "tool-calls":
      return {
        tone: "info",
        text: l10n.t("The model requested a function call, which was not run. Try rephrasing."),
      };
    case "failed": {
      const notice = failureNotice(ending.failure, canContinue);
      return { ...notice, text: plainNotice(notice) };
    }
    default:
      return ending satisfies never;
  }
}

/** Returns the status while the service sends no text. */
export function waitText(wait: AnswerWait): string {
  if (wait.type === "thinking") return l10n.t("Thinking…");
  if (wait.type === "still-waiting") return l10n.t("Still waiting for the service");
  const { attempt, tries, delayMs } = wait;
  const seconds = Math.ceil(delayMs / 1000);
  return l10n.t("Busy. Try {0} of {1} in {2} s", attempt, tries, seconds);
}
