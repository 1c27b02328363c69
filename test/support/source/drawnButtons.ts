/**
 * Finds the buttons that VS Code draws for the extension: entries of the menus in package.json, and
 * what the code of `src/host` passes to VS Code: messages, dialogs, lists, code lenses, light-bulb
 * actions and hovers.
 */
import { readFileSync } from "node:fs";
import ts from "typescript";
import { filesBelow } from "./files";

/** Buttons as "place: label"; `unresolved` has the places in the code whose labels are unknown. */
export interface DrawnButtons {
  readonly buttons: ReadonlySet<string>;
  readonly unresolved: readonly string[];
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: Readonly<
      Record<string, readonly { readonly command?: string; readonly submenu?: string }[]>
    >;
  };
}

/** Returns the entries of the menus; those of a submenu once for each menu that has the submenu. */
export function menuButtons(): Set<string> {
  const read = (name: string) => JSON.parse(readFileSync(name, "utf8")) as unknown;
  const { commands, menus } = (read("package.json") as Manifest).contributes;
  const texts = read("package.nls.json") as Readonly<Record<string, string>>;
  const titles = new Map(
    commands.map(({ command, title }) => [command, texts[title.slice(1, -1)] ?? title]),
  );
  const labelsOf = (menu: string): string[] =>
    (menus[menu] ?? []).flatMap(({ command = "", submenu }) =>
      submenu === undefined ? [titles.get(command) ?? command] : labelsOf(submenu),
    );
  // The palette is a list of VS Code; submenus are part of other menus.
  const places = Object.keys(menus).filter((one) => !/^(commandPalette|coreChat\..*)$/.test(one));
  return new Set(places.flatMap((place) => labelsOf(place).map((label) => `${place}: ${label}`)));
}

/** Returns the buttons that the code of `src/host` passes to VS Code. */
export function codeButtons(): DrawnButtons {
  const sources = filesBelow("src/host", /\.ts$/).map((file) =>
    ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2023, true),
  );
  const nodes = sources.flatMap((source) => [...nodesIn(source)]);
  const labels = new Labels(nodes.filter(ts.isCallExpression));
  const buttons = new Set<string>();
  const unresolved: string[] = [];
  const add = (place: string, label: ts.Node | undefined, of: ts.Node) => {
    const texts = label ? labels.in(label) : [];
    for (const text of texts) buttons.add(`${place}: ${text}`);
    if (texts.length === 0)
      unresolved.push(`${of.getSourceFile().fileName}: ${place} ${(label ?? of).getText()}`);
  };
  for (const node of nodes) {
    if (ts.isObjectLiteralExpression(node) && propertyOf(node, "run"))
      add("notification", propertyOf(node, "label"), node);
    if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) continue;
    const name = nameOf(node);
    const [first, second] = node.arguments ?? [];
    if (name === "CodeAction") add("light bulb", first, node);
    if (name === "CodeLens" && second && propertyOf(second, "command")?.getText() !== '""')
      add("code lens", propertyOf(second, "title"), node);
    if (name === "showQuickPick") add("list", second && propertyOf(valueOf(second), "title"), node);
    if (name === "appendMarkdown" && first && /command:/.test(first.getText()))
      add("hover", first, node);
    if (/^show(Information|Warning|Error)Message$/.test(name)) {
      const options = (node.arguments ?? [])
        .slice(1)
        .filter((one) => /modal: true/.test(valueOf(one).getText()));
      for (const one of (node.arguments ?? []).slice(1).filter((other) => !options.includes(other)))
        add(options.length > 0 ? "dialog" : "notification", one, node);
    }
  }
  return { buttons, unresolved };
}

function* nodesIn(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* nodesIn(child);
}

function nameOf({ expression }: ts.CallExpression | ts.NewExpression): string {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
}

/** Returns the value of a property in an object; of `{ title }` the name itself. */
function propertyOf(node: ts.Node, name: string): ts.Node | undefined {
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const property = node.properties.find((one) => one.name?.getText() === name);
  return property && ts.isPropertyAssignment(property) ? property.initializer : property?.name;
}

/** Returns the value of a constant, or the node itself. */
function valueOf(node: ts.Node): ts.Node {
  const declaration = ts.isIdentifier(node) ? declarationOf(node) : undefined;
  return (declaration && ts.isVariableDeclaration(declaration) && declaration.initializer) || node;
}

type Declaration = ts.VariableDeclaration | ts.ParameterDeclaration | ts.FunctionDeclaration;

/** Returns the declaration of a name in the scopes around its use. */
function declarationOf(use: ts.Identifier): Declaration | undefined {
  for (let scope: ts.Node = use.parent; ; scope = scope.parent) {
    const statements = ts.isBlock(scope) || ts.isSourceFile(scope) ? scope.statements : [];
    const declarations: Declaration[] = [];
    for (const one of statements) {
      if (ts.isFunctionDeclaration(one)) declarations.push(one);
      if (ts.isVariableStatement(one)) declarations.push(...one.declarationList.declarations);
    }
    const parameters = ts.isFunctionLike(scope) ? [...scope.parameters] : [];
    const isNamed = ({ name }: Declaration) =>
      name !== undefined && namesIn(name).includes(use.text);
    const declaration = [...parameters, ...declarations].find(isNamed);
    if (declaration !== undefined || ts.isSourceFile(scope)) return declaration;
  }
}

function namesIn(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((one) => (ts.isBindingElement(one) ? namesIn(one.name) : []));
}

/** Texts that expressions can have. */
class Labels {
  private readonly calls = new Map<string, ts.CallExpression[]>();
  /** Declarations that are being read; a recursive function passes its own parameter. */
  private readonly active = new Set<Declaration>();

  constructor(calls: readonly ts.CallExpression[]) {
    for (const call of calls) {
      const name = nameOf(call);
      this.calls.set(name, [...(this.calls.get(name) ?? []), call]);
    }
  }

  /**
   * Returns the texts written in an expression, those of a constant or a function that it names, and for a
   * parameter those that callers pass.
   * @param property of the object that the expression is; undefined for the expression itself
   */
  in(node: ts.Node, property?: string): string[] {
    if (property !== undefined && ts.isObjectLiteralExpression(node)) {
      const value = propertyOf(node, property);
      return value ? this.in(value) : [];
    }
    if (ts.isConditionalExpression(node)) {
      return [...this.in(node.whenTrue, property), ...this.in(node.whenFalse, property)];
    }
    if (ts.isCallExpression(node)) {
      const [text] = node.arguments;
      const isText = /(^|\.)t$/.test(node.expression.getText());
      if (isText && text && ts.isStringLiteralLike(text)) return [text.text];
      return ts.isIdentifier(node.expression) && !isText ? this.in(node.expression) : [];
    }
    if (ts.isIdentifier(node)) return this.ofDeclaration(declarationOf(node), node.text, property);
    if (ts.isPropertyAccessExpression(node) || ts.isAwaitExpression(node)) return [];
    const labels: string[] = [];
    ts.forEachChild(node, (child) => void labels.push(...this.in(child, property)));
    return labels;
  }

  private ofDeclaration(
    declaration: Declaration | undefined,
    name: string,
    property?: string,
  ): string[] {
    if (declaration === undefined || this.active.has(declaration)) return [];
    this.active.add(declaration);
    const labels = this.written(declaration, name, property);
    this.active.delete(declaration);
    return labels;
  }

  private written(declaration: Declaration, name: string, property?: string): string[] {
    if (ts.isFunctionDeclaration(declaration))
      return declaration.body ? this.in(declaration.body) : [];
    const own = ts.isObjectBindingPattern(declaration.name) ? name : property;
    if (ts.isVariableDeclaration(declaration))
      return declaration.initializer ? this.in(declaration.initializer, own) : [];
    const { parent } = declaration;
    const named = ts.isVariableDeclaration(parent.parent) ? parent.parent.name : parent.name;
    const index = parent.parameters.indexOf(declaration);
    const isExported = ts.isFunctionDeclaration(parent) && parent.modifiers?.length;
    const isCaller = (call: ts.CallExpression) =>
      isExported || call.getSourceFile() === declaration.getSourceFile();
    return (this.calls.get(named?.getText() ?? "") ?? []).filter(isCaller).flatMap((call) => {
      const argument = call.arguments[index];
      return argument ? this.in(argument, own) : [];
    });
  }
}
