import { t } from "@vscode/l10n";
import { useState } from "preact/hooks";
import type { NoticeAction, NoticeView } from "../../protocol/views";
import { usePanel } from "../state/panelContext";
import { Icon } from "./iconButton";
import { DismissibleNotice } from "./notice";

const SEVERITIES: Readonly<Record<NoticeView["tone"], number>> = { error: 2, warning: 1, info: 0 };

/**
 * Notices above the composer and above the history. A conversation that is not saved is named first. Lasting states of the panel take one line: the most
 * severe is shown, the others are counted. The reasons why a question was not sent, or a file not
 * attached, follow in full.
 */
export function StandingNotices() {
  const { store, host, draft } = usePanel();
  const [areAllShown, setAreAllShown] = useState(false);
  const standing = [...(store.panel.value?.notices ?? [])].sort(
    (a, b) => SEVERITIES[b.tone] - SEVERITIES[a.tone],
  );
  const refusals = draft.refusals.value;
  const unsaved = store.panel.value?.unsaved;
  if (standing.length + refusals.length === 0 && unsaved === undefined) return null;
  const shown = areAllShown ? standing : standing.slice(0, 1);
  const onAction = (action: NoticeAction) => host.send({ type: "action-asked", action });

  // The button that had the focus is removed with its notice.
  function dismiss(remove: () => void): void {
    remove();
    draft.focus();
  }

  return (
    <div class="standing-notices">
      {unsaved && <DismissibleNotice notice={unsaved} isExpanded={false} onAction={onAction} />}
      {shown.map((notice) => (
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
      {standing.length > 1 && (
        <button
          type="button"
          class="link-button notice-count"
          aria-expanded={areAllShown}
          onClick={() => setAreAllShown(!areAllShown)}
        >
          {areAllShown ? t("Show less") : moreText(standing.length - 1)}
          <Icon name={areAllShown ? "chevron-up" : "chevron-down"} />
        </button>
      )}
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

function moreText(count: number): string {
  return count === 1 ? t("1 more notice") : t("{0} more notices", count);
}
