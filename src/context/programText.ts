/**
 * Cleans text that programs print, for a question: removes control sequences of terminals and the
 * paths of this machine, and keeps the end of a long text.
 */

/** Control sequences: OSC and other strings, CSI, and short escapes. Source: ECMA-48. */
const CONTROL_SEQUENCES =
  /\u001b[\]P_^X][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b\[[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Home folders of users on Linux, macOS and Windows. */
const HOME =
  /(?<![\w.~-])(?:\/(?:home|Users)\/[^/\s:"'`()<>]+|\/root(?=[/\s:]|$)|[A-Za-z]:[\\/]Users[\\/][^\\/\s:"'`()<>]+)/g;

/** A folder of this machine, and the name that is sent instead. */
export interface NamedFolder {
  readonly path: string;
  /** Empty for the only folder of the workspace, whose files have relative paths. */
  readonly shown: string;
}

/** Returns text as a terminal would show it; of a line that was overwritten the last version. */
export function plainOutput(output: string): string {
  const text = output.replace(CONTROL_SEQUENCES, "").replaceAll("\r\n", "\n");
  const lines = text.split("\n").map((line) => {
    const versions = line.trimEnd().split("\r");
    return (versions.at(-1) ?? "").trimEnd();
  });
  return lines
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/** Replaces paths in these folders by relative paths, and home folders by `~`. */
export function withoutFolders(text: string, folders: readonly NamedFolder[]): string {
  const longestFirst = folders.toSorted((a, b) => b.path.length - a.path.length);
  let relative = text;
  for (const { path, shown } of longestFirst) {
    const plain = path.replace(/[\\/]$/, "");
    if (plain === "") continue;
    const escaped = plain.split(/[\\/]/).map((name) => name.replace(/[$()*+.?[\]^{|}]/g, "\\$&"));
    const flags = /^[a-z]:/i.test(plain) ? "gi" : "g";
    // Made of the escaped path of a folder.
    const pattern = new RegExp(
      `(?<![\\w.-])(?:file:/{2,3})?${escaped.join("[\\\\/]{1,4}")}`,
      flags,
    );
    // Made of the pattern above.
    relative = relative
      .replace(new RegExp(`${pattern.source}[\\\\/]{1,4}`, flags), shown === "" ? "" : `${shown}/`)
      .replace(new RegExp(`${pattern.source}(?![\\w.-])`, flags), shown === "" ? "." : shown);
  }
  return relative.replace(HOME, "~");
}

/** Returns the last whole lines that fit; a single longer line loses its start. */
export function endOf(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = text.slice(-maxLength);
  const lineStart = end.indexOf("\n") + 1;
  const shownEnd = lineStart > 0 && lineStart < maxLength / 2 ? end.slice(lineStart) : end;
  return `[… ${text.length - shownEnd.length} characters left out …]\n${shownEnd}`;
}
