import { parseJson } from "../base/parseJson";

/**
 * Returns the JSON of a parsed value. Empty for very deep nesting: V8 parses any depth but throws
 * when it serializes a deep value.
 */
export function jsonText(value: object | string | number | boolean): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
}

/** A string may lack its end, so that no text is read twice. */
const STRINGS_AND_NUMBERS = /"[^"\\]*(?:\\.?[^"\\]*)*"?|-?\b(?:NaN|Infinity)\b/gs;

/** Parses JSON with the numbers that only Python writes; they are read as null. */
export function parsePythonJson(text: string): unknown {
  const value = parseJson(text);
  if (value !== undefined || !/NaN|Infinity/.test(text)) return value;
  return parseJson(text.replace(STRINGS_AND_NUMBERS, (item) => (item[0] === '"' ? item : "null")));
}

/** Returns the objects that a text holds one after the other, and the text behind them. */
export function jsonObjects(text: string): { objects: unknown[]; rest: string } {
  const objects: unknown[] = [];
  let unread = withoutPrefix(text);
  for (let end = endOfObject(unread); end > 0; end = endOfObject(unread)) {
    const value = parsePythonJson(unread.slice(0, end));
    if (value === undefined) break;
    objects.push(value);
    unread = withoutPrefix(unread.slice(end));
  }
  return { objects, rest: unread };
}

/** Removes blanks and field names, which gateways write twice: https://github.com/openclaw/openclaw/issues/96497 */
function withoutPrefix(text: string): string {
  return text.replace(/^(?:\s|data:)+/, "");
}

/** Returns the end of the object at the start of a text; -1 without one. */
function endOfObject(text: string): number {
  if (!text.startsWith("{")) return -1;
  let depth = 0;
  let isString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (isString) {
      if (character === "\\") i++;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return i + 1;
  }
  return -1;
}
