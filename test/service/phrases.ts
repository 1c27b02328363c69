/**
 * Selects replies without a fault. A line of the question that starts with a slash requests a
 * special reply, Core Chat's own prompts get matching replies, pictures are described, and all
 * other questions get the sample.
 */
import type { Exchange } from "./exchange";
import { describeMenu } from "./faults/menu";
import { longText } from "./longText";
import { pictureReply } from "./pictureReply";
import { pointReply } from "./pointReply";
import { promptReply } from "./promptReply";
import { sampleReply } from "./sampleReply";
import { shopReply } from "./shopReply";
import { thinkAnswer } from "./thinkReply";
import { sendAnswer, textAnswer, type Answer } from "./sendAnswer";

const MAX_LONG_KB = 20_000;
const SLOW_BLOCK_MS = 500;

interface Phrase {
  readonly usage: string;
  readonly summary: string;
  answer(exchange: Exchange, rest: string): Answer;
}

/** Phrases by the word after the slash; `rest` is the remaining text of the question. */
export const PHRASES: Readonly<Record<string, Phrase>> = {
  echo: {
    usage: "/echo TEXT",
    summary: "answers with TEXT and nothing else",
    answer: (exchange, rest) => textAnswer(exchange, rest),
  },
  long: {
    usage: "/long N",
    summary: "answers with N kB of varied Markdown",
    answer: (exchange, rest) => {
      const kilobytes = Math.min(MAX_LONG_KB, Math.max(1, Number.parseInt(rest, 10) || 1));
      const { blocks, finishReason } = textAnswer(unlimited(exchange), longText(kilobytes));
      return { blocks, finishReason };
    },
  },
  slow: {
    usage: "/slow",
    summary: "sends a block every half second",
    answer: (exchange) => ({ ...defaultAnswer(exchange), blockDelayMs: SLOW_BLOCK_MS }),
  },
  think: {
    usage: "/think SHAPE",
    summary: "thinks before it answers",
    answer: (exchange, rest) => {
      const [, shape = "reasoning", question = ""] = /^([a-z-]+)?\s*([^]*)$/.exec(rest) ?? [];
      return (
        thinkAnswer(shape, question) ?? thinkAnswer("reasoning", rest) ?? defaultAnswer(exchange)
      );
    },
  },
  point: {
    usage: "/point SHAPE",
    summary: "points into the last picture",
    answer: (exchange, rest) => {
      const [, shape = "thousand"] = /^([a-z]+)?/.exec(rest) ?? [];
      const text = pointReply(shape, exchange.request.pictures);
      return text === undefined ? defaultAnswer(exchange) : textAnswer(exchange, text);
    },
  },
  tool: {
    usage: "/tool",
    summary: "ends with a tool call",
    answer: () => ({ blocks: [], finishReason: "tool_calls", toolCalls: [SAMPLE_TOOL_CALL] }),
  },
  length: {
    usage: "/length",
    summary: "ends with the finish reason length",
    answer: (exchange) =>
      textAnswer(exchange, "This reply stops at its length limit, so", "length"),
  },
  filter: {
    usage: "/filter",
    summary: "ends with the finish reason content_filter after some text",
    answer: (exchange) =>
      textAnswer(exchange, "This text was sent before the safety review ended.", "content_filter"),
  },
  json: {
    usage: "/json",
    summary: "shows the request as it arrived",
    answer: (exchange) => textAnswer(exchange, requestAsJson(exchange)),
  },
  usage: {
    usage: "/usage",
    summary: "sends a usage block at the end of the stream",
    answer: (exchange) => ({ ...defaultAnswer(exchange), usage: true }),
  },
  faults: {
    usage: "/faults",
    summary: "lists failures that you can try",
    answer: (exchange) => textAnswer(unlimited(exchange), describeMenu()),
  },
};

/** Tool call of `/tool` in the common OpenAI shape; the specification does not show tool calls. */
const SAMPLE_TOOL_CALL = {
  id: "call_1",
  type: "function",
  function: { name: "read_file", arguments: '{"path":"README.md"}' },
};

export async function answerPhrase(exchange: Exchange): Promise<void> {
  const found = /^[ \t]*\/([a-z]+)(?![^\s])[ \t]*/m.exec(exchange.request.question);
  const phrase = Object.hasOwn(PHRASES, found?.[1] ?? "") ? PHRASES[found![1]!] : undefined;
  if (found === null || phrase === undefined) return sendAnswer(exchange, defaultAnswer(exchange));
  const rest = exchange.request.question.slice(found.index + found[0].length);
  return sendAnswer(exchange, phrase.answer(exchange, rest));
}

function defaultAnswer(exchange: Exchange): Answer {
  const { pictures, question, previousReply } = exchange.request;
  const text =
    shopReply(exchange.request) ??
    promptReply(question, previousReply) ??
    (pictures.length > 0 ? pictureReply(pictures, question) : sampleReply(question));
  return textAnswer(exchange, text);
}

/**
 * Removes the default token limit for lists and texts of a requested size; only a max_tokens in the
 * request truncates them.
 */
function unlimited(exchange: Exchange): Exchange {
  const { max_tokens: maxTokens } = exchange.record.body as { max_tokens?: number };
  return { ...exchange, request: { ...exchange.request, maxTokens: maxTokens ?? Infinity } };
}

function requestAsJson(exchange: Exchange): string {
  const json = JSON.stringify(
    exchange.record.body,
    (_name, value: unknown) =>
      typeof value === "string" && value.startsWith("data:") && value.length > 100
        ? `${value.slice(0, 60)}… (${value.length} characters)`
        : value,
    2,
  );
  return `The request as it arrived at the local reference service:\n\n\`\`\`json\n${json}\n\`\`\`\n`;
}
