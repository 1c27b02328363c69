/**
 * The question for a commit message. Its reply is read by commitReply.ts.
 */
import type { Part } from "../conversation/message";

/** The input of a commit message. */
export interface CommitRequest {
  /** The diff, bounded. */
  readonly diff: string;
  /** Files git does not know yet, with the start of their text; empty for none. */
  readonly newFiles: string;
  /** First lines of the last commits, newest first: the style to follow. */
  readonly recentSubjects: readonly string[];
  /** Text the user began to write; empty for none. */
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
