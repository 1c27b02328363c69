/** Import statements of common languages: found in a reply, and added to those of a file. */
import { unpaired } from "./flaws";
import { isBlank, lineAt, withoutBlankEnds, wordsOf } from "./lines";

/**
 * First line of a statement by which common languages name other files and modules.
 * Source of "load(": https://bazel.build/concepts/build-files#load
 */
const IMPORT =
  /^(?:import\b|from \S+ import\b|export .*\bfrom ["']|#\s*(?:include|import)\b|using [\w.:]+\s*(?:=[^=]*)?;|use [\w:{\\]|require(?:_relative)?\b|(?:const|let|var) .*\brequire\(|@(?:import|use)\b|open [A-Z]|library\(|load\("[@:/]|\} from |\s*(?:alias|use|require) [A-Z][\w.]*(?:\{.*\}|,.*)?$)/;

type Statement = readonly string[];

/** Returns true for a line that imports something, or begins or ends such a statement. */
export function isImport(line: string): boolean {
  return IMPORT.test(line);
}

export function splitImports(lines: readonly string[]): {
  readonly imports: readonly Statement[];
  readonly rest: readonly string[];
} {
  const imports: Statement[] = [];
  let end = 0;
  for (const { at, text } of statementsIn(lines)) {
    if (!lines.slice(end, at).every(isBlank)) break;
    imports.push(text);
    end = at + text.length;
  }
  return { imports, rest: withoutBlankEnds(lines.slice(end)) };
}

/**
 * Returns the lines with import statements added below their last one. A statement that extends an
 * existing one replaces it.
 * @returns undefined if the lines import nothing
 */
export function withImports(
  lines: readonly string[],
  imports: readonly Statement[],
): readonly string[] | undefined {
  let result = [...lines];
  for (const statement of imports) {
    const statements = statementsIn(result);
    const last = statements.at(-1);
    if (last === undefined) return undefined;
    // A group of Go has a line for each.
    const isGroup = /^import \($/.test(lineAt(last.text, 0)) && statement.length === 1;
    const added = isGroup ? [lineAt(statement, 0).replace(/^\w+\s/, "\t")] : statement;
    const text = added.join("\n");
    if (statements.some((one) => one.text.join("\n").includes(text))) continue;
    const old = statements.find((one) => extendsStatement(text, one.text.join("\n")));
    const end = last.at + last.text.length - Number(isGroup);
    const [at, length] = old ? [old.at, old.text.length] : [end, 0];
    result = result.toSpliced(at, length, ...added);
  }
  return result;
}

/** Returns true if a statement is a list that names all that another one names. */
function extendsStatement(statement: string, other: string): boolean {
  const words = wordsOf(statement);
  return /[({]/.test(statement) && [...wordsOf(other)].every((word) => words.has(word));
}

interface Place {
  readonly at: number;
  readonly text: Statement;
}

function statementsIn(lines: readonly string[]): Place[] {
  const places: Place[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!isImport(lineAt(lines, at))) continue;
    const text = lines.slice(at, at + lengthOfStatement(lines.slice(at)));
    places.push({ at, text });
    at += text.length - 1;
  }
  return places;
}

/** Returns the number of lines up to the one that closes the brackets of the first. */
function lengthOfStatement(lines: readonly string[]): number {
  let depth = 0;
  const end = lines.findIndex((line) => {
    const { openers, closers } = unpaired([line], false);
    depth += openers - closers;
    return depth <= 0;
  });
  return end === -1 ? lines.length : end + 1;
}
