/** Checks if lines fit the lines around: brackets, JSON, nesting and statements. */
import type { Change } from "./change";
import { CONTINUES, unpaired } from "./flaws";
import { lettersIn } from "./likeness";
import { depthAt, isBlank, isText, lineAt } from "./lines";
import { stringsIn, withoutComments } from "./wrappers";

/** End of a head whose body has no bracket. */
const DO = /\b(?:do|then)$/;

/** Line that closes a block, below which nothing is deeper. */
const BLOCK_END = /^(?:\}|end);?$/;

/** Start of a line that goes on with a statement of SQL. */
const CLAUSE = /^\s*(?:and|or|where|on|having|limit|(?:order|group)\sby|(?:\w+\s){0,2}join)\s/i;

/** Statement that ends a block, with another one below. */
const UNREACHABLE =
  /^([ \t]{0,99})(?:return|throw|raise)\b(?!.{0,500}\b(?:if|unless)\b).{0,500}\n\1(?:return|throw|raise)\b/gm;

/** Returns true if lines do not fit the lines around, which those that they replace do. */
export function breaksStructure(change: Change): boolean {
  const { file, lines, replaced, after } = change;
  const isBalanced = (all: readonly string[]) => {
    const { openers, closers } = unpaired(all, false);
    return openers + closers === 0;
  };
  const deeperBelowEnd = (all: readonly string[]) => {
    const filled = all.filter((line) => !isBlank(line));
    const isDeeper = (line: string, at: number) =>
      BLOCK_END.test(line.trim()) && depthAt([filled[at + 1] ?? ""]) > depthAt([line]);
    return filled.filter(isDeeper).length;
  };
  const unreachableIn = (all: readonly string[]) =>
    all
      .filter((line) => !isBlank(line))
      .join("\n")
      .match(UNREACHABLE)?.length ?? 0;
  const isJson = (all: readonly string[]) =>
    stringsIn(withoutComments(all.join("\n"))) !== undefined;
  return (
    unpaired(lines, file.hasTags).closers > unpaired(replaced, file.hasTags).closers ||
    (isBalanced(file.all) && !isBalanced(after)) ||
    deeperBelowEnd(after) > deeperBelowEnd(file.all) ||
    (!file.isProse && unreachableIn(after) > unreachableIn(file.all)) ||
    hasOtherParent(change) ||
    endsInside(change) ||
    (/^(?:yaml|dockercompose)$/.test(file.languageId) && listsIn(after) > listsIn(file.all)) ||
    (/^jsonc?$/.test(file.languageId) && isJson(file.all) && !isJson(after))
  );
}

/** Returns true if the line below belongs to another line than before, which stays. */
function hasOtherParent({ file, lines, below, after }: Change): boolean {
  const next = below.findIndex((line) => !isBlank(line));
  const depth = depthAt([lineAt(below, next)]);
  const [old, added] = [file.all, after].map((all) => {
    const above = all.slice(0, next - below.length);
    return above.findLast((line) => isText(line) && depthAt([line]) < depth)?.trim();
  });
  // A label, or text at the margin, has no lines of its own.
  const last = lines.findLast((line) => !isBlank(line))?.trim();
  const isHead = lettersIn(added ?? "") > 0 && added !== last;
  return isHead && old !== added && after.some((line) => line.trim() === old);
}

/** Returns true if lines end in a head without its body, or end a statement that goes on below. */
function endsInside({ file, lines, replaced, below }: Change): boolean {
  const [last = "", old = "", next = ""] = [lines.toReversed(), replaced.toReversed(), below].map(
    (all) => all.find((line) => !isBlank(line)),
  );
  const goesOn = CONTINUES.test(next) || (file.languageId === "sql" && CLAUSE.test(next));
  const isInside = (line: string) =>
    goesOn ? line.endsWith(";") : DO.test(line) && depthAt([next]) <= depthAt([line]);
  return isInside(last) && !isInside(old);
}

/** Returns the number of lists of YAML that are at least as deep as a key with a value above. */
function listsIn(lines: readonly string[]): number {
  const filled = lines.filter((line) => !isBlank(line));
  return filled.filter((line, at) => {
    const [, indent, value] =
      /^(\s*(?:- )?)[\w.-]+:\s+([^\s#|>&*].*)/.exec(filled[at - 1] ?? "") ?? [];
    return value !== undefined && /^\s*- /.test(line) && depthAt([line]) >= (indent?.length ?? 0);
  }).length;
}
