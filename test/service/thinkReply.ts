/**
 * Writes replies of models that think first; the specification does not show any. `/think SHAPE` selects
 * a form.
 */
import type { Answer, AnswerBlock } from "./sendAnswer";
import { splitIntoBlocks } from "./wire";

const SLOW_BLOCK_MS = 500;

/** Thinking in a field of the delta. */
const inField = (thought: string): AnswerBlock[] =>
  splitIntoBlocks(thought).map((reasoning) => ({ delta: { reasoning } }));

const reasoning = (thought: string, text: string): Answer => ({
  blocks: [...inField(thought), ...splitIntoBlocks(text)],
  finishReason: "stop",
});

/** Forms by the word after `/think`; the first is the default. */
const THINK_SHAPES: Readonly<Record<string, (thought: string, text: string) => Answer>> = {
  reasoning,
  tags: (thought, text) => ({
    blocks: splitIntoBlocks(`<think>\n${thought}\n</think>\n\n${text}`),
    finishReason: "stop",
  }),
  only: (thought) => ({ blocks: inField(thought), finishReason: "stop" }),
  length: (thought) => ({ blocks: inField(thought), finishReason: "length" }),
  slow: (thought, text) => ({ ...reasoning(thought, text), blockDelayMs: SLOW_BLOCK_MS }),
};

/** The most useful forms, by the name after "/" in the composer of `npm start`. */
export const THINK_PROMPTS: Readonly<Record<string, string>> = {
  think: "/think",
  "think-slowly": "/think slow",
  "only-thinking": "/think only",
};

/**
 * Returns the answer in this form; undefined for an unknown form.
 *
 * @param question text after the form
 */
export function thinkAnswer(shape: string, question: string): Answer | undefined {
  const found = Object.hasOwn(THINK_SHAPES, shape) ? THINK_SHAPES[shape] : undefined;
  return found?.(thoughtAbout(question), answerTo(question));
}

function thoughtAbout(question: string): string {
  const subject = question.trim() === "" ? "nothing in particular" : `“${question.trim()}”`;
  return `The user asks about ${subject}. There is no model in this service, so this **thinking** is written in advance.

1. First I look at the question.
2. Then I weigh a short answer against a long one, and \`short\` wins.

I also check that none of this is sent with the next question.`;
}

function answerTo(question: string): string {
  const subject = question.trim() === "" ? "your question" : `“${question.trim()}”`;
  return `This is the answer to ${subject}. The thinking is shown above, separate from the answer.`;
}
