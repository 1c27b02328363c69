/** Values of a JSON file that is too large to parse as a whole: the items of an array, or the one value. */

/** Longest item, in bytes: ten times a long conversation with pictures. */
const MAX_ITEM_BYTES = 256 * 1024 * 1024;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A value of the file; absent for one that is damaged, incomplete or too long. */
export interface FoundValue {
  readonly value?: unknown;
  /** True for the whole part of a value that ends with the file. */
  readonly isCut?: true;
  /** True for an item of an array. */
  readonly isItem: boolean;
}

/** Reads the values of a file. Holds one item at a time; never throws because of the content. */
export async function* jsonValues(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FoundValue> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  /** True for an array; undefined before the first byte of the file. */
  let isArray: boolean | undefined;

  function keep(piece: Uint8Array): void {
    length += piece.length;
    if (length <= MAX_ITEM_BYTES) pieces.push(piece);
    else pieces = [];
  }
  function taken(isEnd = false): FoundValue | undefined {
    const text = length > MAX_ITEM_BYTES ? "" : decoded(pieces, length);
    const isBlank = length === 0 || (length <= MAX_ITEM_BYTES && text.trim() === "");
    pieces = [];
    length = 0;
    if (isBlank) return undefined;
    const isItem = isArray === true;
    try {
      return { value: JSON.parse(text), isItem };
    } catch {
      const value = isEnd ? wholePart(text) : undefined;
      return value === undefined ? { isItem } : { value, isItem, isCut: true };
    }
  }

  for await (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
      } else if (byte === QUOTE) isInString = true;
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        isArray ??= byte === OPEN_ARRAY;
        depth++;
        if (depth === 1 && isArray) start = at + 1;
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
      const isEnd = isArray === true && !isInString && depth <= 1;
      if (isEnd && ((byte === COMMA && depth === 1) || (byte === CLOSE_ARRAY && depth === 0))) {
        keep(chunk.slice(start, at));
        const found = taken();
        if (found) yield found;
        start = at + 1;
      }
    }
    if (isArray !== undefined) keep(chunk.slice(start));
  }
  const rest = taken(true);
  if (rest) yield rest;
  else if (isArray === undefined) yield { isItem: false };
}

function decoded(pieces: readonly Uint8Array[], length: number): string {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return new TextDecoder().decode(bytes);
}

/** Returns what is whole of JSON that ends too early: up to the last complete value, with its ends added. */
function wholePart(text: string): unknown {
  const open: string[] = [];
  let isInString = false;
  let whole = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (isInString) {
      if (sign === "\\") at++;
      else isInString = sign !== '"';
      continue;
    }
    if (sign === '"') isInString = true;
    else if (sign === "{") open.push("}");
    else if (sign === "[") open.push("]");
    else if (sign === "}" || sign === "]") open.pop();
    if (!"{}[],".includes(sign)) continue;
    whole = sign === "," ? at : at + 1;
  }
  try {
    return JSON.parse(text.slice(0, whole) + open.toReversed().join(""));
  } catch {
    return undefined;
  }
}
