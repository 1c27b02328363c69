/** Entry point of the extension. Does no network or file access and waits for nothing. */
import * as vscode from "vscode";
import { Activation } from "./host/activation/activation";
import { watchSettings } from "./host/settings/settings";

let activation: Activation | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel("Core Chat", { log: true });
  context.subscriptions.push(output, watchSettings());
  context.subscriptions.push((activation = new Activation(context, output)));
}

/** Stops running replies and waits until all messages are on disk. */
export async function deactivate(): Promise<void> {
  await activation?.close();
}
