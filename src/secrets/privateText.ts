/** Finds what a picture with a known text should not show: e-mail addresses and secrets. */
import { secretsOf } from "./secretText";

/** Match in a text, in UTF-16 units; the end is exclusive. */
export interface PrivateText {
  readonly kind: "email" | "key";
  readonly start: number;
  readonly end: number;
}

/** Local part and domain, by https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1 and RFC 6531. */
const EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}][\p{L}\p{N}._%+-]{0,63}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])/gu;

/** Returns the matches in their order. */
export function privateTexts(text: string): PrivateText[] {
  const emails = [...text.matchAll(EMAIL)].map(({ index, 0: address }): PrivateText => {
    return { kind: "email", start: index, end: index + address.length };
  });
  const keys = [...secretsOf(text)].map(({ valueStart, end }): PrivateText => {
    return { kind: "key", start: valueStart, end };
  });
  return [...emails, ...keys].toSorted((one, other) => one.start - other.start);
}
