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
  "list: Generate Commit Message": "needs two repositories in a window",
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
    const missing = [...drawn].filter((one) => !pressed.has(one) && !(one in NOT_PRESSED));
    assert.deepEqual(missing, []);
  });

  it("exist for each click and each exception", () => {
    assert.deepEqual(
      [...pressed, ...Object.keys(NOT_PRESSED)].filter((one) => !drawn.has(one)),
      [],
    );
    assert.deepEqual(
      Object.keys(NOT_PRESSED).filter((one) => pressed.has(one)),
      [],
    );
  });
});
