/**
 * Commit messages: what the model is asked, and the message in its reply while that comes.
 */
import type { Part } from "../conversation/message";

/** What a message is made from. */
export interface CommitRequest {
  /** The diff, bounded. */
  readonly diff: string;
  /** Files git does not know yet, with the start of their text; empty for none. */
  readonly newFiles: string;
  /** First lines of the last commits, newest first: the style to follow. */
  readonly recentSubjects: readonly string[];
  /** What the person began to write; empty for nothing. */
  readonly begun: string;
}

/** The parts of the question. */
export function commitQuestion({ diff, newFiles, recentSubjects, begun }: CommitRequest): Part[] {
  const parts = [
    "Write the message of a git commit with the changes below: a subject of at most 72 " +
      "characters in the imperative, then, only if it helps, an empty line and a short body that " +
      "says why. Answer with the message and nothing else: no fence, no quotes.",
  ];
  if (recentSubjects.length > 0) {
    parts.push(`Follow the style of these subjects:\n${recentSubjects.join("\n")}`);
  }
  if (begun.trim() !== "") parts.push(`The message was begun like this; go by it:\n${begun}`);
  if (newFiles !== "") parts.push(`New files:\n${newFiles}`);
  if (diff !== "") parts.push(`Changes:\n${diff}`);
  return [{ kind: "text", text: parts.join("\n\n") }];
}

/**
 * The message in a reply, be it whole or the start of one: without a fence, quotes or an
 * introduction. What may turn out to be one of these is left out until more has come.
 */
export function commitText(reply: string, isWhole: boolean): string {
  const lines = reply.replaceAll("\r\n", "\n").split("\n");
  const last = lines.at(-1) ?? "";
  if (!isWhole && /^\s*(`{1,3}|~{1,3})[\w-]*$/.test(last)) lines.pop();
  const open = lines.findIndex((line) => /^\s*(```|~~~)/.test(line));
  const isFenced = open !== -1 && lines.slice(0, open).every(isBlankOrIntroduction);
  const body = isFenced ? untilFence(lines.slice(open + 1)) : withoutIntroduction(lines);
  const text = body.join("\n").trim();
  return unquoted(text, isWhole);
}

function untilFence(lines: readonly string[]): readonly string[] {
  const close = lines.findIndex((line) => /^\s*(```|~~~)/.test(line));
  return close === -1 ? lines : lines.slice(0, close);
}

/** "Here is the message:" before an empty line. */
function withoutIntroduction(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const isIntroduction = /^(here|sure|commit message)\b.*:$/i.test(lines[first]?.trim() ?? "");
  return isIntroduction ? lines.slice(first + 1) : lines;
}

function isBlankOrIntroduction(line: string): boolean {
  return line.trim() === "" || /[:.!]$/.test(line.trim());
}

function unquoted(text: string, isWhole: boolean): string {
  const mark = /^["'`]/.exec(text)?.[0];
  if (mark === undefined) return text;
  const isQuoted = text.endsWith(mark) && text.length > 1 && !text.slice(1, -1).includes(mark);
  if (isQuoted) return text.slice(1, -1);
  return isWhole || text.slice(1).includes(mark) ? text : text.slice(1);
}
