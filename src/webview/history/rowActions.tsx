/**
 * Actions of the active row: buttons and the rename box. Positioned over the row by the style sheet,
 * because an option of a listbox cannot contain buttons.
 */
import { t } from "@vscode/l10n";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { HistoryRow } from "../../protocol/views";
import { IconButton, MenuButton } from "../ui/iconButton";
import { MAX_TITLE_LENGTH } from "./historyPane";
import { useHistory } from "./historyContext";

export function RowActions() {
  const history = useHistory();
  const row = history.activeRow.value;
  if (row === undefined) return null;
  if (history.renamingId.value === row.id) return <RenameBox key={row.id} row={row} />;
  return (
    <div
      class="history-actions"
      role="group"
      aria-label={t("Actions for {0}", row.title)}
      {...(!history.isInBin.value && { "data-vscode-context": menuContext(row) })}
    >
      {history.isInBin.value ? (
        <>
          <IconButton icon="discard" label={t("Restore")} onClick={() => history.restoreActive()} />
          <IconButton
            icon="trash"
            label={t("Delete Permanently")}
            onClick={() => history.deleteActivePermanently()}
          />
        </>
      ) : (
        <>
          <IconButton icon="edit" label={t("Rename")} onClick={() => history.beginRenaming()} />
          <IconButton
            icon={row.isPinned ? "pinned" : "pin"}
            label={row.isPinned ? t("Unpin") : t("Pin")}
            onClick={() => history.togglePin()}
          />
          <IconButton icon="trash" label={t("Delete")} onClick={() => history.deleteActive()} />
          <MenuButton label={t("More actions")} />
        </>
      )}
    </div>
  );
}

/** Returns the arguments of VS Code's menu for a conversation. */
export function menuContext({ id: conversationId }: HistoryRow): string {
  return JSON.stringify({
    "coreChat.conversation": true,
    conversationId,
    preventDefaultContextMenuItems: true,
  });
}

function RenameBox({ row }: { readonly row: HistoryRow }) {
  const history = useHistory();
  const inputRef = useRef<HTMLInputElement>(null);
  const isDoneRef = useRef(false);

  useLayoutEffect(() => {
    const before = document.activeElement;
    inputRef.current?.select();
    return () => {
      // The browser drops the focus with the box; the earlier element may be removed too.
      const isLost = document.activeElement === inputRef.current;
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  function finish(title: string | undefined): void {
    if (isDoneRef.current) return; // Removing the box fires another blur event.
    isDoneRef.current = true;
    if (title === undefined) history.cancelRenaming();
    else history.rename(title);
  }

  return (
    <input
      autocomplete="off"
      ref={inputRef}
      class="history-rename"
      type="text"
      aria-label={t("New title")}
      maxLength={MAX_TITLE_LENGTH}
      defaultValue={row.title}
      onKeyDown={(event) => {
        if (event.isComposing) return;
        if (event.key === "Enter") finish(event.currentTarget.value);
        else if (event.key === "Escape") finish(undefined);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
      onBlur={(event) => finish(event.currentTarget.value)}
    />
  );
}
