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
  { root = "", knownLines = new Set(), texts = new Map(), excluded }: DiffContext = {},
): Promise<GuardedDiff> {
  const leftOut: string[] = [];
  const secretLines = new Set(knownLines);
  const known = new Map<string, boolean>();
  const isSecret = (path: string): boolean => {
    const isIt =
      known.get(path) ??
      (mayHoldSecrets(path) || (root !== "" && mayHoldSecrets(`${root}/${path}`)));
    known.set(path, isIt);
    return isIt;
  };
  const names = new Map(changedFiles.flatMap((paths) => paths.map((path) => [path, paths])));
  const sections = diff.replace(COLORS, "").split(SECTION);
  const reasonOf = async (section: string): Promise<string | undefined> => {
    const head = headOf(section);
    // Without a change nothing can be removed.
    if (!section.startsWith("diff --") || head === section) return undefined;
    const paths = pathsIn(head);
    const all = [...paths, ...paths.flatMap((path) => names.get(withoutPrefix(path)) ?? [])];
    // A head names the same file several times.
    const own = new Set(all.map((path) => texts.get(withoutPrefix(path)) ?? ""));
    const isPart = () => [...own].some((text) => changesSecret(section, text));
    const isExcluded = all.some((path) => excluded?.has(withoutPrefix(path)));
    if (isExcluded || all.some(isSecret) || (await holdsSecret(section, slice)) || isPart()) {
      for (const line of linesOf(section)) secretLines.add(line);
      return isExcluded ? "it is excluded" : "it may hold secrets";
    }
    if (!isPlainFormat(section)) return "the format of its changes is unknown";
    const isLink =
      /^(?:new file mode|deleted file mode|new mode|old mode|index .*) ?120000\b/m.test(head);
    return isLink ? "it is a link" : undefined;
  };
  const reasons: (string | undefined)[] = [];
  for (const section of sections) reasons.push(await reasonOf(section));
  const isKept = (path: string) => !isSecret(path) && excluded?.has(path) !== true;
  let secrets: typeof changedFiles | undefined;
  const kept: string[] = [];
  for (const [index, section] of sections.entries()) {
    if (section.trim() === "") continue;
    if (!section.startsWith("diff --")) {
      // Another format does not show which lines belong to which file.
      secrets ??= changedFiles.filter((paths) => !paths.every(isKept));
      if (secrets.length === 0 && !(await holdsSecret(section, slice))) {
        kept.push(section);
        continue;
      }
      const files = secrets.length > 0 ? secrets : changedFiles;
      leftOut.push(...files.flatMap(([path]) => path ?? []));
      continue;
    }
    const head = headOf(section);
    const isCopy = () => /^new file mode /m.test(head) && isCopyOf(linesOf(section), secretLines);
    const why = reasons[index] ?? (isCopy() ? "it may hold secrets" : undefined);
    const isWhole = head === section || why === undefined;
    if (!isWhole) leftOut.push(shownPathOf(head));
    kept.push(isWhole ? section : `${head}[… not included: ${why} …]\n`);
  }
  return { text: kept.join(""), leftOut, secretLines };
}

/**
 * Returns true if the hunks have the lines that their heads count, each with its signs. Words of two
 * versions in one line, as of `--word-diff` or another program, hide a secret from the checks.
 * Format: https://git-scm.com/docs/git-diff#_generating_patch_text_with_p
 */
function isPlainFormat(section: string): boolean {
  const body = section.slice(headOf(section).length);
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

function headOf(section: string): string {
  const body = section.search(BODY);
  return body === -1 ? section : section.slice(0, body);
}

/** Returns the lines of a section without their signs. */
function linesOf(section: string): string[] {
  return section
    .slice(headOf(section).length)
    .split("\n")
    .filter((line) => !line.startsWith("@@"))
    .map((line) => line.slice(1).trim())
    .filter(({ length }) => length >= MIN_LINE);
}

/** Removes the `a/` of git before a path. */
function withoutPrefix(path: string): string {
  return path.replace(/^[a-z]\//, "");
}

async function holdsSecret(section: string, slice: TimeSlice): Promise<boolean> {
  await slice.pause();
  if (secretIn(section) !== undefined || holdsKeyLines(section)) return true;
  // Signs, other versions and heads of hunks may separate a name from its value.
  for (const sign of ["-", "+"]) {
    await slice.pause();
    if (secretIn(textWithout(section, sign)) !== undefined) return true;
  }
  return false;
}

/** Returns the changed lines of a version, with the lines around: those without a sign of the other. */
function textWithout(section: string, otherSign: string): string {
  const body = section.slice(headOf(section).length);
  const signs = Math.max(1, /^@{2,22}/.exec(body)?.[0].length ?? 2) - 1;
  return body
    .split("\n")
    .filter((line) => !line.startsWith("@@") && !line.slice(0, signs).includes(otherSign))
    .map((line) => line.slice(signs))
    .join("\n");
}

/** Least length of a line of a key. */
const MIN_KEY_LINE = 60;

/**
 * Returns true for lines from the middle or the end of a private key: a hunk starts a few lines above
 * a change, so the key's header may be missing. Certificates and other data look the same.
 */
function holdsKeyLines(section: string): boolean {
  if (/-----END [A-Z0-9 ]{0,40}PRIVATE KEY/.test(section)) return true;
  let count = 0;
  for (const line of section.split("\n")) {
    if (line.length < MIN_KEY_LINE) {
      count = 0;
      continue;
    }
    const text = line.replace(/^[ +-]{1,2}/, "").replaceAll(/["',;\s]|\\n/g, "");
    const isKeyLine =
      /^[A-Za-z0-9+/]{60,76}$/.test(text) &&
      [/[A-Z]/, /[a-z]/, /\d/].every((one) => one.test(text));
    count = isKeyLine ? count + 1 : 0;
    if (count === 2) return true;
  }
  return false;
}

/** Returns all paths that a head may name. Its first line is ambiguous for names with spaces. */
function pathsIn(head: string): string[] {
  const paths: string[] = [];
  for (const line of head.split("\n")) {
    const named = /^(?:--- |\+\+\+ |rename (?:from|to) |copy (?:from|to) )(.*?)\t?\r?$/.exec(
      line,
    )?.[1];
    if (named !== undefined) paths.push(unquoted(named));
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
  const named = /^(?:\+\+\+|---) (?!\/dev\/null)(.*?)\t?\r?$/m.exec(head)?.[1];
  const first = /^diff --\w+ (.*?)\r?$/m.exec(head)?.[1] ?? "";
  return withoutPrefix(unquoted(named ?? first.slice(first.lastIndexOf(" ") + 1)));
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
