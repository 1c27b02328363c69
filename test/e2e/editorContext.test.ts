/**
 * Tests adding files, problems and changes by command, in a real VS Code with its own JSON language
 * and git extensions: each addition is a chip in the panel and part of the question.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ALL } from "../support/depth";
import { suiteWithWindow } from "../support/e2e/chatSuite";

/** Commits the sample in a new repository, then changes a file and adds a file with an error. */
function prepare(workspace: string): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: workspace, stdio: "pipe" });
  git("init", "-q");
  git("config", "user.email", "nobody@example.com");
  git("config", "user.name", "Nobody");
  git("add", ".");
  git("commit", "-q", "-m", "feat: begin");
  appendFileSync(join(workspace, "shop/cart.ts"), "// a changed line\n");
  writeFileSync(join(workspace, "wrong.json"), '{ "open": \n');
}

describe("adding context without a selection", function () {
  this.timeout(300_000);
  const chat = suiteWithWindow({ prepare, settings: { "coreChat.context.automatic": "off" } });

  before(() => chat.window.openFile("wrong.json"));

  const chip = (label: string) => chat.chips().filter({ hasText: label });

  /**
   * Repeats a command until there is a chip, because VS Code may need a moment to know the content.
   */
  async function addUntilChip(command: string, label: string): Promise<void> {
    for (let tries = 0; ; tries++) {
      await chat.window.runCommand(command);
      try {
        await chip(label).waitFor({ timeout: 5_000 });
        return;
      } catch (error) {
        if (tries === 6) throw error;
      }
    }
  }

  it(`attaches the open file with a suggested question ${ALL}`, async () => {
    await chat.window.panel.getByRole("button", { name: "Explain wrong.json" }).click();
    await chip("wrong.json").waitFor();
    const composer = chat.composer();
    assert.equal(await composer.inputValue(), "Explain wrong.json");
    await composer.fill("");
    await chip("wrong.json").locator(".chip-remove").click();
    await chip("wrong.json").waitFor({ state: "detached" });
  });

  it(`sends a file, the problems and the changes ${ALL}`, async () => {
    await chat.window.editor.locator(".squiggly-error").first().waitFor();
    await addUntilChip("Core Chat: Add File to Core Chat", "wrong.json");
    await addUntilChip("Core Chat: Add Problems", "Problems");
    await addUntilChip("Core Chat: Add Changes to Core Chat", "Changes");
    const composer = chat.composer();
    await composer.fill("What is wrong?");
    await composer.press("Enter");
    const { body } = await chat.service.waitForRequest(1);
    const { messages } = body as { messages: { content: string }[] };
    const asked = messages.at(-1)?.content ?? "";
    assert.match(asked, /What is wrong\?/);
    assert.ok(asked.includes('{ "open": '), asked);
    assert.match(asked, /wrong\.json:\n- line \d+: error/);
    assert.match(asked, /^Changes in workspace:$/m);
    assert.match(asked, /^\+\/\/ a changed line$/m);
    await chat.untilQuiet();
    assert.equal(await chip("").count(), 0);
  });
});
