/**
 * Builds the question for an edit: the target lines, their context, their problems and the answer
 * format that replyCode expects.
 */
import { withoutOthers } from "../context/overlap";
import type { ExcerptPart, Part, RelatedPart } from "../conversation/message";
import type { Rejection } from "../replyCode/candidates";

/** Input for the first question of an edit. */
export interface EditRequest {
  /** `rewrite` replaces the target's lines; `generate` adds new lines at the target's position. */
  readonly kind: "rewrite" | "generate";
  /** Text that the user entered. */
  readonly instruction: string;
  /** Lines to rewrite; for `generate`, the line that contains the cursor. */
  readonly target: ExcerptPart;
  /** Text that is selected, if the target's lines have more than that. */
  readonly selected?: string | undefined;
  /** Imports of the file, if they are above `before`. */
  readonly imports?: ExcerptPart | undefined;
  /** Cells of the notebook above that of the target, from top to bottom. */
  readonly above?: readonly ExcerptPart[];
  /** Context directly before and after the target, within the size budget. */
  readonly before?: ExcerptPart;
  readonly after?: ExcerptPart;
  /** Definitions that the target uses. */
  readonly definitions?: RelatedPart | undefined;
  /** Problems in these lines, each on a separate line; empty if there are none. */
  readonly problems: string;
}

export function editQuestion(request: EditRequest): Part[] {
  const { kind, target, selected, imports, above = [], before, after, definitions } = request;
  const { problems, instruction } = request;
  const sources = [imports, ...above, wholeOf(target, before, after)].filter(
    (part) => part !== undefined,
  );
  const lines = linesOf(target);
  const parts: Part[] = [
    text(
      kind === "rewrite"
        ? `Rewrite ${lines} of ${target.path} (${target.languageId}) as described below.`
        : `Write new lines at ${lines} of ${target.path} (${target.languageId}) as described below.`,
    ),
  ];
  const add = (heading: string, excerpts: readonly (ExcerptPart | undefined)[]) => {
    const filled = excerpts.flatMap((part) => (part?.text.trim() ? [part] : []));
    if (filled.length > 0) parts.push(text(heading), ...filled);
  };
  if (definitions !== undefined) parts.push(...withoutOthers(definitions, sources));
  add("Imports of the file (context only, do not repeat):", [imports]);
  add("Earlier cells of the notebook (context only, do not repeat):", above);
  add("Code before these lines (context only, do not repeat):", [before]);
  parts.push(text(kind === "rewrite" ? "Lines to rewrite:" : "Line at the cursor:"), target);
  if (selected !== undefined) {
    parts.push(
      text(
        "Only this part of the lines is selected. Reply with the whole lines, including what is not " +
          `selected:\n${selected}`,
      ),
    );
  }
  add("Code after these lines (context only, do not repeat):", [after]);
  if (problems !== "") parts.push(text(`Problems reported in these lines:\n${problems}`));
  parts.push(text(`Instruction:\n${instruction}`), text(answerRule(kind, target)));
  return parts;
}

/**
 * Returns the parts of a question that refines an edit.
 * @param now current lines, if they differ from the last answer
 */
export function refiningQuestion(instruction: string, now: ExcerptPart | undefined): Part[] {
  const parts: Part[] = [text(`Revise your last answer. Instruction:\n${instruction}`)];
  if (now !== undefined) parts.push(text("Current lines:"), now);
  parts.push(
    text("Reply again with the complete new text in one fenced code block and nothing else."),
  );
  return parts;
}

const UNCLEAR: Readonly<Record<Rejection, string>> = {
  "no-code": "Your last reply contains no code.",
  doubtful: "It is not clear which text of your last reply is the new code.",
  diff: "The diff in your last reply does not match the lines of the file.",
  "left-out": "Your last reply leaves out code.",
};

/** Returns the question for the whole new text, after a reply that could not be used. */
export function wholeBlockQuestion(rejection: Rejection): Part[] {
  return [
    text(
      `${UNCLEAR[rejection]} Reply again with the complete new text in one fenced code block and ` +
        "nothing else: no explanation, no diff, no omitted code.",
    ),
  ];
}

function answerRule(kind: EditRequest["kind"], target: ExcerptPart): string {
  const what = kind === "rewrite" ? "the complete new text of these lines" : "only the new lines";
  const fence =
    /^[ \t]*```/m.test(target.text) || target.languageId === "markdown" ? " (````)" : "";
  const completeness =
    kind === "rewrite"
      ? "Repeat every line that stays, also if you only add something."
      : "Begin with the indentation that the lines need in this file.";
  return (
    `Reply with ${what} in one fenced code block${fence} and nothing else: no explanation, no line ` +
    `numbers, no omitted code. ${completeness} Keep the file's indentation and style.`
  );
}

function wholeOf(target: ExcerptPart, before = target, after = target): ExcerptPart {
  const { startLine = 1 } = before;
  const { startLine: last = 1, endLine = last } = after;
  return { ...target, startLine, endLine };
}

function linesOf({ startLine = 1, endLine = startLine }: ExcerptPart): string {
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
}

function text(value: string): Part {
  return { kind: "text", text: value };
}
