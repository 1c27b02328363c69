/**
 * Offers `@core` in VS Code's own chat view. What answers is read when somebody first asks; where
 * that view is off nobody ever does.
 */
import * as vscode from "vscode";
import { Disposables, type Disposable } from "../../base/disposables";
import { lazily } from "../../base/lazily";
import { describeError } from "../../base/log";
import { CHAT_PARTICIPANT } from "../contributions";
import type { ParticipantPorts } from "./participant";

/** Offers the participant until disposed. */
export function offerParticipant(ports: ParticipantPorts): Disposable {
  const owned = new Disposables();
  const answering = lazily(async () => new (await import("./participant")).Participant(ports));
  try {
    const participant = vscode.chat.createChatParticipant(CHAT_PARTICIPANT, async (...asked) =>
      (await answering()).answer(...asked),
    );
    participant.iconPath = new vscode.ThemeIcon("comment-discussion");
    owned.add(participant);
  } catch (error) {
    // A VS Code built without chat: everything else of ours works there.
    ports.log.info(`participant: there is no chat to take part in (${describeError(error)})`);
  }
  return owned;
}
