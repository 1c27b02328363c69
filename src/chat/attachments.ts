/**
 * What is attached to the question being written in each conversation. It is kept with the draft, so
 * that it outlives the window, and leaves the draft only when a question that holds it was taken.
 * While an earlier question is edited, what goes with that is here instead.
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

/** Attachments that go with a question which is just being asked. */
export interface ClaimedAttachments {
  readonly parts: readonly Part[];
  /** The question was taken: they are its own now. */
  taken(): void;
  /** It was not: they are attached as before. */
  refused(): void;
}

/** Texts that an edit of an earlier question brings along. */
export interface EditedTexts {
  /** The draft that waits until the edit ends. */
  readonly parkedText?: string | undefined;
  /** The text of the composer from now on. */
  readonly text?: string | undefined;
}

/** One for each window; any number of views may show the same attachments. */
export class Attachments implements Disposable {
  private readonly changed = new Emitter<string>();
  /** Ids of attachments that are claimed. */
  private readonly claimed = new Set<string>();

  /** Tells the id of the conversation whose attachments are different. */
  readonly onChanged = this.changed.event;

  constructor(
    private readonly drafts: Drafts,
    private readonly clock: Clock,
  ) {}

  /** What is attached, as far as the draft is in memory. */
  list(conversationId: string): readonly Attachment[] {
    const { attached, editing } = this.drafts.currentDraft(conversationId);
    return (editing?.attached ?? attached).filter(({ id }) => !this.claimed.has(id));
  }

  /** Attaches parts; what another one holds, be it new or attached before, is not there twice. */
  async add(conversationId: string, parts: readonly Part[]): Promise<void> {
    await this.drafts.loadDraft(conversationId);
    const attached = this.current(conversationId);
    const all = [...attached, ...parts.map((part) => this.attachment(part))];
    const kept = withoutCovered(all, ({ part }) => part);
    if (kept.some((one) => !attached.includes(one))) this.save(conversationId, kept);
  }

  /** Attaches a picture; the same one in the same way is not attached twice. */
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

  /** The plan of one attached picture; undefined where it is sent as it is or not attached. */
  planOf(conversationId: string, attachmentId: string): PicturePlan | undefined {
    return this.current(conversationId).find(({ id }) => id === attachmentId)?.picture;
  }

  /**
   * Changes how a picture is sent. Nothing happens when it is no longer attached, or when its plan is
   * no longer `expected`: then a later change has been made, which counts.
   * @param expected "any" where this change is the latest
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
   * The attached picture that must not be sent yet, if there is one.
   * @param isEditing true for what belongs to the earlier question that is being edited
   */
  unfinished(conversationId: string, isEditing: boolean): Attachment | undefined {
    const { attached, editing } = this.drafts.currentDraft(conversationId);
    return (isEditing ? (editing?.attached ?? []) : attached).find(isUnfinished);
  }

  /** Takes one away; nothing happens when it is gone already. */
  async remove(conversationId: string, attachmentId: string): Promise<void> {
    await this.drafts.loadDraft(conversationId);
    const attached = this.current(conversationId);
    const kept = attached.filter(({ id }) => id !== attachmentId);
    if (kept.length < attached.length) this.save(conversationId, kept);
  }

  /** An earlier question is edited: from here on, what went with it is what is attached. */
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
   * Ends the edit of an earlier question: what waited is attached again.
   * @param text of the composer from now on; without it the text that waited is offered as another
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

  /** The text that waits until the edit of an earlier question ends; empty without one. */
  parkedText(conversationId: string): string {
    return this.drafts.currentDraft(conversationId).editing?.parkedText ?? "";
  }

  /** What goes with an earlier question that is being edited; undefined when it is not. */
  async editedParts(
    conversationId: string,
    messageId: string,
  ): Promise<readonly Part[] | undefined> {
    const { editing } = await this.drafts.loadDraft(conversationId);
    return editing?.messageId === messageId ? editing.attached.flatMap(sentParts) : undefined;
  }

  /** The earlier question that is being edited, as far as the draft is in memory. */
  editedId(conversationId: string): string | undefined {
    return this.drafts.currentDraft(conversationId).editing?.messageId;
  }

  /** Takes everything away if just these parts would go; false, and nothing, if others would. */
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

  /** Hands over everything attached to a question that is being asked, once. */
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

  /** Another window went on with the draft: what is attached may be something else. */
  reread(conversationId: string): void {
    this.changed.fire(conversationId);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private attachment(part: Part): Attachment {
    return { id: newId(this.clock.nowMs()), part };
  }

  /** Where things are attached now: to the new question, or to the one that is edited. */
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
