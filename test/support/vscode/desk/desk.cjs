/**
 * A second extension beside Core Chat in a served VS Code. It does two things a user would
 * otherwise do by hand: opens the panel when a window opens (`npm start` asks for it with
 * CORE_CHAT_DESK_OPEN), and makes open windows take up settings changed from outside: the web
 * build does not notice that the file changed, but reads all of it after changing one value.
 */
const { readFileSync, watch } = require("node:fs");
const vscode = require("vscode");

exports.activate = (context) => {
  if (process.env.CORE_CHAT_DESK_OPEN) void vscode.commands.executeCommand("coreChat.open");

  const revisionFile = process.env.CORE_CHAT_DESK_REVISION;
  if (!revisionFile) return;
  const takeUp = () => {
    const revision = Number(readFileSync(revisionFile, "utf8"));
    const settings = vscode.workspace.getConfiguration("coreChatDesk");
    if (revision === 0 || revision === settings.get("revision")) return; // 0: being written
    void settings.update("revision", revision, vscode.ConfigurationTarget.Global);
  };
  const watcher = watch(revisionFile, takeUp);
  context.subscriptions.push({ dispose: () => watcher.close() });
  takeUp(); // what changed while the window was opening
};
