/**
 * Changes of the unsent content of a conversation, which `history/drafts.ts` owns and writes. Attachments are removed only when a question with them was accepted.
 * While the user edits an earlier question, its attachments replace those of the new question.
 */
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";
import { idTimeMs, newId } from "../../base/id";
import { withoutCovered } from "../../context/overlap";
import {
  isQuote,
  isAddedOnSending,
  textOf,
  type ImagePart,
  type Message,
  type Part,
  type UserMessage,
} from "../../conversation/message";
import {
  isUnfinished,
  otherText,
  sentParts,
  type Attachment,
  type Draft,
  type PictureNotes,
  type PictureOrigin,
  type PicturePlan,
} from "../../conversation/draft";
import type { Drafts } from "../../history/drafts";
import { defined } from "../../base/defined";

export type DraftChange =
  /** `by` is the view that changed the text and shows it already. */
  { readonly kind: "text"; readonly by: object } | { readonly kind: "attachments" };

/** A queued question, sent after the running reply ends. */
export interface QueuedQuestion {
  readonly id: string;
  readonly parts: readonly Part[];
}

/** Content that is reserved for a question that is being sent. */
export interface ClaimedQuestion {
  readonly text: string;
  /** Attached parts, without the text. */
  readonly parts: readonly Part[];
  /** Reserved attachments; empty for an edited question. */
  readonly attachmentIds: readonly string[];
  readonly isEdited: boolean;
  /** Name of an image whose marks are not drawn yet: the question must not be sent. */
  readonly unfinishedName: string | undefined;
  /** Pictures from before cropping and marking, which are not kept once the question is sent. */
  readonly originals: readonly RemovedPicture[];
}

/** Picture that is removed unless something else uses it, and the time until when it was stored. */
export interface RemovedPicture {
  readonly hash: string;
  readonly storedBeforeMs: number;
}

/** Texts of the composer at the start of an edit. */
export interface EditedTexts {
  /** Draft text to restore when the edit ends. */
  readonly parkedText?: string | undefined;
  /** New text of the composer. */
  readonly text?: string | undefined;
  /** True if sending asks a new question; the earlier question stays. */
  readonly isRecalled?: boolean | undefined;
}

/** Shared by all views of a window that show the conversation. */
export class ConversationDraft implements Disposable {
  private readonly changes = new Emitter<DraftChange>();
  /** Ids of attachments that are reserved for a question. */
  private readonly claimedIds = new Set<string>();

  readonly onChanged = this.changes.event;

  constructor(
    private readonly conversationId: string,
    /** Stores the draft; saving a conversation that was in memory only changes this. */
    private readonly drafts: () => Drafts,
    private readonly clock: Clock,
    private readonly workspaceName: () => string | undefined,
  ) {}

  /** Reads the draft from disk unless it is in memory; empty if the draft cannot be read. */
  load(): Promise<Draft> {
    return this.drafts().load(this.conversationId);
  }

  get current(): Draft {
    return this.drafts().current(this.conversationId);
  }

  /** Id of the question that is being edited. */
  get editedId(): string | undefined {
    return this.current.editing?.messageId;
  }

  /** Attachments that are not reserved: those of the edited question, or else of the new question. */
  get attachments(): readonly Attachment[] {
    return this.ownAttachments().filter(({ id }) => !this.claimedIds.has(id));
  }

  /**
   * @param keepsOther true to offer the text that was there as another draft
   * @param fields of prompts in the text; missing if no other prompt was inserted
   */
  replaceText(text: string, keepsOther: boolean, fields = this.current.fields): void {
    const { text: before, other } = this.current;
    this.save({
      text,
      other: keepsOther ? otherText(text, [other, before]) : other,
      fields: text === "" ? undefined : fields,
    });
  }

  /** Restores the text that was replaced; the present text is offered in turn. */
  swapText(): void {
    const { text, other } = this.current;
    if (other !== undefined) this.save({ text: other, other: otherText(other, [text]) });
  }

  /** Notifies the views of a new text, except the view that changed the text. */
  notifyTextChanged(by: object): void {
    this.changes.fire({ kind: "text", by });
  }

  /** Adopts a newer draft of another window; returns true if the draft was replaced. */
  async syncFromDisk(): Promise<boolean> {
    const isReplaced = await this.drafts().syncFromDisk(this.conversationId);
    if (isReplaced) this.changes.fire({ kind: "attachments" });
    return isReplaced;
  }

  saveQueue(queue: readonly QueuedQuestion[]): void {
    this.save({ queued: queue.map(({ id, parts }) => ({ id, parts: [...parts] })) });
  }

  /** Attaches parts without those that another attachment contains. */
  async attach(parts: readonly Part[]): Promise<void> {
    await this.load();
    const attached = this.ownAttachments();
    const all = [...attached, ...parts.map((part) => this.newAttachment(part))];
    const distinct = withoutCovered(all, ({ part }) => part);
    // As they are sent: quotes before the question.
    const ordered = [
      ...distinct.filter(({ part }) => isQuote(part)),
      ...distinct.filter(({ part }) => !isQuote(part)),
    ];
    if (ordered.some((one) => !attached.includes(one))) this.saveAttachments(ordered);
  }

  /**
   * Attaches a picture unless the same picture is already attached as it is; returns the id of the new
   * attachment.
   */
  async attachPicture(
    part: ImagePart,
    picture: PicturePlan | undefined,
    origin: PictureOrigin | undefined,
  ): Promise<string | undefined> {
    await this.load();
    const attached = this.ownAttachments();
    const isSame = (one: Attachment) =>
      one.picture === undefined && JSON.stringify(one.part) === JSON.stringify(part);
    if (picture === undefined && attached.some(isSame)) return undefined;
    const added = { ...this.newAttachment(part), picture, origin };
    this.saveAttachments([...attached, added]);
    return added.id;
  }

  /** Returns the plan of an attached picture; undefined if the picture is sent as it is or not attached. */
  picturePlan(attachmentId: string): PicturePlan | undefined {
    return this.ownAttachments().find(({ id }) => id === attachmentId)?.picture;
  }

  /**
   * Changes the way a picture is sent. Ignored if the picture is no longer attached, or if its plan is
   * not `expected`, because a later change takes precedence.
   * @param expected plan before the change; "any" for the latest change
   */
  async planPicture(
    attachmentId: string,
    picture: PicturePlan | undefined,
    expected: PicturePlan | "any" | undefined,
  ): Promise<void> {
    await this.changeAttachment(attachmentId, (attachment) => {
      const isExpected = JSON.stringify(attachment.picture) === JSON.stringify(expected);
      return expected === "any" || isExpected ? { ...attachment, picture } : attachment;
    });
  }

  /** Replaces the notes at positions of a picture; ignored if the picture is no longer attached. */
  async noteOnPicture(attachmentId: string, added: PictureNotes): Promise<void> {
    const notes = added.items.length > 0 ? added : undefined;
    await this.changeAttachment(attachmentId, (attachment) => ({ ...attachment, notes }));
  }

  async removeAttachment(attachmentId: string): Promise<void> {
    await this.load();
    const attached = this.ownAttachments();
    const remaining = attached.filter(({ id }) => id !== attachmentId);
    if (remaining.length < attached.length) this.saveAttachments(remaining);
  }

  /** Starts editing an earlier question, whose parts become the attachments. */
  async beginEditing(
    messageId: string,
    parts: readonly Part[],
    { parkedText, text, isRecalled = false }: EditedTexts = {},
  ): Promise<void> {
    const { editing, other } = await this.load();
    const isOther = editing?.messageId !== messageId;
    if (!isOther && parkedText === undefined && text === undefined) return;
    const attached = isOther ? parts.map((part) => this.newAttachment(part)) : editing.attached;
    const parked = parkedText ?? editing?.parkedText;
    this.save({
      editing: {
        messageId,
        attached,
        ...defined({ parkedText: parked }),
        ...(isRecalled && { isRecalled }),
      },
      ...defined({ text }),
      // A text that was set aside earlier stays.
      other: otherText(parked ?? "", [other, editing?.parkedText]),
    });
    if (isOther) this.changes.fire({ kind: "attachments" });
  }

  /**
   * Ends the edit of an earlier question and restores the attachments of the new question.
   * @param text new text of the composer; without `text`, the parked text becomes an alternative draft
   * @param keepsOther true to keep the text that `text` replaces as an alternative draft
   */
  async endEditing(text?: string, keepsOther = false): Promise<void> {
    const { editing, text: textNow, other } = await this.load();
    if (editing === undefined) {
      if (text !== undefined) this.save({ text });
      return;
    }
    const lost = text === undefined ? editing.parkedText : keepsOther ? textNow : undefined;
    this.save({
      editing: undefined,
      ...defined({ text }),
      other: otherText(text ?? textNow, [other, lost]),
    });
    this.changes.fire({ kind: "attachments" });
  }

  /** Reserves all attachments for a new question with this text. */
  async claim(text: string): Promise<ClaimedQuestion> {
    const { attached, editing } = await this.load();
    if (editing?.isRecalled === true) return this.claimEdited(text, editing.messageId, []);
    const mine = attached.filter(({ id }) => !this.claimedIds.has(id));
    mine.forEach(({ id }) => this.claimedIds.add(id));
    if (mine.length > 0) this.changes.fire({ kind: "attachments" });
    return {
      text,
      parts: mine.flatMap(sentParts),
      isEdited: false,
      attachmentIds: mine.map(({ id }) => id),
      unfinishedName: unfinishedName(this.current.attached),
      originals: originalsOf(mine),
    };
  }

  /** Returns the content of an edited question; `parts` if the draft has no edit of it. */
  async claimEdited(
    text: string,
    messageId: string,
    parts: readonly Part[],
  ): Promise<ClaimedQuestion> {
    const { editing } = await this.load();
    const edited = editing?.messageId === messageId ? editing.attached : undefined;
    return {
      text,
      attachmentIds: [],
      isEdited: true,
      parts: edited?.flatMap(sentParts) ?? attachedParts(parts),
      unfinishedName: edited && unfinishedName(edited),
      originals: originalsOf(edited ?? []),
    };
  }

  /** Removes the content of an accepted question; releases the content of a refused question. */
  async settle(
    { text, attachmentIds, isEdited }: ClaimedQuestion,
    isAccepted: boolean,
  ): Promise<void> {
    if (isEdited) {
      if (!isAccepted) return;
      // Text typed since the question was sent stays.
      const { text: textNow, editing } = this.current;
      await this.endEditing(textNow === text ? (editing?.parkedText ?? "") : textNow);
      return;
    }
    attachmentIds.forEach((id) => this.claimedIds.delete(id));
    if (attachmentIds.length === 0) return;
    if (isAccepted) {
      const { attached } = this.current;
      this.save({ attached: attached.filter(({ id }) => !attachmentIds.includes(id)) });
    }
    this.changes.fire({ kind: "attachments" });
  }

  /** Adds the content of a question; a text that is there stays. */
  async addQuestion({ parts }: UserMessage): Promise<void> {
    const { text } = await this.load();
    if (text === "") this.save({ text: textOf(parts) });
    await this.attach(attachedParts(parts));
  }

  /**
   * Discards a draft that was sent, whose file a sync program brought back: a question that was sent after
   * the file was written begins with the text and has the attachments.
   */
  async discardSent(messages: Iterable<Message>): Promise<boolean> {
    const { text, attached, editing } = await this.load();
    if ((text === "" && attached.length === 0) || editing !== undefined) return false;
    const writtenAtMs = await this.drafts().changedAtMs(this.conversationId);
    const attachedJson = attached.flatMap(sentParts).map((part) => JSON.stringify(part));
    const isSent = [...messages].some((message) => {
      if (message.role !== "user" || writtenAtMs === 0 || message.sentAtMs < writtenAtMs)
        return false;
      const sent = new Set(message.parts.map((part) => JSON.stringify(part)));
      return textOf(message.parts).startsWith(text) && attachedJson.every((part) => sent.has(part));
    });
    if (isSent) this.save({ text: "", attached: [] });
    return isSent;
  }

  /** Writes the draft to disk without the usual delay. */
  flush(): Promise<void> {
    return this.drafts().flush();
  }

  dispose(): void {
    this.changes.dispose();
  }

  private async changeAttachment(
    attachmentId: string,
    change: (attachment: Attachment) => Attachment,
  ): Promise<void> {
    await this.load();
    const attached = this.ownAttachments();
    const changed = attached.map((one) => (one.id === attachmentId ? change(one) : one));
    if (changed.some((one, index) => one !== attached[index])) this.saveAttachments(changed);
  }

  private newAttachment(part: Part): Attachment {
    return { id: newId(this.clock.nowMs()), part };
  }

  private ownAttachments(): readonly Attachment[] {
    const { attached, editing } = this.current;
    return editing?.attached ?? attached;
  }

  private saveAttachments(attached: Attachment[]): void {
    const { editing } = this.current;
    this.save(editing ? { editing: { ...editing, attached } } : { attached });
    this.changes.fire({ kind: "attachments" });
  }

  private save(change: Partial<Draft>): void {
    const workspace = this.current.workspace ?? this.workspaceName();
    this.drafts().save(this.conversationId, { ...change, ...defined({ workspace }) });
  }
}

/** Returns the parts that are shown as chips, in order. */
export function chipParts(parts: readonly Part[]): Part[] {
  return parts.filter(({ kind }) => kind !== "text");
}

/** Returns the attachments among the parts of a question, in order. */
export function attachedParts(parts: readonly Part[]): Part[] {
  return chipParts(parts).filter((part) => !isAddedOnSending(part));
}

/**
 * Returns the parts of a question. Empty text is added only if there are no other parts.
 * @param parts a text among them is replaced
 */
export function questionParts(text: string, parts: readonly Part[]): Part[] {
  const attachments = attachedParts(parts);
  const quotes = attachments.filter(isQuote);
  const notQuotes = attachments.filter((part) => !isQuote(part));
  const hasText = text.trim() !== "" || attachments.length === 0;
  return [...quotes, ...(hasText ? [{ kind: "text" as const, text }] : []), ...notQuotes];
}

/** Returns the pictures that were cropped or marked, as they were before. */
function originalsOf(attached: readonly Attachment[]): RemovedPicture[] {
  return attached.flatMap(({ id, part, picture }) =>
    part.kind === "image" && picture?.marks !== undefined
      ? [{ hash: part.hash, storedBeforeMs: idTimeMs(id) ?? 0 }]
      : [],
  );
}

/** Returns the name of a picture that is not ready to be sent, if any. */
function unfinishedName(attached: readonly Attachment[]): string | undefined {
  const part = attached.find(isUnfinished)?.part;
  return part?.kind === "image" ? part.name : undefined;
}
