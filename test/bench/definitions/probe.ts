/** Gathers definitions for many selections inside the extension host. VS Code calls `run`. */
import { writeFileSync } from "node:fs";
import * as vscode from "vscode";
import { relatedTokens } from "../../../src/context/budget";
import { findDefinitions } from "../../../src/host/context/definitions";
import { declarationsOf } from "../../../src/host/context/languageProviders";

const DOCUMENTS = 20;
const ROUNDS = 5;

/** Lines of the method `sum` and of the last function in each module, 1-based. */
const SPANS = [
  { startLine: 12, endLine: 26 },
  { startLine: 19, endLine: 33 },
];

export async function run(): Promise<void> {
  const tsdk = process.env["CORE_CHAT_BENCH_TSDK"];
  // The setting has different names in newer and older versions.
  const { Global } = vscode.ConfigurationTarget;
  const configuration = vscode.workspace.getConfiguration();
  await configuration.update("typescript.tsdk", tsdk, Global);
  await configuration.update("js/ts.tsdk.path", tsdk, Global).then(undefined, () => undefined);
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) throw new Error("no folder is open");
  const documents: vscode.TextDocument[] = [];
  for (let at = 0; at < DOCUMENTS; at++) {
    const file = at * 241;
    const path = `src/part${Math.floor(file / 100)}/module${file}.ts`;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder.uri, path));
    await vscode.window.showTextDocument(document, { preview: false });
    documents.push(document);
  }
  // The server is warm once the names of the last document are resolved.
  for (const document of documents) {
    let count = 0;
    while (count === 0) {
      const countLocations = (places: readonly unknown[]) => (count += places.length);
      await declarationsOf(document.uri, new vscode.Position(0, 12), countLocations);
    }
  }
  const timesMs: number[] = [];
  const tokens: number[] = [];
  const items: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const document of documents) {
      for (const span of SPANS) {
        const startMs = performance.now();
        const found = await findDefinitions(document, [span]);
        if (round === 0) continue;
        timesMs.push(performance.now() - startMs);
        tokens.push(found ? relatedTokens(found) : 0);
        items.push(found?.items.length ?? 0);
      }
    }
  }
  writeFileSync(
    process.env["CORE_CHAT_BENCH_RESULT"] ?? "",
    JSON.stringify({ timesMs, tokens, items }),
  );
}
