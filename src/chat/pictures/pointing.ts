/**
 * Asks for coordinates with the next question, and saves the scale that the user chose for those of a
 * reply. The page recognizes and draws them.
 */
import type { PictureNote } from "../../pointing/pictureNote";
import type { CoordinateScale } from "../../pointing/coordinates";
import type { HostHandlers } from "../../protocol/toHost";
import type { CoordinatesView } from "../../protocol/views";
import type { Conversations } from "../conversation/conversations";
import { pointingInstruction } from "../../pointing/instruction";
import type { Messages } from "../view/messages";
import type { ViewUpdater } from "../view/viewUpdater";
import { defined } from "../../base/defined";
import { asksToPoint } from "../../conversation/message";

/** Scales of the coordinates of services. */
export interface PointingHost {
  /** @param profile profile of the shown conversation */
  coordinates(profile: string | undefined): CoordinatesView | undefined;
  saveCoordinates(profile: string | undefined, scale: CoordinateScale): void;
  /** True if a workspace is open, whose code can be marked. */
  hasWorkspace(): boolean;
}

export class Pointing {
  readonly handlers = {
    "show-where-switched": ({ conversationId, isOn }) => this.switchShowWhere(conversationId, isOn),
    "coordinates-chosen": ({ conversationId, scale }) => {
      const conversation = this.view.live?.conversation;
      if (conversation?.id !== conversationId) return;
      this.host.saveCoordinates(conversation.profile, scale);
    },
    "picture-notes-changed": ({ conversationId, attachmentId, notes }) =>
      this.changeNotes(conversationId, attachmentId, notes),
  } satisfies Partial<HostHandlers>;

  constructor(
    private readonly conversations: Conversations,
    private readonly host: PointingHost,
    private readonly messages: Messages,
    private readonly view: ViewUpdater,
  ) {}

  /** Replaces the notes at positions of an attached picture. */
  private changeNotes(
    conversationId: string,
    attachmentId: string,
    notes: readonly PictureNote[],
  ): Promise<void> {
    const label = this.messages.inThePicture();
    const added = { label, ...defined({ scale: this.scale }), items: [...notes] };
    return this.conversations.draft(conversationId).noteOnPicture(attachmentId, added);
  }

  /** Scale in which the model of the shown conversation gives coordinates, if known. */
  private get scale(): CoordinateScale | undefined {
    return this.host.coordinates(this.view.live?.conversation.profile)?.scales[0];
  }

  /** Attaches the instruction as a note, so that the question shows what is sent. */
  private async switchShowWhere(conversationId: string, isOn: boolean): Promise<void> {
    const draft = this.conversations.draft(conversationId);
    await draft.load();
    const notes = draft.attachments.filter(({ part }) => asksToPoint(part));
    if (!isOn) {
      for (const { id } of notes) await draft.removeAttachment(id);
      return;
    }
    if (notes.length > 0) return;
    const text = pointingInstruction(this.host.hasWorkspace(), this.scale);
    await draft.attach([
      { kind: "note", source: "pointing", label: this.messages.showWhere(), text },
    ]);
  }
}
