/** Entry point of the extension. Does no network or file access and waits for nothing. */
import * as vscode from "vscode";
import { Activation } from "./host/activation/activation";

let activation: Activation | undefined;

/** Called by VS Code once, on an activation event of package.json. */
export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel("Core Chat", { log: true });
  activation = new Activation(context, output);
  context.subscriptions.push(output, activation);
}

/** Stops running replies and waits until all messages are on disk. */
export async function deactivate(): Promise<void> {
  await activation?.close();
}
