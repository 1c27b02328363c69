/**
 * Called by VS Code: opens the front door and returns. No network, no file reading and no waiting
 * happens here.
 */
import * as vscode from "vscode";
import { Activation } from "./host/activation/activation";

let door: Activation | undefined;

/** Called once, when the panel is opened or a command is run. */
export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel("Core Chat", { log: true });
  door = new Activation(context, output);
  context.subscriptions.push(output, door);
}

/** Stops running replies and waits until what was said is on disk. */
export async function deactivate(): Promise<void> {
  await door?.close();
}
