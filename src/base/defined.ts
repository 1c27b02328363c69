/**
 * Returns an object without the keys whose value is undefined, for `...defined({ a, b })`. The compiler
 * keeps such keys out of optional properties (`exactOptionalPropertyTypes`), because objects are merged:
 * `{ ...draft, text: undefined }` would remove the text.
 */
export function defined<T extends object>(
  values: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
