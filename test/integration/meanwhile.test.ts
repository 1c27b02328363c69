/**
 * Tests changes of settings, profile and key while an inline edit runs, and many replies at once. A
 * running reply ends as it started, and no reply is mixed with another.
 */
import assert from "node:assert/strict";
import { COMMANDS } from "../../src/host/platform/contributions";
import { fenced, plainText, selectLines, showFile, untilText } from "./editing";
import { edit, run, suiteWithService } from "./editingSuite";
import {
  receivedRequests,
  referenceUrl,
  releaseGate,
  scriptService,
  untilService,
} from "./reference";
import { clearUserSettings, setUserSettings } from "./settings";

const KEY = "sk-meanwhile-5Tq8Zr2Lw9Xc";

describe("during an inline edit", () => {
  const answers = suiteWithService({}, ["models.llm", "profiles", "timeouts.silence"]);

  /**
   * Starts an edit whose reply waits in the middle; returns a function that lets the edit end and
   * checks the document.
   */
  async function begin(name: string) {
    const editor = await showFile(name, "one\ntwo\n");
    selectLines(editor, 1, 2);
    await scriptService(fenced(["ONE", "|", "TWO"]));
    const done = edit();
    await untilText(editor.document, "ONE\ntwo\n");
    return async () => {
      await releaseGate();
      await done;
      assert.equal(plainText(editor.document), "ONE\nTWO\n");
      assert.deepEqual(answers.shown, []);
      await run(COMMANDS.inlineKeep);
    };
  }

  /** Requests another edit, which changes nothing; returns the message shown. */
  async function refused(name: string) {
    const before = (await receivedRequests()).length;
    const editor = await showFile(name, "one\ntwo\n");
    selectLines(editor, 1, 2);
    await edit();
    assert.equal(plainText(editor.document), "one\ntwo\n");
    assert.equal((await receivedRequests()).length, before);
    return answers.shown.at(-1);
  }

  it("a new service does not affect the running reply; the next edit uses it", async () => {
    const end = await begin("settings.rs");
    await setUserSettings({
      baseUrl: "https://service.invalid",
      "models.llm": "another",
      "timeouts.silence": 1,
    });
    await end();
    assert.deepEqual(await refused("settings-next.rs"), {
      text: "There is no API key for https://service.invalid. Enter it to start.",
      buttons: ["Set API Key"],
    });
  });

  it("a removed profile does not affect the running reply; then the default service is used", async () => {
    await setUserSettings({ baseUrl: "", profiles: [{ name: "Work", baseUrl: referenceUrl() }] });
    answers.pick("Work");
    await run(COMMANDS.switchProfile);
    const end = await begin("profile.rs");
    await clearUserSettings("profiles");
    await end();
    assert.deepEqual(await refused("profile-next.rs"), {
      text: "No service is set. Enter its address to start.",
      buttons: ["Set Address"],
    });
    // Without an address, the command asks for one instead.
    await setUserSettings({ baseUrl: referenceUrl() });
    answers.pick("Default");
    await run(COMMANDS.switchProfile);
  });

  it("a removed key does not affect the running reply; the next request has no key", async () => {
    answers.type(KEY);
    await run(COMMANDS.setApiKey);
    const end = await begin("key.rs");
    answers.pick(new URL(referenceUrl()).origin);
    await run(COMMANDS.removeApiKey);
    await end();
    await scriptService(fenced(["ONE"]));
    const next = await showFile("key-next.rs", "one\n");
    selectLines(next, 1, 1);
    await edit();
    const sent = (await receivedRequests()).map(({ headers }) => headers["authorization"]);
    assert.deepEqual(sent, [`Bearer ${KEY}`, "Bearer local"]);
  });

  it("five edits at once, some failing, stay separate", async () => {
    const names = ["a", "b", "c", "d", "e"];
    const editor = await showFile(
      "many.rs",
      names.map((name) => `${name} one\n${name} two\n`).join("\n"),
    );
    const { document } = editor;
    const shown = names.map((name) => [`${name} one`, `${name} two`]);
    const whole = () => shown.map((lines) => lines.map((line) => `${line}\n`).join("")).join("\n");
    const broken = 'data: {"error":{"message":"No more."}}\n\n';
    const edits: Promise<unknown>[] = [];
    for (const [index, name] of names.entries()) {
      const first = `${name.toUpperCase()} ONE`;
      const blocks = ["```\n", `${first}\n`, { gate: true as const }];
      const last = `${name.toUpperCase()} TWO\n`;
      // The fourth reply is cut off, the fifth reports an error: both keep the remaining original
      // lines.
      await scriptService(
        index === 3
          ? { blocks, finishReason: null, done: false }
          : { blocks: [...blocks, index === 4 ? { raw: broken } : last, "```\n"] },
      );
      selectLines(editor, 3 * index + 1, 3 * index + 2);
      edits.push(edit());
      shown[index] = [first, `${name} two`];
      await untilText(document, whole());
    }
    for (let gate = 0; gate < edits.length; gate++) await releaseGate();
    await Promise.all(edits);
    for (const [index, name] of names.slice(0, 3).entries()) {
      shown[index] = [`${name.toUpperCase()} ONE`, `${name.toUpperCase()} TWO`];
    }
    assert.equal(plainText(document), whole());
    await untilService(({ repliesOpen }) => repliesOpen === 0);
  });
});
