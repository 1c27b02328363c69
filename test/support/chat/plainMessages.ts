/** Implements the messages with short English names, for tests that do not check wording. */
import type { Messages } from "../../../src/chat/view/messages";

/** Returns a short name for each message. */
export const plainMessages: Messages = {
  failure: (failure, hasText) => ({
    tone: "error",
    text: failure.kind + (hasText ? " with text" : ""),
    action: { id: "try-again", label: "Try again" },
  }),
  fileNotice: (state) => ({ tone: "warning", text: state }),
  busy: () => ({ tone: "info", text: "busy" }),
  otherDraft: (text) => ({
    tone: "info",
    text: `other draft: ${text}`,
    action: { id: "swap-draft", label: "Swap drafts" },
  }),
  ending: (reply) => {
    const { ending } = reply;
    if (ending === undefined || ending.kind === "complete") return undefined;
    return {
      tone: "warning",
      text: ending.kind === "failed" ? ending.failure.kind : ending.kind,
      action: { id: "continue", label: "Continue" },
    };
  },
  sent: (reply) => ({
    sentLine: reply?.receipt
      ? `${reply.receipt.modelCode}, ${reply.receipt.messageCount} messages`
      : "",
  }),
  meta: ({ modelCode }) => ({ line: modelCode, details: modelCode }),
  status: (status) => ({ text: status.kind }),
  when: (atMs) => new Date(atMs).toISOString(),
  period: (atMs) => new Date(atMs).toISOString().slice(0, 10),
  historyDetail: (entry) => `${entry.messageCount} messages`,
  draftTitle: (text, attachedCount) =>
    `draft: ${text}${attachedCount > 0 ? ` +${attachedCount}` : ""}`,
  linesLeftOut: (lines) => `${lines} left out`,
  related: (relation, count, tokens) => ({
    label: relation,
    detail: `${count}, ${tokens}`,
    tooltip: relation,
  }),
  quote: (words, role, number) => ({ label: `"${words}"`, detail: `${role} ${number}` }),
  problemCount: (problems) => `${problems} wrong`,
  leftOut: (turns, pictures) => (turns + pictures === 0 ? "" : `${turns} and ${pictures}`),
  overBudget: () => "too long",
  pictureSize: ({ widthPx, heightPx }) => `${widthPx}×${heightPx}`,
  pictureFit: ({ widthPx, heightPx }, plan, origin) =>
    [
      `${widthPx}×${heightPx} ${plan ? `${plan.fit} ${plan.sent.length}` : "whole"}`,
      ...(origin ? [JSON.stringify(origin)] : []),
    ].join(" "),
  pictureRefused: (name, problem) => ({ tone: "warning", text: `${name}: ${problem}` }),
  pictureLost: (name, loss) => ({ tone: "warning", text: `${name}: ${loss}` }),
  nothingLeft: () => ({ tone: "info", text: "nothing left" }),
  showWhere: () => "show where",
  inThePicture: () => "in the picture",
  contentQuestion: (content) => `copy the ${content}`,
  forgotten: () => "message forgotten",
  asideNeeds: (hasMessages) => ({
    tone: "info",
    text: hasMessages ? "no question" : "no messages",
  }),
  forkTitle: (title) => `${title} (fork)`,
  forked: () => "forked",
  stillInProgress: () => "still in progress",
  gapBefore: () => "messages are missing",
  gapInside: () => "text is missing",
  pictureNotShown: ({ name, reason }) => `not shown (${reason}): ${name}`,
  pictureForgotten: () => "forgotten",
  nothingToSummarize: () => "nothing to summarize",
  untitled: () => "untitled",
  notSaved: () => "Not saved",
  unsavedNotice: () => ({
    tone: "info",
    text: "Not saved.",
    action: { id: "save-conversation", label: "Save" },
  }),
  copied: () => "copied",
};
