/** Titles of conversations: the user's, or one made from the first question. */
import type { Conversation } from "./conversation";
import type { UserMessage } from "./message";

const MAX_TITLE_CHARACTERS = 60;

/** Part of a question that a title is made of, in UTF-16 units; longer than a title because of marks. */
const TITLE_SOURCE_UNITS = 1_000;

/**
 * Returns the user's title, or the start of the first question without Markdown marks; undefined
 * without either.
 */
export function titleOf(conversation: Conversation): string | undefined {
  if (conversation.title !== undefined) return conversation.title;
  const first = firstQuestion(conversation);
  if (first === undefined) return undefined;
  return cutTitle(questionLine(first));
}

/** True for a fork with the title that its origin has too. */
export function isUntitledFork({ title, forkedFrom }: Conversation): boolean {
  return title === undefined && forkedFrom !== undefined;
}

function cutTitle(line: string): string {
  const characters = Array.from(line);
  return characters.length > MAX_TITLE_CHARACTERS
    ? characters.slice(0, MAX_TITLE_CHARACTERS - 1).join("") + "…"
    : line;
}

/** Returns the first question of the tree; if it was forgotten or cannot be read, another one. */
function firstQuestion({ messages, children }: Conversation): UserMessage | undefined {
  const [firstId] = children.get(null) ?? [];
  const first = firstId === undefined ? undefined : messages.get(firstId);
  if (first?.role === "user" && first.isForgotten !== true) return first;
  for (const message of messages.values())
    if (message.role === "user" && message.isForgotten !== true && message.isAside !== true)
      return message;
  return undefined;
}

function questionLine(message: UserMessage): string {
  for (const part of message.parts) {
    if (part.kind === "text" && part.text.trim() !== "") {
      const source = part.text.trim().slice(0, TITLE_SOURCE_UNITS);
      return onOneLine(withoutMarks(source)) || onOneLine(source);
    }
  }
  const [first] = message.parts;
  if (first?.kind === "image") return first.name;
  if (first?.kind === "note") return first.label;
  return first?.kind === "excerpt" ? first.path : "";
}

function onOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}

/** Lines of fences, and the marks of headings and quotes. */
const BLOCK_MARKS = /^ {0,3}(?:`{3,}[^`\n]*$|~~~.*$|#{1,6} +|> ?)/gm;

const CODE_SPAN = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/;
const LINK_OR_PICTURE = /(?<![\w\])])!?\[([^\][\n]+)\]\([^()\s]+\)/;
const BOLD = /(?<![\w*])\*\*(?=[^\s*])(.+?)(?<=[^\s*])\*\*(?![\w*])/;
const EMPHASIS = /(?<![\w*])\*(?=[\p{L}\p{N}])([^*\n]+)(?<=[\p{L}\p{N}])\*(?![\w*])/u;

/** Made of the patterns above. Groups: backticks, code, text of a link, bold text, emphasized text. */
const INLINE_MARKS = new RegExp(
  [CODE_SPAN, LINK_OR_PICTURE, BOLD, EMPHASIS].map(({ source }) => source).join("|"),
  "gu",
);

/**
 * Removes Markdown marks that cannot be part of code: `**kwargs`, `2**3`, `__init__` and `*.ts` stay.
 */
function withoutMarks(text: string): string {
  return text
    .replaceAll(BLOCK_MARKS, "")
    .replaceAll(
      INLINE_MARKS,
      (_all, _ticks, code?: string, link?: string, bold?: string, emphasized?: string) =>
        code?.trim() ?? withoutMarks(link ?? bold ?? emphasized ?? ""),
    );
}
