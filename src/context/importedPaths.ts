/**
 * Reads which files of a project the imports of a file mean, by their text, for languages whose
 * extension may be missing. Returns candidates; the caller looks which of them exist.
 */

/** Files that one import may mean. */
export interface ImportedPath {
  /** Paths relative to the base, with `/`, the likeliest first. One that ends with `/` is a folder. */
  readonly candidates: readonly string[];
  /** Folder of the importing file, that folder and those around it, or the nearest folder `src`. */
  readonly base: "folder" | "ancestors" | "src";
}

interface ImportForm {
  /** Matches a line of the file. */
  readonly pattern: RegExp;
  /** @param names names that are looked for */
  readonly read: (match: RegExpExecArray, names: ReadonlySet<string>) => ImportedPath | undefined;
}

/** Lines at the start of a file that are searched for imports, and the part of a line. */
const MAX_LINES = 300;
const MAX_LINE_LENGTH = 300;

const MAX_IMPORTS = 20;

/** Forms by language. Sources: the language references, chapters on imports. */
const FORMS: Readonly<Record<string, readonly ImportForm[]>> = {
  // https://docs.python.org/3/reference/simple_stmts.html#the-import-statement
  python: [
    {
      pattern: /^\s*from (\.*)(\w[\w.]*)? import (.+)$/,
      read: ([, dots = "", module = "", imported = ""], names) => {
        if (!imported.includes("(") && !hasAny(imported, names)) return undefined;
        const up = "../".repeat(Math.max(0, dots.length - 1));
        const path = module.replaceAll(".", "/");
        const modules = wordsOf(imported).filter((word) => names.has(word));
        const inside = modules.map((name) => `${path === "" ? "" : `${path}/`}${name}.py`);
        const moduleFiles = path === "" ? [] : [`${path}.py`, `${path}/__init__.py`];
        const candidates = [...moduleFiles, ...inside].map((one) => up + one);
        return { candidates, base: dots === "" ? "ancestors" : "folder" };
      },
    },
    {
      pattern: /^\s*import ([\w.]+)(?: as (\w+))?/,
      read: ([, module = "", alias = module], names) => {
        if (!hasAny(alias, names)) return undefined;
        const path = module.replaceAll(".", "/");
        return { candidates: [`${path}.py`, `${path}/__init__.py`], base: "ancestors" };
      },
    },
  ],
  // https://go.dev/ref/spec#Import_declarations
  go: [
    {
      pattern: /^\s*(?:import )?(?:(\w+) )?"([\w./-]+)"$/,
      read: ([, alias, path = ""], names) => {
        const parts = path.split("/");
        if (!names.has(alias ?? parts.at(-1) ?? "")) return undefined;
        // The module's own name is that of no folder.
        const candidates = parts.map((_, index) => `${parts.slice(index).join("/")}/`);
        return { candidates, base: "ancestors" };
      },
    },
  ],
  // https://doc.rust-lang.org/reference/items/use-declarations.html
  rust: [
    {
      pattern: /^\s*(?:pub(?:\(\w+\))? )?use (crate|self|super)::([\w:]*)(?:\{(.*))?/,
      read: ([, root = "", path = "", list = ""], names) => {
        if (!hasAny(`${path} ${list}`, names)) return undefined;
        const parts = path.split("::").filter((part) => part !== "");
        const tails = wordsOf(list).filter((word) => names.has(word) || parts.length === 0);
        const all = [parts, ...tails.map((tail) => [...parts, tail])];
        const candidates = all.flatMap((one) => rustFiles(one, root === "super" ? "../" : ""));
        return { candidates, base: root === "crate" ? "src" : "folder" };
      },
    },
    {
      pattern: /^\s*(?:pub(?:\(\w+\))? )?mod (\w+);/,
      read: ([, name = ""], names) =>
        names.has(name) ? { candidates: rustFiles([name], ""), base: "folder" } : undefined,
    },
  ],
  // https://docs.oracle.com/javase/specs/jls/se21/html/jls-7.html#jls-7.5
  java: [
    {
      pattern: /^\s*import (?:static )?([\w.]+?)(\.\*)?;/,
      read: ([, path = "", all], names) => {
        if (all === undefined && !hasAny(path, names)) return undefined;
        const parts = path.split(".");
        const candidates =
          all === undefined
            ? [parts, parts.slice(0, -1)].map((one) => `${one.join("/")}.java`)
            : [...names].map((name) => [...parts, `${name}.java`].join("/"));
        return { candidates, base: "ancestors" };
      },
    },
  ],
};

/** Files that need no import, by language. */
const NEIGHBORS: Readonly<Record<string, (names: ReadonlySet<string>) => readonly string[]>> = {
  go: () => ["./"],
  java: (names) => [...names].map((name) => `${name}.java`),
};

/**
 * Returns the files in which some names may be declared; undefined for other languages.
 * @param lines of the importing file
 * @param names that the code uses
 */
export function importedPaths(
  languageId: string,
  lines: readonly string[],
  names: ReadonlySet<string>,
): ImportedPath[] | undefined {
  const forms = FORMS[languageId];
  if (forms === undefined) return undefined;
  const imports = lines.slice(0, MAX_LINES).flatMap((line) => {
    const head = line.slice(0, MAX_LINE_LENGTH).trimEnd();
    return forms.flatMap(({ pattern, read }) => {
      const match = pattern.exec(head);
      return (match && read(match, names)) ?? [];
    });
  });
  const near = NEIGHBORS[languageId]?.(names) ?? [];
  const neighbors = near.map((path) => ({ candidates: [path], base: "folder" as const }));
  return [...imports, ...neighbors].slice(0, MAX_IMPORTS);
}

/** Returns the files of a module path, and of the modules around it, which may declare its last name. */
function rustFiles(parts: readonly string[], up: string): string[] {
  return parts
    .map((_, index) => up + parts.slice(0, parts.length - index).join("/"))
    .flatMap((path) => [`${path}.rs`, `${path}/mod.rs`]);
}

function hasAny(text: string, names: ReadonlySet<string>): boolean {
  return wordsOf(text).some((word) => names.has(word));
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+/gu) ?? [];
}
