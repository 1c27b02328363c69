/**
 * Attachments of the draft of each conversation. They are stored with the draft and removed only when a
 * question with them was accepted. While the user edits an earlier question, its attachments replace
 * those of the draft.
 */
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposables";
import { Emitter } from "../base/event";
import { newId } from "../base/id";
import { withoutCovered } from "../context/overlap";
import type { ImagePart, Part } from "../conversation/message";
import {
  isUnfinished,
  otherTexts,
  sentParts,
  type Attachment,
  type PictureOrigin,
  type PicturePlan,
} from "../history/draft";
import type { Drafts } from "../history/drafts";

/** Attachments reserved for a question that is being sent. */
export interface ClaimedAttachments {
  readonly parts: readonly Part[];
  /** Removes the attachments from the draft after the question was accepted. */
  taken(): void;
  /** Returns the attachments to the draft after the question was refused. */
  refused(): void;
}

/** Texts of the composer at the start of an edit. */
export interface EditedTexts {
  /** Draft text to restore when the edit ends. */
  readonly parkedText?: string | undefined;
  /** New text of the composer. */
  readonly text?: string | undefined;
}

/** Shared by all views of a window. */
export class Attachments implements Disposable {
  private readonly changed = new Emitter<string>();
  /** Ids of attachments reserved for a question that is being sent. */
  private readonly claimed = new Set<string>();

  /** Fires with the id of the conversation whose attachments changed. */
  readonly onChanged = this.changed.event;

  constructor(
    private readonly drafts: Drafts,
    private readonly clock: Clock,
  ) {}

  /** Returns the attachments of a draft that is in memory. */
  list(conversationId: string): readonly Attachment[] {
    const { attached, editing } = this.drafts.currentDraft(conversationId);
    return (editing?.attached ?? attached).filter(({ id }) => !this.claimed.has(id));
  }

  /** Attaches parts without those that another attachment contains. */
  async add(conversationId: string, parts: readonly Part[]): Promise<void> {
    await this.drafts.loadDraft(conversationId);
    const attached = this.current(conversationId);
    const all = [...attached, ...parts.map((part) => this.attachment(part))];
    const kept = withoutCovered(all, ({ part }) => part);
    if (kept.some((one) => !attached.includes(one))) this.save(conversationId, kept);
  }

  /** Attaches a picture unless the same picture is already attached as it is. */
  async addPicture(
    conversationId: string,
    part: ImagePart,
    picture: PicturePlan | undefined,
    origin: PictureOrigin | undefined,
  ): Promise<void> {
    await this.drafts.loadDraft(conversationId);
    const attached = this.current(conversationId);
    const isSame = (one: Attachment) =>
      one.picture === undefined && JSON.stringify(one.part) === JSON.stringify(part);
    if (picture === undefined && attached.some(isSame)) return;
    const added = {
      ...this.attachment(part),
      ...(picture && { picture }),
      ...(origin && { origin }),
    };
    this.save(conversationId, [...attached, added]);
  }

  /** Returns the plan of an attached picture; undefined if the picture is sent as it is or not attached. */
  planOf(conversationId: string, attachmentId: string): PicturePlan | undefined {
    return this.current(conversationId).find(({ id }) => id === attachmentId)?.picture;
  }

  /**
   * Changes the way a picture is sent. Ignored if the picture is no longer attached, or if its plan is
   * not `expected`, because a later change takes precedence.
   * @param expected plan before the change; "any" for the latest change
   */
  async plan(
    conversationId: string,
    attachmentId: string,
    picture: PicturePlan | undefined,
    expected: PicturePlan | "any" | undefined,
  ): Promise<void> {
    await this.drafts.loadDraft(conversationId);
    const attached = this.current(conversationId);
    const changed = attached.find(({ id }) => id === attachmentId);
    if (changed === undefined) return;
    const isExpected = JSON.stringify(changed.picture) === JSON.stringify(expected);
    if (expected !== "any" && !isExpected) return;
    const { id, part, origin } = changed;
    const planned = { id, part, ...(picture && { picture }), ...(origin && { origin }) };
    this.save(
      conversationId,
      attached.map((one) => (one === changed ? planned : one)),
    );
  }

  /**
   * Returns an attached picture that is not ready to be sent; undefined for none.
   * @param isEditing true for attachments of the earlier question that is being edited
   */
  unfinished(conversationId: string, isEditing: boolean): Attachment | undefined {
    const { attached, editing } = this.drafts.currentDraft(conversationId);
    return (isEditing ? (editing?.attached ?? []) : attached).find(isUnfinished);
  }

  /** Removes an attachment, if present. */
  async remove(conversationId: string, attachmentId: string): Promise<void> {
    await this.drafts.loadDraft(conversationId);
    const attached = this.current(conversationId);
    const kept = attached.filter(({ id }) => id !== attachmentId);
    if (kept.length < attached.length) this.save(conversationId, kept);
  }

  /** Starts editing an earlier question, whose parts become the attachments. */
  async beginEditing(
    conversationId: string,
    messageId: string,
    parts: readonly Part[],
    { parkedText, text }: EditedTexts = {},
  ): Promise<void> {
    const { editing } = await this.drafts.loadDraft(conversationId);
    const isOther = editing?.messageId !== messageId;
    if (!isOther && parkedText === undefined && text === undefined) return;
    const attached = isOther ? parts.map((part) => this.attachment(part)) : editing.attached;
    const parked = parkedText ?? editing?.parkedText;
    this.drafts.saveDraft(conversationId, {
      editing: { messageId, attached, ...(parked !== undefined && { parkedText: parked }) },
      ...(text !== undefined && { text }),
    });
    if (isOther) this.changed.fire(conversationId);
  }

  /**
   * Ends the edit of an earlier question and restores the attachments of the draft.
   * @param text new text of the composer; without `text`, the parked text becomes an alternative draft
   */
  async endEditing(conversationId: string, text?: string): Promise<void> {
    const { editing, text: textNow, others = [] } = await this.drafts.loadDraft(conversationId);
    if (editing === undefined) {
      if (text !== undefined) this.drafts.saveDraft(conversationId, { text });
      return;
    }
    const kept =
      text === undefined ? otherTexts(textNow, [...others, editing.parkedText ?? ""]) : [];
    this.drafts.saveDraft(conversationId, {
      editing: undefined,
      ...(text !== undefined && { text }),
      ...(kept.length > 0 && { others: kept }),
    });
    this.changed.fire(conversationId);
  }

  /** Returns the draft text to restore after an edit; empty without an edit. */
  parkedText(conversationId: string): string {
    return this.drafts.currentDraft(conversationId).editing?.parkedText ?? "";
  }

  /** Returns the parts to send with an edited question; undefined if the question is not being edited. */
  async editedParts(
    conversationId: string,
    messageId: string,
  ): Promise<readonly Part[] | undefined> {
    const { editing } = await this.drafts.loadDraft(conversationId);
    return editing?.messageId === messageId ? editing.attached.flatMap(sentParts) : undefined;
  }

  /** Returns the id of the question that is being edited, for a draft in memory. */
  editedId(conversationId: string): string | undefined {
    return this.drafts.currentDraft(conversationId).editing?.messageId;
  }

  /** Removes all attachments if exactly `parts` would be sent; else changes nothing and returns false. */
  removeExactly(conversationId: string, parts: readonly Part[]): boolean {
    const mine = this.list(conversationId);
    if (JSON.stringify(mine.flatMap(sentParts)) !== JSON.stringify(parts)) return false;
    const { attached } = this.drafts.currentDraft(conversationId);
    if (mine.length > 0) {
      this.save(
        conversationId,
        attached.filter((one) => !mine.includes(one)),
      );
    }
    return true;
  }

  /** Reserves all attachments for a question. */
  async claim(conversationId: string): Promise<ClaimedAttachments> {
    const { attached } = await this.drafts.loadDraft(conversationId);
    const mine = attached.filter(({ id }) => !this.claimed.has(id));
    const release = () => mine.forEach(({ id }) => this.claimed.delete(id));
    mine.forEach(({ id }) => this.claimed.add(id));
    if (mine.length > 0) this.changed.fire(conversationId);
    return {
      parts: mine.flatMap(sentParts),
      taken: () => {
        const ids = new Set(mine.map(({ id }) => id));
        const draft = this.drafts.currentDraft(conversationId);
        release();
        if (ids.size === 0) return;
        this.drafts.saveDraft(conversationId, {
          attached: draft.attached.filter(({ id }) => !ids.has(id)),
        });
        this.changed.fire(conversationId);
      },
      refused: () => {
        release();
        if (mine.length > 0) this.changed.fire(conversationId);
      },
    };
  }

  /** Notifies listeners after another window changed the draft. */
  reread(conversationId: string): void {
    this.changed.fire(conversationId);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private attachment(part: Part): Attachment {
    return { id: newId(this.clock.nowMs()), part };
  }

  /** Returns the attachments of the edited question, or else of the new question. */
  private current(conversationId: string): readonly Attachment[] {
    const { attached, editing } = this.drafts.currentDraft(conversationId);
    return editing?.attached ?? attached;
  }

  private save(conversationId: string, attached: Attachment[]): void {
    const { editing } = this.drafts.currentDraft(conversationId);
    const change = editing ? { editing: { ...editing, attached } } : { attached };
    this.drafts.saveDraft(conversationId, change);
    this.changed.fire(conversationId);
  }
}
