/**
 * Project rules: files with instructions for AI assistants (AGENTS.md, CLAUDE.md, Copilot's
 * instructions). Selects the files that apply to a question and makes their text, within a budget.
 * Formats: https://agents.md and VS Code's documentation of custom instructions.
 */
import { globMatcher, matchesEverything } from "./glob";
import { estimateTextTokens } from "../base/tokens";

/** A rule file. Folders and targets are URI paths after the authority, without `/` at the end. */
export interface RuleFile {
  readonly kind: "agents" | "claude" | "copilot" | "instructions";
  /** Path that is shown and sent. */
  readonly path: string;
  readonly root: string;
  /** Folder of the file; rules of a folder apply to the files below. */
  readonly folder: string;
  /** Globs of the files that `instructions` apply to, relative to `root`. */
  readonly applyTo: readonly string[];
  readonly text: string;
  /** Names of hidden characters that were removed from the text. */
  readonly hidden: readonly string[];
  /** True if text was removed that a Markdown preview does not show. */
  readonly hasUnshown: boolean;
  /** True if the text has HTML of which a Markdown preview may not show all. */
  readonly hasHtml: boolean;
}

/** Order of the kinds: general rules first, because later rules are more specific. */
const ORDER: readonly RuleFile["kind"][] = ["copilot", "claude", "agents", "instructions"];

/**
 * Returns the files that apply to a question, general rules first.
 * @param targets files of the question
 */
export function applicableRules(
  files: readonly RuleFile[],
  targets: readonly string[],
): RuleFile[] {
  const roots = new Set(files.map(({ root }) => root));
  const inRoots = targets.filter((target) => [...roots].some((root) => isBelow(target, root)));
  const applies = (file: RuleFile): boolean => {
    const { kind, root, folder, applyTo } = file;
    const inRoot = inRoots.filter((target) => isBelow(target, root));
    // Without files of the workspace, the rules of each workspace folder apply.
    if (inRoots.length > 0 && inRoot.length === 0) return false;
    if (kind === "claude" && hasOther(files, file)) return false;
    if (kind === "instructions") {
      if (applyTo.some(matchesEverything)) return true;
      const matches = globMatcher(...applyTo);
      return inRoot.some((target) => matches(target.slice(root.length + 1)));
    }
    return folder === root || inRoot.some((target) => isBelow(target, folder));
  };
  const rank = ({ kind }: RuleFile) => (kind === "instructions" ? 1 : 0);
  return files
    .filter(applies)
    .toSorted(
      (a, b) =>
        rank(a) - rank(b) ||
        a.folder.length - b.folder.length ||
        ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) ||
        a.path.localeCompare(b.path),
    );
}

/** Returns true if other general rules replace a CLAUDE.md. */
function hasOther(files: readonly RuleFile[], { root, folder }: RuleFile): boolean {
  return files.some(
    (other) =>
      (other.kind === "agents" && other.folder === folder) ||
      (other.kind === "copilot" && folder === root && other.root === root),
  );
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

const INTRODUCTION =
  "Rules of this project. Follow them where they apply; what the user asks takes precedence.";

/** Returns the text that is sent. A file that exceeds the rest of the budget loses its end. */
export function rulesText(files: readonly RuleFile[], maxTokens: number) {
  let left = maxTokens;
  let linesLeftOut = 0;
  const sections = files.map(({ path, text }) => {
    const lines = text.trim().split("\n");
    let tokens = estimateTextTokens(text);
    let shown = lines;
    while (tokens > left && shown.length > 0) {
      shown = shown.slice(
        0,
        Math.floor(Math.min(shown.length - 1, (shown.length * left) / tokens)),
      );
      tokens = estimateTextTokens(shown.join("\n"));
    }
    left -= tokens;
    const missing = lines.length - shown.length;
    linesLeftOut += missing;
    const note = missing === 0 ? [] : [`[… ${missing} lines left out …]`];
    return section(path, [...shown, ...note].join("\n"));
  });
  return { text: [INTRODUCTION, ...sections].join("\n\n"), linesLeftOut };
}

const SECTION_START = '<rules file="';
const SECTION_END = "\n</rules>";

function section(path: string, text: string): string {
  return `${SECTION_START}${path.replaceAll('"', "'")}">\n${text}${SECTION_END}`;
}

function sectionsOf(text: string): string[] {
  const sections: string[] = [];
  for (let start = text.indexOf(SECTION_START); start !== -1;) {
    const end = text.indexOf(SECTION_END, start);
    if (end === -1) break;
    sections.push(text.slice(start, end + SECTION_END.length));
    start = text.indexOf(SECTION_START, end);
  }
  return sections;
}

/**
 * Returns the rules without the sections that earlier messages have.
 * @param sent texts of rules in earlier messages, oldest first
 */
export function rulesOnce(text: string, sent: readonly string[]): string {
  const latest = new Map(sent.flatMap(sectionsOf).map((one) => [headOf(one), one]));
  const sections = sectionsOf(text);
  const added = sections.filter((one) => latest.get(headOf(one)) !== one);
  if (added.length === sections.length) return text;
  const unchanged = "The rules of the project from earlier messages still apply.";
  return added.length === 0 ? unchanged : [unchanged, ...added].join("\n\n");
}

function headOf(sectionText: string): string {
  return sectionText.slice(0, sectionText.indexOf("\n"));
}
