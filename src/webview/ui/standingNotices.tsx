import type { NoticeAction } from "../../protocol/views";
import { usePanel } from "../state/panelContext";
import { DismissibleNotice } from "./notice";

/**
 * Notices above the composer and above the history. Lasting states of the panel take a line each.
 * The reasons why a question was not sent, or a file not attached, follow in full.
 */
export function StandingNotices() {
  const { store, host, draft } = usePanel();
  const standing = store.panel.value?.notices ?? [];
  const refusals = draft.refusals.value;
  if (standing.length + refusals.length === 0) return null;
  const onAction = (action: NoticeAction) => host.send({ type: "action-asked", action });

  // The button that had the focus is removed with its notice.
  function dismiss(remove: () => void): void {
    remove();
    draft.focus();
  }

  return (
    <div class="standing-notices">
      {standing.map((notice) => (
        <DismissibleNotice
          key={notice.text}
          notice={notice}
          isExpanded={false}
          onAction={onAction}
          onDismiss={() =>
            dismiss(() => host.send({ type: "notice-dismissed", text: notice.text }))
          }
        />
      ))}
      {refusals.map((notice) => (
        <DismissibleNotice
          key={`refusal ${notice.text}`}
          notice={notice}
          isExpanded
          onAction={onAction}
          onDismiss={() => dismiss(() => draft.dismissRefusal(notice))}
        />
      ))}
    </div>
  );
}
