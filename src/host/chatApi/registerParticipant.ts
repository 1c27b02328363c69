/**
 * Offers `@core` in VS Code's own chat view. What answers is read when somebody first asks; where
 * that view is off nobody ever does.
 */
import * as vscode from "vscode";
import { Disposables, type Disposable } from "../../base/disposables";
import { lazily } from "../../base/lazily";
import { describeError, type Log } from "../../base/log";
import { CHAT_PARTICIPANT } from "../platform/contributions";
import type { ParticipantOptions } from "./participant";

/**
 * Offers the participant until disposed.
 * @param ports asked for when somebody first asks
 */
export function registerParticipant(
  ports: () => Promise<ParticipantOptions>,
  log: Log,
): Disposable {
  const owned = new Disposables();
  const answering = lazily(async () => {
    const { Participant } = await import("./participant");
    return new Participant(await ports());
  });
  try {
    const participant = vscode.chat.createChatParticipant(CHAT_PARTICIPANT, async (...asked) =>
      (await answering()).answer(...asked),
    );
    participant.iconPath = new vscode.ThemeIcon("comment-discussion");
    owned.add(participant);
  } catch (error) {
    // A VS Code built without chat: everything else of ours works there.
    log.info(`participant: there is no chat to take part in (${describeError(error)})`);
  }
  return owned;
}
