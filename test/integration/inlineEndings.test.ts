/**
 * Tests inline edits whose reply is incomplete or needs confirmation: the reply is available and
 * named, and never kept without the user's consent.
 */
import assert from "node:assert/strict";
import { COMMANDS } from "../../src/host/platform/contributions";
import {
  clickLens,
  fenced,
  lensTitles,
  plainText,
  selectLines,
  showFile,
  untilLens,
  untilNoLens,
  untilText,
} from "./editing";
import { edit, run, suiteWithService } from "./editingSuite";
import { receivedRequests, scriptService } from "./reference";
import { setUserSettings } from "./settings";

describe("an inline edit that ends early", () => {
  const answers = suiteWithService({}, ["contentFilter", "llm.maxTokens"]);

  async function editFile(name: string, bytes = "one\ntwo\nthree\n", lines = 3) {
    const editor = await showFile(name, bytes);
    selectLines(editor, 1, lines);
    await edit();
    return editor.document;
  }

  it("keeps a reply that was cut off pending, followed by the remaining original lines", async () => {
    await scriptService({ blocks: ["```\nONE\n"], finishReason: null, done: false });
    const document = await editFile("cut.rs");
    assert.equal(plainText(document), "ONE\ntwo\nthree\n");
    await untilLens(document, "The reply was cut off.");
    assert.match(answers.shown.at(-1)?.text ?? "", /^The reply was cut off\./);
    assert.deepEqual(answers.shown.at(-1)?.buttons, ["Continue"]);
    await run(COMMANDS.inlineKeep);
    await untilNoLens(document);
    assert.equal(plainText(document), "ONE\ntwo\nthree\n");
  });

  it("replaces all lines if the reply was cut off below its code", async () => {
    await scriptService(fenced(["ONE"], { finishReason: null, done: false }));
    const document = await editFile("cut-below.rs");
    assert.equal(plainText(document), "ONE\n");
    await untilLens(document, "The reply was cut off.");
    await run(COMMANDS.inlineDiscard);
    assert.equal(plainText(document), "one\ntwo\nthree\n");
  });

  it("continues a reply that reached the length limit, in the middle of a line", async () => {
    await scriptService(
      { blocks: ["```\nONE\nTW"], finishReason: "length" },
      { blocks: ["O\nTHREE\n```\n"] },
    );
    const document = await editFile("continue.rs");
    await untilLens(document, "Stopped at the length limit.");
    assert.deepEqual(answers.shown.at(-1), {
      text: "Stopped at the length limit.",
      buttons: ["Continue"],
    });
    await clickLens(document, "Continue");
    assert.equal(plainText(document), "ONE\nTWO\nTHREE\n");
    const titles = await lensTitles(document);
    assert.deepEqual(titles, ["Keep", "Discard", "Try Again", "Compare", "Refine…"]);
    const [, second] = await receivedRequests();
    const { messages } = second?.body as { messages: { role: string; content: string }[] };
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["user", "assistant", "user"],
    );
    await run(COMMANDS.inlineDiscard);
    assert.equal(plainText(document), "one\ntwo\nthree\n");
  });

  it("leaves no extra blank line after a deletion is kept", async () => {
    await scriptService(fenced([]));
    const editor = await showFile("deletion.rs", "top\n\none\ntwo\n\nbottom\n");
    selectLines(editor, 3, 4);
    await edit("delete it");
    await run(COMMANDS.inlineKeep);
    await untilText(editor.document, "top\n\nbottom\n");
  });

  it("removes a reply that the content filter blocked, or offers it with the setting keep", async () => {
    await scriptService(fenced(["ONE"], { finishReason: "content_filter" }), {
      blocks: ["```\nONE\n"],
      finishReason: "content_filter",
    });
    const document = await editFile("withheld.rs");
    assert.equal(plainText(document), "one\ntwo\nthree\n");
    assert.equal(
      answers.shown.at(-1)?.text,
      "The service's content filter blocked this reply. Try rephrasing.",
    );
    await setUserSettings({ contentFilter: "keep" });
    const kept = await editFile("withheld-kept.rs");
    assert.equal(plainText(kept), "ONE\ntwo\nthree\n");
    await untilLens(kept, "content filter");
  });

  it("changes nothing and reports what to do when the service fails before any text", async () => {
    await scriptService({ status: 401, body: "no" }, { status: 503, body: "" }, fenced(["ONE"]));
    const refused = await editFile("refused.rs");
    assert.equal(plainText(refused), "one\ntwo\nthree\n");
    assert.match(answers.shown.at(-1)?.text ?? "", / (rejected the|needs an) API key/);
    assert.deepEqual(answers.shown.at(-1)?.buttons, ["Set API Key"]);
    answers.choose("Try again");
    const document = await editFile("failing.rs");
    assert.match(answers.shown.at(-1)?.text ?? "", /^The service reported an error \(503\)/);
    await untilLens(document, "Keep");
    assert.equal(plainText(document), "ONE\n");
  });

  it("asks before it keeps a reply with a damaged part", async () => {
    await scriptService({
      blocks: ["```\n", "ONE\n", { raw: "data: {broken\n\n" }, "THREE\n", "```\n"],
    });
    const document = await editFile("damaged.rs");
    await untilLens(
      document,
      "1 damaged part was skipped, so text may be missing. Regenerate to try again.",
    );
    await run(COMMANDS.inlineKeep);
    assert.deepEqual(answers.shown.at(-1)?.buttons, ["Keep Anyway"]);
    assert.ok((await lensTitles(document)).includes("Keep"), "it was kept without a yes");
    answers.choose("Keep Anyway");
    await run(COMMANDS.inlineKeep);
    await untilNoLens(document);
    assert.equal(plainText(document), "ONE\nTHREE\n");
  });

  it("reports hidden characters before they are kept, and removes them", async () => {
    const hidden = "const a = 1; // \u202e\u2066 yes\u200b";
    await scriptService(fenced([hidden, "const b = 2;"]));
    const document = await editFile("hidden.rs");
    assert.equal(
      plainText(document),
      "const a = 1; //  yes\nconst b = 2;\n",
      "they are in no file that saves itself before anybody agreed",
    );
    assert.match(answers.shown.at(-1)?.text ?? "", /invisible characters/);
    assert.ok(
      (await lensTitles(document)).some((title) => title.includes("U+202E RIGHT-TO-LEFT OVERRIDE")),
    );
    await run(COMMANDS.inlineKeep);
    assert.deepEqual(answers.shown.at(-1)?.buttons, ["Remove and Use", "Use As Is"]);
    assert.ok((await lensTitles(document)).includes("Keep"), "it was kept without a yes");
    answers.choose("Remove and Use");
    await run(COMMANDS.inlineKeep);
    await untilNoLens(document);
    assert.equal(plainText(document), "const a = 1; //  yes\nconst b = 2;\n");
  });

  it("asks before it starts in a file that runs code or controls access", async () => {
    await scriptService(fenced(["ONE"]), fenced(["ONE"]));
    for (const [name, questions] of [
      [".zshrc", ["Edit Anyway"]],
      [".env", ["Edit Anyway", "Send"]],
    ] as const) {
      const requests = (await receivedRequests()).length;
      const document = await editFile(name);
      assert.deepEqual(answers.shown.at(-1)?.buttons, ["Edit Anyway"]);
      assert.equal(plainText(document), "one\ntwo\nthree\n");
      assert.equal((await receivedRequests()).length, requests);
      for (const question of questions) answers.choose(question);
      await edit();
      await untilText(document, "ONE\n");
      const asked = answers.shown.length;
      // The question came before the text, so saving and keeping do not ask again.
      await document.save();
      await run(COMMANDS.inlineKeep);
      await untilNoLens(document);
      assert.equal(answers.shown.length, asked);
    }
  });

  it("asks before the reply makes a file the configuration of Git, which saving would write", async () => {
    const config = ["[core]", "fsmonitor = touch ran"];
    await scriptService(fenced(config), fenced(config));
    const declined = await editFile("plain-1.txt");
    const [question, notice] = answers.shown.slice(-2);
    assert.match(question?.text ?? "", /plain-1\.txt: can run code automatically, in Git/);
    assert.match(notice?.text ?? "", /^The reply was not fully written to/);
    await declined.save();
    assert.equal(plainText(declined), "one\ntwo\nthree\n");
    answers.choose("Edit Anyway");
    const document = await editFile("plain-2.txt");
    await untilText(document, `${config.join("\n")}\n`);
    const asked = answers.shown.length;
    await run(COMMANDS.inlineKeep);
    await untilNoLens(document);
    assert.equal(answers.shown.length, asked);
  });

  it("asks for the maximum reply length, unless the settings limit it", async () => {
    await scriptService(fenced(["ONE"]), fenced(["ONE"]));
    await editFile("long-1.rs");
    await setUserSettings({ "llm.maxTokens": 100 });
    await editFile("long-2.rs");
    const sent = (await receivedRequests()).map(
      ({ body }) => (body as { max_tokens?: number }).max_tokens,
    );
    assert.deepEqual(sent, [8192, 100]);
  });
});
