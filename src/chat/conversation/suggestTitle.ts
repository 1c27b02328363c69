/**
 * Asks the text model once for a title of a conversation. The request has what was typed and answered and the
 * service may have, up to a limit: no files, pictures or thinking. The caller sets the title.
 */
import { ask } from "../../ask/ask";
import { separatedPath } from "../../ask/separatedReply";
import { defined } from "../../base/defined";
import type { Conversation } from "../../conversation/conversation";
import { shownPath } from "../../conversation/paths";
import { cleanTitle } from "../../conversation/title";
import type { Failure } from "../../conversation/ending";
import { isWithdrawn, textOf, type Message } from "../../conversation/message";
import { pathSending, sendingStateAt } from "../../conversation/sending";
import type { TurnOptions } from "./prepareTurn";

/** Longest text of a message, and of all messages, in UTF-16 units. */
const MAX_MESSAGE = 1_500;
const MAX_TEXT = 12_000;

/** Longest reply: a title, and the thinking of a model that always thinks. */
const MAX_REPLY_TOKENS = 2_048;

const REQUEST =
  "Give the conversation below a title in its language, of at most eight words: its subject, not its form. " +
  "Answer with the title only. Do not answer its questions.";

export type SuggestedTitle =
  | { readonly kind: "title"; readonly title: string }
  | { readonly kind: "failed"; readonly failure: Failure }
  /** Nothing was asked yet, the reply has no text, or the user canceled. */
  | { readonly kind: "no-messages" | "no-title" | "canceled" };

export async function suggestTitle(
  conversation: Conversation,
  { prepareTurn, client, readImage }: Pick<TurnOptions, "prepareTurn" | "client" | "readImage">,
  signal: AbortSignal,
): Promise<SuggestedTitle> {
  const text = textFor(conversation);
  if (text === "") return { kind: "no-messages" };
  const parts = [
    { kind: "text" as const, text: `${REQUEST}\n\n<conversation>\n${text}\n</conversation>` },
  ];
  const path: Message[] = [{ role: "user", id: "title", parentId: null, parts, sentAtMs: 0 }];
  const { profile } = conversation;
  const settings = await prepareTurn(path, { model: "llm", ...defined({ profile }) });
  if ("kind" in settings) return { kind: "failed", failure: settings };
  const sampling = { ...settings.sampling, maxTokens: MAX_REPLY_TOKENS };
  const question = { ...settings, path, sampling, systemPrompt: "", isContinuing: false };
  let reply = "";
  for await (const event of ask(client, question, readImage, signal)) {
    if (event.type === "text-delta") reply += event.text;
    else if (event.type === "text-was-reasoning") reply = "";
    else if (event.type === "turn-ended") {
      const { ending } = event;
      if (ending.kind === "failed") return { kind: "failed", failure: ending.failure };
      if (ending.kind !== "complete") reply = "";
    }
  }
  if (signal.aborted) return { kind: "canceled" };
  const title = cleanTitle(reply.trim().split("\n", 1)[0] ?? "");
  return title === "" ? { kind: "no-title" } : { kind: "title", title };
}

/** Returns the typed and answered texts of the shown path, without what the user keeps from requests. */
function textFor(conversation: Conversation): string {
  const path = shownPath(conversation);
  const { choiceOf } = sendingStateAt(path, pathSending(conversation, path), path.length);
  const lines = separatedPath(path).flatMap((message) => {
    if (message.isForgotten === true || choiceOf(message.id) === "left-out") return [];
    if (message.role === "assistant" && isWithdrawn(message)) return [];
    const text = (message.role === "user" ? textOf(message.parts) : message.text).trim();
    if (text === "") return [];
    return `${message.role === "user" ? "User" : "Assistant"}: ${text.slice(0, MAX_MESSAGE)}`;
  });
  return lines.join("\n\n").slice(0, MAX_TEXT);
}
