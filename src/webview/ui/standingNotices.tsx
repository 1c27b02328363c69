/**
 * The notices that stand until what they say is no longer so, and why the last question was not
 * sent or files were not attached; above the composer and above the list of conversations.
 */
import { Notice } from "./notice";
import { usePanel } from "../state/panelContext";

export function StandingNotices() {
  const { store, host, draft } = usePanel();
  const notices = [...(store.panel.value?.notices ?? []), ...draft.refusals.value];
  if (notices.length === 0) return null;
  return (
    <div class="standing-notices">
      {notices.map((notice, index) => (
        <Notice
          key={index}
          notice={notice}
          onAction={(action) => host.send({ type: "action-asked", action })}
        />
      ))}
    </div>
  );
}
