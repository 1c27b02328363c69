/**
 * Clicks the buttons that add context or ask about it, where VS Code draws them: the problems, a terminal,
 * a notebook, a test's failure, files that may hold secrets, and source control.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ALL } from "../support/depth";
import { suiteWithWindow } from "../support/e2e/chatSuite";

const NOTEBOOK = {
  cells: [
    { cell_type: "code", execution_count: null, metadata: {}, outputs: [], source: ["sum = 1"] },
  ],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
};

function git(folder: string, ...args: string[]): void {
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.test", ...args], { cwd: folder });
}

function initialize(folder: string): void {
  writeFileSync(join(folder, "changed.txt"), "before\n");
  git(folder, "init", "-q");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "start");
  writeFileSync(join(folder, "changed.txt"), "after\n");
}

describe(`the buttons of context ${ALL}`, function () {
  this.timeout(300_000);
  const chat = suiteWithWindow({
    settings: {
      "git.openRepositoryInParentFolders": "never",
      "terminal.integrated.gpuAcceleration": "off", // The canvas renderer has no text.
    },
    prepare: (workspace) => {
      const write = (name: string, text: string) => writeFileSync(join(workspace, name), text);
      initialize(workspace);
      write("broken.json", '{ "a": 1, }\n');
      write("cells.ipynb", JSON.stringify(NOTEBOOK));
      write(".env", "TOKEN=one-of-mine\n");
      write(".env.local", "TOKEN=another\n");
      write(".env.test", "TOKEN=of-a-test\n");
    },
  });
  const press = (...button: [place: string, label: string, row?: string]) =>
    chat.window.press(...button);
  const inExplorer = (name: string) =>
    chat.window.page.locator(".explorer-folders-view").getByRole("treeitem", { name, exact: true });
  const chip = (name: string) => chat.chips().getByText(name, { exact: true }).waitFor();
  afterEach(() => chat.start("workbench.action.closeAllEditors"));

  /** Resolves when the title of a view, over which the pointer must be, shows an action. */
  async function untilInTitle(label: string): Promise<void> {
    const view = chat.window.page.locator(".scm-view:visible").first();
    if (await view.isVisible()) await view.hover();
    const action = `.part:not(.editor) a.action-label[aria-label^="${label}"]:visible`;
    await chat.window.page.locator(action).first().waitFor();
  }

  it("add files that may hold secrets, after a question", async () => {
    await chat.start("workbench.view.explorer");
    await inExplorer(".env").click();
    await chat.window.openContextMenu(inExplorer(".env"));
    await press("explorer/context", "Add File to Core Chat");
    await press("dialog", "Add");
    await chip(".env");
    await inExplorer(".env.local").click();
    await inExplorer(".env.test").click({ modifiers: ["ControlOrMeta"] });
    await chat.window.openContextMenu(inExplorer(".env.test"));
    await press("explorer/context", "Add File to Core Chat");
    await press("dialog", "Add All");
    await chip(".env.local");
    await chip(".env.test");
  });

  it("edit a file that controls access, and send its lines", async () => {
    await chat.window.openFile(".env");
    chat.service.script({ text: "```\nTOKEN=two\n```\n" });
    await chat.selectFirstLines(1);
    await chat.chord("Control+k", "h");
    await chat.window.answerBox("change it");
    await press("dialog", "Edit Anyway");
    await press("dialog", "Send");
    await chat.window.editor.getByText("TOKEN=two").waitFor();
    await press("editor/title", "Discard Edit");
    await chat.window.editor.getByText("TOKEN=one-of-mine").waitFor();
  });

  it("add and fix problems", async () => {
    await chat.window.openFile("broken.json");
    await chat.window.editor.locator(".squiggly-error").first().waitFor();
    await chat.window.runCommand("Problems: Focus on Problems View");
    await press("view/title", "Add Problems");
    await chip("Problems");
    await chat.start("workbench.action.closePanel");
    await chat.window.editor.locator(".view-line").first().click();
    chat.service.script({ text: '```json\n{ "a": 2 }\n```\n' });
    await press("light bulb", "Fix with Core Chat");
    await chat.window.editor.getByText('{ "a": 2 }').waitFor();
    await press("editor/title", "Discard Edit");
  });

  it("add a cell of a notebook", async () => {
    await inExplorer("cells.ipynb").dblclick();
    await chat.window.page.locator(".notebookOverlay .monaco-editor .view-line").first().click();
    await press("notebook/cell/title", "Add Notebook Cell");
    await chat.chips().getByText("cells.ipynb").waitFor();
  });

  it("add the last command of a terminal, from its menu and from its title once it failed", async () => {
    await chat.window.runCommand("Terminal: Create New Terminal");
    const terminal = chat.window.page.locator(".terminal-wrapper.active");
    await terminal.locator("textarea:focus").waitFor({ state: "attached" });
    await chat.window.page.keyboard.type("cat missing-file");
    await chat.window.page.keyboard.press("Enter");
    await untilInTitle("Add Last Command to Core Chat");
    await press("view/title", "Add Last Command to Core Chat");
    await chat.chips().getByText("cat missing-file").waitFor();
    await terminal.click();
    await chat.window.page.keyboard.type("cat other-file");
    await chat.window.page.keyboard.press("Enter");
    await terminal.locator(".xterm-rows > div").getByText("cat: other-file").waitFor();
    await chat.window.openContextMenu(terminal);
    await press("terminal/context", "Add Last Command to Core Chat");
    await chat.chips().getByText("cat other-file").waitFor();
    await chat.window.runCommand("Terminal: Kill All Terminals");
    // VS Code may have opened a second one with the view, and gives the next one the focus late.
    await chat.window.page.locator(".terminal-wrapper").first().waitFor({ state: "detached" });
  });

  it("add the failure of a test", async () => {
    await chat.window.runCommand("Fail a Test");
    await chat.window.runCommand("Test Results: Focus on Test Results View");
    await chat.window.page.getByRole("treeitem", { name: /The total is wrong/ }).click();
    await press("testing/message/content", "Add Test Failure to Core Chat");
    await chip("total of two items");
  });

  it("generate and stop a commit message, and add a change", async () => {
    const { page } = chat.window;
    const box = page.locator(".scm-editor .view-line");
    await page
      .locator(".activitybar")
      .getByRole("tab", { name: /^Source Control/ })
      .click();
    const change = page.locator(".scm-view .resource", { hasText: "changed.txt" }).first();
    await change.waitFor();
    chat.service.script({ blocks: ["feat: first", { gate: true }] });
    await untilInTitle("Generate Commit Message");
    await press("scm/title", "Generate Commit Message");
    await chat.service.waitForRequest(1);
    await untilInTitle("Stop Generating Commit Message");
    await press("scm/title", "Stop Generating Commit Message");
    await chat.service.waitForClose(1);
    await box.getByText("feat: first").waitFor();
    chat.service.script({ blocks: ["feat: second"] });
    await untilInTitle("Generate Commit Message");
    await press("scm/title", "Generate Commit Message");
    await press("notification", "Restore Draft");
    await box.getByText("feat: first").waitFor();
    chat.service.script({ blocks: [{ gate: true }, "feat: third"] });
    await untilInTitle("Generate Commit Message");
    await press("scm/title", "Generate Commit Message");
    await chat.service.waitForRequest(3);
    await box.first().click();
    await page.keyboard.type("x");
    await chat.window.openContextMenu(change);
    await press("scm/resourceState/context", "Add Changes to Core Chat");
    await chip("Changes in changed.txt");
    chat.service.releaseGate();
    await press("notification", "Replace");
    await box.getByText("feat: third").waitFor();
  });
});
