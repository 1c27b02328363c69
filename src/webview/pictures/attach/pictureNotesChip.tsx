/** The notes in all attached pictures as one chip, which opens a list to edit them. */
import { t } from "@vscode/l10n";
import { useRef } from "preact/hooks";
import { MAX_NOTE_LENGTH, type PictureNote } from "../../../pointing/pictureNote";
import type { AttachmentView } from "../../../protocol/views";
import { usePanel } from "../../state/panelContext";
import { Icon, IconButton } from "../../ui/iconButton";
import { usePictures } from "../picturesContext";

interface NotesChipProps {
  readonly attachments: readonly AttachmentView[];
}

export function PictureNotesChip({ attachments }: NotesChipProps) {
  const { draft } = usePanel();
  const pictures = usePictures();
  const listRef = useRef<HTMLOListElement>(null);
  const all = attachments
    .flatMap((attachment) => (attachment.notes ?? []).map((note) => ({ attachment, note })))
    .sort((one, other) => one.note.number - other.note.number);
  if (all.length === 0) return null;

  function change(
    { id, notes = [] }: AttachmentView,
    old: PictureNote,
    changed?: PictureNote,
  ): void {
    const newNotes = notes.flatMap((one) => (one !== old ? [one] : changed ? [changed] : []));
    pictures.marks.changeNotes(id, newNotes);
  }

  function remove(attachment: AttachmentView, note: PictureNote, index: number): void {
    const boxes = [...(listRef.current?.querySelectorAll("input") ?? [])];
    const next = boxes[index + 1] ?? boxes[index - 1];
    if (next) next.focus();
    else draft.focus();
    change(attachment, note);
  }

  return (
    <div role="listitem" class="chip attachment notes-chip">
      <details>
        <summary title={t("Edit the notes in the picture")}>
          <Icon name="pin" />
          <bdi class="chip-label">
            {t(
              "In the picture: {0}",
              all.map(({ note }) => `${note.number}. ${note.text}`).join(" "),
            )}
          </bdi>
        </summary>
        <ol ref={listRef} class="picture-notes">
          {all.map(({ attachment, note }, index) => (
            <li key={note.number}>
              <span class="note-number" aria-hidden="true">
                {note.number}
              </span>
              <input
                autocomplete="off"
                type="text"
                class="note-input"
                aria-label={t("Note {0} in {1}", note.number, attachment.label)}
                maxLength={MAX_NOTE_LENGTH}
                value={note.text}
                onChange={(event) =>
                  change(attachment, note, { ...note, text: event.currentTarget.value })
                }
              />
              {note.leftOut !== undefined && (
                <span class="note-left-out">{leftOutText(note.leftOut)}</span>
              )}
              <IconButton
                icon="close"
                label={t("Remove note {0}", note.number)}
                onClick={() => remove(attachment, note, index)}
              />
            </li>
          ))}
        </ol>
      </details>
    </div>
  );
}

function leftOutText(reason: NonNullable<PictureNote["leftOut"]>): string {
  return reason === "covered"
    ? t("not sent: it is in a redacted area")
    : t("not sent: it is outside the cropped area");
}
