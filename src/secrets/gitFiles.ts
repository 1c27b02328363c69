/**
 * Files that Git itself reads: its folder `.git` in every spelling that Git refuses to track, folders
 * that are a Git directory under another name, and text in the format of its configuration.
 */

/** Code points that HFS+ ignores in names. Source: next_hfs_char in utf8.c of Git. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Names for which Windows has short ones. Source: is_ntfs_dot_generic in path.c of Git. */
const SHORT_NAMES: readonly (readonly [name: string, start: string, hashed: string])[] = [
  [".gitmodules", "gitmod", "gi7eba"],
  [".gitattributes", "gitatt", "gi7d29"],
];

/**
 * Returns a path in lower case as the file systems of Windows and macOS read it, with `/`. A path with
 * `:` gives two lines, because only Windows reads what follows as the name of a stream.
 */
export function plainPath(path: string): string {
  const names = path.normalize("NFKC").replace(IGNORED, "").toLowerCase().split(/[/\\]/);
  const whole = names.map(plainName).join("/");
  const streamless = names.map((name) => plainName(name.split(":", 1)[0] ?? "")).join("/");
  return whole === streamless ? whole : `${whole}\n${streamless}`;
}

/** Returns true for Git's folder `.git` and everything in it, and for a file of that name. */
export function isInGitFolder(path: string): boolean {
  return plainPath(path).split(/[/\n]/).includes(".git");
}

/** Returns true if a path is another one or below it, as Windows and macOS read both. */
export function isAtOrBelow(path: string, folder: string): boolean {
  const lastSpelling = (name: string) => plainPath(name).split("\n").at(-1);
  const inner = lastSpelling(path);
  const outer = lastSpelling(folder);
  return `${inner}/`.startsWith(`${outer}/`);
}

/**
 * Returns true if Git takes a folder above a file for a repository: HEAD next to `objects` and `refs`,
 * or next to `commondir`. Source: is_git_directory in setup.c of Git.
 * @param path with `/` as separator
 * @param has returns true if a file or folder exists or is about to be written
 * @param exists returns true if a file or folder exists
 */
export async function isInGitDirectory(
  path: string,
  has: (path: string) => Promise<boolean>,
  exists: (path: string) => Promise<boolean>,
): Promise<boolean> {
  const names = path.split("/");
  for (let length = names.length - 1; length >= 0; length--) {
    if (length === 0 && path.startsWith("/")) return false;
    const folder = names
      .slice(0, length)
      .map((name) => `${name}/`)
      .join("");
    if (await has(`${folder}HEAD`)) {
      if (await has(`${folder}commondir`)) return true;
      if ((await has(`${folder}objects`)) && (await has(`${folder}refs`))) return true;
    }
    // A bare repository may hold its work trees.
    if (await exists(`${folder}.git`)) return false;
  }
  return false;
}

/**
 * Sections of Git's configuration with a key that names a program, another configuration or an address
 * that can be a program. Source: Documentation/config of Git 2.55, and git-lfs-config for `lfs`.
 */
const SECTIONS = new Set(
  `
  core alias filter diff merge include includeif credential gpg sequence pager remote url uploadpack
  sendemail difftool mergetool interactive browser man web instaweb submodule http trailer hook gui
  guitool tar init protocol safe extensions imap gc help lfs receive transfer fsmonitor scalar
  maintenance svn-remote git-p4 trace2 bundle worktree gitcvs gitweb
  `
    .trim()
    .split(/\s+/),
);

/** Items that Git accepts; the start of a section's name is a group. */
const CONFIG_ITEMS = [
  /[ \t\r\n]+|[#;][^\n]*/y,
  /\[(?=[a-z\d.-])([a-z\d-]*)(?:\.[a-z\d.-]*)?(?:\]|[ \t\r]+"(?:\\[^\n]|[^"\\\n])*"\])/iy,
  // A value continues on the next line after a backslash.
  /[a-z][a-z\d-]*[ \t]*(?:(?=\n)|=(?:"(?:\\[\nntb\\"]|[^"\\\n])*"|\\[\nntb\\"]|[^"\\\n#;])*(?:[#;][^\n]*)?(?![^\n]))/iy,
];

/**
 * Returns true for text that Git accepts as configuration and that may name a program. Git refuses a
 * file with any line that is no configuration. Format: git_parse_source in config.c of Git.
 */
export function isRunningGitConfig(text: string): boolean {
  const source = `${text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n")}\n`;
  let isRunning = false;
  for (let at = 0; at < source.length;) {
    let item: RegExpExecArray | null = null;
    for (const pattern of CONFIG_ITEMS) {
      pattern.lastIndex = at;
      item ??= pattern.exec(source);
    }
    if (item === null) return false;
    isRunning ||= SECTIONS.has((item[1] ?? "").toLowerCase());
    at += item[0].length;
  }
  return isRunning;
}

/** Returns a name as Windows and macOS read it: no dots and blanks at the end, no short names. */
function plainName(name: string): string {
  let end = name.length;
  while (end > 0 && (name[end - 1] === "." || name[end - 1] === " ")) end--;
  const plain = name.slice(0, end) || name;
  if (/^git~\d$/.test(plain)) return ".git";
  const long = SHORT_NAMES.find(
    ([, start, hashed]) =>
      (plain.startsWith(start) && /^~[1-4]$/.test(plain.slice(start.length))) ||
      (plain.length === 8 &&
        hashed.startsWith(plain.split("~", 1)[0] ?? plain) &&
        /~[1-9]\d*$/.test(plain)),
  );
  return long?.[0] ?? plain;
}
