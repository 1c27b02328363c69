/**
 * The front door: builds the rooms, hands them to each other and returns. No network, no file
 * reading and no waiting happens here.
 */
import * as vscode from "vscode";
import { describeError } from "./base/log";
import { redactPatterns } from "./base/redact";
import { activateRooms, type Rooms } from "./host/rooms";

let rooms: Rooms | undefined;

/** Called by VS Code once, when the panel is opened or a command is run. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("Core Chat", { log: true });
  context.subscriptions.push(log);
  try {
    rooms = activateRooms(context, log);
    context.subscriptions.push(rooms);
  } catch (error) {
    log.error(redactPatterns(`activation failed (${describeError(error)})`));
    void vscode.window.showErrorMessage(
      vscode.l10n.t("Core Chat could not start. Its log says why."),
    );
    throw error;
  }
}

/** Stops running replies and waits until what was said is on disk. */
export async function deactivate(): Promise<void> {
  await rooms?.close();
}
