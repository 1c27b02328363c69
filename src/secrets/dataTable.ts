/**
 * Reads the tables of this folder: rows below a heading in brackets, and comments after "# ".
 * Tests check their form, so nothing is checked here.
 */

export interface TableSection {
  readonly heading: string;
  readonly rows: string[];
}

/** Returns the sections of a table. A row `%NAME text` defines the text for `%NAME` in later rows. */
export function tableSections(table: string): TableSection[] {
  const definitions = new Map<string, string>();
  const sections: TableSection[] = [];
  for (const line of table.split(/\r?\n/)) {
    if (line === "" || /^#(?: |$)/.test(line)) continue;
    const replaced = (text: string) =>
      text.replace(/%[A-Z]+/g, (name) => definitions.get(name) ?? name);
    const [, name, definition = ""] = /^(%[A-Z]+) (.+)$/.exec(line) ?? [];
    const heading = /^\[([a-z-]+(?: .+)?)\]$/.exec(line)?.[1];
    if (name !== undefined) definitions.set(name, replaced(definition));
    else if (heading !== undefined) sections.push({ heading, rows: [] });
    else sections.at(-1)?.rows.push(replaced(line));
  }
  return sections;
}
