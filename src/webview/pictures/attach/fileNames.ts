/**
 * Detects clipboards whose text only names their files. File managers add names, paths or `file:` URLs
 * as text, and browsers the web address of a copied picture.
 */

/** Lines that file managers of Linux put before the addresses. */
const FILE_MANAGER_LINES = new Set(["x-special/nautilus-clipboard", "copy", "cut"]);

/** A path from a root, with a scheme or drive, or a relative path without blanks. */
const PATH_START = /^(?:[/\\~]|[a-z][\w+.-]{1,40}:\/\/|[a-z]:[/\\]|\S*$)/i;

const WEB_ADDRESS = /^https?:\/\/\S+$/i;

/** True for clipboard text that says nothing but the names or the address of the clipboard's files. */
export function isOnlyNames(data: DataTransfer): boolean {
  const files = [...data.files];
  const text = data.getData("text/plain").trim();
  if (files.length === 0 || text === "") return files.length > 0;
  if (data.types.includes("text/html")) {
    // Text that was copied with its format is meant, also where a spreadsheet's cell has an address.
    const html = data.getData("text/html");
    const tags = html.replace(/="[^"]*"|='[^']*'/g, "");
    return /<img\s/i.test(html) && tags.replace(/<[^<>]*>/g, "").trim() === "";
  }
  const [file] = files;
  const isPicture = files.length === 1 && file?.type.startsWith("image/") === true;
  if (isPicture && (WEB_ADDRESS.test(text) || text.startsWith("data:image/"))) return true;
  const names = new Set(files.map(({ name }) => name.normalize("NFC")));
  return text.split(/[\r\n\0]+/).every((line) => isPathTo(names, line.trim()));
}

/** True for a line with one path, or with several of which each is quoted or has no blanks. */
function isPathTo(names: ReadonlySet<string>, line: string): boolean {
  if (line === "" || FILE_MANAGER_LINES.has(line) || isOnePath(names, line)) return true;
  const parts = line.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
  return parts.length > 0 && parts.every((part) => isOnePath(names, part));
}

function isOnePath(names: ReadonlySet<string>, quoted: string): boolean {
  const path = /^(["'])(.*)\1$/.exec(quoted)?.[2] ?? quoted;
  return [path, decoded(path)].some((spelling) => {
    const normal = spelling.normalize("NFC").replace(/[/\\]$/, "");
    if (names.has(normal)) return true;
    // The colon separates the folders of paths in the classic form of macOS.
    return ["/", "\\", ":"].some((separator) => {
      const at = normal.lastIndexOf(separator) + 1;
      return at > 0 && names.has(normal.slice(at)) && PATH_START.test(normal.slice(0, at));
    });
  });
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
