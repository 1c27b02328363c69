/**
 * Removes from a git diff what must not be sent without a question: files that usually hold secrets,
 * changes that contain a secret, and targets of links. Such files are only named.
 */
import type { TimeSlice } from "../base/timeSlice";
import { mayHoldSecrets } from "./secretNames";
import { secretIn, secretRanges } from "./secretText";

/** A diff and the paths whose changes were removed. */
export interface GuardedDiff {
  readonly text: string;
  readonly leftOut: readonly string[];
  /** Lines of the removed changes, to recognize the same text in another file. */
  readonly secretLines: ReadonlySet<string>;
}

/** Facts about the files of a diff. */
export interface DiffContext {
  /** Path of the repository, whose folders may be secret. */
  readonly root?: string;
  /** Lines of other secret files. */
  readonly knownLines?: ReadonlySet<string>;
  /** Texts of the files now: the start of a secret may be above a hunk. */
  readonly texts?: ReadonlyMap<string, string>;
  /** Paths that the organization or an ignore list excludes. */
  readonly excluded?: ReadonlySet<string>;
}

/** Start of a file's section; merges use `--cc`. `diff.submodule=log` writes lines of its own. */
const SECTION = /^(?=diff --(?:git|cc|combined) |Submodule )/m;

/** Color codes, which git prints into pipes with `color.ui=always`. */
const COLORS = /\u001b\[[\d;]*[mK]/g;

/** First line after the head of a section. */
const BODY = /^(?:@@+ |GIT binary patch)/m;

/** Changes of a file, or text of another format. */
interface Section {
  readonly text: string;
  /** Lines before the changes; the whole text if there are none. */
  readonly head: string;
  readonly body: string;
  /** Lines of the hunks, without the heads of these. */
  readonly lines: readonly { readonly signs: string; readonly text: string }[];
}

function sectionOf(text: string): Section {
  const start = text.search(BODY);
  const head = start === -1 ? text : text.slice(0, start);
  const body = text.slice(head.length);
  const width = Math.max(1, (/^@{2,22}/.exec(body)?.[0].length ?? 2) - 1);
  const lines = body
    .split("\n")
    .filter((line) => !line.startsWith("@@"))
    .map((line) => ({ signs: line.slice(0, width), text: line.slice(width) }));
  return { text, head, body, lines };
}

/**
 * Returns the diff without sensitive changes. Pauses between files and between the checks of a file: a
 * diff of thousands of files takes longer than a window may stand still.
 * @param changedFiles for each file its paths in the repository: now and before a rename. Git shows
 * no rename in the diff of a single file, nor with `diff.renames=false`.
 */
export async function guardedDiff(
  diff: string,
  changedFiles: readonly (readonly string[])[],
  slice: TimeSlice,
  { root = "", knownLines, texts, excluded = new Set() }: DiffContext = {},
): Promise<GuardedDiff> {
  const isSecretPath = (path: string) =>
    mayHoldSecrets(path) || (root !== "" && mayHoldSecrets(`${root}/${path}`));
  const pathsOfFiles = new Map(changedFiles.flatMap((paths) => paths.map((path) => [path, paths])));
  const secretLines = new Set(knownLines);
  const reasonOf = async (section: Section): Promise<string | undefined> => {
    const { text, head } = section;
    const headPaths = pathsIn(head).flatMap((path) => [path, withoutPrefix(path)]);
    // A head names the same file several times.
    const all = new Set(headPaths.flatMap((path) => [path, ...(pathsOfFiles.get(path) ?? [])]));
    const paths = [...all];
    const isExcluded = paths.some((path) => excluded.has(path));
    const isSecret =
      isExcluded ||
      paths.some(isSecretPath) ||
      (await holdsSecret(section, slice)) ||
      paths.some((path) => changesSecret(text, texts?.get(path) ?? ""));
    if (isSecret) {
      for (const line of longLinesOf(section)) secretLines.add(line);
      return isExcluded ? "it is excluded" : "it may hold secrets";
    }
    if (!isPlainFormat(section.body)) return "the format of its changes is unknown";
    const isLink =
      /^(?:new file mode|deleted file mode|new mode|old mode|index .*) ?120000\b/m.test(head);
    return isLink ? "it is a link" : undefined;
  };
  const sections = diff.replace(COLORS, "").split(SECTION).map(sectionOf);
  const reasons = new Map<Section, string | undefined>();
  for (const section of sections) {
    // Without a change nothing can be removed.
    if (section.text.startsWith("diff --") && section.body !== "")
      reasons.set(section, await reasonOf(section));
  }
  let removed: typeof changedFiles | undefined;
  const leftOut: string[] = [];
  const pieces: string[] = [];
  for (const section of sections) {
    const { text, head } = section;
    if (reasons.has(section)) {
      const isCopy = () =>
        /^new file mode /m.test(head) && isCopyOf(longLinesOf(section), secretLines);
      const reason = reasons.get(section) ?? (isCopy() ? "it may hold secrets" : undefined);
      if (reason !== undefined) leftOut.push(shownPathOf(head));
      pieces.push(reason === undefined ? text : `${head}[… not included: ${reason} …]\n`);
    } else if (text.startsWith("diff --") || text.trim() === "") pieces.push(text);
    else {
      // Another format does not show which lines belong to which file.
      const isRemoved = (path: string) => isSecretPath(path) || excluded.has(path);
      removed ??= changedFiles.filter((paths) => paths.some(isRemoved));
      if (removed.length === 0 && !(await holdsSecret(section, slice))) pieces.push(text);
      else
        leftOut.push(
          ...(removed.length > 0 ? removed : changedFiles).flatMap(([path]) => path ?? []),
        );
    }
  }
  return { text: pieces.join(""), leftOut, secretLines };
}

/**
 * Returns true if the hunks have the lines that their heads count, each with its signs. Words of two
 * versions in one line, as of `--word-diff` or another program, hide a secret from the checks.
 * Format: https://git-scm.com/docs/git-diff#_generating_patch_text_with_p
 */
function isPlainFormat(body: string): boolean {
  if (!body.startsWith("@@")) return true;
  /** Lines still to come: of each old version, then of the new version. */
  let left: number[] = [];
  let hasChange = true;
  for (const line of body.split("\n")) {
    if (left.some((count) => count > 0)) {
      // With `diff.suppressBlankEmpty`, git writes no blanks for an empty line.
      const signs = line === "" || line === "\r" ? "" : line.slice(0, left.length - 1);
      if (line.startsWith("\\")) continue;
      if (!/^[ +-]*$/.test(signs)) return false;
      const isRemoved = signs.includes("-");
      const isAdded = signs.includes("+");
      if (isRemoved && isAdded) return false;
      hasChange ||= isRemoved || isAdded;
      left = left.map((count, version) => {
        const isNew = version === left.length - 1;
        const isIn = isNew
          ? !isRemoved
          : isRemoved
            ? signs[version] === "-"
            : signs[version] !== "+";
        return isIn ? count - 1 : count;
      });
      if (left.some((count) => count < 0)) return false;
      continue;
    }
    if (line === "" || line.startsWith("\\")) continue;
    const head =
      /^(@@@{0,20})((?: -\d{1,9}(?:,\d{1,9})?){1,20}) \+\d{1,9}(?:,(\d{1,9}))? \1(?: |\r?$)/.exec(
        line,
      );
    if (head === null || !hasChange) return false;
    const [, , old = "", count = "1"] = head;
    left = [
      ...old
        .trim()
        .split(" ")
        .map((range) => Number(range.split(",")[1] ?? 1)),
      Number(count),
    ];
    hasChange = false;
  }
  return hasChange && left.every((count) => count === 0);
}

/** Upper limit of hunks of a file that are compared with its text. */
const MAX_HUNKS = 100;

/** Returns true if a hunk has lines of a secret in the text of the file. */
function changesSecret(section: string, text: string): boolean {
  if (text === "") return false;
  const hasSecret = secretRanges(text);
  if (!hasSecret(0, text.length)) return false;
  /** Length of the first lines, by their number. */
  const lengths = [0];
  let length = -1;
  for (const line of text.split("\n")) lengths.push((length += line.length + 1));
  const lengthOf = (count: number) => lengths[Math.min(count, lengths.length - 1)] ?? 0;
  const hunks = [...section.matchAll(/^@@+ [^+\n]{0,60}\+(\d{1,9})(?:,(\d{1,9}))? @@/gm)];
  return hunks.slice(0, MAX_HUNKS).some(([, first, count = "1"]) => {
    const start = Math.max(0, Number(first) - 1);
    return hasSecret(lengthOf(start), lengthOf(start + Number(count)));
  });
}

/** Shortest line that identifies a text. */
const MIN_LINE = 6;

/** Returns true if at least half of the lines are lines of a secret file, as after a rename. */
export function isCopyOf(lines: readonly string[], secretLines: ReadonlySet<string>): boolean {
  const long = lines.map((line) => line.trim()).filter(({ length }) => length >= MIN_LINE);
  const copied = long.filter((line) => secretLines.has(line));
  return copied.length > 0 && copied.length * 2 >= long.length;
}

function longLinesOf({ lines }: Section): string[] {
  return lines.map(({ text }) => text.trim()).filter(({ length }) => length >= MIN_LINE);
}

/** Removes the `a/` of git before a path. */
function withoutPrefix(path: string): string {
  return path.replace(/^[a-z]\//, "");
}

async function holdsSecret(section: Section, slice: TimeSlice): Promise<boolean> {
  await slice.pause();
  if (secretIn(section.text) !== undefined || holdsKeyLines(section.text)) return true;
  // Signs, other versions and heads of hunks may separate a name from its value.
  for (const otherSign of ["-", "+"]) {
    await slice.pause();
    const lines = section.lines.filter(({ signs }) => !signs.includes(otherSign));
    if (secretIn(lines.map(({ text }) => text).join("\n")) !== undefined) return true;
  }
  return false;
}

const MIN_KEY_LINE = 60;

/**
 * Returns true for lines from the middle or the end of a private key: a hunk starts a few lines above
 * a change, so the key's header may be missing. Certificates and other data look the same.
 */
function holdsKeyLines(diff: string): boolean {
  if (/-----END [A-Z0-9 ]{0,40}PRIVATE KEY/.test(diff)) return true;
  let count = 0;
  for (const line of diff.split("\n")) {
    if (line.length < MIN_KEY_LINE) {
      count = 0;
      continue;
    }
    const text = line.replace(/^[ +-]{1,2}/, "").replaceAll(/["',;\s]|\\n/g, "");
    const isKeyLine =
      /^[A-Za-z0-9+/]{60,76}$/.test(text) &&
      [/[A-Z]/, /[a-z]/, /\d/].every((kind) => kind.test(text));
    count = isKeyLine ? count + 1 : 0;
    if (count === 2) return true;
  }
  return false;
}

/** Returns all paths that a head may name. Its first line is ambiguous for names with spaces. */
function pathsIn(head: string): string[] {
  const paths: string[] = [];
  for (const line of head.split("\n")) {
    const path = /^(?:--- |\+\+\+ |rename (?:from|to) |copy (?:from|to) )(.*?)\t?\r?$/.exec(
      line,
    )?.[1];
    if (path !== undefined) paths.push(unquoted(path));
    const first = /^diff --(?:git|cc|combined) (.*?)\r?$/.exec(line)?.[1];
    if (first === undefined) continue;
    const plain = unquoted(first);
    paths.push(plain);
    for (const { index } of plain.matchAll(/ /g)) {
      paths.push(plain.slice(0, index), plain.slice(index + 1));
      if (paths.length > 200) break;
    }
  }
  return paths;
}

function shownPathOf(head: string): string {
  const path = /^(?:\+\+\+|---) (?!\/dev\/null)(.*?)\t?\r?$/m.exec(head)?.[1];
  const first = /^diff --\w+ (.*?)\r?$/m.exec(head)?.[1] ?? "";
  return withoutPrefix(unquoted(path ?? first.slice(first.lastIndexOf(" ") + 1)));
}

const encoder = new TextEncoder();

/** Decodes a quoted path: git writes bytes outside ASCII in octal. */
function unquoted(path: string): string {
  if (!path.includes('"')) return path;
  // A search from each escaped quotation mark would take quadratic time.
  return path.replace(/(?<![^ ])"((?:[^"\\]|\\.)*)"/g, (_, inner: string) => {
    const bytes: number[] = [];
    for (const [, octal, escaped, plain] of inner.matchAll(/\\([0-7]{3})|\\(.)|([^\\]{1,80})/gsu)) {
      if (octal !== undefined) bytes.push(parseInt(octal, 8));
      else bytes.push(...encoder.encode(escaped ?? plain ?? ""));
    }
    return new TextDecoder().decode(Uint8Array.from(bytes));
  });
}
