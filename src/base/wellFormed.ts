/**
 * Replaces half surrogate pairs by U+FFFD: strict services refuse a request that contains one, and
 * each later request of the conversation too.
 */

/** JSON writes half a pair as an escape, and a whole pair never. */
const HALF_PAIR = /\\ud[89a-f]/;
const ESCAPES = /\\(ud[89a-f][\da-f]{2}|.)/g;

/** Returns the JSON of a value that is sent or stored, with well-formed texts and names. */
export function wellFormedJson(value: object): string {
  const json = JSON.stringify(value);
  if (!HALF_PAIR.test(json)) return json;
  return json.replace(ESCAPES, (escape, code: string) => (code.length > 1 ? "\ufffd" : escape));
}

/** A text that arrives in pieces; keeps half a pair until the next piece or the end of the text. */
export class WellFormedText {
  private half = "";

  /** Returns the next whole characters. */
  push(piece: string): string {
    if (piece === "") return piece;
    const text = this.half + piece;
    const isHalf = (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;
    this.half = isHalf ? text.slice(-1) : "";
    return (isHalf ? text.slice(0, -1) : text).toWellFormed();
  }

  /** Returns U+FFFD if the text ends with half a pair. */
  end(): string {
    const { half } = this;
    this.half = "";
    return half.toWellFormed();
  }
}
