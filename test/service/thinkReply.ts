/**
 * Writes replies of models that think first, in each form in which servers send the thinking; the
 * specification does not show any. `/think SHAPE` selects a form.
 */
import type { Answer, AnswerBlock } from "./sendAnswer";
import { splitIntoBlocks } from "./wire";

interface ThinkShape {
  readonly summary: string;
  answer(thought: string, text: string): Answer;
}

const SLOW_BLOCK_MS = 500;

/** Thinking in a field of the delta or message, the answer in the content. */
function inField(name: string, field: (piece: string) => object, more: Partial<Answer> = {}) {
  return {
    summary: `sends the thinking as \`${name}\``,
    answer: (thought: string, text: string): Answer => ({
      blocks: [...thinkingBlocks(thought, field), ...splitIntoBlocks(text)],
      finishReason: "stop",
      ...more,
    }),
  };
}

/** Thinking and answer in the content. */
function inContent(summary: string, content: (thought: string, text: string) => string) {
  return {
    summary,
    answer: (thought: string, text: string): Answer => ({
      blocks: splitIntoBlocks(content(thought, text)),
      finishReason: "stop",
    }),
  };
}

/** Thinking without an answer. */
function without(summary: string, ending: Omit<Answer, "blocks">): ThinkShape {
  return {
    summary,
    answer: (thought) => ({
      blocks: thinkingBlocks(thought, (reasoning) => ({ reasoning })),
      ...ending,
    }),
  };
}

function thinkingBlocks(thought: string, field: (piece: string) => object): AnswerBlock[] {
  return splitIntoBlocks(thought).map((piece) => ({ delta: { ...field(piece) } }));
}

/** Forms by the word after `/think`; the first is the default. */
export const THINK_SHAPES: Readonly<Record<string, ThinkShape>> = {
  reasoning: inField("reasoning", (reasoning) => ({ reasoning })),
  content: inField("reasoning_content", (text) => ({ reasoning_content: text })),
  thinking: inField("thinking", (thinking) => ({ thinking })),
  details: inField("reasoning_details", (text) => ({
    reasoning_details: [{ type: "reasoning.text", text, index: 0 }],
  })),
  parts: {
    summary: "sends the thinking as parts of the content",
    answer: (thought, text) => ({
      blocks: [
        ...thinkingBlocks(thought, (piece) => ({
          content: [{ type: "thinking", thinking: [{ type: "text", text: piece }] }],
        })),
        ...splitIntoBlocks(text).map((piece) => ({
          delta: { content: [{ type: "text", text: piece }] },
        })),
      ],
      finishReason: "stop",
    }),
  },
  tags: inContent(
    "sends the thinking in the content, between <think> and </think>",
    (thought, text) => `<think>\n${thought}\n</think>\n\n${text}`,
  ),
  "thinking-tags": inContent(
    "sends the thinking in the content, between <thinking> and </thinking>",
    (thought, text) => `<thinking>${thought}</thinking>\n${text}`,
  ),
  "no-opening": inContent(
    "begins inside the thinking, as some chat templates do, and closes it with </think>",
    (thought, text) => `${thought}\n</think>\n\n${text}`,
  ),
  unclosed: inContent("never closes its <think>", (thought) => `<think>\n${thought}`),
  code: inContent(
    "writes about the tags in its answer, which is no thinking",
    (_thought, text) => `${text}\n\n\`\`\`xml\n<think>\nan example\n</think>\n\`\`\`\n`,
  ),
  only: without("thinks and gives no answer", { finishReason: "stop" }),
  length: without("reaches the length limit while it thinks", { finishReason: "length" }),
  filter: without("is withheld while it thinks", { finishReason: "content_filter" }),
  cut: without("is cut off while it thinks", { finishReason: null, hasDone: false }),
  slow: {
    ...inField("reasoning", (reasoning) => ({ reasoning }), { blockDelayMs: SLOW_BLOCK_MS }),
    summary: "thinks slowly, a word every half second",
  },
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
  return found?.answer(thoughtAbout(question), answerTo(question));
}

/** Returns the text for `/think list`. */
export function describeThinking(): string {
  const lines = Object.entries(THINK_SHAPES).map(
    ([name, { summary }]) => `- \`/think ${name}\` ${summary}`,
  );
  return `Shapes of a reply that thinks first:\n\n${lines.join("\n")}\n`;
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
