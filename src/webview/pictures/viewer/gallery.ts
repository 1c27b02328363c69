import type { AttachmentView, ChipView } from "../../../protocol/views";
import type { PanelStore } from "../../state/store";

type StoredPicture = NonNullable<ChipView["picture"]>;

/** A picture as it was or will be sent. */
export interface GalleryPicture extends StoredPicture {
  /** Label of the attachment; numbered for tiles. */
  readonly name: string;
  readonly detail: string;
  /** Id of the question; absent before sending. */
  readonly messageId?: string;
}

export function galleryOf(store: PanelStore): GalleryPicture[] {
  const sent = store.messages.value.flatMap((message) =>
    message.role === "user"
      ? message.view.value.chips.flatMap((chip) => sentPicture(chip, message.id))
      : [],
  );
  return [...sent, ...store.attachments.value.flatMap(attachedPictures)];
}

/** Returns the picture of a chip of a sent question; empty for other chips. */
export function sentPicture({ label, detail, picture }: ChipView, messageId: string) {
  if (picture === undefined) return [];
  return [{ ...picture, name: label, detail, messageId }];
}

export function attachedPictures({ label, detail, picture, sent }: AttachmentView) {
  if (picture === undefined) return [];
  const shown: readonly StoredPicture[] = sent ?? [picture];
  return shown.map((one, index): GalleryPicture => {
    const name = shown.length === 1 ? label : `${label} (${index + 1}/${shown.length})`;
    return { ...one, name, detail };
  });
}
