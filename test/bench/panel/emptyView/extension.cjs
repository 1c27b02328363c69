/**
 * The least an extension can show: a view with one text box and no script. What its opening takes
 * is VS Code's own share of the opening of any view.
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
