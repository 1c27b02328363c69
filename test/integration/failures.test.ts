/**
 * Tests collecting the last failure in a real VS Code: terminal commands with shell integration,
 * test messages, a paused debugger, notebook cells with their outputs.
 */
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { systemClock } from "../../src/base/clock";
import type { Part } from "../../src/conversation/message";
import { addNotebookCell } from "../../src/host/context/addCommands";
import {
  gatherLastCommand,
  gatherTerminalOutput,
  gatherTestFailure,
} from "../../src/host/context/failures";
import type { Gathered } from "../../src/host/context/gather";
import { gatherCells, selectedCells } from "../../src/host/context/notebookCells";
import { ReferenceSearch } from "../../src/host/context/references";
import { TerminalCommands } from "../../src/host/context/terminalCommands";
import { madePng } from "../support/pictures/madePng";
import { poll, workspaceUri } from "./editing";
import { suiteWithAnswers, suiteWithOutsideFolder } from "./editingSuite";

const TOKEN = `ghp_${"a1B2".repeat(9)}`;

function noteOf(gathered: Gathered): Extract<Part, { kind: "note" }> {
  const [part] = gathered.ok ? gathered.parts : [];
  assert.ok(part?.kind === "note", JSON.stringify(gathered));
  return part;
}

/** Pseudoterminal that reports commands like a shell with shell integration. */
class ShellTerminal {
  private readonly writes = new vscode.EventEmitter<string>();
  readonly terminal: vscode.Terminal;

  constructor() {
    const pty: vscode.Pseudoterminal = {
      onDidWrite: this.writes.event,
      open: () => this.write("633;A", "$ ", "633;B"),
      close: () => {},
    };
    this.terminal = vscode.window.createTerminal({ name: "shell", pty });
  }

  /** Writes texts; texts that start with `633;` are written as shell integration sequences. */
  write(...texts: readonly string[]): void {
    for (const text of texts) {
      this.writes.fire(/^633;/.test(text) ? `\u001b]${text}\u0007` : text);
    }
  }

  begin(command: string): void {
    const escaped = command.replaceAll("\\", "\\\\").replaceAll(";", "\\x3b");
    this.write(`633;P;Cwd=${workspaceUri("src").fsPath}`, command, `633;E;${escaped}`, "\r\n");
    this.write("633;C");
  }

  end(exitCode: number): void {
    this.write(`633;D;${exitCode}`, "633;A", "$ ", "633;B");
  }
}

describe("the last failure", () => {
  const answers = suiteWithAnswers();
  const outsideFolder = suiteWithOutsideFolder();

  describe("in a terminal", () => {
    let commands: TerminalCommands;
    let shell: ShellTerminal;
    let listening: vscode.Disposable;

    beforeEach(async () => {
      commands = new TerminalCommands();
      listening = vscode.Disposable.from(
        vscode.window.onDidStartTerminalShellExecution((event) => {
          void commands.follow(event, event.execution.read());
        }),
        vscode.window.onDidEndTerminalShellExecution((event) => commands.end(event)),
      );
      shell = new ShellTerminal();
      shell.terminal.show();
      await poll(() => shell.terminal.shellIntegration !== undefined, "shell integration");
    });
    afterEach(() => {
      listening.dispose();
      shell.terminal.dispose();
      commands.dispose();
    });

    async function runToEnd(command: string, output: string, exitCode: number): Promise<void> {
      const own = () => commands.commandsOf(shell.terminal);
      const before = own().length;
      shell.begin(command);
      await poll(() => own().length > before, `the start of ${command}`);
      shell.write(`${output.replaceAll("\n", "\r\n")}\r\n`);
      await poll(() => own().at(-1)?.output.includes(output.slice(-5)) === true, "the output");
      shell.end(exitCode);
      await poll(() => own().at(-1)?.isRunning === false, `the end of ${command}`);
    }

    it("is a command of a real shell", async () => {
      const bash = vscode.window.createTerminal({ name: "bash", shellPath: "/bin/bash" });
      try {
        bash.show();
        await poll(() => bash.shellIntegration !== undefined, "shell integration");
        // VS Code can lose the output of a command that ends at once.
        bash.shellIntegration?.executeCommand("sleep 1; echo canary && false");
        await poll(() => commands.commandsOf(bash).at(-1)?.isRunning === false, "the end");
        const { text } = noteOf(await gatherLastCommand(commands));
        assert.match(text, /exit code 1\):\n\$ sleep 1; echo canary && false\ncanary/);
      } finally {
        bash.dispose();
      }
    });

    it("is the last command with folder, exit code and output, without secrets and paths", async () => {
      const failing = `\u001b[31mError\u001b[0m in ${workspaceUri("src", "a.ts").fsPath}:3\nTOKEN=${TOKEN}`;
      await runToEnd("npm run build", failing, 2);
      const { source, label, detail, text } = noteOf(await gatherLastCommand(commands));
      assert.deepEqual([source, label], ["terminal", "Last command"]);
      assert.equal(detail, "npm run build, exit code 2");
      assert.match(text, /\(folder src, exit code 2\):\n\$ npm run build\n/);
      assert.match(text, /Error in src\/a\.ts:3/);
      assert.ok(text.includes("[redacted]") && !text.includes(TOKEN));
      assert.ok(!text.includes(workspaceUri().fsPath) && !text.includes("\u001b"));
      assert.deepEqual(answers.shown, []);
    });

    it("is found with # and its name, and listed before any text is typed", async () => {
      const search = new ReferenceSearch(systemClock, () => commands);
      const labels = async (typed: string) => {
        const { signal } = new AbortController();
        for await (const found of search.find(typed, signal))
          return found.map(({ label }) => label);
        return [];
      };
      try {
        assert.ok(!(await labels("")).includes("Last command"));
        await runToEnd("npm test", "1 failing", 1);
        assert.ok((await labels("")).includes("Last command"));
        assert.deepEqual((await labels("lastC")).slice(0, 1), ["Last command"]);
        assert.deepEqual((await labels("cell")).slice(0, 1), ["Notebook cell"]);
      } finally {
        search.dispose();
      }
    });

    it("is the output of the terminal, without changing the clipboard", async () => {
      await vscode.env.clipboard.writeText("mine");
      await runToEnd("ls", "one two", 0);
      await runToEnd("cat x", "no such file", 1);
      await poll(() => vscode.window.activeTerminal === shell.terminal, "the active terminal");
      const { text } = noteOf(await gatherTerminalOutput(commands));
      assert.match(text, /\$ ls\none two[^]*\$ cat x\nno such file/);
      assert.equal(await vscode.env.clipboard.readText(), "mine");
    });
  });

  it("attaches the screenshots that a failed test names, if they are in the workspace", async () => {
    const folder = workspaceUri("test-results", "adds items");
    mkdirSync(folder.fsPath, { recursive: true });
    const inside = join(folder.fsPath, "test-failed-1.png");
    const outside = join(outsideFolder(), "private.png");
    const bytes = madePng(8, 8);
    writeFileSync(inside, bytes);
    writeFileSync(outside, bytes);
    symlinkSync(outside, join(folder.fsPath, "link.png"));
    const lines = [
      "attachment #1: screenshot (image/png) ─────",
      "    test-results/adds items/test-failed-1.png",
      `    ${outside}`,
      "    test-results/adds items/link.png",
      "    test-results/adds items/missing.png",
      "    \\\\127.0.0.1\\share\\private.png",
      "    file://127.0.0.1/share/private.png",
    ];
    const failure = { test: { label: "adds" }, message: { message: lines.join("\n") } };
    const gathered = await gatherTestFailure(failure);
    assert.ok(gathered.ok);
    assert.deepEqual(
      gathered.pictures?.map(({ name }) => name),
      ["test-failed-1.png"],
    );
    assert.deepEqual(Buffer.from(gathered.pictures[0]?.bytes as Uint8Array), bytes);
    assert.deepEqual(answers.shown, []);
  });

  it("explains the next step when no command was recorded", async () => {
    const gathered = await gatherLastCommand(undefined);
    assert.ok(!gathered.ok && /shell integration/.test(gathered.sentence));
  });

  it("is the failed test of a menu of Test Results", async () => {
    assert.equal((await gatherTestFailure(undefined)).ok, false);
    const uri = workspaceUri("src", "a.test.ts");
    const message = {
      message: `expected ${workspaceUri("x").fsPath}`,
      expectedOutput: "4",
      actualOutput: "3",
      location: new vscode.Location(uri, new vscode.Position(6, 0)),
    };
    const failure = { test: { label: "adds" }, message };
    const { detail, text } = noteOf(await gatherTestFailure(failure));
    assert.equal(detail, "adds");
    assert.match(
      text,
      /Test: adds\nAt: src\/a\.test\.ts:7\nMessage:\nexpected x\nExpected:\n4\nActual:\n3/,
    );
  });

  it("is a notebook cell with its output, its error and its plot", async () => {
    const uri = workspaceUri("plots.ipynb");
    const png =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const outputs = [
      {
        output_type: "stream",
        name: "stdout",
        text: [`read ${workspaceUri("data.csv").fsPath}\n`],
      },
      {
        output_type: "display_data",
        metadata: {},
        data: { "image/png": png, "text/plain": ["<Figure size 640x480>"] },
      },
      {
        output_type: "error",
        ename: "KeyError",
        evalue: "'price'",
        traceback: ["\u001b[31mKeyError\u001b[0m: 'price'"],
      },
    ];
    const cells = [
      { cell_type: "code", metadata: {}, outputs, execution_count: 1, source: ["plot(cart)"] },
    ];
    const notebook = { cells, metadata: {}, nbformat: 4, nbformat_minor: 5 };
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(JSON.stringify(notebook)));
    const opened = await vscode.workspace.openNotebookDocument(uri);
    await vscode.window.showNotebookDocument(opened);
    await poll(() => selectedCells().length === 1, "the selected cell");
    const { parts, pictures } = await gatherCells(selectedCells());
    const [code, output] = parts;
    assert.ok(code?.kind === "excerpt" && output?.kind === "note");
    assert.deepEqual([code.path, code.text], ["plots.ipynb, cell 1", "plot(cart)"]);
    assert.equal(output.source, "notebook");
    assert.match(output.text, /read data\.csv[^]*KeyError/);
    assert.doesNotMatch(output.text, /Figure size|\u001b/);
    assert.deepEqual(
      pictures.map(({ name, bytes }) => [
        name,
        Buffer.from(bytes as Uint8Array).toString("base64"),
      ]),
      [["plots.ipynb, cell 1, 1.png", png]],
    );
    for (const argument of [opened.cellAt(0), undefined]) {
      let added: unknown;
      await addNotebookCell(argument, (...given) => {
        added = given;
        return Promise.resolve();
      });
      assert.deepEqual(added, [parts, pictures]);
    }
  });
});
