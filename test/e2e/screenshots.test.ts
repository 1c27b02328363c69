/**
 * Tests Take Screenshot in a real VS Code, with a program on PATH that replaces the system's tool:
 * the service receives the program's picture byte for byte.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { PictureAsking } from "../support/e2e/pictureAsking";
import { E2eEnvironment } from "../support/e2e/e2eEnvironment";
import { madePng } from "../support/pictures/madePng";
import type { Workbench } from "../support/vscode/workbench.mjs";

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

describe("Take Screenshot", function () {
  this.timeout(300_000);
  let environment: E2eEnvironment;
  let window: Workbench;
  let asking: PictureAsking;
  const programs = mkdtempSync(join(tmpdir(), "programs-"));
  const picture = join(programs, "made.png");
  const written = join(programs, "written");
  const bytes = madePng(640, 360);

  /** Writes the program, called `scrot`, or `screencapture` on macOS. */
  function tool(...lines: string[]): void {
    const file = join(programs, process.platform === "darwin" ? "screencapture" : "scrot");
    writeFileSync(file, ["#!/bin/sh", ...lines, ""].join("\n"));
    chmodSync(file, 0o755);
  }

  before(async () => {
    writeFileSync(picture, bytes);
    environment = await E2eEnvironment.open({ programs });
    environment.changeSettings({ "coreChat.baseUrl": environment.service.url });
    window = await environment.openWindow();
    asking = new PictureAsking(environment, window);
  });
  after(async () => {
    await environment.close();
    rmSync(programs, { recursive: true, force: true });
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await window.screenshot(this.currentTest.title);
  });

  const capturing = [
    'for file in "$@"; do :; done',
    `echo "$file" > "${written}"`,
    `cp "${picture}" "$file"`,
  ];

  it("attaches the picture with the command, and focuses the message box", async () => {
    tool(...capturing);
    await window.runCommand("Core Chat: Take Screenshot");
    await asking.chips.nth(0).waitFor();
    assert.equal(existsSync(readFileSync(written, "utf8").trim()), false);
    await window.page.keyboard.type("Typed at once");
    await asking.composer.and(window.panel.locator(":focus")).waitFor();
    const { pictures } = await asking.send("A screenshot?");
    assert.deepEqual(
      pictures.map(({ sha256: hash }) => hash),
      [sha256(bytes)],
    );
  });

  it("attaches the picture with the button, after a screenshot that was canceled without a notice", async () => {
    const canceled = join(programs, "canceled");
    tool(`touch "${canceled}"`, "exit 1");
    await asking.button("Take screenshot").click();
    while (!existsSync(canceled)) await delay(20); // A later program would run for this click.
    tool(...capturing);
    await asking.button("Take screenshot").click();
    await asking.chips.nth(0).waitFor();
    assert.equal(await asking.chips.count(), 1);
    const notices = window.panel.locator(".notice").filter({ hasText: /screenshot/i });
    assert.equal(await notices.count(), 0);
    await asking.button("Remove attachment").or(window.panel.locator(".chip-remove")).click();
  });

  it("names the failed tool and the key to press", async () => {
    tool('echo "no display" >&2', "exit 3");
    await asking.button("Take screenshot").click();
    await window.panel
      .getByText(/(scrot|screencapture) could not take a screenshot\. Press /)
      .waitFor();
  });
});
