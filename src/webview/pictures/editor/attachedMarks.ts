/** Sends the marks and notes of attached pictures to the host, and attaches areas of pictures. */
import { t } from "@vscode/l10n";
import type { PictureNote } from "../../../pointing/pictureNote";
import type { HostRequest } from "../../../protocol/toHost";
import type { AttachmentView } from "../../../protocol/views";
import type { Attaching } from "../../state/draft";
import type { Host } from "../../state/host";
import type { PanelStore } from "../../state/store";
import { croppedArea, parseMarks, readMarks, type Area, type Mark } from "../marks";
import { isNote, notesOf } from "./noteMarks";

export class AttachedMarks {
  /** Marks of editors that were closed without applying them, by attachment id. */
  readonly unused = new Map<string, readonly Mark[]>();

  constructor(
    private readonly host: Host,
    private readonly store: PanelStore,
    private readonly attaching: Attaching,
  ) {}

  /** Applies the marks of the editor; returns the error text after a failure, else an empty string. */
  async applyEdited(attachment: AttachmentView, marks: readonly Mark[]): Promise<string> {
    const { widthPx = 1, heightPx = 1 } = attachment.picture ?? {};
    const drawn = marks.filter((mark) => !isNote(mark));
    const before = readMarks(attachment.marks);
    const isSame =
      attachment.sent?.length !== 0 && JSON.stringify(drawn) === JSON.stringify(before);
    const notes = notesOf(marks, widthPx, heightPx);
    if (JSON.stringify(notes) !== JSON.stringify(attachment.notes ?? [])) {
      this.changeNotes(attachment.id, notes);
    }
    return isSame ? "" : this.apply(attachment, drawn);
  }

  changeNotes(attachmentId: string, notes: readonly PictureNote[]): void {
    const conversationId = this.store.conversationId.peek();
    if (conversationId === undefined) return;
    const ids = { conversationId, attachmentId };
    this.host.send({ type: "picture-notes-changed", ...ids, notes: [...notes] });
  }

  /**
   * Applies marks to an attached picture, or restores the original for no marks. Returns the error text
   * after a failure, else an empty string. The host does not send a picture with unapplied marks.
   * @param fit way to send a picture beyond the limits; absent for the setting's way
   */
  async apply(
    { id: attachmentId, picture }: AttachmentView,
    marks: readonly Mark[],
    fit?: "tiles" | "scaled",
  ): Promise<string> {
    const conversationId = this.store.conversationId.peek();
    if (conversationId === undefined || picture === undefined) return "";
    const ids = { conversationId, attachmentId };
    if (marks.length === 0) {
      this.host.send({ type: "picture-fit-chosen", ...ids, fit: fit ?? "whole" });
      return "";
    }
    const area = croppedArea(marks, picture.widthPx, picture.heightPx);
    return this.request({
      type: "picture-marked",
      ...ids,
      change: marks.every(({ kind }) => kind === "crop") ? "crop" : "marked",
      marks: JSON.stringify(marks),
      x: area.x,
      y: area.y,
      widthPx: area.width,
      heightPx: area.height,
      ...(fit && { fit }),
    });
  }

  /** Applies the marks of an attachment again; rejects for damaged marks. */
  async reapply(attachment: AttachmentView, fit?: "tiles" | "scaled"): Promise<string> {
    const { marks } = attachment;
    return this.apply(attachment, marks === undefined ? [] : parseMarks(marks), fit);
  }

  /** Attaches an area of a picture of this conversation; returns the error text after a failure. */
  async attachRegion(hash: string, area: Area): Promise<string> {
    const conversationId = this.store.conversationId.peek();
    if (conversationId === undefined) return "";
    const { x, y, width: widthPx, height: heightPx } = area;
    return this.request({
      type: "picture-region-attached",
      conversationId,
      hash,
      marks: JSON.stringify([{ kind: "crop", ...area }]),
      x,
      y,
      widthPx,
      heightPx,
    });
  }

  /** Sends a request that a question waits for; returns the error text after a failure. */
  private async request(message: HostRequest): Promise<string> {
    const asked = this.host.request(message);
    const accepted = asked.then(
      ({ isAccepted }) => isAccepted,
      () => false,
    );
    void this.attaching.track(accepted, true);
    const { isAccepted, notice } = await asked;
    return isAccepted ? "" : (notice?.text ?? "");
  }
}

/** Returns the error text for a request that the host did not answer. */
export function notApplied(): string {
  return t("The changes could not be applied. Try again.");
}
