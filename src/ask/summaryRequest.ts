/**
 * The request for a summary of older messages. The originals are its source, and an earlier summary only
 * for messages that no longer fit the budget, so no summary is made of a summary.
 */
import { costOf, total } from "../context/budget";
import type { Message } from "../conversation/message";
import { sendingState, withoutLeftOut, type Sending } from "../conversation/sending";

const REQUEST =
  "Summarize the conversation above, in the past tense and in its language, for a model that will answer " +
  "the next questions without it. State the user's aims and questions, decisions with their reasons, what " +
  "was tried and failed, what is still open, and the exact names of files, functions and numbers. Do not " +
  "answer questions and add nothing new. Plain text, at most 900 words.";

const EARLIER = "An earlier summary of the oldest messages follows. Use it for what is not above.";

export interface SummaryRequest {
  /** The messages to summarize and the request for it. */
  readonly path: readonly Message[];
  /** The choices without summaries. */
  readonly sending: Sending | undefined;
}

/**
 * Returns the request for a summary.
 * @param path oldest first
 * @param count number of its first messages to summarize
 */
export function summaryRequest(
  path: readonly Message[],
  count: number,
  sending: Sending | undefined,
): SummaryRequest {
  const state = sendingState(path, sending);
  const { summary } = state;
  const earlier = summary ? `\n\n${EARLIER}\n<summary>\n${summary.text}\n</summary>` : "";
  const text = REQUEST + earlier;
  const question: Message = {
    role: "user",
    id: "summary",
    parentId: null,
    parts: [{ kind: "text", text }],
    sentAtMs: 0,
  };
  const entries = sending?.entries.filter(({ kind }) => kind === "sending-chosen") ?? [];
  return {
    path: [...withoutLeftOut(path.slice(0, count), state), question],
    sending: sending && { ...sending, entries },
  };
}

/** Estimates the tokens of a request for a summary, which reads no pictures. */
export function summaryRequestTokens({ path }: SummaryRequest, budgetTokens: number): number {
  const tokens = path.reduce((sum, message) => {
    const cost = costOf(message);
    return sum + total(cost) - cost.pictures;
  }, 0);
  return Math.min(budgetTokens, tokens);
}
