/**
 * Finds paths in the table of fileReaders.txt, in linear time: each part of a path is looked up in a
 * map of the names without `*`, and compared with each of the few names that have one.
 */

/** Names that a part of a path is compared with. */
interface Names<Value> {
  readonly whole: Map<string, Entry<Value>[]>;
  readonly patterns: (readonly [RegExp, Entry<Value>])[];
}

interface Entry<Value> {
  /** Position in the table: the lowest decides. */
  readonly order: number;
  readonly value: Value;
  /** Tests of the parts above the last one, from the inside. */
  readonly above: readonly ((part: string | undefined) => boolean)[];
}

export class PathTable<Value> {
  private readonly files: Names<Value> = { whole: new Map(), patterns: [] };
  private readonly folders: Names<Value> = { whole: new Map(), patterns: [] };
  private order = 0;

  /** Adds the names of a row of fileReaders.txt. */
  add(names: string, value: Value): void {
    for (const name of names.split(" ").flatMap(alternatives)) this.addName(name, value);
  }

  /** Returns the first name of the table that a spelling of a path matches; undefined for none. */
  find(spellings: readonly string[]): { readonly value: Value } | undefined {
    let first: Entry<Value> | undefined;
    for (const parts of spellings.map((path) => path.split("/"))) {
      for (const [at, part] of parts.entries()) {
        const isLast = at === parts.length - 1;
        for (const entry of entriesFor(part, isLast ? this.files : this.folders)) {
          const isEarlier = first === undefined || entry.order < first.order;
          if (isEarlier && entry.above.every((test, up) => test(parts[at - up - 1]))) first = entry;
        }
      }
    }
    return first;
  }

  private addName(name: string, value: Value): void {
    const isFolder = name.endsWith("/");
    const [part = "", ...above] = (isFolder ? name.slice(0, -1) : name).split("/").reverse();
    const entry = { order: this.order++, value, above: above.map(testOf) };
    const { whole, patterns } = isFolder ? this.folders : this.files;
    if (part.includes("*")) patterns.push([patternOf(part), entry]);
    else whole.set(part, [...(whole.get(part) ?? []), entry]);
  }
}

function entriesFor<Value>(part: string, { whole, patterns }: Names<Value>): Entry<Value>[] {
  const matching = patterns.flatMap(([pattern, entry]) => (pattern.test(part) ? [entry] : []));
  return [...(whole.get(part) ?? []), ...matching];
}

/** Returns the names that a name with `{a,b}` stands for. */
function alternatives(name: string): string[] {
  const [, before = "", among = "", after = ""] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(name) ?? [];
  if (before + among + after === "") return name === "" ? [] : [name];
  return among.split(",").flatMap((one) => alternatives(`${before}${one}${after}`));
}

function testOf(part: string): (other: string | undefined) => boolean {
  if (!part.includes("*")) return (other) => other === part;
  const pattern = patternOf(part);
  return (other) => other !== undefined && pattern.test(other);
}

function patternOf(part: string): RegExp {
  const source = part.replace(/[.+$@]/g, "\\$&").replaceAll("*", "[^]{0,255}");
  // Made of a name of a table; a wildcard reads at most 255 UTF-16 units.
  return new RegExp(`^${source}$`);
}
