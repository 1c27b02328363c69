/**
 * Separates a model's thinking from its answer where both are in the content of a reply:
 * `<think>…</think>` and the tags of other models. Text is thinking only between tags at the start;
 * an unclosed tag makes the whole rest thinking. Some chat templates begin inside the thinking, so
 * the first closing tag without an opening tag makes all text before it thinking. Later in the text,
 * only a line that is an opening tag, after a blank line, begins thinking. In code, tags are text.
 */
import { FencedLines } from "./fencedLines";

/** Part of the content, separated. */
export interface SeparatedText {
  /** True if all text that was returned before is thinking; `reasoning` continues it. */
  readonly isEarlierTextReasoning: boolean;
  readonly reasoning: string;
  readonly text: string;
}

/** Tag names, of the form `<name>…</name>`, optionally with a namespace. */
const NAME =
  "(?:ant)?think(?:ing)?|thoughts?|thought_process|reasoning|reflection|scratchpad|inner_monologue";
const ANGLE_OPENING = new RegExp(`^<((?:\\w{1,20}:)?(?:${NAME}))(?:\\s[^<>]{0,200})?>`, "i");
const ANGLE_OPENING_START = new RegExp(
  `^<(?:[\\w:]{0,40}|(?:\\w{1,20}:)?(?:${NAME}|details)\\s[^<>]{0,200})$`,
  "i",
);

/**
 * Thinking of relays in the form of Open WebUI, with a summary as "Thought for 3 seconds", which is not
 * thinking: https://github.com/open-webui/open-webui
 */
const DETAILS = {
  opening: /^<details\s[^<>]{0,100}\btype="reasoning"[^<>]{0,100}>/i,
  title: ["<summary>", "</summary>"],
} as const;

/** Length of a title with its tags, in UTF-16 units. */
const MAX_TITLE = 300;

/** Final channel of the harmony format, with the tokens before it that servers may leave out. */
const FINAL = ["<|end|><|start|>assistant", "<|start|>assistant", "<|end|>", ""].map(
  (before) => `${before}<|channel|>final<|message|>`,
);

/** Other pairs: opening tags, and the closing tags of each. */
const PAIRS: readonly (readonly [string, readonly string[]])[] = [
  // Gemma 4: https://ai.google.dev/gemma/docs/core/prompt-formatting-gemma4
  ["<|channel>thought", ["<channel|>"]],
  // gpt-oss: https://github.com/openai/harmony/blob/main/docs/format.md#channels
  ["<|channel|>commentary<|message|>", FINAL],
  ["[think]", ["[/think]"]],
  ["[thinking]", ["[/thinking]"]],
  ["◁think▷", ["◁/think▷"]],
  ["<|begin_of_thought|>", ["<|end_of_thought|>"]],
  ["<|channel|>analysis<|message|>", FINAL],
  ["<|start|>assistant<|channel|>analysis<|message|>", FINAL],
];

/** First words of thinking that only a later closing proves, and its closings. */
const PROSE_PAIRS: readonly (readonly [string, readonly string[]])[] = [
  // Granite: vllm/entrypoints/openai/reasoning_parsers/granite_reasoning_parser.py of vLLM
  ["Here is my thought process:", ["Here is my response:", "Here's my response:"]],
  ["Here's my thought process:", ["Here's my response:", "Here is my response:"]],
  // Apriel: https://huggingface.co/ServiceNow-AI/Apriel-1.5-15b-Thinker
  ["Here are my reasoning steps:", ["[BEGIN FINAL RESPONSE]"]],
  // gpt-oss without its special tokens
  ["analysis", ["assistantfinal"]],
];

/** Tokens around an answer or a part of it, which are no text. */
const WRAPPERS = [
  // GLM-4.5V: https://github.com/Blaizzy/mlx-vlm/pull/2225
  "<|begin_of_box|>",
  "<|end_of_box|>",
  "<|begin_of_solution|>",
  "<|end_of_solution|>",
];

/** Tokens after an answer. */
const LAST_TOKENS = [
  "<|return|>", // https://github.com/openai/harmony/issues/57
  "<|end|>",
  "[END FINAL RESPONSE]", // Apriel
];

/** Tags that enclose an answer after thinking. */
const ANSWERS: readonly (readonly [string, string])[] = [
  // Hunyuan: vllm/reasoning/hunyuan_a13b_reasoning_parser.py of vLLM
  ["<answer>", "</answer>"],
];

/** Tags that may be without their counterpart, because chat templates write the counterpart. */
const TEMPLATE_NAMES = ["think", "thinking", "seed:think"];
const LONE_CLOSINGS = [
  ...TEMPLATE_NAMES.map((name) => `</${name}>`),
  ...new Set(PAIRS.flatMap(([, closings]) => closings)),
  "[BEGIN FINAL RESPONSE]", // Apriel, whose template may write the first words
];
const LATER_OPENINGS = TEMPLATE_NAMES.map((name) => `<${name}>`);

/** Tags in the text of an answer with these last tokens. */
const laterTags = (lastTokens: readonly string[]) => [
  ...LATER_OPENINGS,
  ...WRAPPERS,
  ...lastTokens,
];

/** Code units with which a tag can start. */
const TAG_START = /[<[◁]/g;
/** The same with the closings of `PROSE_PAIRS`. */
const PROSE_TAG_START = /[<[◁ha]/gi;

/** Length of the longest tag, in UTF-16 units. */
const MAX_TAG = 80;

/** Maximum number of checked closing tags in the text; bounds the cost of a hostile reply. */
const MAX_CHECKED_TAGS = 1000;

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
  /** Tags around the title of the block, until it was read, and what of it was received. */
  private title: Opening["title"];
  private heldTitle = "";
  private lines = new FencedLines();
  /** Opening tags in the fence around the current position. */
  private openInFence = 0;
  /** Tokens that are no text after the answer, and with them all tags of its text. */
  private lastTokens: readonly string[] = LAST_TOKENS;
  private laterTags = laterTags(LAST_TOKENS);
  private hasThought = false;
  private hasAnswer = false;
  /** Opening tags inside of thinking that had no closing tag yet, unless they are mentions. */
  private nestedCount = 0;
  /** Closings of the first words; empty for others. */
  private proseClosings: readonly string[] = [];
  private isBlockEmpty = true;
  private hasBlock = false;
  private checkedTags = 0;

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
    let rest = this.held + added;
    this.held = "";
    let isEarlierTextReasoning = false;
    let reasoning = "";
    let text = "";
    while (rest !== "") {
      const before = this.state;
      if (before === "answer" && this.checkedTags > MAX_CHECKED_TAGS) {
        text += rest;
        break;
      }
      if (before === "start") {
        rest = this.readStart(rest, isEnd);
      } else if (before === "inside") {
        const { taken, left } = this.readInside(rest, isEnd);
        reasoning += this.blockText(taken);
        rest = left;
      } else {
        const { taken, left, isThinking, isPart } = this.readText(rest, isEnd);
        if (isThinking) {
          isEarlierTextReasoning = true;
          this.hasBlock = true;
          reasoning += text + taken;
          text = "";
        } else text += taken;
        rest = left;
        if (isPart) continue;
      }
      if (this.state === before) {
        this.held = rest;
        break;
      }
    }
    return { isEarlierTextReasoning, reasoning, text };
  }

  /** Reads up to the first tag or text; returns the content from there on. */
  private readStart(start: string, isEnd: boolean): string {
    let content = start;
    let rest = withoutBlanks(content);
    // A loop: one call for each closing tag would overflow the stack.
    for (;;) {
      const opening = openingAt(rest);
      if (opening !== undefined) {
        this.begin(opening);
        return rest.slice(opening.length);
      }
      const closing = tagAt(rest, 0, LONE_CLOSINGS);
      const length = closing?.length ?? this.answerTagAt(rest);
      if (length === 0) break;
      this.hasThought = true;
      content = rest.slice(length);
      rest = withoutBlanks(content);
    }
    if (!isEnd && (rest === "" || mayStartTag(rest))) return content;
    this.state = this.hasThought && this.nestedCount === 0 ? "answer" : "undecided";
    this.lines = new FencedLines();
    if (this.hasThought) return rest;
    const prose = PROSE_PAIRS.find(([first]) => rest.startsWith(first));
    this.proseClosings = prose?.[1] ?? [];
    return content;
  }

  /** Returns the length of a tag that encloses the answer after thinking, whose closing is no text. */
  private answerTagAt(rest: string): number {
    const found = this.hasThought && ANSWERS.find(([tag]) => startsWith(rest, tag));
    if (!found) return 0;
    this.lastTokens = [...LAST_TOKENS, found[1]];
    this.laterTags = laterTags(this.lastTokens);
    return found[0].length;
  }

  private begin({ closings, openings, title }: Opening): void {
    this.title = title;
    this.heldTitle = "";
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
      else if (!isClosing) this.nestedCount += this.hasAnswer ? 0 : 1;
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
   * Reads text up to a closing tag without an opening tag, to an opening tag, or to a token that is
   * no text; `isPart` is true if more text may follow.
   */
  private readText(
    content: string,
    isEnd: boolean,
  ): { taken: string; left: string; isThinking?: boolean; isPart?: boolean } {
    const isUndecided = this.state === "undecided";
    const closings = isUndecided ? [...LONE_CLOSINGS, ...this.proseClosings] : [];
    const start = this.proseClosings.length > 0 ? PROSE_TAG_START : TAG_START;
    let from = 0;
    for (const { index, length, tag, isClosing } of tagsIn(
      content,
      closings,
      this.laterTags,
      start,
    )) {
      this.lines.push(content.slice(from, index));
      from = index;
      const next = index + length;
      const taken = content.slice(0, index);
      const after = content.slice(next);
      if (this.lines.isFenced || isInCode(this.lines.line)) continue;
      if (WRAPPERS.includes(tag)) return { taken, left: after, isPart: true };
      if (this.lastTokens.includes(tag)) {
        if (isEnd && isLastPart(after, this.lastTokens)) return { taken, left: "" };
        if (!isEnd && mayBeLastPart(after, this.lastTokens))
          return { taken, left: content.slice(index) };
        continue;
      }
      const isKnown = /^[^\S\n]*(?:\n[^\S\n]*)?\S|\n[^\S\n]*\n/.test(after);
      if (!isKnown && !isEnd) return { taken, left: content.slice(index) };
      if (!isClosing) {
        const { line, isAfterBlank } = this.lines;
        if (isAfterBlank && line.trim() === "" && /^[^\S\n]*\n/.test(after)) {
          this.begin({ length, closings: LONE_CLOSINGS, openings: LATER_OPENINGS });
          this.hasAnswer = true;
          return { taken, left: after };
        }
        if (isUndecided) {
          // A tag of a text about tags.
          this.state = "answer";
          return { taken, left: content.slice(index) };
        }
      }
      if (++this.checkedTags > MAX_CHECKED_TAGS) {
        this.state = "answer";
        return { taken: content, left: "" };
      }
      if (!isClosing) continue;
      const isProse = this.proseClosings.includes(tag);
      if (!isProse && isPartOfSentence(this.lines.line, after)) continue;
      this.state = "start";
      this.hasThought = true;
      this.nestedCount = Math.max(0, this.nestedCount - 1);
      this.proseClosings = [];
      return { taken, left: after, isThinking: true };
    }
    const end = isEnd
      ? content.length
      : cutTagAt(content, from, [...closings, ...this.laterTags], start);
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
    const text = this.withoutTitle(taken.trimStart());
    if (text === "") return "";
    this.isBlockEmpty = false;
    const isFirst = !this.hasBlock;
    this.hasBlock = true;
    return isFirst ? text : `\n\n${text}`;
  }

  /** Returns the text behind the title at the start of a block; empty while the title may grow. */
  private withoutTitle(taken: string): string {
    if (this.title === undefined) return taken;
    const [opening, closing] = this.title;
    const text = this.heldTitle + taken;
    const end = text.indexOf(closing);
    const isTitle = startsWith(text, opening);
    const mayGrow = startsWith(opening, text) || (isTitle && end < 0 && text.length < MAX_TITLE);
    if (this.state === "inside" && mayGrow) {
      this.heldTitle = text;
      return "";
    }
    this.title = undefined;
    return isTitle && end >= 0 ? text.slice(end + closing.length).trimStart() : text;
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
  /** Tags around a title at the start, which is not thinking. */
  readonly title?: readonly [string, string];
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
  const details = DETAILS.opening.exec(text)?.[0];
  if (details !== undefined) {
    const { title } = DETAILS;
    return { length: details.length, closings: ["</details>"], openings: ["<details>"], title };
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
    PROSE_PAIRS.some(([first]) => text.length < first.length && first.startsWith(text)) ||
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
  start = TAG_START,
): Generator<FoundTag, void, void> {
  for (let index = nextStart(text, 0, start); index !== -1;) {
    const closing = tagAt(text, index, closings);
    const found = closing ?? tagAt(text, index, openings);
    if (found !== undefined) yield { index, ...found, isClosing: closing !== undefined };
    index = nextStart(text, index + (found?.length ?? 1), start);
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

function nextStart(text: string, from: number, start: RegExp): number {
  start.lastIndex = from;
  return start.exec(text)?.index ?? -1;
}

/** Returns the position of a tag that is cut by the end of the text; the length without one. */
function cutTagAt(text: string, from: number, tags: readonly string[], start = TAG_START): number {
  const first = Math.max(from, text.length - MAX_TAG);
  for (let index = nextStart(text, first, start); index !== -1;) {
    const rest = text.slice(index).toLowerCase();
    const plain = rest.replaceAll(/[\s\\]/g, "");
    const isCut = (tag: string): boolean => {
      const lower = tag.toLowerCase();
      return (rest.length < tag.length && lower.startsWith(rest)) || isLooseStart(lower, plain);
    };
    if (tags.some(isCut)) return index;
    index = nextStart(text, index + 1, start);
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
  const cut = cutTagAt(text, 0, lastTokens);
  return isLastPart(text.slice(0, cut), lastTokens);
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

const IN_WORD_END = /[\p{Script=Latin}\p{N}]$/u;
const IN_WORD_START = /^[\p{Script=Latin}\p{N}]/u;

/**
 * Returns true for a closing tag that a sentence, an inline code or a quotation mentions.
 * @param line line up to the tag
 * @param after text behind the tag
 */
function isPartOfSentence(line: string, after: string): boolean {
  if (isQuoted(line, after[0])) return true;
  if ((line.match(/\*\*/g)?.length ?? 0) % 2 === 1) return true;
  // Indented code.
  if (/^(?: {4,}|\t\s*)$/.test(line)) return true;
  // A mention in a language with blanks has a blank or a mark next to it.
  if (IN_WORD_END.test(line) && IN_WORD_START.test(after)) return false;
  // A sentence goes on: no end of a sentence before the tag, no blank line behind.
  const isLast = /^[^\S\n]*(?:\n[^\S\n]*\n|$)/.test(after);
  return !isLast && /[^\s.!?…。！？:：;)\]}*_`"”]\s*$/u.test(line);
}
