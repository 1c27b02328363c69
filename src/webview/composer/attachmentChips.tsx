/**
 * What goes with the question that is being written: one chip each, above the text, with a button
 * that takes it away. The caret goes to the next one then, or back to the text after the last.
 */
import { t } from "@vscode/l10n";
import { useRef } from "preact/hooks";
import type { AttachmentView, ChipView } from "../../bridge/views";
import { Icon } from "../iconButton";
import { usePanel } from "../panelContext";
import { AttachedPicture, FitChoice } from "../pictures/attachedPicture";

const ICONS: Readonly<Record<ChipView["kind"], string>> = {
  file: "file-code",
  picture: "file-media",
  problems: "warning",
  changes: "git-compare",
  terminal: "terminal",
  folder: "folder",
  symbol: "symbol-method",
};

export function AttachmentChips() {
  const { store, host, draft } = usePanel();
  const listRef = useRef<HTMLUListElement>(null);
  const attachments = store.attachments.value;
  const conversationId = store.conversationId.value;
  if (attachments.length === 0 || conversationId === undefined) return null;

  function remove({ id }: AttachmentView, index: number): void {
    const buttons = [
      ...(listRef.current?.querySelectorAll<HTMLElement>("button.icon-button") ?? []),
    ];
    const next = buttons[index + 1] ?? buttons[index - 1];
    if (next) next.focus();
    else draft.focus();
    if (conversationId) host.send({ type: "attachment-removed", conversationId, attachmentId: id });
  }

  return (
    <ul ref={listRef} class="attachments" aria-label={t("Attachments")}>
      {attachments.map((attachment, index) => (
        <li key={attachment.id} class="chip attachment">
          {attachment.picture ? (
            <AttachedPicture attachment={attachment} />
          ) : (
            <Icon name={ICONS[attachment.kind]} />
          )}
          <bdi class="chip-label" title={attachment.label}>
            {attachment.label}
          </bdi>
          {attachment.detail !== "" && <bdi class="chip-detail">{attachment.detail}</bdi>}
          <FitChoice attachment={attachment} />
          <button
            type="button"
            class="icon-button"
            aria-label={t("Remove attachment {0}", attachment.label)}
            title={t("Remove attachment {0}", attachment.label)}
            onClick={() => remove(attachment, index)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
