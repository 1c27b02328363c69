/**
 * Removes from a git diff what must not be sent without a question: files that usually hold secrets,
 * changes that contain a secret, and targets of links. Such files are only named.
 */
import { mayHoldSecrets } from "./secretNames";
import { secretIn } from "./secretText";

/** A diff and the paths whose changes were removed. */
export interface GuardedDiff {
  readonly text: string;
  readonly leftOut: readonly string[];
}

/** Start of a file's section; merges use `--cc`. */
const SECTION = /^(?=diff --(?:git|cc|combined) )/m;

/** Colour codes, which git prints into pipes with `color.ui=always`. */
const COLOURS = /\u001b\[[\d;]*[mK]/g;

/** First line after the head of a section. */
const BODY = /^(?:@@+ |GIT binary patch)/m;

/**
 * Returns the diff without sensitive changes.
 * @param changedPaths paths of the changed files, for diffs in another format than git's
 */
export function guardedDiff(diff: string, changedPaths: readonly string[]): GuardedDiff {
  const leftOut: string[] = [];
  const sections = diff.replace(COLOURS, "").split(SECTION);
  const kept = sections.map((section) => {
    if (section.trim() === "") return "";
    if (!section.startsWith("diff --")) {
      // Another format does not show which lines belong to which file.
      const secrets = changedPaths.filter(mayHoldSecrets);
      if (secrets.length === 0 && !holdsSecret(section)) return section;
      leftOut.push(...(secrets.length > 0 ? secrets : changedPaths));
      return "";
    }
    const body = section.search(BODY);
    const head = body === -1 ? section : section.slice(0, body);
    const paths = pathsIn(head);
    const isLink =
      /^(?:new file mode|deleted file mode|new mode|old mode|index .*) ?120000\b/m.test(head);
    const isSecret = paths.some(mayHoldSecrets) || holdsSecret(section);
    if (body === -1 || !(isLink || isSecret)) return section;
    leftOut.push(shownPathOf(head));
    const why = isSecret ? "it may hold secrets" : "it is a link";
    return `${head}[… not included: ${why} …]\n`;
  });
  return { text: kept.join(""), leftOut };
}

function holdsSecret(section: string): boolean {
  return secretIn(section) !== undefined || holdsKeyLines(section);
}

/**
 * Returns true for lines from the middle or the end of a private key: a hunk starts a few lines above
 * a change, so the key's header may be missing. Certificates and other data look the same.
 */
function holdsKeyLines(section: string): boolean {
  let count = 0;
  for (const line of section.split("\n")) {
    if (/-----END [A-Z0-9 ]{0,40}PRIVATE KEY/.test(line)) return true;
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
  return unquoted(named ?? first.slice(first.lastIndexOf(" ") + 1)).replace(/^[a-z]\//, "");
}

/** Decodes a quoted path: git writes bytes outside ASCII in octal. */
function unquoted(path: string): string {
  if (!path.includes('"')) return path;
  return path.replace(/"((?:[^"\\]|\\.)*)"/g, (_, inner: string) => {
    const bytes: number[] = [];
    for (const [, octal, escaped, plain] of inner.matchAll(/\\([0-7]{3})|\\(.)|([^\\])/gsu)) {
      if (octal !== undefined) bytes.push(parseInt(octal, 8));
      else bytes.push(...new TextEncoder().encode(escaped ?? plain ?? ""));
    }
    return new TextDecoder().decode(Uint8Array.from(bytes));
  });
}
