/** Converts the conversation of a box to comments: questions with what was sent, and replies. */
import * as vscode from "vscode";
import type { TurnStatus } from "../../chat/conversation/conversationChange";
import { chipParts, type QueuedQuestion } from "../../chat/conversation/conversationDraft";
import type { LiveConversation } from "../../chat/conversation/liveConversation";
import { chipOf, replyView } from "../../chat/view/toView";
import { costOf } from "../../context/budget";
import { textOf, type Message, type Part } from "../../conversation/message";
import { escapedMarkdown, safeMarkdown } from "../../markdown/safeMarkdown";
import type { NoticeView, ReplyView } from "../../protocol/views";
import { plainNotice } from "../messages/notices";
import { panelMessages } from "../messages/panelMessages";

const t = vscode.l10n.t;

/** A comment of a box; comments with the same id are the same comment. */
export interface BoxComment extends Pick<vscode.Comment, "body" | "label"> {
  readonly id: string;
  readonly author: string;
}

/** A question that could not be sent. */
export interface RefusedQuestion {
  readonly parts: readonly Part[];
  readonly notice: NoticeView;
}

/** Lists the context that is sent with a question, in a line: "cart.ts:13-23 · 6 definitions". */
export function sentItems(parts: readonly Part[]): string {
  return chipParts(parts)
    .flatMap((part) => chipOf(part, panelMessages))
    .map(({ kind, label, detail, tooltip }) =>
      kind === "file" || kind === "symbol" || kind === "definitions"
        ? (tooltip ?? label)
        : detail === ""
          ? label
          : `${label} (${detail})`,
    )
    .join(" · ");
}

/** Lists the context of a question with its estimated tokens, in a line. */
export function sentSummary(parts: readonly Part[]): string {
  const question = {
    role: "user" as const,
    id: "",
    parentId: null,
    parts: [...parts],
    sentAtMs: 0,
  };
  const { text, files } = costOf(question);
  return `${sentItems(joinedExcerpts(parts))} · ${t("~{0} tokens", text + files)}`;
}

/** Joins excerpts that follow each other in a file: a target and the lines around it. */
function joinedExcerpts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const at = joined.findLastIndex(({ kind }) => kind === "excerpt");
    const last = joined[at];
    const isNext =
      part.kind === "excerpt" &&
      last?.kind === "excerpt" &&
      part.uri === last.uri &&
      part.startLine === (last.endLine ?? 0) + 1;
    if (isNext) joined[at] = { ...last, endLine: part.endLine ?? part.startLine };
    else joined.push(part);
  }
  return joined;
}

/** Returns the comments of the shown path, of queued questions and of a question that was refused. */
export function boxComments(
  live: LiveConversation,
  status: TurnStatus | undefined,
  refused: RefusedQuestion | undefined,
): BoxComment[] {
  const path = live.path();
  return [
    ...path.map((message, index) =>
      message.role === "user"
        ? questionComment(message, path[index + 1])
        : replyComment(viewOf(live, message.id), status),
    ),
    ...live.queue.map(queuedComment),
    ...(refused ? refusedComments(refused) : []),
  ].filter((comment) => comment !== undefined);
}

/** Returns the view of a reply; undefined for other messages. */
export function viewOf(live: LiveConversation, replyId: string | undefined): ReplyView | undefined {
  const reply = replyId === undefined ? undefined : live.message(replyId);
  if (reply?.role !== "assistant") return undefined;
  return replyView(live.conversation, reply, live.runningReplyId === replyId, panelMessages);
}

function questionComment(
  question: Extract<Message, { role: "user" }>,
  next: Message | undefined,
): BoxComment {
  const reply = next?.role === "assistant" ? next : undefined;
  const items = [sentItems(question.parts), panelMessages.sentLine(question, reply)];
  const sent = items.filter((item) => item !== "").join(" · ");
  const text = textOf(question.parts);
  // A body that is no Markdown is shown as written, and not drawn again with each update.
  const body = sent === "" ? text : `${text}\n\n${t("Sent: {0}", sent)}`;
  return { id: question.id, author: t("You"), body };
}

function replyComment(
  view: ReplyView | undefined,
  status: TurnStatus | undefined,
): BoxComment | undefined {
  if (view === undefined) return undefined;
  const { notice, thinking, isStreaming, text } = view;
  const seconds = Math.round((thinking?.durationMs ?? 0) / 1000);
  const thought = thinking && t("Thought for {0} s", seconds);
  const running = thinking?.isOngoing === true ? t("Thinking… {0} s", seconds) : t("Answering…");
  const label = isStreaming ? (status ? statusText(status) : running) : thought;
  const body = [safeMarkdown(text), notice ? escapedMarkdown(plainNotice(notice)) : ""]
    .filter((part) => part !== "")
    .join("\n\n");
  return {
    // A new comment at the end: VS Code reads a comment's text to screen readers as it was first.
    id: isStreaming ? view.id : `${view.id} ended`,
    author: "Core Chat",
    body: new vscode.MarkdownString(body),
    ...(label !== undefined && { label }),
  };
}

function queuedComment({ id, parts }: QueuedQuestion): BoxComment {
  return { id, author: t("You"), body: textOf(parts), label: t("Queued") };
}

function refusedComments({ parts, notice }: RefusedQuestion): BoxComment[] {
  return [
    { id: "refused", author: t("You"), body: textOf(parts), label: t("Not sent") },
    { id: "reason", author: "Core Chat", body: plainNotice(notice) },
  ];
}

function statusText(status: TurnStatus): string {
  const nowMs = Date.now();
  const { text, untilMs = nowMs } = panelMessages.status(status, nowMs);
  return text.replace("%s", String(Math.max(0, Math.ceil((untilMs - nowMs) / 1000))));
}
