/**
 * Messages of a turn that a request has: all, or what the user always sends of a turn that is left out.
 * A turn without its question or its answer gets a line in place, so that roles alternate.
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
import { pictureKey } from "../conversation/sendablePath";
import type { SendingState, SummaryStep } from "../conversation/sending";

/** Lines in place of messages. Sent, never stored. */
const QUESTION_LEFT_OUT = "(The question is left out.)";
const ANSWER_LEFT_OUT = "(The answer is left out.)";
const NO_ANSWER = "(No answer.)";
const ONLY_PICTURES = "(The answer is a picture.)";
const SUMMARY_READ = "(Summary read.)";

/** A message of a request. */
export interface SentMessage {
  readonly message: Message;
  /** Content that the token budget may not leave out: all of the message, or its pictures. */
  readonly fixed: "all" | "pictures" | undefined;
  /** Index of the turn on the path; undefined for a summary. */
  readonly turn: number | undefined;
  /** True for the user's own choice, whose texts are sent word for word. */
  readonly isWordForWord: boolean;
}

/**
 * Returns the messages to send of a turn that is not being asked; empty if nothing of it is sent.
 * @param messages question, and its reply if there is one
 * @param isLeftOut true if only what the user always sends is sent
 * @param withoutPictures ids of messages whose pictures the budget leaves out
 */
export function sentTurn(
  messages: readonly Message[],
  turn: number,
  { choiceOf }: SendingState,
  isLeftOut: boolean,
  withoutPictures: ReadonlySet<string>,
): SentMessage[] {
  const visible = messages.flatMap((message): SentMessage[] => {
    const isKept = choiceOf(message.id) === "kept";
    const sent = { turn, isWordForWord: isKept };
    if (message.role === "assistant") {
      const isSent = hasText(message) && (isKept || !isLeftOut);
      if (!isSent || choiceOf(message.id) === "left-out") return [];
      return [{ ...sent, message, fixed: isLeftOut || isKept ? "all" : undefined }];
    }
    const parts = sentParts(message, choiceOf, isLeftOut, withoutPictures.has(message.id));
    if (parts.length === 0) return [];
    const whole = parts.length === message.parts.length ? message : { ...message, parts };
    const isPictureKept = message.parts.some(
      (part) => isPicture(part) && choiceOf(message.id, pictureKey(part)) === "kept",
    );
    const fixed = isLeftOut || isKept ? "all" : isPictureKept ? "pictures" : undefined;
    return [{ ...sent, message: whole, fixed }];
  });
  const [first] = visible;
  if (first === undefined) return [];
  const fixed = visible.every((one) => one.fixed === "all") ? "all" : undefined;
  const place = { fixed, turn, isWordForWord: false } as const;
  const { id } = first.message;
  if (first.message.role === "assistant")
    visible.unshift({ ...place, message: questionLine(id, QUESTION_LEFT_OUT) });
  if (visible.at(-1)?.message.role === "user") {
    visible.push({ ...place, message: answerLine(id, lineForAnswer(messages)) });
  }
  return visible;
}

/** Returns the line in place of an answer that is not sent. */
function lineForAnswer(messages: readonly Message[]): string {
  const replies = messages.filter((one) => one.role === "assistant");
  if (replies.some(hasText)) return ANSWER_LEFT_OUT;
  const isPicture = replies.some((reply) => !isWithdrawn(reply) && imagesOf(reply).length > 0);
  return isPicture ? ONLY_PICTURES : NO_ANSWER;
}

/** Returns the messages for a summary: in tags, and a line in the role of the model. */
export function sentSummary({ id, text }: SummaryStep, rules: readonly Part[]): SentMessage[] {
  const place = { fixed: "all", turn: undefined, isWordForWord: false } as const;
  const question = questionLine(id, `<summary>\n${text}\n</summary>`);
  return [
    { ...place, message: { ...question, parts: [...rules, ...question.parts] } },
    { ...place, message: answerLine(id, SUMMARY_READ) },
  ];
}

/** Returns the parts to send; a description goes with the picture after it, notes with the one before. */
function sentParts(
  { id, parts }: UserMessage,
  choiceOf: SendingState["choiceOf"],
  isLeftOut: boolean,
  isWithoutPictures: boolean,
): Part[] {
  const own = choiceOf(id);
  return parts.filter((part, index) => {
    const picture = isDescription(part)
      ? parts[index + 1]
      : isPictureNote(part)
        ? parts.slice(0, index).findLast(isPicture)
        : part;
    if (picture === undefined || !isPicture(picture))
      return own === "kept" || (own !== "left-out" && !isLeftOut);
    const choice = choiceOf(id, pictureKey(picture)) ?? own;
    return choice === "kept" || (choice !== "left-out" && !isLeftOut && !isWithoutPictures);
  });
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
