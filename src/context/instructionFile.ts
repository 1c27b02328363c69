/**
 * Reads Markdown files with instructions and prompts: the front matter, which is `key: value` lines
 * between two lines of `---`, and the variables of VS Code's prompt files.
 */

/** The values by key, and the text below the front matter. */
export interface FrontMatter {
  readonly values: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Upper limit of a value, in UTF-16 units. A longer value is empty. */
const MAX_VALUE = 10_000;

/** A list, as in `[a, b]` or in lines with `-`, becomes a value with commas. */
export function readFrontMatter(text: string): FrontMatter {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  const end = lines.findIndex((line, index) => index > 0 && /^---[ \t]*$/.test(line));
  if (!/^---[ \t]*$/.test(lines[0] ?? "") || end === -1) {
    return { values: new Map(), body: lines.join("\n") };
  }
  const values = new Map<string, string>();
  let key = "";
  for (const line of lines.slice(1, end)) {
    const field = /^([\w-]+)[ \t]*:(.*)$/.exec(line);
    const item = /^[ \t]*-[ \t](.*)$/.exec(line)?.[1];
    if (field !== null) {
      key = field[1] ?? "";
      values.set(key, valueOf(field[2] ?? ""));
    } else if (item !== undefined && key !== "") {
      const before = values.get(key) ?? "";
      if (before.length > MAX_VALUE) continue;
      values.set(key, [before, valueOf(item)].filter((one) => one !== "").join(","));
    }
  }
  const body = lines.slice(end + 1).join("\n");
  return { values, body: body.replace(/^\n+/, "") };
}

/** Returns a value without quotes, brackets of a list and a comment. */
function valueOf(written: string): string {
  const text = written.trim();
  if (text.length > MAX_VALUE) return "";
  const list = /^\[(.*)\]$/.exec(text)?.[1];
  return list === undefined
    ? itemOf(text)
    : (list.match(/"[^"]*"|'[^']*'|[^,]+/g) ?? []).map((item) => itemOf(item.trim())).join(",");
}

function itemOf(text: string): string {
  const quoted = /^(["'])(.*)\1(?:\s+#.*)?$/.exec(text)?.[2];
  return quoted ?? text.replace(/(?:^|\s)#[^]*/, "").trim();
}

/** Matches a variable; group 1 is its name. */
const VARIABLE = /\$\{(\w+)\}/g;

/** Replaces known variables; others stay, because the user edits the text before it is sent. */
export function replaceVariables(
  text: string,
  values: Readonly<Record<string, string | undefined>>,
): string {
  return text
    .replaceAll("${workspaceFolder}/", "")
    .replace(VARIABLE, (whole, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
    );
}
