/**
 * Finds placeholders for code that a reply leaves out. Marks with dots are placeholders by
 * themselves ("// ... existing code ..."). Any other comment is one only if it stands in place of
 * code, so that no words of a language are needed.
 */
import { CLOSER } from "./flaws";
import { MIN_SIMILARITY, similarity } from "./likeness";
import { isBlank, wordsOf } from "./lines";

/** Longest line that can be a placeholder, in UTF-16 units. */
const MAX_LENGTH = 160;

const COMMENT_START =
  /^(?:\/\/+|#+(?!\[|(?:if(?:n?def)?|el(?:se|if)|endif|define|undef|pragma)\b)|--\[\[|--|\/\*+|<!--|<%--|<%#|\{\/\*|\{-|\{#|\{\{!?--|\{% comment %\}|@\*|\(\*|(?:[;%]+|\*>?|["'!]|rem|\.\.)(?=\s))/i;
const COMMENT_END = /(?:\*\/\}?|--\}?\}?>?|-\}|#\}|%>|\{% endcomment %\}|\*@|\*\)|\]\])$/;

/** Dots at both ends, dots before a blank, or nothing but dots; optionally in brackets or two. */
const MARK =
  /^(?:[([{<]|\{\{ )?(?:(?:\.{3}\.{0,9}|…{1,9})(?:\s.*)?|(?:\.{3}|…).*(?:\.{3}|…))(?:[)\]}>]| \}\})?$/;

/** Chinese comment for left-out code, which often has no dots: "the other code is unchanged". */
const CHINESE_MARK =
  /^[(（]?(?:(?:其[他它余]|剩余|余下|原有|现有|已有)\p{Script=Han}{0,10}(?:不变|省略|相同)|(?:其余|剩余|余下|原有|现有|已有)\p{Script=Han}{0,8}(?:代码|部分|方法|逻辑|内容|字段|函数|实现)|(?:此处|以下|中间|这里)省略\p{Script=Han}{0,10}|省略(?:其[他它余]|了)\p{Script=Han}{0,10})[)）。]?$/u;

export function isLeftOut(line: string): boolean {
  if (line.length > MAX_LENGTH) return false;
  const text = line.trim();
  const comment = commentText(text);
  return comment === undefined
    ? MARK.test(text) || /\s=\s(?:\.{3}|…)[;,]?\s{0,4}\/\/\s/.test(text)
    : MARK.test(comment) || CHINESE_MARK.test(comment) || /^(?:\.{3}|…)/.test(comment);
}

/** Returns true for a line of dots that is the body of a Python function or class. */
export function isStub(line: string, lineAbove = ""): boolean {
  return /^\s*\.{3}\s*$/.test(line) && /:\s*$/.test(lineAbove);
}

/** Returns the first placeholder for left-out code in new lines that the existing ones do not have. */
export function newPlaceholder(
  lines: readonly string[],
  existing: readonly string[] = [],
): string | undefined {
  const fileLines = new Set(existing.map((line) => line.trim()));
  const isGap = (line: string, at: number) => isLeftOut(line) && !isStub(line, lines[at - 1]);
  return lines.find((line, at) => isGap(line, at) && !fileLines.has(line.trim()));
}

/**
 * Returns the comment that stands in place of code: there is less code than before, the comment does
 * not have its words, and describes no new line below. Such a line has words of the old code.
 * @param below lines below the new ones
 */
export function standingForCode(
  lines: readonly string[],
  replaced: readonly string[],
  below: readonly string[],
): string | undefined {
  const isCode = (line: string) => !isBlank(line) && !isComment(line);
  const filled = lines.filter((line) => !isBlank(line));
  const code = replaced.filter(isCode);
  const added = filled.filter(isCode);
  const stays = (line: string) => added.some((one) => similarity(line, one) >= MIN_SIMILARITY);
  if (added.length >= code.length + Number(!code.some(stays))) return undefined;
  const next = below.find((line) => !isBlank(line)) ?? "";
  const words = wordsOf(code.join("\n"));
  const addedWords = [...wordsOf(added.join("\n"))];
  const isNewCode = addedWords.some((word) => words.has(word));
  const comments = filled.filter((line, at) => {
    if (!isComment(line)) return false;
    const following = filled[at + 1] ?? next;
    if (following === "" || CLOSER.test(following) || added.length === 0) return true;
    if (added.length + 2 > code.length || next === "") return false;
    // The line below the comment may be a new version of an old line that comes after others.
    const isVersion = (old: string) => similarity(old, following) >= MIN_SIMILARITY;
    const isOther = code.every(isVersion) || code.findIndex(isVersion) > 1;
    return following === next || !isNewCode || isOther;
  });
  const common = [...wordsOf(comments.join("\n"))].filter((word) => words.has(word)).length;
  return common < words.size / 2 ? comments[0] : undefined;
}

function isComment(line: string): boolean {
  return commentText(line.trim()) !== undefined;
}

/** Returns the text of a line that is a whole comment. */
export function commentText(text: string): string | undefined {
  const [start] = COMMENT_START.exec(text) ?? [];
  return start && text.slice(start.length).replace(COMMENT_END, "").trim();
}
