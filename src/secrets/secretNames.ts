/**
 * Recognizes files that usually hold secrets by their paths. Their text is never sent without a
 * question. The names are in secretNames.txt. Files that run programs are classified in sensitivePath.ts.
 */
import { tableSections } from "./dataTable";
import table from "./secretNames.txt";

const TABLE = new Map(tableSections(table).map(({ heading, rows }) => [heading, rows]));
const NAMES = new Set(TABLE.get("name")?.join(" ").split(" "));
/** Endings of names, after the last dot. */
const ENDINGS = new Set(TABLE.get("ending")?.join(" ").split(" "));
const NAME_PATTERNS = patternsOf("name-pattern");
const PATH_PATTERNS = patternsOf("path-pattern");
const HARMLESS_NAMES = patternsOf("harmless-name");
const HARMLESS_PATHS = patternsOf("harmless-path");

function patternsOf(heading: string): readonly RegExp[] {
  // Made of the rows, which the tests pump.
  return (TABLE.get(heading) ?? []).map((row) => new RegExp(row));
}

/** Endings of copies: `.env.bak`, `id_rsa.old`, `secrets.yaml~`, `.credentials.json.swp`. */
const COPY =
  /(?:~|\.(?:bak|backup|old|orig|save|saved|copy|tmp|sw[a-p]|dpkg-\w+|rpm\w+|\d{1,14})|[ _-]copy(?: \d+)?| \(\d+\))$/;

/**
 * Longest path that is checked, in UTF-16 units: the patterns take quadratic time. A longer path raises
 * concern unread; systems hardly have one (PATH_MAX of macOS is 1,024 bytes).
 */
export const MAX_PATH = 1_024;
/** Longest end of a name that is checked, in UTF-16 units. */
export const MAX_NAME = 255;

/** Limit of copy endings that are removed from a name. */
const MAX_COPIES = 5;

/**
 * Returns true if a file with this path usually holds secrets, and for a path over the limit.
 * @param path of any platform, in any case
 */
export function mayHoldSecrets(path: string): boolean {
  if (path.length > MAX_PATH) return true;
  const plain = path
    .normalize("NFKC")
    .replaceAll("\\", "/")
    // Windows reads `.env.` and `.env::$DATA` as `.env`.
    .replace(/::?\$data$/i, "")
    .replace(/[. ]{1,20}$/, "");
  // serviceAccountKey.json
  const hyphenated = plain.replace(/([a-z])(?=[A-Z][a-z])/g, "$1-");
  return (
    isOrCopies(plain.toLowerCase()) ||
    (hyphenated !== plain && isOrCopies(hyphenated.toLowerCase()))
  );
}

/** True if the path, or for a copy the path of its original, is known to hold secrets. */
function isOrCopies(path: string): boolean {
  let plain = path;
  for (let copies = 0; copies <= MAX_COPIES; copies++) {
    if (isSecretPath(plain)) return true;
    // Backup copies of editors also begin with a mark.
    const original = plain
      .replace(COPY, "")
      .replace(/(?: \(\d+\)|[ _-]copy(?: \d+)?)(?=\.\w+$)/, "")
      .replace(/(^|\/)(?:\.#|#|~\$)([^/]+?)#?$/, "$1$2");
    if (original === plain || original.endsWith("/") || original === "") return false;
    plain = original;
  }
  return false;
}

function isSecretPath(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).slice(-MAX_NAME);
  const matches = (text: string) => (pattern: RegExp) => pattern.test(text);
  if (HARMLESS_PATHS.some(matches(path)) || HARMLESS_NAMES.some(matches(name))) return false;
  const ending = name.slice(name.lastIndexOf(".") + 1);
  return (
    NAMES.has(name) ||
    (ending !== name && ENDINGS.has(ending)) ||
    NAME_PATTERNS.some(matches(name)) ||
    PATH_PATTERNS.some(matches(path))
  );
}
