/**
 * Compares the buttons that VS Code draws for the extension with those that the end-to-end tests click in
 * a real window, by `press(place, label)`. A new button fails here until a test clicks it.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { codeButtons, menuButtons } from "../support/source/drawnButtons";
import { filesBelow } from "../support/source/files";

/** Labels that come from elsewhere: buttons of the panel's notices, and choices found by their `run`. */
const LABELS_OF_OTHERS = [
  "src/host/inline/editNotifications.ts: notification label",
  "src/host/sourceControl/commitMessage.ts: notification ...offered.map(({ label }) => label)",
];

/** Buttons that no end-to-end test can reach, with the reason. Integration tests answer these messages. */
const NOT_PRESSED: Readonly<Record<string, string>> = {
  "dialog: Delete Permanently": "pressed by test/integration/deleteForever.test.ts only",
  "dialog: Empty Bin": "pressed by test/integration/deleteForever.test.ts only",
  "dialog: Move History": "needs a folder of another scheme than file",
  "dialog: Rename Anyway": "needs a pending edit in a file that another editor renames",
  "list: Export {0} Conversations": "needs several selected conversations with thinking",
  "list: Servers on this machine (Ollama, LM Studio, llama.cpp, vLLM)":
    "needs a server at a fixed port",
  "list: Text model": "needs a service that lists its models",
  "list: Vision model": "needs a service that lists its models",
  "notification: Change Setting": "needs conversations older than a day",
  "notification: Delete Permanently": "needs conversations older than a day",
  "notification: Manage Model Access": "needs a VS Code that names no caller",
  "notification: Reload Window": "needs a second folder of the history",
  "notification: Show Reply": "needs a reply of 20 s in a window without the focus",
};

/** Buttons without a click in a real window. The list only gets shorter. */
const NOT_YET = new Set([
  "view/title: Export Conversation…",
  "view/title: Add Problems",
  "view/title: Add Last Command to Core Chat",
  "editor/title: Ask for the Whole Block",
  "editor/title: Open Reply",
  "editor/context: Edit Read-Only File…",
  "scm/title: Generate Commit Message",
  "scm/title: Stop Generating Commit Message",
  "terminal/context: Add Last Command to Core Chat",
  "scm/resourceState/context: Add Changes to Core Chat",
  "testing/message/context: Add Test Failure",
  "notebook/cell/title: Add Notebook Cell",
  "dialog: Remove and Use",
  "dialog: Use As Is",
  "dialog: Add All",
  "dialog: Add",
  "dialog: Send",
  "dialog: Keep Anyway",
  "dialog: Edit Anyway",
  "dialog: Allow",
  "dialog: Don't Allow",
  "list: Manage Model Access",
  "dialog: Revoke",
  "light bulb: Fix with Core Chat",
  "notification: Insert",
  "notification: Ask for the Whole Block",
  "notification: Open Original Lines",
  "dialog: Discard Both",
  "code lens: Open Reply",
  "light bulb: Ask Core Chat About This Picture",
  "dialog: Apply",
  "dialog: Insert Anyway",
  "notification: Insert Anyway",
  "list: Where should this code go in {0}?",
  "notification: Review Again",
  "notification: Replace",
  "notification: Restore Draft",
  "list: Generate Commit Message",
  "dialog: Remove",
  "dialog: Delete Pictures",
  "notification: Open File",
  "list: Export Conversation",
  "dialog: Use System Prompt",
  "dialog: Don't Use",
]);

function pressedButtons(): Set<string> {
  const sources = filesBelow("test/e2e", /\.ts$/).map((file) => readFileSync(file, "utf8"));
  const calls = sources.flatMap((text) => [
    ...text.matchAll(/\bpress\(\s*"([^"]+)",\s*"((?:[^"\\]|\\.)*)"/g),
  ]);
  return new Set(calls.map(([, place, label]) => `${place}: ${label}`));
}

describe("the buttons that VS Code draws", () => {
  const { buttons, unresolved } = codeButtons();
  const drawn = new Set([...menuButtons(), ...buttons]);
  const pressed = pressedButtons();

  it("have labels that the source shows", () => {
    assert.deepEqual([...new Set(unresolved)], LABELS_OF_OTHERS);
    assert.ok(drawn.size > 120, String(drawn.size));
  });

  it("are each clicked in a real window", () => {
    const missing = [...drawn].filter(
      (one) => !pressed.has(one) && !(one in NOT_PRESSED) && !NOT_YET.has(one),
    );
    assert.deepEqual(missing, []);
  });

  it("exist for each click and each exception", () => {
    assert.deepEqual(
      [...pressed, ...Object.keys(NOT_PRESSED), ...NOT_YET].filter((one) => !drawn.has(one)),
      [],
    );
    const excepted = [...Object.keys(NOT_PRESSED), ...NOT_YET];
    assert.deepEqual(
      excepted.filter((one) => pressed.has(one)),
      [],
    );
  });
});
