/**
 * What the events of a running turn mean to whoever looks at its conversation, and to the log.
 * Passing words only; everything lasting comes as a step.
 */
import type { TurnEvent } from "../ask/ask";
import type { Log } from "../base/log";
import type { Ending } from "../conversation/ending";
import type { ConversationChange } from "./conversationChange";

/** The changes an event brings, in their order. */
export function statusChanges(
  replyId: string,
  event: TurnEvent,
  nowMs: number,
): ConversationChange[] {
  const nothing: ConversationChange = { kind: "status", replyId, status: undefined };
  switch (event.type) {
    case "request-sent":
      return [{ kind: "reply", replyId }, nothing];
    case "still-waiting":
      return [{ kind: "status", replyId, status: { kind: "waiting", forMs: event.forMs } }];
    case "uploading": {
      const { sentBytes, totalBytes } = event;
      if (sentBytes === totalBytes) return [nothing];
      return [{ kind: "status", replyId, status: { kind: "uploading", sentBytes, totalBytes } }];
    }
    case "retry-scheduled": {
      const { attempt, tries, failure } = event;
      const untilMs = nowMs + event.delayMs;
      return [
        { kind: "status", replyId, status: { kind: "retrying", attempt, tries, untilMs, failure } },
      ];
    }
    case "text-delta":
    case "turn-ended":
      return [nothing];
    default:
      event satisfies never;
      return [];
  }
}

/** Failures are logged by kind; what is our own mistake, by the error's class too. */
export function logEnding(ending: Ending, log: Log): void {
  if (ending.kind !== "failed") return;
  const { failure } = ending;
  if (failure.kind === "internal") {
    log.error(`chat: a turn failed inside (${failure.name ?? "unknown"})`);
  } else log.info(`chat: a turn failed (${failure.kind})`);
}
