/** Registers `@core` in VS Code's chat view. participant.ts is loaded with the first request. */
import * as vscode from "vscode";
import { Disposables, type Disposable } from "../../base/disposables";
import { lazily } from "../../base/lazily";
import { describeError, type Log } from "../../base/log";
import { CHAT_PARTICIPANT } from "../platform/contributions";
import type { ParticipantOptions } from "./participant";

/**
 * Registers the participant.
 * @param loadOptions called with the first request
 */
export function registerParticipant(
  loadOptions: () => Promise<ParticipantOptions>,
  log: Log,
): Disposable {
  const owned = new Disposables();
  const participantOf = lazily(async () => {
    const { Participant } = await import("./participant");
    return new Participant(await loadOptions());
  });
  try {
    const participant = vscode.chat.createChatParticipant(CHAT_PARTICIPANT, async (...request) =>
      (await participantOf()).answer(...request),
    );
    participant.iconPath = new vscode.ThemeIcon("comment-discussion");
    owned.add(participant);
  } catch (error) {
    // VS Code was built without chat.
    log.info(`participant: VS Code has no chat (${describeError(error)})`);
  }
  return owned;
}
