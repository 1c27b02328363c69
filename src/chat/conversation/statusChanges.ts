/**
 * Converts turn events to transient changes for views and to log lines. Lasting changes are steps.
 */
import type { TurnEvent } from "../../ask/ask";
import type { Log } from "../../base/log";
import type { Ending } from "../../conversation/ending";
import type { ConversationChange } from "./conversationChange";

type StatusChange = Extract<ConversationChange, { kind: "status" }>;

export function statusChange(replyId: string, event: TurnEvent, nowMs: number): StatusChange {
  const nothing: StatusChange = { kind: "status", replyId, status: undefined };
  switch (event.type) {
    case "still-waiting":
      return { kind: "status", replyId, status: { kind: "waiting", forMs: event.forMs } };
    case "uploading": {
      const { sentBytes, totalBytes } = event;
      if (sentBytes === totalBytes) return nothing;
      return { kind: "status", replyId, status: { kind: "uploading", sentBytes, totalBytes } };
    }
    case "retry-scheduled": {
      const { attempt, tries, failure } = event;
      const untilMs = nowMs + event.delayMs;
      const status = { kind: "retrying", attempt, tries, untilMs, failure } as const;
      return { kind: "status", replyId, status };
    }
    case "request-sent":
    case "text-delta":
    case "reasoning-delta":
    case "text-was-reasoning":
    case "picture":
    case "turn-ended":
      return nothing;
    default:
      return event satisfies never;
  }
}

/** Logs a failure by its kind; an internal failure also by the error's class. */
export function logEnding(ending: Ending, log: Log): void {
  if (ending.kind !== "failed") return;
  const { failure } = ending;
  if (failure.kind === "internal") {
    log.error(`chat: a turn failed with an internal error (${failure.name ?? "unknown"})`);
  } else log.info(`chat: a turn failed (${failure.kind})`);
}
