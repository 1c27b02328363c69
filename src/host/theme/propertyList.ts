/**
 * Parses the part of Apple's XML property lists that TextMate themes use: dictionaries, arrays and
 * strings. Skips everything else; expands only the five entities of XML and numeric ones.
 */

type Value = string | Value[] | { [name: string]: Value };

/** Deepest nesting that is parsed; themes need five levels. */
const MAX_DEPTH = 40;

interface Open {
  readonly value: Value[] | { [name: string]: Value };
  key: string | undefined;
}

/** Returns the value of a property list; undefined if invalid. */
export function readPropertyList(text: string): Value | undefined {
  const tags = /<!--[^]*?(?:-->|$)|<(\/?)([a-z]+)(?:\s[^<>]*?)?(\/?)>([^<]*)/gi;
  const open: Open[] = [];
  let root: Value | undefined;
  const put = (value: Value) => {
    const parent = open.at(-1);
    if (parent === undefined) root ??= value;
    else if (Array.isArray(parent.value)) parent.value.push(value);
    else if (parent.key !== undefined) {
      parent.value[parent.key] = value;
      parent.key = undefined;
    }
  };
  for (const [, slash, name, selfClosing, content = ""] of text.matchAll(tags)) {
    const kind = name?.toLowerCase();
    const isEnd = slash === "/";
    switch (kind) {
      case "dict":
      case "array": {
        if (isEnd) {
          open.pop();
          break;
        }
        if (open.length >= MAX_DEPTH) return root;
        const value: Open["value"] =
          kind === "array" ? [] : (Object.create(null) as Record<string, Value>);
        put(value);
        if (selfClosing !== "/") open.push({ value, key: undefined });
        break;
      }
      case "key": {
        const parent = open.at(-1);
        if (!isEnd && parent !== undefined) parent.key = plain(content);
        break;
      }
      case "string":
        if (!isEnd) put(plain(content));
        break;
      default:
        break;
    }
  }
  return root;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

function plain(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[];
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? "", 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
