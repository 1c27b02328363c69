/**
 * Reads the members of a JSON object as source text. JSON.parse preserves neither the digits of a
 * number (0.30000000000000004, 1.0, 3e3) nor duplicate names, and the checks need both.
 */

export interface JsonMember {
  readonly name: string;
  /** Text of the value, trimmed. */
  readonly text: string;
}

/** Returns the members of the outermost object of `json`, which must be valid JSON. */
export function readJsonMembers(json: string): JsonMember[] {
  const members: JsonMember[] = [];
  let depth = 0;
  let name: string | undefined;
  let valueStart = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') {
      const end = endOfString(json, at);
      if (depth === 1 && name === undefined) name = JSON.parse(json.slice(at, end)) as string;
      at = end - 1;
    } else if (character === "{" || character === "[") {
      depth++;
    } else if (character === "}" || character === "]") {
      depth--;
    } else if (character === ":" && depth === 1) {
      valueStart = at + 1;
    }
    const isMemberEnd = (character === "," && depth === 1) || (character === "}" && depth === 0);
    if (isMemberEnd && name !== undefined) {
      members.push({ name, text: json.slice(valueStart, at).trim() });
      name = undefined;
    }
  }
  return members;
}

/**
 * Returns the index after the closing quote. Searches with `indexOf`, because a picture is a single
 * string of many megabytes.
 */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; ;) {
    const quote = json.indexOf('"', at);
    let backslashes = 0;
    while (json[quote - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

/** Returns the number of decimal places without trailing zeros: `0.80` → 1, `1.5e-1` → 2. */
export function decimalPlaces(number: string): number {
  const [mantissa = "", exponent = "0"] = number.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = (whole + fraction).replace(/0+$/, "");
  const trailingZeros = (whole + fraction).length - digits.length;
  return Math.max(0, fraction.length - trailingZeros - Number(exponent));
}
