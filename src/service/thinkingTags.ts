/**
 * Separates a model's thinking from its answer where both are in the content of a reply, because the
 * server has no parser for the model. Text is thinking only between tags at the start; an unclosed tag
 * makes the whole rest thinking. Some chat templates begin inside the thinking, so a line that is the
 * first closing tag, without an opening tag, makes all text before it thinking. In code, tags are text.
 */
import { FencedLines } from "./fencedLines";

/** Part of the content, separated. */
export interface SeparatedText {
  /** True if all text that was returned before is thinking; `reasoning` continues it. */
  readonly isEarlierTextReasoning: boolean;
  readonly reasoning: string;
  readonly text: string;
}

/**
 * Names of tags of the form `<name>…</name>`: DeepSeek-R1 (2025-01), QwQ (2025-03), Qwen3 (2025-04) and
 * most others; Reflection (2024-09); EXAONE Deep (2025-03); Seed-OSS (2025-08).
 */
const NAME = "think|thinking|thought|seed:think";
const ANGLE_OPENING = new RegExp(`^<((?:${NAME}))(?:\\s[^<>]{0,200})?>`, "i");
const ANGLE_OPENING_START = new RegExp(`^<(?:[\\w:]{0,40}|(?:${NAME})\\s[^<>]{0,200})$`, "i");

/** Final channel of the harmony format, with the tokens before it that servers may leave out. */
const FINAL = ["<|end|><|start|>assistant", "<|start|>assistant", "<|end|>", ""].map(
  (before) => `${before}<|channel|>final<|message|>`,
);

/** Other pairs: opening tags, and the closing tags of each. */
const PAIRS: readonly (readonly [string, readonly string[]])[] = [
  // Gemma 4 (2026): https://ai.google.dev/gemma/docs/core/prompt-formatting-gemma4
  ["<|channel>thought", ["<channel|>"]],
  // gpt-oss (2025-08): https://github.com/openai/harmony/blob/main/docs/format.md#channels
  ["<|channel|>commentary<|message|>", FINAL],
  ["<|channel|>analysis<|message|>", FINAL],
  ["<|start|>assistant<|channel|>analysis<|message|>", FINAL],
  // Magistral (2025-07): https://huggingface.co/mistralai/Magistral-Small-2507
  ["[think]", ["[/think]"]],
  // Kimi-VL (2025-04): https://huggingface.co/moonshotai/Kimi-VL-A3B-Thinking
  ["◁think▷", ["◁/think▷"]],
  // OpenThinker, Sky-T1 (2025-01): https://huggingface.co/open-thoughts/OpenThinker-7B
  ["<|begin_of_thought|>", ["<|end_of_thought|>"]],
];

/** Tokens around an answer or a part of it, which are no text. */
const WRAPPERS = [
  // GLM-4.5V (2025-08): https://github.com/Blaizzy/mlx-vlm/pull/2225
  "<|begin_of_box|>",
  "<|end_of_box|>",
  // OpenThinker, Sky-T1 (2025-01)
  "<|begin_of_solution|>",
  "<|end_of_solution|>",
];

/** Tokens after an answer. */
const LAST_TOKENS = [
  "<|return|>", // https://github.com/openai/harmony/issues/57
  "<|end|>",
];

/** Tags around the answer after thinking: DeepSeek-R1-Zero (2025-01), Hunyuan-A13B (2025-06). */
const ANSWER_TAGS = ["<answer>", "</answer>"] as const;

/** Tags that may be without their counterpart, because chat templates write the counterpart. */
const TEMPLATE_NAMES = ["think", "thinking", "seed:think"];
const LONE_CLOSINGS = [
  ...TEMPLATE_NAMES.map((name) => `</${name}>`),
  ...new Set(PAIRS.flatMap(([, closings]) => closings)),
];

/** Opening tags that show that a later closing tag is not the first of a reply. */
const LATER_OPENINGS = TEMPLATE_NAMES.map((name) => `<${name}>`);

/** Code units with which a tag can start. */
const TAG_START = /[<[◁]/g;
/** Length of the longest tag, in UTF-16 units. */
const MAX_TAG = 80;

/** Separates the content of a single reply. */
export class ThinkingTags {
  /**
   * `start`: only blanks and complete thinking so far; `inside`: between tags; `undecided`: text
   * that a closing tag would make thinking; `answer`: everything is text.
   */
  private state: "start" | "inside" | "undecided" | "answer" = "start";
  /** Received content that cannot be assigned yet. */
  private held = "";
  /** Tags of the block around the current position. */
  private closings: readonly string[] = [];
  private openings: readonly string[] = [];
  private lines = new FencedLines();
  /** Opening tags in the fence around the current position. */
  private openInFence = 0;
  private hasThought = false;
  /** Tokens that are no text at the end of the answer. */
  private lastTokens: readonly string[] = LAST_TOKENS;
  private isBlockEmpty = true;
  private hasBlock = false;

  /** The service sent thinking in a field of its own, so the content has the answer. */
  reasoningArrived(): void {
    this.hasThought = true;
    if (this.state === "undecided") this.state = "answer";
  }

  /** Separates the next piece of content, split at any position. */
  push(text: string): SeparatedText {
    return this.read(text, false);
  }

  /** Returns the rest at the end of the content. */
  end(): SeparatedText {
    return this.held === "" ? NOTHING : this.read("", true);
  }

  private read(added: string, isEnd: boolean): SeparatedText {
    let unread = this.held + added;
    this.held = "";
    let isEarlierTextReasoning = false;
    let reasoning = "";
    let text = "";
    while (unread !== "") {
      const before = this.state;
      if (before === "start") {
        unread = this.readStart(unread, isEnd);
      } else if (before === "inside") {
        const { taken, left } = this.readInside(unread, isEnd);
        reasoning += this.blockText(taken);
        unread = left;
      } else {
        const { taken, left, isThinking, isPart } = this.readText(unread, isEnd);
        if (isThinking) {
          isEarlierTextReasoning = true;
          this.hasBlock = true;
          reasoning += text + taken;
          text = "";
        } else text += taken;
        unread = left;
        if (isPart) continue;
      }
      if (this.state === before) {
        this.held = unread;
        break;
      }
    }
    return { isEarlierTextReasoning, reasoning, text };
  }

  /** Reads up to the first tag or text; returns the content from there on. */
  private readStart(start: string, isEnd: boolean): string {
    let content = start;
    let unread = withoutBlanks(content);
    // A loop: one call for each closing tag would overflow the stack.
    for (;;) {
      const opening = openingAt(unread);
      if (opening !== undefined) {
        this.begin(opening);
        return unread.slice(opening.length);
      }
      const isAnswer = this.hasThought && startsWith(unread, ANSWER_TAGS[0]);
      const closing = tagAt(unread, 0, isAnswer ? [ANSWER_TAGS[0]] : LONE_CLOSINGS);
      if (closing === undefined) break;
      if (isAnswer) this.lastTokens = [...LAST_TOKENS, ANSWER_TAGS[1]];
      this.hasThought = true;
      content = unread.slice(closing.length);
      unread = withoutBlanks(content);
    }
    if (!isEnd && (unread === "" || mayStartTag(unread))) return content;
    this.state = this.hasThought ? "answer" : "undecided";
    this.lines = new FencedLines();
    return this.hasThought ? unread : content;
  }

  private begin({ closings, openings }: Opening): void {
    this.closings = closings;
    this.openings = openings;
    this.state = "inside";
    this.lines = new FencedLines();
    this.isBlockEmpty = true;
  }

  /** Reads up to the closing tag. */
  private readInside(content: string, isEnd: boolean): { taken: string; left: string } {
    let from = 0;
    for (const { index, length, isClosing } of tagsIn(content, this.closings, this.openings)) {
      this.addLines(content.slice(from, index));
      from = index;
      const next = index + length;
      // The character behind the tag decides whether the tag is quoted.
      if (next === content.length && !isEnd && isQuote(this.lines.line.at(-1))) {
        return { taken: content.slice(0, index), left: content.slice(index) };
      }
      if (isQuoted(this.lines.line, content[next])) continue;
      if (!isClosing && this.lines.isFenced) this.openInFence++;
      else if (!isClosing) continue;
      else if (this.openInFence > 0) this.openInFence--;
      else {
        this.state = "start";
        this.hasThought = true;
        return { taken: content.slice(0, index), left: content.slice(next) };
      }
    }
    const end = isEnd
      ? content.length
      : cutTagAt(content, from, [...this.closings, ...this.openings]);
    this.addLines(content.slice(from, end));
    return { taken: content.slice(0, end), left: content.slice(end) };
  }

  /**
   * Reads text up to a line that is a closing tag without an opening tag, or to a token that is no text;
   * `isPart` is true if more text may follow.
   */
  private readText(
    content: string,
    isEnd: boolean,
  ): { taken: string; left: string; isThinking?: boolean; isPart?: boolean } {
    const isUndecided = this.state === "undecided";
    const closings = isUndecided ? LONE_CLOSINGS : [];
    const { lastTokens } = this;
    const otherTags = [...WRAPPERS, ...lastTokens, ...(isUndecided ? LATER_OPENINGS : [])];
    let from = 0;
    for (const { index, length, tag, isClosing } of tagsIn(content, closings, otherTags)) {
      this.lines.push(content.slice(from, index));
      from = index;
      const before = content.slice(0, index);
      const after = content.slice(index + length);
      if (this.lines.isFenced || isInCode(this.lines.line)) continue;
      if (WRAPPERS.includes(tag)) return { taken: before, left: after, isPart: true };
      if (LATER_OPENINGS.includes(tag)) {
        this.state = "answer";
        return { taken: before, left: content.slice(index) };
      }
      if (!isClosing) {
        if (isEnd && isLastPart(after, lastTokens)) return { taken: before, left: "" };
        if (!isEnd && mayBeLastPart(after, lastTokens))
          return { taken: before, left: content.slice(index) };
        continue;
      }
      // A text about models mentions tags too; models write the tag in a line of its own.
      if (!/^ {0,3}$/.test(this.lines.line)) continue;
      const lineEnd = /^[^\S\n]*(\n|$)/.exec(after)?.[1];
      if (lineEnd === undefined) continue;
      if (lineEnd === "" && !isEnd) return { taken: before, left: content.slice(index) };
      this.state = "start";
      this.hasThought = true;
      return { taken: before, left: after, isThinking: true };
    }
    const end = isEnd ? content.length : cutTagAt(content, from, [...closings, ...otherTags]);
    this.lines.push(content.slice(from, end));
    return { taken: content.slice(0, end), left: content.slice(end) };
  }

  private addLines(text: string): void {
    this.lines.push(text);
    if (!this.lines.isFenced) this.openInFence = 0;
  }

  /** Returns text of a block of thinking, without the blanks at its start. */
  private blockText(taken: string): string {
    if (!this.isBlockEmpty) return taken;
    const text = taken.trimStart();
    if (text === "") return "";
    this.isBlockEmpty = false;
    const isFirst = !this.hasBlock;
    this.hasBlock = true;
    return isFirst ? text : `\n\n${text}`;
  }
}

const NOTHING: SeparatedText = { isEarlierTextReasoning: false, reasoning: "", text: "" };

/** Separates a whole text. */
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

interface Opening {
  readonly length: number;
  readonly closings: readonly string[];
  /** Opening tags of the same kind, which may be in code of the thinking. */
  readonly openings: readonly string[];
}

/** Removes blanks at the start. A replacement would copy the rest of the text. */
function withoutBlanks(text: string): string {
  return text.slice(/^[\s\u200b\u2060]*/.exec(text)?.[0].length);
}

function openingAt(text: string): Opening | undefined {
  const [angle, name] = ANGLE_OPENING.exec(text) ?? [];
  if (angle !== undefined && name !== undefined) {
    const isTemplate = TEMPLATE_NAMES.includes(name.toLowerCase());
    const names = isTemplate ? TEMPLATE_NAMES : [name.toLowerCase()];
    return {
      length: angle.length,
      closings: names.map((one) => `</${one}>`),
      openings: names.map((one) => `<${one}>`),
    };
  }
  const pair = PAIRS.find(([opening]) => startsWith(text, opening));
  return pair && { length: pair[0].length, closings: pair[1], openings: [pair[0]] };
}

/** Returns true for the beginning of an opening tag, or of a closing tag without an opening tag. */
function mayStartTag(text: string): boolean {
  const isPrefix = (tag: string) => text.length < tag.length && startsWith(tag, text);
  return (
    ANGLE_OPENING_START.test(text) ||
    PAIRS.some(([opening]) => isPrefix(opening)) ||
    cutTagAt(text, 0, LONE_CLOSINGS) === 0
  );
}

/** Returns true if `text` begins with `start`, ignoring case. */
function startsWith(text: string, start: string): boolean {
  return text.slice(0, start.length).toLowerCase() === start.toLowerCase();
}

interface FoundTag {
  readonly index: number;
  readonly length: number;
  readonly tag: string;
  readonly isClosing: boolean;
}

/** Returns the complete tags of a text, in order. */
function* tagsIn(
  text: string,
  closings: readonly string[],
  openings: readonly string[],
): Generator<FoundTag, void, void> {
  for (let index = nextStart(text, 0); index !== -1;) {
    const closing = tagAt(text, index, closings);
    const tag = closing ?? tagAt(text, index, openings);
    if (tag !== undefined) yield { index, ...tag, isClosing: closing !== undefined };
    index = nextStart(text, index + (tag?.length ?? 1));
  }
}

/** An angle tag with blanks, or escaped as in JSON. */
const LOOSE_TAG = /^<[\s\\]{0,3}(\/?)[\s\\]{0,3}([\w:]{1,30})[\s\\]{0,3}>/;

/** Returns the tag at a position. */
function tagAt(
  text: string,
  index: number,
  tags: readonly string[],
): { tag: string; length: number } | undefined {
  const tag = tags.find((one) => startsWith(text.slice(index, index + one.length), one));
  if (tag !== undefined) return { tag, length: tag.length };
  const [whole, slash, name] = LOOSE_TAG.exec(text.slice(index, index + MAX_TAG)) ?? [];
  if (whole === undefined || slash === undefined || name === undefined) return undefined;
  const loose = tags.find((one) => one === `<${slash}${name.toLowerCase()}>`);
  return loose === undefined ? undefined : { tag: loose, length: whole.length };
}

function nextStart(text: string, from: number): number {
  TAG_START.lastIndex = from;
  return TAG_START.exec(text)?.index ?? -1;
}

/** Returns the position of a tag that is cut by the end of the text; the length without one. */
function cutTagAt(text: string, from: number, tags: readonly string[]): number {
  const first = Math.max(from, text.length - MAX_TAG);
  for (let index = nextStart(text, first); index !== -1;) {
    const ending = text.slice(index).toLowerCase();
    const plain = ending.replaceAll(/[\s\\]/g, "");
    const isCut = (tag: string): boolean => {
      const lower = tag.toLowerCase();
      return (ending.length < tag.length && lower.startsWith(ending)) || isLooseStart(lower, plain);
    };
    if (tags.some(isCut)) return index;
    index = nextStart(text, index + 1);
  }
  return text.length;
}

function isLooseStart(tag: string, plain: string): boolean {
  return plain.startsWith("<") && plain.length < tag.length && tag.startsWith(plain);
}

/** Returns true for blanks and last tokens only. */
function isLastPart(text: string, lastTokens: readonly string[]): boolean {
  return lastTokens.reduce((rest, token) => rest.replaceAll(token, ""), text).trim() === "";
}

/** Returns true if more text can make this the last part of an answer. */
function mayBeLastPart(text: string, lastTokens: readonly string[]): boolean {
  return isLastPart(text.slice(0, cutTagAt(text, 0, lastTokens)), lastTokens);
}

/** Returns true in an inline code at the end of a line. */
function isInCode(line: string): boolean {
  return (line.match(/`+/g)?.length ?? 0) % 2 === 1;
}

function isQuote(character: string | undefined): boolean {
  return character !== undefined && /[`"'“‘«「]/.test(character);
}

function isQuoted(before: string, after: string | undefined): boolean {
  return isQuote(before.at(-1)) && after !== undefined && /[`"'”’»」]/.test(after);
}
