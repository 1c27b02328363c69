/**
 * Tests the code that is sent around a question: with Explain, Fix and Write Tests, definitions for
 * a selection, and files that are never sent.
 */
import assert from "node:assert/strict";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { systemClock } from "../../src/base/clock";
import { findDefinitions } from "../../src/host/context/definitions";
import type { Gathered } from "../../src/host/context/gather";
import { ReferenceSearch } from "../../src/host/context/references";
import { gatherCallers, gatherTests } from "../../src/host/context/relatedCode";
import { COMMANDS } from "../../src/host/platform/contributions";
import { fenced, plainText, poll, putCaret, selectLines, showFile, workspaceUri } from "./editing";
import { edit, run, suiteWithProblems, suiteWithService } from "./editingSuite";
import { receivedRequests, resetService, scriptService, untilService } from "./reference";
import { ManualClock } from "../support/fakes/manualClock";
import { Repository } from "./repository";
import { setUserSettings } from "./settings";

const CART = `import { euros, type Money } from "./money";

interface Item {
  readonly price: Money;
  readonly quantity: number;
}

/** A basket. */
export class Cart {
  private readonly items: Item[] = [];

  add(item: Item): void {
    this.items.push(item);
  }

  total(): Money {
    let sum = 0;
    for (const item of this.items) {
      sum += item.price.cents * item.quantity;
    }
    return euros(sum);
  }
}
`;

const MONEY = `/** An amount. */
export interface Money {
  readonly cents: number;
}

export function euros(cents: number): Money {
  const rounded = Math.round(cents);
  const canary = "the body of a function is not needed";
  console.log(canary);
  return { cents: rounded };
}
`;

const TESTS = `import { Cart } from "./cart";
it("adds up", () => {
  expect(new Cart().total().cents).toBe(0);
});
`;

const PACKAGE = JSON.stringify({
  scripts: { test: "vitest run", build: "tsc" },
  devDependencies: { vitest: "^3.0.0", typescript: "^5.9.0" },
});

describe("the code around a question", () => {
  suiteWithService({ "context.definitions": true });
  const setProblem = suiteWithProblems();
  const written: vscode.Disposable[] = [];
  const folder = "around";
  const file = (name: string) => `${folder}/${name}`;

  beforeEach(async () => {
    await vscode.workspace.fs.createDirectory(workspaceUri(folder));
    const write = (name: string, text: string) =>
      vscode.workspace.fs.writeFile(workspaceUri(folder, name), new TextEncoder().encode(text));
    await write("money.ts", MONEY);
    await write("cart.test.ts", TESTS);
    await write("package.json", PACKAGE);
  });
  afterEach(async () => {
    for (const one of written.splice(0)) one.dispose();
    await vscode.workspace.fs.delete(workspaceUri(folder), { recursive: true });
  });

  /**
   * Registers a definition provider, as a language extension does, with these locations by name.
   */
  function provide(places: Readonly<Record<string, readonly [string, number]>>): void {
    const provider: vscode.DefinitionProvider = {
      provideDefinition(document, position) {
        const range = document.getWordRangeAtPosition(position);
        const place = range && places[document.getText(range)];
        if (place === undefined) return undefined;
        const [name, line] = place;
        return new vscode.Location(workspaceUri(name), new vscode.Position(line - 1, 0));
      },
    };
    written.push(vscode.languages.registerDefinitionProvider({ pattern: "**" }, provider));
  }

  async function lastAsked(): Promise<string> {
    await untilService(({ requests, repliesOpen }) => requests > 0 && repliesOpen === 0);
    const { messages } = (await receivedRequests()).at(-1)?.body as {
      messages: { role: string; content: string }[];
    };
    return messages.findLast(({ role }) => role === "user")?.content ?? "";
  }

  /**
   * Repeats the question until its definitions arrive within their time limit, which a busy machine
   * may exceed.
   */
  async function askWithDefinitions(ask: () => Promise<unknown>): Promise<string> {
    let asked = "";
    await poll(async () => {
      await run(COMMANDS.newConversation);
      await resetService();
      await ask();
      asked = await lastAsked();
      return asked.includes("Declarations that this code uses");
    }, "definitions in the question");
    return asked;
  }

  it("sends the class, the imports and the definitions with the line of a problem", async () => {
    provide({ Money: [file("money.ts"), 2], euros: [file("money.ts"), 6] });
    const editor = await showFile(file("cart.ts"), CART);
    setProblem(editor.document.uri, 19, "price may be undefined");
    putCaret(editor, 19, 10);
    const asked = await askWithDefinitions(() => run(COMMANDS.fixSelection));
    assert.match(asked, /around\/cart\.ts \(lines 8-23\), asked about line 19:/);
    assert.ok(asked.includes("export class Cart") && asked.includes("add(item: Item)"), asked);
    assert.ok(asked.includes('import { euros, type Money } from "./money";'));
    assert.ok(asked.includes("- line 19: error: price may be undefined"));
    assert.ok(asked.includes("readonly cents: number;"), asked);
    assert.ok(asked.includes("export function euros(cents: number): Money {"));
    assert.ok(!asked.includes("the body of a function is not needed"), asked);
    assert.equal(asked.split("export class Cart").length, 2, "nothing goes twice");
  });

  it("sends the test runner and an existing test with Write Tests", async () => {
    const editor = await showFile(file("cart.ts"), CART);
    selectLines(editor, 16, 22);
    await run(COMMANDS.writeTests);
    const asked = await lastAsked();
    assert.match(asked, /script test: vitest run\npackage vitest: \^3\.0\.0/);
    assert.ok(!asked.includes("tsc"));
    assert.match(asked, /around\/cart\.test\.ts[^\n]*:\n```typescript\nimport \{ Cart \}/);
    assert.ok(asked.includes("export class Cart"));
  });

  it("sends definitions with an inline edit", async () => {
    provide({ euros: [file("money.ts"), 6] });
    const editor = await showFile(file("cart.ts"), CART);
    const asked = await askWithDefinitions(async () => {
      await run(COMMANDS.inlineDiscard);
      selectLines(editor, 21, 21);
      await edit("shorter");
    });
    assert.ok(asked.includes("export function euros(cents: number): Money {"), asked);
  });

  it("sends the cells above with an edit of a notebook's cell", async () => {
    const uri = workspaceUri(folder, "cells.ipynb");
    const cellOf = (source: string) => ({ cell_type: "code", source, outputs: [], metadata: {} });
    const cells = [cellOf("rows = [1, 2]"), cellOf("total = 0"), cellOf("later = 1")];
    const notebook = { cells, metadata: {}, nbformat: 4, nbformat_minor: 4 };
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(JSON.stringify(notebook)));
    const opened = await vscode.workspace.openNotebookDocument(uri);
    await vscode.window.showNotebookDocument(opened, {
      selections: [new vscode.NotebookRange(1, 2)],
    });
    await run("notebook.cell.edit");
    const own = opened.cellAt(1).document;
    await poll(() => vscode.window.activeTextEditor?.document === own, "the second cell");
    await edit("add the rows");
    const asked = await lastAsked();
    assert.match(asked, /Earlier cells[^]*rows = \[1, 2\][^]*Lines to rewrite[^]*total = 0/);
    assert.doesNotMatch(asked, /later = 1|Code after/);
  });

  it("adds the callers of the function at the cursor, and existing tests, on request", async () => {
    const editor = await showFile(file("cart.ts"), CART);
    putCaret(editor, 19, 4);
    const caller = { name: "caller", uri: workspaceUri(folder, "cart.test.ts") };
    const item = (uri: vscode.Uri, name: string, first: number, last: number) => {
      const range = new vscode.Range(first - 1, 0, last - 1, 80);
      return new vscode.CallHierarchyItem(vscode.SymbolKind.Function, name, "", uri, range, range);
    };
    written.push(
      vscode.languages.registerCallHierarchyProvider(
        { pattern: "**" },
        {
          prepareCallHierarchy: ({ uri }) => item(uri, "total", 16, 22),
          provideCallHierarchyIncomingCalls: () => [
            new vscode.CallHierarchyIncomingCall(item(caller.uri, caller.name, 2, 4), [
              new vscode.Range(2, 13, 2, 18),
            ]),
          ],
          provideCallHierarchyOutgoingCalls: () => [],
        },
      ),
    );
    const itemsOf = (gathered: Gathered) =>
      gathered.ok
        ? gathered.parts.flatMap((part) => (part.kind === "related" ? part.items : []))
        : [];
    const [found] = itemsOf(await gatherCallers());
    assert.deepEqual([found?.path, found?.startLine], ["around/cart.test.ts", 2]);
    assert.ok(found?.text.includes("new Cart().total()"));
    const [test] = itemsOf(await gatherTests());
    assert.equal(test?.path, "around/cart.test.ts");
    const references = new ReferenceSearch(systemClock);
    for (const name of ["callers", "tests"]) {
      for await (const list of references.find(name, new AbortController().signal)) {
        assert.ok(
          list.some(({ kind }) => kind === name),
          name,
        );
        break;
      }
    }
    references.dispose();
  });

  it("looks nothing up while the setting is off", async () => {
    provide({ euros: [file("money.ts"), 6] });
    await setUserSettings({ "context.definitions": false });
    const { document } = await showFile(file("cart.ts"), CART);
    assert.equal(await findDefinitions(document, [{ startLine: 21, endLine: 21 }]), undefined);
  });

  it("sends an inline edit without the outline and the definitions that a language server never answers", async () => {
    const never = () => new Promise<undefined>(() => undefined);
    const providers = [
      vscode.languages.registerDefinitionProvider("*", { provideDefinition: never }),
      vscode.languages.registerTypeDefinitionProvider("*", { provideTypeDefinition: never }),
      vscode.languages.registerDocumentSymbolProvider("*", { provideDocumentSymbols: never }),
    ];
    try {
      const editor = await showFile("no-answer.ts", "one();\n");
      setProblem(editor.document.uri, 1, "one is not defined");
      selectLines(editor, 1, 1);
      await scriptService(fenced(["two();"]), fenced(["three();"]));
      await edit();
      assert.equal(plainText(editor.document), "two();\n");
      await run(COMMANDS.inlineDiscard);
      const range = editor.document.lineAt(0).range;
      await run(COMMANDS.editSelection, { range, isFix: true });
      assert.equal(plainText(editor.document), "three();\n");
    } finally {
      for (const provider of providers) provider.dispose();
    }
  });
});

describe("definitions in a repository with secrets and links", () => {
  const CANARY = "canary-of-the-definitions-23";
  const answers = suiteWithService({ "context.definitions": true });
  let repository: Repository;
  let outside: string;
  let provider: vscode.Disposable;
  const at = (name: string) => repository.uri(name).fsPath;

  before(async () => {
    repository = await Repository.make("found");
    outside = realpathSync(mkdtempSync(join(tmpdir(), "core-chat-found-")));
    writeFileSync(join(outside, "plain.ts"), `export const outer = "${CANARY}";\n`);
    writeFileSync(join(outside, "shared.ts"), `export const shared = "${CANARY}";\n`);
  });
  beforeEach(() => repository.restore({}));
  afterEach(() => void provider.dispose());
  after(async () => {
    await repository.restore({});
    rmSync(outside, { recursive: true });
  });

  it("includes only definitions in ordinary files, without asking", async () => {
    const line = (name: string) => `export const ${name} = "${CANARY}";\n`;
    mkdirSync(at("build"), { recursive: true });
    writeFileSync(at(".gitignore"), "build/\nlocal.ts\nnode_modules/\n");
    writeFileSync(at("build/made.ts"), line("made"));
    writeFileSync(at("local.ts"), line("local"));
    writeFileSync(at("secrets.ts"), line("named"));
    writeFileSync(at("config.ts"), `export const password = "${CANARY}-x9Qz";\n`);
    writeFileSync(at("huge.ts"), line("huge") + "// filler\n".repeat(150_000));
    symlinkSync(join(outside, "plain.ts"), at("link.ts"));
    linkSync(join(outside, "shared.ts"), at("hard.ts"));
    mkdirSync(at("node_modules/lib"), { recursive: true });
    writeFileSync(at("node_modules/lib/index.js"), line("installed"));
    writeFileSync(at("node_modules/lib/index.d.ts"), "export function lib(): void;\n");
    writeFileSync(at("fine.ts"), "export const fine = 1;\n");
    await repository.open.status();
    const names: Readonly<Record<string, vscode.Uri>> = {
      made: repository.uri("build/made.ts"),
      local: repository.uri("local.ts"),
      named: repository.uri("secrets.ts"),
      password: repository.uri("config.ts"),
      huge: repository.uri("huge.ts"),
      linked: repository.uri("link.ts"),
      shared: repository.uri("hard.ts"),
      outer: vscode.Uri.file(join(outside, "plain.ts")),
      installed: repository.uri("node_modules/lib/index.js"),
      lib: repository.uri("node_modules/lib/index.d.ts"),
      fine: repository.uri("fine.ts"),
    };
    provider = vscode.languages.registerDefinitionProvider(
      { pattern: "**" },
      {
        provideDefinition(document, position) {
          const range = document.getWordRangeAtPosition(position);
          const uri = range && names[document.getText(range)];
          return uri && new vscode.Location(uri, new vscode.Position(0, 0));
        },
      },
    );
    const use = Object.keys(names).join(", ");
    const uri = repository.uri("use.ts");
    writeFileSync(uri.fsPath, `use(${use});\n`);
    const document = await vscode.workspace.openTextDocument(uri);
    const found = await findDefinitions(
      document,
      [{ startLine: 1, endLine: 1 }],
      [],
      new ManualClock(),
    );
    assert.deepEqual(
      found?.items.map(({ path, text }) => [path, text]),
      [
        ["found/fine.ts", "export const fine = 1;"],
        ["found/node_modules/lib/index.d.ts", "export function lib(): void;"],
      ],
    );
    assert.deepEqual(
      answers.shown.filter(({ buttons }) => buttons.length > 0),
      [],
    );
  });
});
