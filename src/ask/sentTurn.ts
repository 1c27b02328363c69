/**
 * Messages of a turn that a request has. A turn without an answer gets a line in place, so that roles
 * alternate.
 */
import { isDescription } from "../context/describePictures";
import {
  imagesOf,
  isPicture,
  isPictureNote,
  isWithdrawn,
  type Message,
  type Part,
  type Reply,
  type UserMessage,
} from "../conversation/message";
import { QUESTION_LEFT_OUT, type SendingState, type SummaryStep } from "../conversation/sending";

/** Lines in place of answers. Sent, never stored. */
const NO_ANSWER = "(No answer.)";
const ONLY_PICTURES = "(The answer is a picture.)";
const SUMMARY_READ = "(Summary read.)";

export interface SentMessage {
  readonly message: Message;
  /** True for a summary, which the token budget may not leave out. */
  readonly isFixed: boolean;
  /** Index of the turn on the path; undefined for a summary. */
  readonly turn: number | undefined;
}

/**
 * Returns the messages to send of a turn that is not being asked; empty if the user leaves all of it out.
 * @param messages question, and its reply if there is one
 * @param withoutPictures ids of messages whose pictures the budget leaves out
 */
export function sentTurn(
  messages: readonly Message[],
  turn: number,
  { isLeftOut }: SendingState,
  withoutPictures: ReadonlySet<string>,
): SentMessage[] {
  const sent = messages
    .map((message) =>
      message.role === "user" && withoutPictures.has(message.id)
        ? withoutPicturesOf(message)
        : message,
    )
    .filter((message) => (message.role === "user" ? message.parts.length > 0 : hasText(message)));
  const [first] = sent;
  if (first === undefined || sent.every(({ id }) => isLeftOut(id))) return [];
  if (first.role === "assistant") sent.unshift(questionLine(first.id, QUESTION_LEFT_OUT));
  if (sent.at(-1)?.role === "user") sent.push(answerLine(first.id, lineForAnswer(messages)));
  return sent.map((message) => ({ message, isFixed: false, turn }));
}

function lineForAnswer(messages: readonly Message[]): string {
  const replies = messages.filter((one) => one.role === "assistant");
  const isPicture = replies.some((reply) => !isWithdrawn(reply) && imagesOf(reply).length > 0);
  return isPicture ? ONLY_PICTURES : NO_ANSWER;
}

/** Returns the messages for a summary: in tags, and a line in the role of the model. */
export function sentSummary({ id, text }: SummaryStep, rules: readonly Part[]): SentMessage[] {
  const question = questionLine(id, `<summary>\n${text}\n</summary>`);
  const sent = [
    { ...question, parts: [...rules, ...question.parts] },
    answerLine(id, SUMMARY_READ),
  ];
  return sent.map((message) => ({ message, isFixed: true, turn: undefined }));
}

function withoutPicturesOf(question: UserMessage): UserMessage {
  const isOfPicture = (part: Part) => isPicture(part) || isDescription(part) || isPictureNote(part);
  return { ...question, parts: question.parts.filter((part) => !isOfPicture(part)) };
}

function hasText(reply: Reply): boolean {
  return reply.text.trim() !== "" && !isWithdrawn(reply);
}

function questionLine(id: string, text: string): UserMessage {
  const parts: Part[] = [{ kind: "text", text }];
  return { role: "user", id: `${id}-question`, parentId: null, parts, sentAtMs: 0 };
}

function answerLine(id: string, text: string): Reply {
  const model = { modelKind: "llm" as const, modelCode: "" };
  return { role: "assistant", id: `${id}-answer`, parentId: null, text, ...model, startedAtMs: 0 };
}
