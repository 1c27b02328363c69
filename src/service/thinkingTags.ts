/**
 * Separates a model's thinking from its answer where both are in the content of a reply:
 * `<think>…</think>` and the tags of other models. Text is thinking only between tags at the start;
 * an unclosed tag makes the whole rest thinking. Some chat templates begin inside the thinking, so
 * the first closing tag without an opening tag makes all text before it thinking. In code and later
 * in the text, tags are text.
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
  `^<(?:[\\w:]{0,40}|(?:\\w{1,20}:)?(?:${NAME})\\s[^<>]{0,200})$`,
  "i",
);

/** Final channel of the harmony format, with the tokens before it that servers may leave out. */
const FINAL = ["<|end|><|start|>assistant", "<|start|>assistant", "<|end|>", ""].map(
  (before) => `${before}<|channel|>final<|message|>`,
);

/** Other pairs: opening tags, and the closing tags of each. */
const PAIRS: readonly (readonly [string, readonly string[]])[] = [
  ["[think]", ["[/think]"]],
  ["[thinking]", ["[/thinking]"]],
  ["◁think▷", ["◁/think▷"]],
  ["<|begin_of_thought|>", ["<|end_of_thought|>"]],
  ["<|channel|>analysis<|message|>", FINAL],
  ["<|start|>assistant<|channel|>analysis<|message|>", FINAL],
];

/** Tags that may be without their counterpart, because chat templates write the counterpart. */
const TEMPLATE_NAMES = ["think", "thinking", "seed:think"];
const LONE_CLOSINGS = [
  ...TEMPLATE_NAMES.map((name) => `</${name}>`),
  ...new Set(PAIRS.flatMap(([, closings]) => closings)),
];
const LATER_OPENINGS = TEMPLATE_NAMES.map((name) => `<${name}>`);

const TEXT_TAGS = [...LONE_CLOSINGS, ...LATER_OPENINGS];

/** Code units with which a tag can start. */
const TAG_START = /[<[◁]/g;

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
  private lines = new FencedLines();
  /** Opening tags in the fence around the current position. */
  private openInFence = 0;
  private hasThought = false;
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
      if (before === "answer") {
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
        const { taken, left, isThinking } = this.readUndecided(rest, isEnd);
        if (isThinking) {
          isEarlierTextReasoning = true;
          this.hasBlock = true;
          reasoning += text + taken;
          text = "";
        } else text += taken;
        rest = left;
      }
      if (this.state === before) {
        this.held = rest;
        break;
      }
    }
    return { isEarlierTextReasoning, reasoning, text };
  }

  /** Reads up to the first tag or text; returns the content from there on. */
  private readStart(content: string, isEnd: boolean): string {
    const rest = content.trimStart();
    const opening = openingAt(rest);
    if (opening !== undefined) {
      this.closings = opening.closings;
      this.openings = opening.openings;
      this.state = "inside";
      this.lines = new FencedLines();
      this.isBlockEmpty = true;
      return rest.slice(opening.length);
    }
    const closing = LONE_CLOSINGS.find((tag) => startsWith(rest, tag));
    if (closing !== undefined) {
      this.hasThought = true;
      return this.readStart(rest.slice(closing.length), isEnd);
    }
    if (!isEnd && (rest === "" || mayStartTag(rest))) return content;
    this.state = this.hasThought ? "answer" : "undecided";
    return this.hasThought ? rest : content;
  }

  /** Reads up to the closing tag. */
  private readInside(content: string, isEnd: boolean): { taken: string; left: string } {
    let from = 0;
    for (const { index, tag, isClosing } of tagsIn(content, this.closings, this.openings)) {
      this.addLines(content.slice(from, index));
      from = index;
      const next = index + tag.length;
      // The character behind the tag decides whether the tag is quoted.
      if (next === content.length && !isEnd && isQuote(this.lines.line.at(-1))) {
        return { taken: content.slice(0, index), left: content.slice(index) };
      }
      if (isQuoted(this.lines.line, content[next])) continue;
      if (!isClosing) this.openInFence += this.lines.isFenced ? 1 : 0;
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

  /** Reads text up to a closing tag without an opening tag, or to an opening tag. */
  private readUndecided(
    content: string,
    isEnd: boolean,
  ): { taken: string; left: string; isThinking: boolean } {
    let from = 0;
    for (const { index, tag, isClosing } of tagsIn(content, LONE_CLOSINGS, LATER_OPENINGS)) {
      this.lines.push(content.slice(from, index));
      from = index;
      if (!isClosing || ++this.checkedTags > MAX_CHECKED_TAGS) {
        // A tag of a text about tags.
        this.state = "answer";
        return { taken: content.slice(0, index), left: content.slice(index), isThinking: false };
      }
      const next = index + tag.length;
      const behind = /^[^\S\n]*/.exec(content.slice(next))?.[0].length ?? 0;
      if (next + behind === content.length && !isEnd) {
        return { taken: content.slice(0, index), left: content.slice(index), isThinking: false };
      }
      if (this.lines.isFenced || isPartOfSentence(this.lines.line, content.slice(next))) continue;
      this.state = "start";
      this.hasThought = true;
      return { taken: content.slice(0, index), left: content.slice(next), isThinking: true };
    }
    const end = isEnd ? content.length : cutTagAt(content, from, TEXT_TAGS);
    this.lines.push(content.slice(from, end));
    return { taken: content.slice(0, end), left: content.slice(end), isThinking: false };
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
    LONE_CLOSINGS.some(isPrefix)
  );
}

/** Returns true if `text` begins with `start`, ignoring case. */
function startsWith(text: string, start: string): boolean {
  return text.slice(0, start.length).toLowerCase() === start.toLowerCase();
}

interface FoundTag {
  readonly index: number;
  readonly tag: string;
  readonly isClosing: boolean;
}

/** Returns the complete tags of a text, in order. */
function* tagsIn(
  text: string,
  closings: readonly string[],
  openings: readonly string[],
): Generator<FoundTag, void, void> {
  for (let index = nextStart(text, 0); index !== -1; index = nextStart(text, index + 1)) {
    const isHere = (tag: string) => startsWith(text.slice(index, index + tag.length), tag);
    const closing = closings.find(isHere);
    const tag = closing ?? openings.find(isHere);
    if (tag === undefined) continue;
    yield { index, tag, isClosing: closing !== undefined };
    index += tag.length - 1;
  }
}

function nextStart(text: string, from: number): number {
  TAG_START.lastIndex = from;
  return TAG_START.exec(text)?.index ?? -1;
}

/** Returns the position of a tag that is cut by the end of the text; the length without one. */
function cutTagAt(text: string, from: number, tags: readonly string[]): number {
  const first = Math.max(from, text.length - MAX_TAG);
  for (let index = nextStart(text, first); index !== -1; index = nextStart(text, index + 1)) {
    const rest = text.slice(index).toLowerCase();
    if (tags.some((tag) => rest.length < tag.length && tag.startsWith(rest))) return index;
  }
  return text.length;
}

function isQuote(character: string | undefined): boolean {
  return character !== undefined && /[`"'“‘«「]/.test(character);
}

function isQuoted(before: string, after: string | undefined): boolean {
  return isQuote(before.at(-1)) && after !== undefined && /[`"'”’»」]/.test(after);
}

/**
 * Returns true for a closing tag that a sentence, an inline code or a quotation mentions.
 * @param line line up to the tag
 * @param after text behind the tag
 */
function isPartOfSentence(line: string, after: string): boolean {
  if (isQuoted(line, after[0])) return true;
  const marks = line.match(/`+/g)?.length ?? 0;
  if (marks % 2 === 1) return true;
  const isLast = /^[^\S\n]*(?:\n|$)/.test(after);
  // In the middle of a sentence: after a word and a blank.
  return !isLast && /[^\s.!?…。！？:：;)\]}*_`"”]\s+$/u.test(line);
}
