/** Tests inline edits in a real editor: streaming, keeping, discarding, undoing and refining. */
import assert from "node:assert/strict";
import { COMMANDS } from "../../src/host/platform/contributions";
import {
  clickLens,
  fenced,
  lensTitles,
  plainText,
  putCaret,
  readFile,
  selectLines,
  showFile,
  untilLens,
  untilNoLens,
  untilText,
} from "./editing";
import { edit, run, suiteWithService } from "./editingSuite";
import { receivedRequests, releaseGate, scriptService, untilService } from "./reference";
import { setAutoSave } from "./settings";

describe("an inline edit", () => {
  const answers = suiteWithService();
  before(() => setAutoSave("off"));
  after(() => setAutoSave(undefined));

  it("streams line by line, matches the proposal while pending, and stays after Keep", async () => {
    const editor = await showFile("stream.rs", "top\none\ntwo\nthree\nbottom\n");
    const { document } = editor;
    selectLines(editor, 2, 4);
    await scriptService(fenced(["ONE", "|", "TWO", "|"]));
    const done = edit("shout");
    await untilText(document, "top\nONE\ntwo\nthree\nbottom\n");
    await untilLens(document, "Core Chat is writing…");
    await releaseGate();
    await untilText(document, "top\nONE\nTWO\nthree\nbottom\n");
    await releaseGate();
    await done;
    assert.equal(plainText(document), "top\nONE\nTWO\nbottom\n");
    await untilLens(document, "Keep");
    assert.deepEqual((await lensTitles(document)).slice(0, 5), [
      "Keep",
      "Discard",
      "Try Again",
      "Compare",
      "Refine…",
    ]);
    await clickLens(document, "Keep");
    await untilNoLens(document);
    assert.equal(plainText(document), "top\nONE\nTWO\nbottom\n");
  });

  it("shows that the model thinks, and writes nothing of the thinking", async () => {
    const editor = await showFile("think.rs", "one\ntwo\n");
    const { document } = editor;
    selectLines(editor, 1, 1);
    const thought = [{ delta: { reasoning: "```rust\nWRONG\n```\n" } }, "<think>\nWRONG\n"];
    await scriptService({
      blocks: [...thought, { gate: true }, "</think>\n```rust\nONE\n", { gate: true }, "```\n"],
    });
    const done = edit("shout");
    await untilLens(document, "Thinking…");
    assert.equal(plainText(document), "one\ntwo\n");
    await releaseGate();
    await untilText(document, "ONE\ntwo\n");
    await untilLens(document, "Core Chat is writing…");
    await releaseGate();
    await done;
    assert.equal(plainText(document), "ONE\ntwo\n");
    await clickLens(document, "Discard");
    await untilNoLens(document);
  });

  it("is removed byte for byte by one undo, with BOM, line endings and tabs", async () => {
    const bytes = "\ufefftop\r\n\tone\r\n\ttwo\r\nbottom\r\n";
    const editor = await showFile("bytes.rs", bytes);
    const { document } = editor;
    selectLines(editor, 2, 3);
    await scriptService(fenced(["one();", "|", "if (a) {", "  two();", "}"]));
    const done = edit("call them");
    await untilText(document, "top\n\tone();\n\ttwo\nbottom\n");
    await releaseGate();
    await done;
    assert.equal(
      document.getText(),
      "top\r\n\tone();\r\n\tif (a) {\r\n\t\ttwo();\r\n\t}\r\nbottom\r\n",
    );
    await run(COMMANDS.inlineKeep);
    await document.save();
    assert.equal(
      await readFile("bytes.rs"),
      "\ufefftop\r\n\tone();\r\n\tif (a) {\r\n\t\ttwo();\r\n\t}\r\nbottom\r\n",
    );
    await run("undo");
    await document.save();
    assert.equal(await readFile("bytes.rs"), bytes);
  });

  it("is one undo step, also when the user types elsewhere meanwhile", async () => {
    const editor = await showFile("elsewhere.rs", "top\n\none\ntwo\n");
    const { document } = editor;
    selectLines(editor, 3, 4);
    await scriptService(fenced(["ONE", "|", "TWO", "THREE"]));
    const done = edit("shout");
    await untilText(document, "top\n\nONE\ntwo\n");
    putCaret(editor, 1, 3);
    await run("type", { text: "!" });
    await run("type", { text: "\n" });
    await run("type", { text: "typed" });
    await releaseGate();
    await done;
    assert.equal(plainText(document), "top!\ntyped\n\nONE\nTWO\nTHREE\n");
    await run(COMMANDS.inlineKeep);
    await run("undo");
    await untilText(document, "top!\ntyped\n\none\ntwo\n");
    for (let steps = 0; steps < 3; steps++) {
      await run("undo");
      await untilText(document, "top\n\none\ntwo\n");
    }
  });

  it("is one undo step, even if the caret moves and the file is saved while it streams", async () => {
    const editor = await showFile("moved.rs", "top\none\ntwo\n");
    const { document } = editor;
    selectLines(editor, 2, 3);
    await scriptService(fenced(["ONE", "|", "TWO", "|", "THREE"]));
    const done = edit();
    await untilText(document, "top\nONE\ntwo\n");
    await run("cursorTop");
    await releaseGate();
    await untilText(document, "top\nONE\nTWO\n");
    await document.save();
    await releaseGate();
    await done;
    assert.equal(plainText(document), "top\nONE\nTWO\nTHREE\n");
    await run("undo");
    await untilText(document, "top\none\ntwo\n");
  });

  it("does not merge with later typing for undo", async () => {
    const editor = await showFile("after.rs", "top\none\ntwo\n");
    const { document } = editor;
    putCaret(editor, 1, 3);
    await run("type", { text: "a" });
    selectLines(editor, 2, 3);
    await scriptService(fenced(["ONE", "|", "two"]));
    const done = edit("shout");
    await untilText(document, "topa\nONE\ntwo\n");
    await releaseGate();
    await done;
    await run(COMMANDS.inlineKeep);
    putCaret(editor, 1, 4);
    await run("type", { text: "b" });
    await untilText(document, "topab\nONE\ntwo\n");
    await run("undo");
    await untilText(document, "topa\nONE\ntwo\n");
    await run("undo");
    await untilText(document, "topa\none\ntwo\n");
  });

  it("stops with Stop, closes the connection and lets the user keep the text so far", async () => {
    const editor = await showFile("stop.rs", "one\ntwo\nthree\n");
    selectLines(editor, 1, 3);
    await scriptService(fenced(["ONE", "|", "TWO"]));
    const done = edit("shout");
    await untilText(editor.document, "ONE\ntwo\nthree\n");
    await run(COMMANDS.inlineStop);
    await done;
    await untilService(({ repliesOpen }) => repliesOpen === 0);
    assert.equal(plainText(editor.document), "ONE\ntwo\nthree\n");
    await untilLens(editor.document, "Stopped.");
  });

  it("retries with Try Again, in place of the first reply", async () => {
    const editor = await showFile("retry.rs", "one\ntwo\n");
    selectLines(editor, 1, 2);
    await scriptService(fenced(["bad"]), fenced(["ONE", "TWO"]));
    await edit("shout");
    assert.equal(plainText(editor.document), "bad\n");
    await run(COMMANDS.inlineRetry);
    assert.equal(plainText(editor.document), "ONE\nTWO\n");
    await run(COMMANDS.inlineDiscard);
    assert.equal(plainText(editor.document), "one\ntwo\n");
    const requests = await receivedRequests();
    assert.deepEqual(requests[0]?.body, requests[1]?.body);
  });

  it("is refined by a follow-up that includes the first reply; undo reverts one at a time", async () => {
    const editor = await showFile("refine.rs", "one\ntwo\n");
    const { document } = editor;
    selectLines(editor, 1, 2);
    await scriptService(fenced(["ONE", "TWO"]), fenced(["ONE!", "TWO!"]));
    await edit("shout");
    putCaret(editor, 1);
    answers.instruct("with marks");
    await run(COMMANDS.editSelection);
    assert.equal(plainText(document), "ONE!\nTWO!\n");
    const [, second] = await receivedRequests();
    const { messages } = second?.body as { messages: { role: string; content: string }[] };
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["user", "assistant", "user"],
    );
    assert.ok(messages[2]?.content.includes("with marks"));
    assert.ok(!messages[2]?.content.includes("ONE"), "the lines of the last answer went again");
    await run("undo");
    await untilText(document, "ONE\nTWO\n");
    await run("undo");
    await untilText(document, "one\ntwo\n");
    await untilNoLens(document);
  });

  it("reports that the reply changes nothing", async () => {
    const editor = await showFile("same.rs", "one\n");
    selectLines(editor, 1, 1);
    await scriptService(fenced(["one"]));
    await edit("leave it");
    assert.deepEqual(
      answers.shown.map(({ text }) => text),
      ["The reply does not change these lines."],
    );
    assert.equal(editor.document.isDirty, false);
  });
});

describe("generating at the cursor", () => {
  suiteWithService();
  const generate = () => run(COMMANDS.generateAtCursor, { instruction: "write" });

  it("fills an empty line with the indentation of its position", async () => {
    const editor = await showFile("fill.rs", "function a() {\n\n}\n");
    putCaret(editor, 2);
    await scriptService(fenced(["const b = 1;", "if (b) {", "  go();", "}"]));
    await generate();
    assert.equal(
      plainText(editor.document),
      "function a() {\n    const b = 1;\n    if (b) {\n      go();\n    }\n}\n",
    );
    await run("undo");
    assert.equal(plainText(editor.document), "function a() {\n\n}\n");
  });

  it("writes below the cursor's line, or above it if the cursor is before the text", async () => {
    const editor = await showFile("beside.rs", "  one\n");
    putCaret(editor, 1, 5);
    await scriptService(fenced(["two"]), fenced(["zero"]));
    await generate();
    assert.equal(plainText(editor.document), "  one\n  two\n");
    await run(COMMANDS.inlineKeep);
    putCaret(editor, 1, 0);
    await generate();
    assert.equal(plainText(editor.document), "  zero\n  one\n  two\n");
  });
});
