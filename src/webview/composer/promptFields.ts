/**
 * Fields of prompts in the message box: `${input:name}` and `${input:name:hint}`, as VS Code's prompt files write
 * values that the user gives (https://code.visualstudio.com/docs/copilot/customization/prompt-files).
 */

/** A field without a value. Positions are in UTF-16 units; the end is exclusive. */
export interface PromptField {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The limits keep a text with an open brace from becoming one field. */
const FIELD = /\$\{input:([^:{}\n]{1,80})(?::[^{}\n]{0,200})?\}/g;

/** Returns the fields in the text of a prompt, as written, each once. */
export function fieldsOfPrompt(text: string): string[] {
  return [...new Set([...text.matchAll(FIELD)].map(([source]) => source))];
}

/**
 * Returns the fields of a text, in order.
 * @param fields those that prompts put into the text: typed and pasted text has the same form, as in
 *   `launch.json`, and is text
 */
export function fieldsIn(text: string, fields: readonly string[]): PromptField[] {
  if (fields.length === 0) return [];
  return [...text.matchAll(FIELD)].flatMap(({ 0: source, 1: name = "", index: start }) =>
    fields.includes(source) ? [{ name: name.trim(), start, end: start + source.length }] : [],
  );
}

/** Follows the values of fields while the text changes, so that Shift+Tab finds them again. */
export class FieldValues {
  /** Fields with a value; the one that was edited last comes first. */
  private values: readonly PromptField[] = [];
  private text = "";

  /** @param fields returns those that prompts put into the text */
  constructor(private readonly fields: () => readonly string[]) {}

  /** Fields with and without a value, in order; the first of each name. */
  get stops(): PromptField[] {
    const all = [...this.values, ...this.unfilled(this.text)].toSorted((a, b) => a.start - b.start);
    return all.filter(({ name }, at) => all.findIndex((other) => other.name === name) === at);
  }

  /**
   * Applies a change of the text.
   * @param replaced selection before an input, which the new text replaces; undefined for other changes
   */
  change(text: string, replaced?: readonly [start: number, end: number]): void {
    const before = this.text;
    if (text === before) return;
    const [from, to] = changedRange(before, text, replaced);
    const grown = text.length - before.length;
    const field = this.unfilled(before).find(({ start, end }) => start === from && end === to);
    const edited = field === undefined ? [] : [{ ...field, end: field.end + grown }];
    const untouched: PromptField[] = [];
    for (const value of this.values) {
      const { start, end } = value;
      if (to < start) untouched.push({ ...value, start: start + grown, end: end + grown });
      else if (from > end) untouched.push(value);
      else if (from >= start && to <= end) edited.push({ ...value, end: end + grown });
    }
    this.text = text;
    // Undo brings a field back in place of its value.
    const raw = this.unfilled(text);
    this.values = [...edited, ...untouched].filter(
      (value) => !raw.some((one) => doTouch(one, value)),
    );
  }

  private unfilled(text: string): PromptField[] {
    return fieldsIn(text, this.fields());
  }

  /** Returns the fields that get the value of another field of the same name; the last one first. */
  pending(): { readonly at: PromptField; readonly value: string }[] {
    return [...this.values, ...this.unfilled(this.text)]
      .flatMap((at) => {
        const source = this.values.find(({ name }) => name === at.name);
        const value = source === undefined ? "" : this.text.slice(source.start, source.end);
        const isSame = this.text.slice(at.start, at.end) === value;
        return value === "" || isSame ? [] : { at, value };
      })
      .toSorted((a, b) => b.at.start - a.at.start);
  }
}

function doTouch(a: PromptField, b: PromptField): boolean {
  return a.start < b.end && b.start < a.end;
}

/** Returns the range of `before` that was replaced: the selection if that explains the new text. */
function changedRange(
  before: string,
  text: string,
  replaced?: readonly [start: number, end: number],
): readonly [number, number] {
  if (replaced !== undefined) {
    const [start, end] = replaced;
    const tail = before.slice(end);
    const isOnly = text.startsWith(before.slice(0, start)) && text.endsWith(tail);
    if (isOnly && text.length >= start + tail.length) return replaced;
  }
  const shorter = Math.min(before.length, text.length);
  let start = 0;
  while (start < shorter && before[start] === text[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === text.at(-1 - tail)) tail += 1;
  return [start, before.length - tail];
}
