import { t } from "@vscode/l10n";
import type { ReadonlySignal } from "@preact/signals";
import { Icon } from "../../ui/iconButton";

/** Says over the whole panel that files can be dropped. */
export function DropOverlay({ isDragging }: { readonly isDragging: ReadonlySignal<boolean> }) {
  if (!isDragging.value) return null;
  return (
    <div class="drop-overlay">
      <Icon name="attach" />
      {t("Drop files or pictures")}
    </div>
  );
}
