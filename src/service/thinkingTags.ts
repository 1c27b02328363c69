/**
 * Separates a model's thinking from its answer where both are in the content of a reply, because the
 * server has no parser for the model. Text is thinking only between tags at the start; an unclosed tag
 * makes the whole rest thinking. Some chat templates begin inside the thinking, so a line that is the
 * first closing tag, without an opening tag, makes all text before it thinking. In code, tags are text.
 */
import { FencedLines } from "./fencedLines";

export interface SeparatedText {
  /** True if all text that was returned before is thinking; `reasoning` continues it. */
  readonly isEarlierTextReasoning: boolean;
  readonly reasoning: string;
  readonly text: string;
}

/** Final channel of the harmony format, with the tokens before it that servers may leave out. */
const FINAL = ["<|end|><|start|>assistant", "<|start|>assistant", "<|end|>", ""].map(
  (before) => `${before}<|channel|>final<|message|>`,
);

/** Opening tag, closing tags, and true if a chat template may write the opening tag itself. */
type Tags = readonly [opening: string, closings: readonly string[], isInTemplate: boolean];

/** Tags of the models whose servers were seen without a parser, with a source and its date. */
const MODELS: readonly Tags[] = [
  // DeepSeek-R1 (2025-01), QwQ (2025-03), Qwen3 (2025-04): https://huggingface.co/deepseek-ai/DeepSeek-R1
  ["<think>", ["</think>"], true],
  // Reflection (2024-09): https://huggingface.co/mattshumer/Reflection-Llama-3.1-70B
  ["<thinking>", ["</thinking>"], true],
  // EXAONE Deep (2025-03): https://huggingface.co/LGAI-EXAONE/EXAONE-Deep-32B
  ["<thought>", ["</thought>"], false],
  // Seed-OSS (2025-08): https://huggingface.co/ByteDance-Seed/Seed-OSS-36B-Instruct
  ["<seed:think>", ["</seed:think>"], true],
  // Gemma 4 (2026): https://ai.google.dev/gemma/docs/core/prompt-formatting-gemma4
  ["<|channel>thought", ["<channel|>"], true],
  // gpt-oss (2025-08): https://github.com/openai/harmony/blob/main/docs/format.md#channels
  ["<|channel|>commentary<|message|>", FINAL, true],
  ["<|channel|>analysis<|message|>", FINAL, true],
  ["<|start|>assistant<|channel|>analysis<|message|>", FINAL, true],
  // Magistral (2025-07): https://huggingface.co/mistralai/Magistral-Small-2507
  ["[THINK]", ["[/THINK]"], true],
  // Kimi-VL (2025-04): https://huggingface.co/moonshotai/Kimi-VL-A3B-Thinking
  ["◁think▷", ["◁/think▷"], true],
  // OpenThinker, Sky-T1 (2025-01): https://huggingface.co/open-thoughts/OpenThinker-7B
  ["<|begin_of_thought|>", ["<|end_of_thought|>"], true],
];
const OPENINGS = MODELS.map(([opening]) => opening);
const OF_TEMPLATES = MODELS.filter(([, , isInTemplate]) => isInTemplate);
const LONE_CLOSINGS = [...new Set(OF_TEMPLATES.flatMap(([, closings]) => closings))];
const START_TAGS = [...OPENINGS, ...LONE_CLOSINGS];

/** Opening tags that show that a later closing tag is not the first of a reply. */
const LATER_OPENINGS = ["<think>", "<thinking>", "<seed:think>"];

/** Tokens around a part of an answer, of GLM-4.5V (2025-08): https://github.com/Blaizzy/mlx-vlm/pull/2225 */
const WRAPPERS = ["<|begin_of_box|>", "<|end_of_box|>"];

/** Tokens after an answer, of gpt-oss (2025-08): https://github.com/openai/harmony/issues/57 */
const LAST_TOKENS = ["<|return|>", "<|end|>"];
const LAST_PART = /^(?:\s|<\|return\|>|<\|end\|>|<\/answer>)*$/;

/**
 * Tags around the answer after thinking: DeepSeek-R1-Zero (2025-01), https://arxiv.org/abs/2501.12948, and
 * Hunyuan-A13B (2025-06), https://huggingface.co/tencent/Hunyuan-A13B-Instruct
 */
const [ANSWER, ANSWER_END] = ["<answer>", "</answer>"];

const UNDECIDED_TAGS = [...WRAPPERS, ...LAST_TOKENS, ...LONE_CLOSINGS, ...LATER_OPENINGS];

/** Code units with which a tag can start. */
const TAG_START = /[<[◁]/g;
/** Length of the longest tag, in UTF-16 units. */
const MAX_TAG = 80;

const NOTHING: SeparatedText = { isEarlierTextReasoning: false, reasoning: "", text: "" };

/** Separates the content of a single reply. */
export class ThinkingTags {
  /**
   * `start`: only blanks and complete thinking so far; `inside`: between tags; `undecided`: text
   * that a closing tag would make thinking; `answer`: everything is text.
   */
  private state: "start" | "inside" | "undecided" | "answer" = "start";
  /** Received content that cannot be assigned yet. */
  private held = "";
  /** Tags that end the thinking at the current position. */
  private closings: readonly string[] = [];
  private readonly lines = new FencedLines();
  private hasThought = false;
  /** Tokens that are no text at the end of the answer. */
  private lastTokens: readonly string[] = LAST_TOKENS;
  private isBlockEmpty = true;
  private hasBlock = false;
  private result = { ...NOTHING };

  /** The service sent thinking in a field of its own, so the content has the answer. */
  reasoningArrived(): void {
    this.hasThought = true;
    if (this.state === "undecided") this.state = "answer";
  }

  /** Separates the next piece of content, split at any position. */
  push(text: string): SeparatedText {
    return this.read(text, false);
  }

  end(): SeparatedText {
    return this.held === "" ? NOTHING : this.read("", true);
  }

  private read(added: string, isEnd: boolean): SeparatedText {
    let unread = this.held + added;
    this.held = "";
    this.result = { ...NOTHING };
    while (unread !== "") {
      const before = this.state;
      if (before === "start") unread = this.readStart(unread, isEnd);
      else if (before === "inside") unread = this.readInside(unread, isEnd);
      else unread = this.readText(unread, isEnd);
      if (this.state === before) {
        this.held = unread;
        break;
      }
    }
    return this.result;
  }

  /** Reads up to the first tag or text; returns the content from there on. */
  private readStart(start: string, isEnd: boolean): string {
    let content = start;
    let unread = content.trimStart();
    for (;;) {
      const opening = MODELS.find(([tag]) => unread.startsWith(tag));
      if (opening !== undefined) {
        this.closings = opening[1];
        this.state = "inside";
        this.isBlockEmpty = true;
        return unread.slice(opening[0].length);
      }
      const tags = this.hasThought ? [...LONE_CLOSINGS, ANSWER] : LONE_CLOSINGS;
      const tag = tags.find((one) => unread.startsWith(one));
      if (tag === undefined) break;
      if (tag === ANSWER) this.lastTokens = [...LAST_TOKENS, ANSWER_END];
      this.hasThought = true;
      content = unread.slice(tag.length);
      unread = content.trimStart();
    }
    const startTags = this.hasThought ? [...START_TAGS, ANSWER] : START_TAGS;
    if (!isEnd && startTags.some((tag) => tag.startsWith(unread))) return content;
    this.state = this.hasThought ? "answer" : "undecided";
    return this.hasThought ? unread : content;
  }

  /** Reads up to the closing tag; returns the content behind it. */
  private readInside(content: string, isEnd: boolean): string {
    for (const { index, tag } of tagsIn(content, this.closings)) {
      this.addThinking(content.slice(0, index));
      this.state = "start";
      this.hasThought = true;
      return content.slice(index + tag.length);
    }
    const end = isEnd ? content.length : cutTagAt(content, this.closings);
    this.addThinking(content.slice(0, end));
    return content.slice(end);
  }

  /**
   * Reads text without the tokens that are no text, up to a line that is a closing tag without an
   * opening tag; returns the rest.
   */
  private readText(content: string, isEnd: boolean): string {
    const tags = this.state === "undecided" ? UNDECIDED_TAGS : [...WRAPPERS, ...this.lastTokens];
    let from = 0;
    for (const { index, tag } of tagsIn(content, tags)) {
      const after = content.slice(index + tag.length);
      this.addText(content.slice(from, index));
      from = index;
      if (this.lines.isFenced || isInCode(this.lines.line)) continue;
      if (WRAPPERS.includes(tag)) {
        from += tag.length;
      } else if (LATER_OPENINGS.includes(tag)) {
        this.state = "answer";
        return content.slice(index);
      } else if (this.lastTokens.includes(tag)) {
        const cut = cutTagAt(after, this.lastTokens);
        const isLast = LAST_PART.test(isEnd ? after : after.slice(0, cut));
        if (isLast) return isEnd ? "" : content.slice(index);
      } else if (/^ {0,3}$/.test(this.lines.line)) {
        // A text about models mentions tags too; models write the tag in a line of its own.
        const lineEnd = /^[^\S\n]*(\n|$)/.exec(after)?.[1];
        if (lineEnd === "" && !isEnd) return content.slice(index);
        if (lineEnd === undefined) continue;
        const { reasoning, text } = this.result;
        this.result = { isEarlierTextReasoning: true, reasoning: reasoning + text, text: "" };
        this.hasBlock = true;
        this.hasThought = true;
        this.state = "start";
        return after;
      }
    }
    const end = isEnd ? content.length : Math.max(from, cutTagAt(content, tags));
    this.addText(content.slice(from, end));
    return content.slice(end);
  }

  private addText(text: string): void {
    this.lines.push(text);
    this.result = { ...this.result, text: this.result.text + text };
  }

  /** Adds text of a block of thinking, without the blanks at its start. */
  private addThinking(inside: string): void {
    const text = this.isBlockEmpty ? inside.trimStart() : inside;
    if (text === "") return;
    const before = this.isBlockEmpty && this.hasBlock ? "\n\n" : "";
    this.isBlockEmpty = false;
    this.hasBlock = true;
    this.result = { ...this.result, reasoning: this.result.reasoning + before + text };
  }
}

export function separateThinking(content: string): { reasoning: string; text: string } {
  const tags = new ThinkingTags();
  const first = tags.push(content);
  const last = tags.end();
  const isLate = last.isEarlierTextReasoning;
  return {
    reasoning: first.reasoning + (isLate ? first.text : "") + last.reasoning,
    text: (isLate ? "" : first.text) + last.text,
  };
}

/** Returns the complete tags of a text, in order. */
function* tagsIn(
  text: string,
  tags: readonly string[],
): Generator<{ readonly index: number; readonly tag: string }, void, void> {
  for (let index = nextStart(text, 0); index !== -1;) {
    const tag = tags.find((one) => text.startsWith(one, index));
    if (tag !== undefined) yield { index, tag };
    index = nextStart(text, index + (tag?.length ?? 1));
  }
}

function nextStart(text: string, from: number): number {
  TAG_START.lastIndex = from;
  return TAG_START.exec(text)?.index ?? -1;
}

/** Returns the position of a tag that is cut by the end of the text; the length without one. */
function cutTagAt(text: string, tags: readonly string[]): number {
  for (let index = nextStart(text, Math.max(0, text.length - MAX_TAG)); index !== -1;) {
    const ending = text.slice(index);
    if (tags.some((tag) => tag.length > ending.length && tag.startsWith(ending))) return index;
    index = nextStart(text, index + 1);
  }
  return text.length;
}

function isInCode(line: string): boolean {
  return (line.match(/`+/g)?.length ?? 0) % 2 === 1;
}
