/** Finds the regular expressions of a source file: literals, and those made from constant strings. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import ts from "typescript";

/** A regular expression in the source. */
export interface SourcePattern {
  /** File and line, from 1. */
  readonly place: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
  /** Upper limit of the text, from a comment; undefined for a text of any length. */
  readonly maxLength: number | undefined;
}

/** Regular expressions of a file, and the places of those whose text is not constant. */
export interface SourcePatterns {
  readonly patterns: readonly SourcePattern[];
  readonly variable: readonly string[];
}

type Value = string | readonly Value[];

const parsed = new Map<string, ts.SourceFile>();

function parse(file: string): ts.SourceFile {
  let source = parsed.get(file);
  if (source === undefined) {
    const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    source = ts.createSourceFile(
      file,
      readFileSync(file, "utf8"),
      ts.ScriptTarget.Latest,
      true,
      kind,
    );
    parsed.set(file, source);
  }
  return source;
}

/** Returns the regular expressions of a file. */
export function patternsOf(file: string): SourcePatterns {
  const tree = parse(file);
  const patterns: SourcePattern[] = [];
  const variable: string[] = [];
  const visit = (node: ts.Node): void => {
    const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const place = `${file}:${line}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      patterns.push({
        place,
        line,
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
        maxLength: maxLengthOf(node),
      });
    }
    if (ts.isNewExpression(node) && node.expression.getText() === "RegExp") {
      const [source, flags] = node.arguments ?? [];
      const text = source && valueOf(source, file);
      const flagText = flags === undefined ? "" : valueOf(flags, file);
      if (typeof text === "string" && typeof flagText === "string") {
        patterns.push({ place, line, source: text, flags: flagText, maxLength: maxLengthOf(node) });
      } else if (!/\bMade of /.test(commentsOf(node))) variable.push(place);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { patterns, variable };
}

/** Returns the value of a constant expression; undefined for anything else. */
function valueOf(node: ts.Expression, file: string): Value | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node))
    return valueOf(node.expression, file);
  if (ts.isTemplateExpression(node)) {
    const pieces = node.templateSpans.map((span) => [
      valueOf(span.expression, file),
      span.literal.text,
    ]);
    return joined([node.head.text, ...pieces.flat()], "");
  }
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === "String.raw") {
    if (ts.isNoSubstitutionTemplateLiteral(node.template)) return node.template.rawText ?? "";
    const { head, templateSpans } = node.template;
    const pieces = templateSpans.map((span) => [
      valueOf(span.expression, file),
      span.literal.rawText,
    ]);
    return joined([head.rawText, ...pieces.flat()], "");
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return joined([valueOf(node.left, file), valueOf(node.right, file)], "");
  }
  if (ts.isArrayLiteralExpression(node)) {
    const items = node.elements.map((item) =>
      ts.isSpreadElement(item) ? valueOf(item.expression, file) : [valueOf(item, file)],
    );
    const all = items.flatMap((item) => (Array.isArray(item) ? item : [undefined]));
    return all.includes(undefined) ? undefined : (all as Value[]);
  }
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name, expression } = node.expression;
    const target = valueOf(expression, file);
    const [first] = node.arguments;
    if (name.text === "join" && Array.isArray(target)) {
      const separator = first === undefined ? "," : valueOf(first, file);
      return typeof separator === "string" ? joined(target as Value[], separator) : undefined;
    }
    return undefined;
  }
  if (ts.isPropertyAccessExpression(node) && node.name.text === "source") {
    const target = ts.isIdentifier(node.expression)
      ? initializerOf(node.expression, file)
      : undefined;
    if (target === undefined || !ts.isRegularExpressionLiteral(target.node)) return undefined;
    return target.node.text.slice(1, target.node.text.lastIndexOf("/"));
  }
  if (!ts.isIdentifier(node)) return undefined;
  const found = initializerOf(node, file);
  return found && valueOf(found.node, found.file);
}

function joined(values: readonly (Value | undefined)[], separator: string): string | undefined {
  return values.every((value) => typeof value === "string") ? values.join(separator) : undefined;
}

/** Returns the initializer of a constant of this file or of an imported one. */
function initializerOf(
  { text }: ts.Identifier,
  file: string,
): { node: ts.Expression; file: string } | undefined {
  const tree = parse(file);
  let found: { node: ts.Expression; file: string } | undefined;
  const visit = (node: ts.Node): void => {
    if (
      ts.isVariableDeclaration(node) &&
      node.name.getText() === text &&
      node.initializer !== undefined &&
      (ts.getCombinedNodeFlags(node) & ts.NodeFlags.Const) !== 0
    ) {
      found ??= { node: node.initializer, file };
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  if (found !== undefined) return found;
  for (const statement of tree.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier))
      continue;
    const names = statement.importClause?.namedBindings;
    if (names === undefined || !ts.isNamedImports(names)) continue;
    const name = names.elements.find((element) => element.name.text === text);
    const path = join(dirname(file), statement.moduleSpecifier.text);
    const target = [`${path}.ts`, `${path}.tsx`].find((candidate) => existsSync(candidate));
    if (name === undefined || target === undefined) continue;
    return initializerOf(name.name, target);
  }
  return undefined;
}

/** Returns the limit that a comment of the pattern or of its declaration states. */
function maxLengthOf(node: ts.Node): number | undefined {
  const limit = /Reads at most ([\d,]+) UTF-16 units/.exec(commentsOf(node))?.[1];
  return limit === undefined ? undefined : Number(limit.replaceAll(",", ""));
}

/** Returns the comments before an expression, and before the statement that contains it. */
function commentsOf(node: ts.Node): string {
  const text = node.getSourceFile().text;
  const comments: string[] = [];
  for (let outer = node; !ts.isBlock(outer) && !ts.isSourceFile(outer); outer = outer.parent) {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, outer.getFullStart()) ?? []) {
      comments.push(text.slice(pos, end).replaceAll(/\s+[* ]*/g, " "));
    }
  }
  return comments.join("\n");
}
