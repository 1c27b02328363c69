/**
 * Builds the question for an edit: the target lines, their context, their problems and the answer
 * format that replyFold.ts expects.
 */
import { withoutOthers } from "../context/overlap";
import type { ExcerptPart, Part, RelatedPart } from "../conversation/message";

/** Input for the first question of an edit. */
export interface EditRequest {
  /** `rewrite` replaces the target's lines; `generate` adds new lines at the target's position. */
  readonly kind: "rewrite" | "generate";
  /** Text that the user entered. */
  readonly instruction: string;
  /** Lines to rewrite; for `generate`, the line that contains the cursor. */
  readonly target: ExcerptPart;
  /** Imports of the file, if they are above `before`. */
  readonly imports?: ExcerptPart;
  /** Context directly before and after the target, within the size budget. */
  readonly before?: ExcerptPart;
  readonly after?: ExcerptPart;
  /** Definitions that the target uses. */
  readonly definitions?: RelatedPart;
  /** Problems in these lines, each on a separate line; empty if there are none. */
  readonly problems: string;
}

export function editQuestion(request: EditRequest): Part[] {
  const { kind, target, imports, before, after, definitions, problems, instruction } = request;
  const own = [target, imports, before, after].filter((part) => part !== undefined);
  const lines = linesOf(target);
  const parts: Part[] = [
    text(
      kind === "rewrite"
        ? `Rewrite ${lines} of ${target.path} (${target.languageId}) as asked below.`
        : `Write new lines at ${lines} of ${target.path} (${target.languageId}) as asked below.`,
    ),
  ];
  if (definitions !== undefined) parts.push(...withoutOthers(definitions, own));
  if (imports !== undefined) parts.push(text("Imports of the file, unchanged:"), imports);
  if (before !== undefined) parts.push(text("What stands before, unchanged:"), before);
  parts.push(
    text(kind === "rewrite" ? "The lines to rewrite:" : "The line at the cursor:"),
    target,
  );
  if (after !== undefined) parts.push(text("What stands after, unchanged:"), after);
  if (problems !== "") parts.push(text(`Problems in these lines:\n${problems}`));
  parts.push(text(`What is asked:\n${instruction}`), text(answerRule(kind, target)));
  return parts;
}

/**
 * Returns the parts of a question that refines an edit.
 * @param now current lines, if they differ from the last answer
 */
export function refiningQuestion(instruction: string, now: ExcerptPart | undefined): Part[] {
  const parts: Part[] = [text(`Change your last answer as asked:\n${instruction}`)];
  if (now !== undefined) parts.push(text("The lines are now:"), now);
  parts.push(
    text("Answer with the whole new text again, in one fenced code block and nothing else."),
  );
  return parts;
}

function answerRule(kind: EditRequest["kind"], target: ExcerptPart): string {
  const what = kind === "rewrite" ? "the whole new text of these lines" : "the new lines alone";
  const fence =
    /^[ \t]*```/m.test(target.text) || target.languageId === "markdown" ? " (````)" : "";
  return (
    `Answer with ${what} in one fenced code block${fence} and nothing else: no explanation, no ` +
    "line numbers, nothing left out. Keep the indentation and the style of the file."
  );
}

function linesOf({ startLine = 1, endLine = startLine }: ExcerptPart): string {
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
}

function text(value: string): Part {
  return { kind: "text", text: value };
}
