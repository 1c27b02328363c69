/**
 * One sentence about something that went wrong or needs doing, and at most one button.
 */
import type { NoticeAction, NoticeView } from "../../protocol/views";

interface NoticeProps {
  readonly notice: NoticeView;
  readonly onAction: (action: NoticeAction) => void;
}

export function Notice({ notice, onAction }: NoticeProps) {
  const { action, text, tone } = notice;
  return (
    <div class={`notice is-${tone}`} role="alert">
      <span class="notice-text">{text}</span>
      {action && (
        <button type="button" class="secondary-button" onClick={() => onAction(action.id)}>
          {action.label}
        </button>
      )}
    </div>
  );
}
