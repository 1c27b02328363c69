import { t } from "@vscode/l10n";
import { usePanel } from "../state/panelContext";
import { IconButton } from "./iconButton";

/** Title of the conversation, and the way to the others; an empty conversation lists the latest ones. */
export function PanelHeader() {
  const { store, navigation } = usePanel();
  if (store.messages.value.length === 0) return null;
  const title = store.title.value;
  return (
    <header class="panel-header">
      <IconButton
        icon="history"
        label={t("Show history")}
        onClick={() => navigation.openHistory()}
      />
      {/* The heading of the panel has it for screen readers. */}
      <bdi class="panel-title" title={title} aria-hidden="true">
        {title}
      </bdi>
    </header>
  );
}
