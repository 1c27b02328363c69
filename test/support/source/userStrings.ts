/**
 * Finds every user-visible string of the source: the first argument of each `l10n.t(…)` and `t(…)`,
 * read from the syntax tree, so that line breaks and quotes do not matter.
 */
import { readFileSync } from "node:fs";
import ts from "typescript";

/** A user-visible string of the source. */
export interface UserString {
  readonly file: string;
  /** English text, or undefined if the argument is not a plain literal. */
  readonly text: string | undefined;
}

/** Returns the strings of these TypeScript files, in source order. */
export function userStrings(files: readonly string[]): UserString[] {
  const found: UserString[] = [];
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2023);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && isTranslation(node.expression)) {
        const [first] = node.arguments;
        const text = first && ts.isStringLiteralLike(first) ? first.text : undefined;
        found.push({ file, text });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

/** Returns true for `l10n.t`, `vscode.l10n.t`, or a bare `t` imported from @vscode/l10n. */
function isTranslation(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === "t";
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== "t") return false;
  const owner = callee.expression;
  const name = ts.isPropertyAccessExpression(owner)
    ? owner.name.text
    : ts.isIdentifier(owner)
      ? owner.text
      : "";
  return name === "l10n";
}
