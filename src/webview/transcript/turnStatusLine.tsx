import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "@vscode/l10n";
import { usePanel } from "../state/panelContext";

interface TurnStatusLineProps {
  readonly messageId: string;
  readonly isStreaming: boolean;
}

/**
 * Status under a running reply, as the time of the next retry. Counts down on the screen; is announced
 * once.
 */
export function TurnStatusLine({ messageId, isStreaming }: TurnStatusLineProps) {
  const { store, announcer } = usePanel();
  const status = store.turnStatus.value.get(messageId);
  const secondsLeft = useSecondsUntil(status?.untilMs);
  const wasProgress = useRef(false);
  useEffect(() => {
    const isRepeated = wasProgress.current && status?.isProgress === true;
    wasProgress.current = status?.isProgress ?? false;
    if (status && !isRepeated)
      announcer.announce(withSeconds(status.text, secondsUntil(status.untilMs)));
  }, [status, announcer]);

  if (status) return <div class="turn-status">{withSeconds(status.text, secondsLeft)}</div>;
  return isStreaming ? <Waiting /> : null;
}

/** Line until the first text of the reply, which then ends with a caret. */
function Waiting() {
  return (
    <div class="working">
      <span>{t("Thinking…")}</span>
    </div>
  );
}

function withSeconds(text: string, seconds: number): string {
  return text.replaceAll("%s", String(seconds));
}

function secondsUntil(untilMs: number | undefined): number {
  return untilMs === undefined ? 0 : Math.max(0, Math.ceil((untilMs - Date.now()) / 1000));
}

/** Counts down each second. */
function useSecondsUntil(untilMs: number | undefined): number {
  const [seconds, setSeconds] = useState(() => secondsUntil(untilMs));
  useEffect(() => {
    setSeconds(secondsUntil(untilMs));
    if (untilMs === undefined) return undefined;
    const timer = setInterval(() => setSeconds(secondsUntil(untilMs)), 1000);
    return () => clearInterval(timer);
  }, [untilMs]);
  return seconds;
}
