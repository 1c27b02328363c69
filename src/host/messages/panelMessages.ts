/**
 * Texts of the panel in the display language: implements the port of chat/view/messages.ts with VS
 * Code's l10n.
 */
import { env, l10n, workspace } from "vscode";
import type { NoticeView } from "../../protocol/views";
import type { ReplySpeed, Messages } from "../../chat/view/messages";
import { countedPictures } from "../../context/countedPictures";
import { isOnlyThinking, type Receipt, type Reply } from "../../conversation/message";
import {
  continueOrTryAgain,
  failureNotice,
  skippedParts,
  thinkingFailureNotice,
} from "./failureMessages";
import { error, info, warning } from "./notices";
import { byteSize, uploadProgress } from "./byteSize";
import { pictureMessages, sizeOf } from "./pictureMessages";

const DAY_MS = 24 * 60 * 60 * 1000;

export const panelMessages: Messages = {
  ...pictureMessages,

  failure: failureNotice,

  busy: () =>
    info(l10n.t("A reply is still in progress. Stop it, or wait until it is finished."), "stop"),

  otherDraft: (text) =>
    info(
      l10n.t("Another window has a different draft: “{0}”. Both are kept.", beginningOf(text)),
      "swap-draft",
    ),

  fileNotice: (state) => {
    const texts: Readonly<Record<typeof state, string>> = {
      unreadable: l10n.t(
        "The conversation could not be read from disk. The file was not changed. Check the disk, then open the conversation again.",
      ),
      damaged: l10n.t(
        "Part of this conversation's file is damaged. The file was not changed. Export the conversation to save what can be read.",
      ),
      newer: l10n.t(
        "Part of this conversation was written by a newer version of Core Chat. Update Core Chat to see everything.",
      ),
    };
    return state === "unreadable" ? error(texts[state], "show-log") : warning(texts[state]);
  },

  ending(reply) {
    const notice = endingNotice(reply);
    const { damagedParts = 0 } = reply;
    if (damagedParts === 0) return notice;
    const skipped = skippedParts(damagedParts, notice === undefined);
    if (notice === undefined) return warning(skipped);
    return { ...notice, text: l10n.t("{0} {1}", skipped, notice.text) };
  },

  sent(reply) {
    const receipt = reply?.receipt;
    if (receipt === undefined) return { sentLine: "" };
    const items = [receipt.modelCode];
    if (receipt.imageCount > 0) items.push(sentPictures(receipt));
    const leftOut: string[] = [];
    if (receipt.imagesLeftOut > 0) {
      leftOut.push(l10n.t("pictures not sent: {0}", receipt.imagesLeftOut));
    }
    if (receipt.turnsLeftOut > 0) {
      leftOut.push(l10n.t("older turns not sent: {0}", receipt.turnsLeftOut));
    }
    const { excerptsSentBefore = 0 } = receipt;
    if (excerptsSentBefore > 0) {
      items.push(l10n.t("Already sent with an earlier question: {0}", excerptsSentBefore));
    }
    if (receipt.isSystemPromptOfWorkspace) items.push(l10n.t("the workspace's system prompt"));
    items.push(l10n.t("~{0} tokens", receipt.estimatedTokens));
    return { sentLine: items.join(" · "), notSent: leftOut.join(" · ") || undefined };
  },

  meta(reply, speed) {
    // The receipt of the question names the model of the request.
    const model = reply.receipt === undefined ? [reply.modelCode] : [];
    const pictures: string[] = [];
    const counted = countedPictures(reply);
    if (counted !== undefined) {
      const [seen, sent] = [counted.countedPx, counted.sentPx].map((px) => (px / 1e6).toFixed(1));
      pictures.push(l10n.t("pictures seen at about {0} of {1} megapixels", seen ?? "", sent ?? ""));
    }
    const join = (items: readonly string[]) => [...model, ...items, ...pictures].join(" · ");
    return {
      line: join(speed === undefined ? [] : summaryItems(reply, speed)),
      details: join(speed === undefined ? [] : speedItems(reply, speed)),
    };
  },

  status(status, nowMs) {
    if (status.kind === "waiting") {
      const seconds = Math.round(status.forMs / 1000);
      return { text: l10n.t("Still waiting for the service ({0} s)", seconds) };
    }
    if (status.kind === "uploading") {
      return { text: uploadProgress(status.sentBytes, status.totalBytes), isProgress: true };
    }
    const { failure, attempt, tries, untilMs } = status;
    const why =
      failure.kind === "server"
        ? l10n.t("The service is busy ({0}).", failure.status)
        : failure.kind === "rate-limited"
          ? l10n.t("The service is busy ({0}).", 429)
          : l10n.t("The connection was lost.");
    const wait = untilMs > nowMs ? "%s" : "0";
    return { text: l10n.t("{0} Try {1} of {2} in {3} s.", why, attempt, tries, wait), untilMs };
  },

  when: (atMs) => shortTime(atMs, Date.now(), env.language),

  period(atMs) {
    const days = daysBetween(atMs, Date.now());
    if (days <= 0) return l10n.t("Today");
    if (days === 1) return l10n.t("Yesterday");
    if (days < 7) return l10n.t("Last 7 days");
    return days < 30 ? l10n.t("Last 30 days") : l10n.t("Older");
  },

  historyDetail(entry, ownWorkspace) {
    const models = workspace.getConfiguration("coreChat.models");
    const usual = new Set([models.get("llm"), models.get("vl")]);
    const items = entry.modelCodes.filter((code) => !usual.has(code));
    if (entry.workspace !== undefined && entry.workspace !== ownWorkspace)
      items.push(entry.workspace);
    return items.join(" · ");
  },

  draftTitle(text, attachedCount) {
    const line = beginningOf(text);
    if (line !== "") return l10n.t("Draft: {0}", line);
    return attachedCount === 1
      ? l10n.t("Draft with 1 attachment")
      : l10n.t("Draft with {0} attachments", attachedCount);
  },

  leftOut(turns, pictures) {
    const olderTurns = turns === 1 ? l10n.t("1 older turn") : l10n.t("{0} older turns", turns);
    const olderPictures =
      pictures === 1 ? l10n.t("1 older picture") : l10n.t("{0} older pictures", pictures);
    const items = [...(turns > 0 ? [olderTurns] : []), ...(pictures > 0 ? [olderPictures] : [])];
    return items.length === 0
      ? ""
      : l10n.t("Not sent, over the token limit: {0}", items.join(", "));
  },

  // Without numbers: the estimate and the service's count of the same text differ.
  overBudget: () => l10n.t("This question is too long. Shorten it, or attach less."),

  forgotten: () => l10n.t("Message deleted"),
  asideNeeds: (hasMessages) =>
    info(
      hasMessages
        ? l10n.t("Type your question after /aside.")
        : l10n.t("Ask something first. /aside asks about the conversation."),
    ),
  forkTitle: (title) => l10n.t("{0} (fork)", title),
  forked: () => l10n.t("This is the fork. The other conversation is unchanged."),
  stillInProgress: () =>
    l10n.t("A reply is still in progress. Stop it, or wait until it is finished."),
  gapBefore: () => l10n.t("Messages are missing here because part of the file could not be read."),
  gapInside: () => l10n.t("Text is missing at […] because part of the file could not be read."),
  linesLeftOut: (lines) =>
    lines === 1 ? l10n.t("1 line omitted") : l10n.t("{0} lines omitted", lines.toLocaleString()),
  related(relation, count, tokens) {
    const size = tokens < 1_000 ? String(tokens) : `${(tokens / 1_000).toFixed(1)}k`;
    const detail = `${count}, ${l10n.t("~{0} tokens", size)}`;
    switch (relation) {
      case "definitions": {
        const tooltip =
          count === 1
            ? l10n.t("1 definition that the code uses, ~{0} tokens", size)
            : l10n.t("{0} definitions that the code uses, ~{1} tokens", count, size);
        return { label: l10n.t("Definitions"), detail, tooltip };
      }
      case "callers":
        return { label: l10n.t("Callers"), detail, tooltip: l10n.t("Code that calls this code") };
      case "tests":
        return { label: l10n.t("Tests"), detail, tooltip: l10n.t("Existing tests") };
      default:
        return relation satisfies never;
    }
  },
  quote: (words, role, number) => ({
    label: `“${shortened(words)}”`,
    detail: role === "user" ? l10n.t("Question {0}", number) : l10n.t("Reply {0}", number),
  }),
  problemCount: (problems) =>
    problems === 1 ? l10n.t("1 problem") : l10n.t("{0} problems", problems),

  pictureNotShown({ name, reason, isForgotten = false }) {
    if (isForgotten) return l10n.t("You removed this picture of the reply: {0}", name);
    if (reason === undefined) return l10n.t("A picture in the reply cannot be shown: {0}", name);
    const texts: Readonly<Record<typeof reason, string>> = {
      web: l10n.t("A picture in the reply is on the web and was not loaded: {0}", name),
      "too-large": l10n.t("A picture in the reply is too large to show: {0}", name),
      damaged: l10n.t("A picture in the reply is damaged: {0}", name),
      "too-many": l10n.t(
        "Pictures in the reply that were not kept, because there are too many: {0}",
        name,
      ),
    };
    return texts[reason];
  },
  pictureForgotten: () => l10n.t("deleted"),
  nothingToSummarize: () => l10n.t("There are no older messages to summarize yet."),
  untitled: () => l10n.t("New conversation"),
  notSaved: () => l10n.t("Not saved"),
  unsavedNotice: () =>
    info(
      l10n.t(
        "Not saved. This conversation is in memory only. It is lost when you close it, or reload or close the window.",
      ),
      "save-conversation",
    ),
  copied: () => l10n.t("Copied"),
};

/**
 * "1 picture (2560×1440 PNG, 412 KB)", "3 pictures (1.2 MB)". Counts the pictures that were sent.
 */
function sentPictures({ imageCount, pictures = [] }: Receipt): string {
  const counted = imageCount === 1 ? l10n.t("1 picture") : l10n.t("{0} pictures", imageCount);
  const sentBytes = pictures.filter((picture) => picture.kind === "bytes");
  const [firstPicture] = sentBytes;
  if (firstPicture === undefined) return counted;
  if (imageCount === 1) return `${counted} (${sizeOf(firstPicture)})`;
  return `${counted} (${byteSize(sentBytes.reduce((sum, { bytes }) => sum + bytes, 0))})`;
}

function endingNotice(reply: Reply): NoticeView | undefined {
  const { ending, text } = reply;
  const hasText = text !== "";
  if (isOnlyThinking(reply)) {
    switch (ending?.kind) {
      case "cut-short":
        return continueOrTryAgain(
          warning(
            l10n.t(
              "Stopped at the length limit while the model was still thinking. There is no reply yet.",
            ),
          ),
        );
      case "stopped":
        return continueOrTryAgain(
          info(l10n.t("Stopped while the model was thinking. There is no reply yet.")),
        );
      case "failed":
        return thinkingFailureNotice(ending.failure);
      default:
    }
  }
  switch (ending?.kind) {
    case undefined:
    case "complete":
      return undefined;
    case "cut-short":
      return warning(l10n.t("Stopped at the length limit."), "continue");
    case "stopped":
      return info(
        hasText ? l10n.t("Stopped. The text so far is kept.") : l10n.t("Stopped."),
        hasText ? "continue" : "try-again",
      );
    case "withheld":
      return warning(
        ending.isTextKept
          ? l10n.t("The service's content filter ended this reply. The text so far is kept.")
          : l10n.t("The service's content filter blocked this reply. Try rephrasing."),
      );
    case "tool-calls":
      return info(l10n.t("The model requested a function call. It was not run."));
    case "failed":
      return failureNotice(ending.failure, hasText);
    default:
      return ending satisfies never;
  }
}

/** Whole time and length of a reply. */
function summaryItems({ text, startedAtMs, endedAtMs }: Reply, speed: ReplySpeed): string[] {
  const items: string[] = [];
  if (endedAtMs !== undefined) {
    items.push(l10n.t("{0} s", ((endedAtMs - startedAtMs) / 1000).toFixed(1)));
  }
  if (text !== "") items.push(tokensText(speed));
  return items;
}

function tokensText({ tokens, isCounted }: Pick<ReplySpeed, "tokens" | "isCounted">): string {
  return isCounted ? l10n.t("{0} tokens", tokens) : l10n.t("~{0} tokens", tokens);
}

function speedItems(reply: Reply, speed: ReplySpeed): string[] {
  const items: string[] = [];
  const { firstTextAfterMs, tokensPerSecond, isCounted, thinking } = speed;
  if (thinking !== undefined && thinking.durationMs > 0) {
    items.push(l10n.t("{0} s of thinking", (thinking.durationMs / 1000).toFixed(1)));
  }
  if (firstTextAfterMs !== undefined) {
    items.push(l10n.t("first token after {0} s", (firstTextAfterMs / 1000).toFixed(1)));
  }
  if (tokensPerSecond !== undefined) {
    items.push(
      isCounted
        ? l10n.t("{0} tokens/s", tokensPerSecond)
        : l10n.t("~{0} tokens/s", tokensPerSecond),
    );
  }
  if (reply.text !== "") {
    items.push(tokensText(speed));
  }
  if (thinking !== undefined) {
    items.push(
      thinking.isCounted
        ? l10n.t("{0} tokens of thinking", thinking.tokens)
        : l10n.t("~{0} tokens of thinking", thinking.tokens),
    );
  }
  return items;
}

/** Returns a recognizable prefix of a text in one line. */
function beginningOf(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  const characters = Array.from(line.slice(0, 200));
  return characters.length <= 60 ? line : `${characters.slice(0, 60).join("")}…`;
}

/**
 * Formats a time briefly: the time of today, weekday and time in the last week, else the date.
 * @param language BCP 47 tag, as in VS Code's display language
 */
function shortTime(atMs: number, nowMs: number, language: string): string {
  const format = (shape: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, shape).format(atMs);
  const days = daysBetween(atMs, nowMs);
  if (days < 7) {
    const time = format({ hour: "2-digit", minute: "2-digit" });
    return days <= 0 ? time : `${format({ weekday: "short" })} ${time}`;
  }
  const isThisYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
  return format({ day: "numeric", month: "short", ...(!isThisYear && { year: "numeric" }) });
}

/** Returns the number of midnights between two times, in local time. */
function daysBetween(fromMs: number, toMs: number): number {
  const midnightOf = (atMs: number) => new Date(atMs).setHours(0, 0, 0, 0);
  return Math.round((midnightOf(toMs) - midnightOf(fromMs)) / DAY_MS);
}

/** Length of the words of a quote on its chip, in characters. */
const MAX_QUOTE_CHARACTERS = 60;

function shortened(words: string): string {
  const characters = Array.from(words);
  if (characters.length <= MAX_QUOTE_CHARACTERS) return words;
  return `${characters
    .slice(0, MAX_QUOTE_CHARACTERS - 1)
    .join("")
    .trimEnd()}…`;
}
