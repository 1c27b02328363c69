/**
 * Decides what reads or runs a file that text of a reply is written to. The programs are in
 * fileReaders.txt; Git's own files are in gitFiles.ts.
 */
import { tableSections } from "./dataTable";
import table from "./fileReaders.txt";
import {
  isAtOrBelow,
  isInGitDirectory,
  isInGitFolder,
  isRunningGitConfig,
  plainPath,
} from "./gitFiles";
import { MAX_PATH, mayHoldSecrets } from "./secretNames";

export interface Sensitivity {
  readonly why: "git" | "instructs-assistants" | "runs-by-itself" | "guards-access";
  /** Name of the program that reads the file; undefined if the name only follows a convention. */
  readonly reader: string | undefined;
}

/** Paths of a row of fileReaders.txt; without a sensitivity for ordinary files. */
interface ReadPaths {
  readonly pattern: RegExp;
  readonly sensitivity: Sensitivity | undefined;
}

/** Paths that are read in any folder, and below the workspace folder only; the first match decides. */
const ANYWHERE: ReadPaths[] = [];
const IN_WORKSPACE: ReadPaths[] = [];
for (const { heading, rows } of tableSections(table)) {
  const [why, scope] = heading.split(" ");
  for (const row of rows) {
    const [reader, names = ""] = row.split(/ ?: /);
    const ofReader = { why: why as Sensitivity["why"], reader: reader || undefined };
    const sensitivity = why === "ordinary" ? undefined : ofReader;
    const paths = { pattern: patternOf(names), sensitivity };
    (scope === "anywhere" ? ANYWHERE : IN_WORKSPACE).push(paths);
  }
}

/** Returns the pattern of the paths that the names of a row match. */
function patternOf(names: string): RegExp {
  const parts = names
    .replace(/[.+$@]/g, "\\$&")
    .replaceAll("{", "(?:")
    .replaceAll("}", ")");
  const source = parts.replace(/[, ]/g, "|").replaceAll("*", "[^/]{0,255}");
  // Made of the names of a row; a wildcard reads at most 255 UTF-16 units.
  return new RegExp(`(?:^|/)(?:${source})(?:(?<=/)|$)`);
}

function firstMatch(all: readonly ReadPaths[], spellings: readonly string[]) {
  return all.find(({ pattern }) => spellings.some((path) => pattern.test(path)));
}

export interface WrittenFile {
  /** Path with `/` as separator. */
  readonly path: string;
  /** The path below the workspace folder, if the file is in one. */
  readonly inWorkspace?: string;
  /** The new text, or the whole text of the file with it. */
  readonly text: string;
  /** Text that the file has now. */
  readonly current?: string;
  /** Paths of all files that may be written together with this one. */
  readonly together: readonly string[];
  /** Returns true if a file or folder exists. */
  readonly exists: (path: string) => Promise<boolean>;
}

export async function sensitivityOfFile({
  path,
  inWorkspace,
  text,
  current = "",
  together,
  exists,
}: WrittenFile): Promise<Sensitivity | undefined> {
  const texts = `${current}\n${text}`;
  const byPath = sensitivityOf(path, inWorkspace, texts);
  if (byPath?.why === "git" || path.length > MAX_PATH) return byPath;
  const has = async (one: string) =>
    [path, ...together].some((other) => isAtOrBelow(other, one)) || exists(one);
  if (await isInGitDirectory(path, has, exists)) return GIT;
  if (byPath !== undefined) return byPath;
  const runsGit = isRunningGitConfig(text) || isRunningGitConfig(texts);
  return runsGit ? { why: "runs-by-itself", reader: "Git" } : undefined;
}

/** No program can be ruled out. */
const UNKNOWN: Sensitivity = { why: "runs-by-itself", reader: undefined };
const GIT: Sensitivity = { why: "git", reader: undefined };

/**
 * Returns the sensitivity of a path of any platform, in any case; undefined for an ordinary file.
 * @param inWorkspace the path below the workspace folder, if the file is in one
 * @param text of the file, as far as it is known
 */
export function sensitivityOf(
  path: string,
  inWorkspace = path,
  text = "",
): Sensitivity | undefined {
  if (path.length > MAX_PATH) return UNKNOWN;
  if (isInGitFolder(path)) return GIT;
  const spellings = plainPath(path).split("\n");
  const paths = firstMatch(ANYWHERE, spellings);
  if (paths !== undefined) return paths.sensitivity;
  const isPublic = spellings.every((one) => one.endsWith(".pem")) && isPublicPem(text);
  if (!isPublic && [path, ...spellings].some((one) => mayHoldSecrets(one))) {
    return { why: "guards-access", reader: undefined };
  }
  const below = plainPath(inWorkspace.replace(/^\/?/, "/")).split("\n");
  const here = firstMatch(IN_WORKSPACE, below)?.sensitivity;
  return here ?? (SHORT_NAME.test(inWorkspace) ? UNKNOWN : undefined);
}

/**
 * A short name of Windows, which opens any file or folder with the same beginning: `PACKAG~1.JSO`.
 * Format: https://learn.microsoft.com/windows/win32/fileio/naming-a-file#short-vs-long-names
 */
const SHORT_NAME = /(?:^|[\\/])[^\\/.~]{1,6}~\d{1,6}(?:\.[^\\/.]{0,3})?[ .]{0,8}(?=[\\/:]|$)/;

/** Returns true for certificates and public keys alone. Source of the labels: RFC 7468. */
function isPublicPem(text: string): boolean {
  const all = text.split("-----BEGIN ").slice(1);
  const isPublic = /^(?:CERTIFICATE|CERTIFICATE REQUEST|X509 CRL|PUBLIC KEY)-----/;
  return all.length > 0 && all.every((one) => isPublic.test(one));
}
