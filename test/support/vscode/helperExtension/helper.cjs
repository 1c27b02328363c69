/**
 * Second extension of a served VS Code. With CORE_CHAT_HELPER_OPEN it opens the panel and the README
 * of the workspace with each window, and attaches the sample's screenshot in the first one. Makes windows reload changed settings: the web build does not watch the file, but reads
 * the whole file when a value changes.
 */
const { readFileSync, watch, writeFileSync } = require("node:fs");
const vscode = require("vscode");

exports.activate = (context) => {
  if (process.env.CORE_CHAT_HELPER_OPEN) void openSample(context);

  const revisionFile = process.env.CORE_CHAT_HELPER_REVISION;
  if (!revisionFile) return;
  const applyRevision = () => {
    const revision = Number(readFileSync(revisionFile, "utf8"));
    // Not "coreChat…": affectsConfiguration("coreChat") checks only the first key with that prefix.
    const settings = vscode.workspace.getConfiguration("testHelper");
    if (revision === 0 || revision === settings.get("revision")) return; // 0: the file is being written
    const write = () => settings.update("revision", revision, vscode.ConfigurationTarget.Global);
    // VS Code refuses if its copy of the file is older, and then opens that copy with its change: the
    // editor takes the focus, so callers wait until it is closed.
    void write()
      .catch(() => discardSettingsEditor().then(write))
      .then(() => writeFileSync(`${revisionFile}.applied`, String(revision)));
  };
  const watcher = watch(revisionFile, applyRevision);
  context.subscriptions.push({ dispose: () => watcher.close() });
  applyRevision(); // Applies changes made while the window was opening.
};

async function discardSettingsEditor() {
  const isSettings = ({ isDirty, uri }) => isDirty && uri.path.endsWith("/settings.json");
  const document = vscode.workspace.textDocuments.find(isSettings);
  if (document !== undefined) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  }
  await vscode.commands.executeCommand("notifications.clearAll");
}

/** VS Code 1.139 restores a Markdown preview with an error, so the preview is opened again. */
async function openSample({ globalState }) {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const previews = tabs.filter(({ input }) => input?.viewType?.includes("markdown.preview"));
  if (folder !== undefined && previews.length === tabs.length) {
    await vscode.window.tabGroups.close(previews);
    const readme = vscode.Uri.joinPath(folder, "README.md");
    await vscode.commands.executeCommand("markdown.showPreview", readme);
  }
  await vscode.commands.executeCommand("coreChat.open");
  if (folder === undefined || globalState.get("isSampleAttached")) return;
  await globalState.update("isSampleAttached", true);
  const picture = vscode.Uri.joinPath(folder, "pictures/checkout.png");
  await vscode.commands.executeCommand("coreChat.askImage", picture);
}
