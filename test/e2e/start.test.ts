/**
 * Tests `npm start` as a new user runs it, in a copy of the project without a build: the program,
 * the address in its output, and the first steps in the window at that address.
 */
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser } from "playwright-core";
import { ALL } from "../support/depth";
import { launchBrowser } from "../support/browser/browser.mjs";
import { FIRST_STEPS } from "../support/start/checkWindow.mjs";
import { start, stop } from "../support/runner/programs.mjs";
import { openWorkbench, type Workbench } from "../support/vscode/workbench.mjs";

/** Folders of the project that are not in git. */
const BUILT = ["out", "dist", "core-chat.vsix"];
const INSTALLED = ["node_modules", ".vscode-test"];

/** Copies the project to `folder`, with links to the installed packages and VS Code. */
function copyProject(folder: string): void {
  const skipped = new Set([...BUILT, ...INSTALLED, ".git"].map((name) => resolve(name)));
  cpSync(".", folder, { recursive: true, filter: (path) => !skipped.has(resolve(path)) });
  for (const name of INSTALLED) symlinkSync(resolve(name), join(folder, name));
}

/** Runs `npm start` in `folder/project`, with a profile and a sample workspace in `folder`. */
function npmStart(folder: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
  const own = { CORE_CHAT_START: "browser", CORE_CHAT_START_FOLDER: folder };
  const service = { CORE_CHAT_BASE_URL: "" };
  const all = { ...process.env, ...own, ...service, ...env };
  const cwd = join(folder, "project");
  return start("npm", ["start"], { cwd, env: all, endsWithParent: true });
}

/** Resolves with the output when the output matches `pattern`, or when the program ends. */
async function untilPrinted(child: ChildProcess, pattern: RegExp): Promise<string> {
  let output = "";
  return await new Promise((resolve, reject) => {
    const take = (text: string): void => {
      output += text;
      if (pattern.test(output)) resolve(output);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", take);
    child.once("error", reject);
    child.once("close", () => resolve(output));
  });
}

describe(`npm start ${ALL}`, function () {
  this.timeout(300_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "core-chat-start-"));
    copyProject(join(folder, "project"));
  });
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));

  it("rejects a base URL that the panel would reject, before it starts anything", async () => {
    const child = npmStart(folder, { CORE_CHAT_BASE_URL: "maas.example.com" });
    const output = await untilPrinted(child, /Service:/);
    await stop(child);
    assert.match(output, /^CORE_CHAT_BASE_URL: .*https:\/\//m);
    assert.doesNotMatch(output, /Service:/);
  });

  describe("a new user", () => {
    let child: ChildProcess | undefined;
    let browser: Browser | undefined;
    let window: Workbench;

    before(async () => {
      child = npmStart(folder);
      const output = await untilPrinted(child, /^ {2}http:\/\/127\.0\.0\.1:\d+\/$/m);
      const [url] = /^ {2}(http:\S+)\/$/m.exec(output)?.slice(1) ?? [];
      assert.ok(url, output);
      browser = await launchBrowser();
      window = await openWorkbench({ url, browser });
    });
    after(async () => {
      await browser?.close();
      if (child !== undefined) await stop(child);
    });
    afterEach(async function () {
      if (this.currentTest?.state === "failed") await window.screenshot(this.currentTest.title);
    });

    for (const { title, run } of FIRST_STEPS) it(title, () => run(window));

    it("runs the extension under its own name", () => {
      const data = join(folder, "browser/data/logs");
      const logs = readdirSync(data, { recursive: true }).map(String);
      const ours = logs.filter((name) => name.endsWith("Core Chat.log"));
      assert.ok(ours.length > 0);
      for (const name of ours) assert.match(name, /core-chat\.core-chat\/Core Chat\.log$/);
    });
  });
});
