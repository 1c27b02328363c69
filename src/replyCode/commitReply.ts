/**
 * Finds the commit message in a reply that may be cut anywhere: the first line in the form of
 * Conventional Commits with its paragraphs, else the first fence, else the whole text.
 *
 * A reply that was cut has no message in another form, unless its fence is closed. Form:
 * https://www.conventionalcommits.org/en/v1.0.0/#specification
 */
import { closesFence, contentOf, openingFence } from "./fences";
import { END_TOKEN, lineAt } from "./lines";
import { stringsIn } from "./wrappers";

const TYPES =
  "feat|fix|docs?|style|refactor|perf|tests?|build|ci|chore|revert|deps|security|i18n|l10n|wip|release|merge|hotfix";

const FORM = `(?:(?::\\w+:|\\p{Extended_Pictographic}\\uFE0F?)\\s*)?(?:(?:${TYPES})!?|[\\p{L}\\w-]{1,30}\\([^()\\n]{1,60}\\)!?)[:：]\\s*\\S`;

/** `fix: …`, `fix(scope)!: …` or `area(scope): …`, optionally after an emoji or its name. */
const SUBJECT = new RegExp(`^${FORM}`, "iu");

/** Marks around a subject: quotes, code, bold, a list, a heading, a fence. */
const MARKS_BEFORE = /^(?:[-*+]\s+|\d+[.)]\s+|#{1,6}\s+|["'`“«「*_]+)+/u;

/** Label before a subject on the same line. */
const LABEL_BEFORE = new RegExp(`^[^:：\\n]{1,40}[:：]\\**\\s+(?=${FORM})`, "iu");
const MARKS_AFTER = /["'`”»」*_]{1,6}$/u;

/** Subject, and the label of the text below: a heading, or bold text without numbers. */
const BODY_LABEL =
  /^(.*)\n\s{0,20}(?:#{1,6}\s.*|(?:\*\*|__)[\p{L}\s]{1,40}[:：]?(?:\*\*|__)[:：]?)[ \t]{0,20}\n\s{0,20}(?=\S)/u;

/** Subject, and a label before text on the same line. */
const INLINE_LABEL =
  /^(.*)\n\s{0,20}(?:\*\*|__)?[^*_:：\n]{1,40}[:：](?:\*\*|__)?[ \t]{1,20}(?=\S)/u;

/** Line that can be a label of what follows: a heading, a bold line, a line that ends with a colon. */
const LABEL = /^(?:#{1,6}\s.*|\*\*.*\*\*:?|.*[:：]\**|\p{L}{1,8})$/u;

/**
 * Returns the commit message in a reply; empty if there is none.
 * @param isWhole false for a reply that was cut
 */
export function commitReply(reply: string, isWhole: boolean): string {
  const plain = reply.replaceAll(/\r\n?/g, "\n").replaceAll(/^> ?/gm, "").trim();
  const end = plain.replace(END_TOKEN, "").replace(/<\/s>$/, "");
  const lines = unwrapped(end.trim()).split("\n");
  const start = lines.findIndex((line) => openingFence(line) !== undefined);
  const subject = lines.findIndex(isSubject);
  if (subject !== -1 && (start === -1 || subject <= start)) {
    return message(lines.slice(subject));
  }
  const fence = openingFence(lineAt(lines, start));
  if (fence === undefined) return isWhole ? freeMessage(lines) : "";
  const below = lines.slice(start + 1);
  const length = below.findIndex((line) => closesFence(line, fence));
  const inside = below.slice(0, length === -1 ? undefined : length);
  const text = inside
    .map((line) => contentOf(line, fence))
    .join("\n")
    .trim();
  if (isSubject(text)) return message(text.split("\n"));
  if (!isWhole && length === -1) return "";
  return isCommand(text) ? fromCommand(text) : withoutBodyLabel(text, false);
}

function isSubject(line: string): boolean {
  return SUBJECT.test(line.slice(marksOf(line).length));
}

function marksOf(line: string): string {
  const [marks = ""] = MARKS_BEFORE.exec(line) ?? [];
  const [label = ""] = LABEL_BEFORE.exec(line.slice(marks.length)) ?? [];
  return marks + label;
}

function unwrapped(text: string): string {
  const tagged = insideTag(text).trim();
  const [, json = ""] = /^(?:```json\s*)?(\{[^]*\})\s*(?:```)?$/.exec(tagged) ?? [];
  return stringsIn(json)?.join("\n\n") ?? tagged;
}

/** Returns the text between a tag that begins a line and its closing tag at the end. */
function insideTag(text: string): string {
  const name = /<\/([\w-]{1,40})>$/.exec(text)?.[1] ?? "";
  const start = `\n${text}`.indexOf(`\n<${name}>`);
  return name === "" || start === -1 ? text : text.slice(start + name.length + 2, -name.length - 3);
}

/** Returns the lines from a subject to the next line that cannot belong to its message. */
function message([first = "", ...rest]: readonly string[]): string {
  const marks = marksOf(first);
  let subject = first.slice(marks.length);
  if (marks !== "") subject = subject.trimEnd().replace(MARKS_AFTER, "");
  const end = rest.findIndex((line) => isBoundary(line, marks));
  let body = rest.slice(0, end === -1 ? undefined : end);
  const isLabel = (line: string) => line.trim() === "" || LABEL.test(line.trim());
  // Labels at the end may belong to another proposal.
  if (end !== -1) body = body.slice(0, body.findLastIndex((line) => !isLabel(line)) + 1);
  const isLabeled = /[:：]/.test(marks);
  const text = withoutBodyLabel([subject, ...body].join("\n").trimEnd(), isLabeled);
  return /^["“«「]/u.test(marks) && body.length > 0 ? text.replace(/["”»」]$/u, "") : text;
}

/**
 * Returns a message without the label of its body.
 * @param isLabeled true if the subject had a label on its line
 */
function withoutBodyLabel(text: string, isLabeled: boolean): string {
  const withoutLine = text.replace(BODY_LABEL, "$1\n\n");
  return isLabeled && withoutLine === text ? text.replace(INLINE_LABEL, "$1\n\n") : withoutLine;
}

/** Returns true for a rule, for another subject, and for the fence that closes the message's own. */
function isBoundary(line: string, marks: string): boolean {
  if (/^([-*_])\1{2,}\s*$/.test(line)) return true;
  if (/^(?:`{3,}|~{3,})\s*$/.test(line) && marks.includes("```")) return true;
  const isItem = /^\s*[-*+] /.test(line) && !/^[-*+] /.test(marks);
  return !isItem && isSubject(line);
}

/** Returns a message in another form; a subject does not end like a sentence. */
function freeMessage(lines: readonly string[]): string {
  if (isCommand(lineAt(lines, 0))) return fromCommand(lines.join("\n"));
  const first = lines.findIndex((line) => line.trim() !== "" && !/[:：]\**$/.test(line.trim()));
  const subject = lineAt(lines, first).trim();
  if (first === -1 || /[.?!。？！]$/u.test(subject)) return "";
  const marks = marksOf(subject);
  const isPair = marks === "" || /^[#\d\-+*]/.test(marks) || MARKS_AFTER.test(subject);
  return isPair ? message([subject, ...lines.slice(first + 1)]) : lines.slice(first).join("\n");
}

function isCommand(text: string): boolean {
  return /^\$? ?git (?:add|commit)\b/.test(text);
}

/** Returns the message of `git commit -m "…" -m "…"` or of its here-document. */
function fromCommand(command: string): string {
  const heredoc = /<<-?\s*['"]?(\w+)['"]?\n/.exec(command);
  if (heredoc !== null) {
    const { 0: head, 1: delimiter = "", index } = heredoc;
    const lines = command.slice(index + head.length).split("\n");
    const end = lines.findIndex((line) => line.trim().replace(/\)?"?$/, "") === delimiter);
    if (end !== -1) return lines.slice(0, end).join("\n").trim();
  }
  const parts = command.matchAll(/(?:-m|--message)[\s=]*(?:"((?:[^"\\]|\\[^])*)"|'([^']*)')/g);
  return Array.from(parts, ([, double, single = ""]) =>
    double === undefined ? single : double.replaceAll(/\\(["\\$`])/g, "$1"),
  )
    .join("\n\n")
    .trim();
}
