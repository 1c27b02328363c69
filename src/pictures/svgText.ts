/**
 * Reads an SVG as text: its encoding, the declarations before its first element, and the entities that
 * drawing programs define for namespaces and styles. Source: https://www.w3.org/TR/xml/
 */

/** Number of first bytes in which the first element is searched. */
const HEAD_BYTES = 1024 * 1024;

/** Limit of the text with expanded entities, in UTF-16 units. */
const MAX_EXPANDED_LENGTH = 8 * 1024 * 1024;

/** Entities that each XML document has. */
const PREDEFINED = new Set(["amp", "lt", "gt", "quot", "apos"]);

/** Value of an entity that expands to text only: neither elements nor other entities. */
const FLAT_VALUE = /^(?:[^<&]|&(?:#\d{1,7}|#x[\da-f]{1,6}|amp|lt|gt|quot|apos);)*$/i;

/** True for a text whose first element is `svg`, with or without a prefix. */
export function isSvg(bytes: Uint8Array): boolean {
  if (!/^\s*</.test(decode(bytes.subarray(0, 1_000)))) return false;
  return readProlog(decode(bytes.subarray(0, HEAD_BYTES))) !== undefined;
}

/**
 * Returns an SVG from its first element on, with expanded entities. Returns undefined if an entity
 * contains elements, refers to another entity or to a file, or if the text grows beyond the limit.
 */
export function expandedSvg(bytes: Uint8Array): string | undefined {
  const text = decode(bytes);
  const prolog = readProlog(text);
  const entities = prolog && readEntities(prolog.subset);
  if (entities === undefined) return undefined;
  let length = text.length;
  const expanded = text.slice(prolog?.end).replace(/&([\w.:-]{1,100});/g, (reference, name) => {
    const value = entities.get(name as string) ?? reference;
    length += value.length;
    return length > MAX_EXPANDED_LENGTH ? "" : value;
  });
  return length > MAX_EXPANDED_LENGTH ? undefined : expanded;
}

/** Decodes by the byte order mark, by the first two bytes, or by the XML declaration. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  let encoding = "utf-8";
  if (first === 0xff || second === 0) encoding = "utf-16le";
  else if (first === 0xfe || first === 0) encoding = "utf-16be";
  else {
    const declaration = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
    const match = /^\s{0,9}<\?xml[^>]{0,150}?\sencoding\s{0,9}=\s{0,9}["']([\w.-]+)/.exec(
      declaration,
    );
    encoding = match?.[1] ?? encoding;
  }
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

interface Prolog {
  /** Offset of the first element. */
  readonly end: number;
  /** Internal declarations of the document type, without comments. */
  readonly subset: string;
}

/** Returns what precedes the first element; undefined for a text that is no SVG. */
function readProlog(text: string): Prolog | undefined {
  let at = 0;
  let subset = "";
  for (;;) {
    at += /^\s*/.exec(text.slice(at, at + 1_000))?.[0].length ?? 0;
    const start = text.slice(at, at + 100);
    if (/^<(?:[\w.-]{1,50}:)?svg[\s/>]/.test(start)) return { end: at, subset };
    if (start.startsWith("<!--")) at = endAfter(text, "-->", at);
    else if (start.startsWith("<?")) at = endAfter(text, "?>", at);
    else if (start.startsWith("<!DOCTYPE")) ({ end: at, subset } = readDoctype(text, at));
    else if (!/^\s/.test(start)) return undefined;
    if (at === 0) return undefined;
  }
}

/** Returns the offset after the next `mark`; 0 without one. */
function endAfter(text: string, mark: string, at: number): number {
  const index = text.indexOf(mark, at);
  return index < 0 ? 0 : index + mark.length;
}

/** Reads a document type declaration; its end is 0 if it does not end. */
function readDoctype(text: string, start: number): Prolog {
  const signs = /<!--|["'[\]>]/g;
  signs.lastIndex = start;
  let subset = "";
  let from = 0;
  for (let match = signs.exec(text); match !== null; match = signs.exec(text)) {
    const [sign] = match;
    if (sign === ">" && from === 0) return { end: signs.lastIndex, subset };
    if (sign === "[") from = signs.lastIndex;
    if (sign === "]") {
      subset += text.slice(from, match.index);
      from = 0;
    }
    if (sign === "<!--" || sign === '"' || sign === "'") {
      const end = endAfter(text, sign === "<!--" ? "-->" : sign, signs.lastIndex);
      if (end === 0) break;
      if (sign === "<!--" && from > 0) {
        subset += text.slice(from, match.index);
        from = end;
      }
      signs.lastIndex = end;
    }
  }
  return { end: 0, subset };
}

/** Returns the entities' values for replacement; undefined unless each is flat text. */
function readEntities(subset: string): Map<string, string> | undefined {
  const entities = new Map<string, string>();
  for (const declaration of subset.split("<!ENTITY").slice(1)) {
    const match = /^\s{1,99}([\w.:-]{1,100})\s{1,99}(?:"([^"]*)"|'([^']*)')\s{0,99}>/.exec(
      declaration,
    );
    const value = match?.[2] ?? match?.[3];
    if (match === null || value === undefined || !FLAT_VALUE.test(value)) return undefined;
    const [, name = ""] = match;
    // The first declaration counts.
    if (PREDEFINED.has(name) || entities.has(name)) continue;
    entities.set(name, value.replace(/"/g, "&quot;").replace(/'/g, "&apos;"));
  }
  return entities;
}
