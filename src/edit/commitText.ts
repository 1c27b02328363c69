/** Builds the question for a commit message; commitReply.ts reads the reply. */
import type { Part } from "../conversation/message";

export interface CommitRequest {
  /** Diff of bounded length. */
  readonly diff: string;
  /** Untracked files with the start of their text; empty if there are none. */
  readonly newFiles: string;
  /** First lines of the latest commits, newest first: examples of the style. */
  readonly recentSubjects: readonly string[];
  /** Text that the user already entered; empty if there is none. */
  readonly begun: string;
}

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
