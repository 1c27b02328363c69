/**
 * Second extension of a served VS Code. Opens the panel with each window if CORE_CHAT_HELPER_OPEN
 * is set. Makes windows reload changed settings: the web build does not watch the file, but reads
 * the whole file when a value changes.
 */
const { readFileSync, watch } = require("node:fs");
const vscode = require("vscode");

exports.activate = (context) => {
  if (process.env.CORE_CHAT_HELPER_OPEN) void vscode.commands.executeCommand("coreChat.open");

  const revisionFile = process.env.CORE_CHAT_HELPER_REVISION;
  if (!revisionFile) return;
  const applyRevision = () => {
    const revision = Number(readFileSync(revisionFile, "utf8"));
    // Not "coreChat…": affectsConfiguration("coreChat") checks only the first key with that prefix.
    const settings = vscode.workspace.getConfiguration("testHelper");
    if (revision === 0 || revision === settings.get("revision")) return; // 0: the file is being written
    void settings.update("revision", revision, vscode.ConfigurationTarget.Global);
  };
  const watcher = watch(revisionFile, applyRevision);
  context.subscriptions.push({ dispose: () => watcher.close() });
  applyRevision(); // Applies changes made while the window was opening.
};
