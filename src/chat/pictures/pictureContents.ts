/**
 * Asks the vision model for the content of a picture, in a conversation of its own that the history
 * keeps.
 */
import { separatedReply } from "../../ask/separatedReply";
import type { ImagePart, Reply } from "../../conversation/message";
import type { NoticeView } from "../../protocol/views";
import { questionParts } from "../conversation/conversationDraft";
import type { LiveConversation } from "../conversation/liveConversation";
import { refusalNotice, type Messages } from "../view/messages";

/** A question about the content of pictures. */
export interface ContentQuestion {
  readonly text: string;
  readonly pictures: readonly ImagePart[];
  /** Profile of the service; missing for the current one. */
  readonly profile?: string | undefined;
}

/** Outcome of the question: the text of a complete reply, or the reason why there is none. */
export interface ContentReply {
  /** Conversation that has the exchange; undefined if nothing was sent. */
  readonly live: LiveConversation | undefined;
  readonly text?: string;
  readonly notice?: NoticeView | undefined;
}

/**
 * Sends one question and resolves when its reply has ended.
 * @param live an empty conversation, saved like the one that shows the picture
 * @param signal stops the reply; the exchange stays in the history
 */
export async function askForContent(
  live: LiveConversation,
  { text, pictures, profile }: ContentQuestion,
  texts: Messages,
  signal: AbortSignal,
): Promise<ContentReply> {
  if (profile !== undefined) await live.choose({ kind: "profile-chosen", profile });
  if (signal.aborted) return { live: undefined };
  const ended = replyOf(live);
  // Stops a reply that has started, or as soon as it starts.
  const stop = () => void live.stop();
  live.onChanged(() => {
    if (signal.aborted) stop();
  });
  signal.addEventListener("abort", stop);
  try {
    const asked = await live.askQuestion(questionParts(text, pictures), undefined, {
      modelKind: "vl",
    });
    if (!asked.isAccepted) return { live: undefined, notice: refusalNotice(asked, texts) };
    const reply = await ended;
    if (reply.ending?.kind === "complete") return { live, text: separatedReply(reply).text };
    return { live, notice: texts.ending(reply) };
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Resolves with the first reply of a conversation once it has ended. */
function replyOf(live: LiveConversation): Promise<Reply> {
  return new Promise((resolve) => {
    const listening = live.onChanged((change) => {
      if (change.kind !== "reply" || live.runningReplyId !== undefined) return;
      const reply = live.message(change.replyId);
      if (reply?.role !== "assistant") return;
      listening.dispose();
      resolve(reply);
    });
  });
}
