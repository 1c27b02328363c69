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
