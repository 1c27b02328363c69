/**
 * Minimal extension for comparison: a view with a text box and no script. The time to open it is VS
 * Code's own share of opening any view.
 */
const vscode = require("vscode");

exports.activate = ({ subscriptions }) => {
  const provider = {
    resolveWebviewView(view) {
      view.webview.html = '<!doctype html><textarea aria-label="Empty"></textarea>';
    },
  };
  subscriptions.push(
    vscode.window.registerWebviewViewProvider("emptyView.view", provider),
    vscode.commands.registerCommand("emptyView.open", () =>
      vscode.commands.executeCommand("emptyView.view.focus"),
    ),
  );
};
