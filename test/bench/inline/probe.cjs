/**
 * Starts the edit inside the extension host, and records the number of writes and the busy time of
 * this process. VS Code calls `run`.
 */
const { writeFileSync } = require("node:fs");
const { performance } = require("node:perf_hooks");
const process = require("node:process");
const vscode = require("vscode");

const FIRST_LINE = 1000;
const LINES = 400;

exports.run = async function run() {
  const service = process.env["CORE_CHAT_BENCH_SERVICE"];
  const [folder] = vscode.workspace.workspaceFolders;
  const uri = vscode.Uri.joinPath(folder.uri, "large.txt");
  const editor = await vscode.window.showTextDocument(uri, { preview: false });
  const before = editor.document.getText();
  const last = editor.document.lineAt(FIRST_LINE + LINES - 1).range.end;
  editor.selection = new vscode.Selection(new vscode.Position(FIRST_LINE, 0), last);
  const instruction = "Rewrite every line.";
  const edit = vscode.commands.executeCommand("coreChat.editSelection", { instruction });
  while ((await state(service)).waitingAtGate === 0);
  editor.selection = new vscode.Selection(1, 0, 1, 0);
  editor.revealRange(new vscode.Range(0, 0, 0, 0));

  const writes = [];
  let busySince;
  const listening = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (document !== editor.document) return;
    if (!contentChanges.some(({ range }) => range.start.line > FIRST_LINE / 2)) return;
    busySince ??= cpuTimes();
    writes.push(performance.now());
  });
  writeFileSync(process.env["CORE_CHAT_BENCH_READY"], "");
  await edit;
  const { user, system } = cpuTimes();
  const busyMs = (user + system - busySince.user - busySince.system) / 1000;
  listening.dispose();
  const after = editor.document.getText();
  writeFileSync(
    process.env["CORE_CHAT_BENCH_RESULT"],
    JSON.stringify({
      writes: writes.length,
      durationMs: writes.at(-1) - writes[0],
      busyMs,
      hasAnswer: after.includes("rewritten line 400") && !after.includes(before.split("\n")[1001]),
    }),
  );
};

/**
 * Returns the processor time of this thread, or of the process if this Node cannot measure threads.
 */
function cpuTimes() {
  return process.threadCpuUsage?.() ?? process.cpuUsage();
}

async function state(service) {
  return (await fetch(`${service}/_service/state`)).json();
}
