/**
 * Tests several services with their commands, the editor and the request log: the selected service,
 * and a header with a secret value.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { COMMANDS } from "../../src/host/platform/contributions";
import { Answers, closeAll, fenced, selectLines, showFile } from "./editing";
import { receivedRequests, referenceUrl, resetService, scriptService } from "./reference";
import { clearUserSettings, setUserSettings } from "./settings";

const SECRET = "canary-header-4Tz8Qw";

const run = (command: string, argument?: unknown) =>
  Promise.resolve(vscode.commands.executeCommand(command, argument));

describe("profiles", () => {
  const answers = new Answers();
  const origin = () => new URL(referenceUrl()).origin;

  beforeEach(async () => {
    await resetService();
    await setUserSettings({
      baseUrl: "https://service.invalid",
      retries: 0,
      profiles: [
        {
          name: "Team",
          baseUrl: referenceUrl(),
          headers: { "X-Plain": "seen", "X-Team-Token": "${secret}" },
        },
        { name: "Team", baseUrl: "https://second.invalid" },
      ],
    });
    answers.shown.length = 0;
    answers.asked.length = 0;
    answers.install();
  });
  afterEach(async () => {
    answers.pick("Default");
    await run(COMMANDS.switchProfile);
    answers.restore();
    await closeAll();
    await clearUserSettings("baseUrl", "retries", "profiles");
  });

  /** Requests an edit; returns the message shown, if any. */
  async function edit(name: string) {
    answers.shown.length = 0;
    await scriptService(fenced(["ONE"]));
    selectLines(await showFile(name, "one\n"), 1, 1);
    await run(COMMANDS.editSelection, { instruction: "shout" });
    return answers.shown.at(-1);
  }

  it("use the selected service with its headers, and with the secret header once it has a value", async () => {
    answers.pick("Team");
    await run(COMMANDS.switchProfile);
    assert.deepEqual(await edit("without.ts"), {
      text: `The secret header "X-Team-Token" has no value for ${origin()}. Enter it to start.`,
      buttons: ["Set Secret Header"],
    });
    assert.equal((await receivedRequests()).length, 0);

    answers.type(` ${SECRET} `);
    answers.pick("Set Secret Header…");
    await run(COMMANDS.switchProfile);
    assert.deepEqual(answers.asked.at(-1), `Value of X-Team-Token for ${origin()}`);
    assert.equal(await edit("with.ts"), undefined);
    await run(COMMANDS.inlineKeep);
    const [request] = await receivedRequests();
    assert.equal(request?.headers["x-plain"], "seen");
    assert.equal(request.headers["x-team-token"], SECRET);

    const report = await run(COMMANDS.testConnection);
    assert.ok(!String(report).includes(SECRET), String(report));

    answers.pick("Remove Secret Header…");
    answers.pick("x-team-token");
    await run(COMMANDS.switchProfile);
    assert.deepEqual((await edit("removed.ts"))?.buttons, ["Set Secret Header"]);
  });
});
