/**
 * Registers the hooks that groups of editing tests share: settings for the reference service,
 * prepared answers to VS Code's dialogs, and cleanup. Call these functions inside a `describe`.
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { COMMANDS } from "../../src/host/platform/contributions";
import { Answers, closeAll } from "./editing";
import { referenceUrl, resetService } from "./reference";
import { clearUserSettings, setUserSettings } from "./settings";

/** Runs a command as a menu, a keybinding or a code lens does. */
export function run(command: string, ...given: unknown[]): Promise<unknown> {
  return Promise.resolve(vscode.commands.executeCommand(command, ...given));
}

/** Requests an edit of the selection; resolves when the reply has ended. */
export function edit(instruction = "shout"): Promise<unknown> {
  return run(COMMANDS.editSelection, { instruction });
}

/**
 * Sets the reference service for each test, and stops edits afterwards.
 *
 * @param settings user settings for every test, in addition to the service's address
 * @param changed names of settings that tests change themselves; cleared after each test
 */
export function suiteWithService(
  settings: Readonly<Record<string, unknown>> = {},
  changed: readonly string[] = [],
): Answers {
  afterEach(() => run(COMMANDS.inlineStop));
  const answers = suiteWithAnswers();
  // A search for definitions waits for the language server, up to its time limit, in each edit.
  const all = () => ({
    baseUrl: referenceUrl(),
    retries: 0,
    "context.definitions": false,
    ...settings,
  });
  beforeEach(async () => {
    await setUserSettings(all());
    await resetService();
  });
  if (changed.length > 0) afterEach(() => clearUserSettings(...changed));
  after(() => clearUserSettings(...Object.keys(all())));
  return answers;
}

/** Answers VS Code's dialogs and closes all editors; sets no service. */
export function suiteWithAnswers(): Answers {
  const answers = new Answers();
  beforeEach(() => answers.install());
  afterEach(async () => {
    answers.restore();
    await closeAll();
  });
  return answers;
}

/** Returns the path of a folder outside the workspace; each test has an empty one. */
export function suiteWithOutsideFolder(): () => string {
  let folder = "";
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "core-chat-outside-")));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}

/** Returns a function that adds a problem to a file; problems are cleared after each test. */
export function suiteWithProblems(): (uri: vscode.Uri, line: number, message: string) => void {
  const diagnostics = vscode.languages.createDiagnosticCollection("core-chat-tests");
  afterEach(() => diagnostics.clear());
  after(() => diagnostics.dispose());
  return (uri, line, message) => {
    const range = new vscode.Range(line - 1, 0, line - 1, 3);
    diagnostics.set(uri, [new vscode.Diagnostic(range, message)]);
  };
}
