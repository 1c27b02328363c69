/**
 * What every group of editing tests starts from and leaves behind: the reference service set, VS Code's
 * questions answered by the test, nothing open, nothing running. Call these inside a `describe`.
 */
import * as vscode from "vscode";
import { COMMANDS } from "../../src/host/platform/contributions";
import { Answers, closeAll } from "./editing";
import { referenceUrl, resetService } from "./reference";
import { clearUserSettings, setUserSettings } from "./settings";

/** Runs a command as a menu, a key or a lens does. */
export function run(command: string, ...given: unknown[]): Promise<unknown> {
  return Promise.resolve(vscode.commands.executeCommand(command, ...given));
}

/** Asks for the selection to be changed; resolves when the answer is over. */
export function edit(instruction = "shout"): Promise<unknown> {
  return run(COMMANDS.editSelection, { instruction });
}

/**
 * @param settings in addition to the service's address, for every test
 * @param changed names of settings that tests change themselves; they are taken out after each
 */
export function suiteWithService(
  settings: Readonly<Record<string, unknown>> = {},
  changed: readonly string[] = [],
): Answers {
  afterEach(() => run(COMMANDS.inlineStop));
  const answers = suiteWithAnswers();
  const all = () => ({ baseUrl: referenceUrl(), retries: 0, ...settings });
  beforeEach(async () => {
    await setUserSettings(all());
    await resetService();
  });
  if (changed.length > 0) afterEach(() => clearUserSettings(...changed));
  after(() => clearUserSettings(...Object.keys(all())));
  return answers;
}

/** Only VS Code's questions are answered and everything is closed; no service is needed. */
export function suiteWithAnswers(): Answers {
  const answers = new Answers();
  beforeEach(() => answers.install());
  afterEach(async () => {
    answers.restore();
    await closeAll();
  });
  return answers;
}

/** Makes problems in files; they are gone after each test. */
export function suiteWithProblems(): (uri: vscode.Uri, line: number, message: string) => void {
  const diagnostics = vscode.languages.createDiagnosticCollection("core-chat-tests");
  afterEach(() => diagnostics.clear());
  after(() => diagnostics.dispose());
  return (uri, line, message) => {
    const range = new vscode.Range(line - 1, 0, line - 1, 3);
    diagnostics.set(uri, [new vscode.Diagnostic(range, message)]);
  };
}
