/**
 * Parts of the question in the composer: attachments, automatic context and references; opens their
 * sources.
 */
import { Disposables, type Disposable } from "../base/disposables";
import type { Log } from "../base/log";
import type { HostReply, ToHost, ToView } from "../protocol/messages";
import { isCovered, withoutRepeats } from "../context/overlap";
import type { Message, Part } from "../conversation/message";
import type { Attachment } from "../history/draft";
import type { Attachments } from "./attachments";
import type { EditorContext, ReferenceContent } from "./editorContext";
import type { LiveConversation } from "./liveConversation";
import type { PictureFile } from "./imageAttachments";
import { References } from "./references";
import { chippedParts } from "./toView";

export type ComposingMessage = Extract<
  ToHost,
  {
    type:
      | "editing-changed"
      | "attachment-removed"
      | "attachment-opened"
      | "chip-opened"
      | "automatic-switched"
      | "references-asked"
      | "references-left"
      | "reference-picked"
      | "files-asked"
      | "files-dropped"
      | "text-offered";
  }
>;

const COMPOSING: Readonly<Record<ComposingMessage["type"], true>> = {
  "editing-changed": true,
  "attachment-removed": true,
  "attachment-opened": true,
  "chip-opened": true,
  "automatic-switched": true,
  "references-asked": true,
  "references-left": true,
  "reference-picked": true,
  "files-asked": true,
  "files-dropped": true,
  "text-offered": true,
};

export function isComposing(message: ToHost): message is ComposingMessage {
  return message.type in COMPOSING;
}

export interface ComposingOptions {
  readonly attachments: Attachments;
  readonly context: EditorContext;
  readonly log: Log;
  /** Returns the shown conversation. */
  live(): LiveConversation | undefined;
  post(found: Extract<ToView, { type: "references-found" }>): void;
  /** Returns the draft text of a conversation, if loaded. */
  draftText(conversationId: string): string;
  /** Notifies other views of the conversation that the draft was replaced. */
  draftReplaced(conversationId: string): void;
  /** Attaches images; reports refused ones to the user. */
  attachPictures(conversationId: string, files: readonly PictureFile[]): Promise<void>;
}

/** A question with all its parts. */
export interface ComposedQuestion {
  readonly parts: readonly Part[];
  /** Name of an image whose marks are not drawn yet: the question must not be sent. */
  readonly unfinishedName: string | undefined;
  /** Reports if the question was accepted; the attachments are then removed from the draft. */
  settle(isTaken: boolean): Promise<void>;
}

export class Composing implements Disposable {
  private readonly owned = new Disposables();
  private readonly references: References;

  constructor(private readonly ports: ComposingOptions) {
    const { context, log } = ports;
    this.references = this.owned.add(new References(context, log, (found) => ports.post(found)));
  }

  /**
   * Builds the parts of a question: the parts of the edited question, or the attachments of a new
   * question.
   */
  async compose(
    live: LiveConversation,
    asked: Extract<ToHost, { type: "question-asked" }>,
  ): Promise<ComposedQuestion> {
    const { attachments } = this.ports;
    const { id } = live.conversation;
    const { text, replacesId, automaticId } = asked;
    if (replacesId !== undefined) {
      const edited = await attachments.editedParts(id, replacesId);
      return {
        parts: withText(text, edited ?? chippedPartsOf(live.message(replacesId))),
        unfinishedName: edited && nameOf(attachments.unfinished(id, true)),
        settle: async (isTaken) => {
          if (!isTaken) return;
          // Words typed since the question was sent stay.
          const isUnchanged = this.ports.draftText(id) === text;
          const next = isUnchanged ? attachments.parkedText(id) : this.ports.draftText(id);
          await attachments.endEditing(id, next);
        },
      };
    }
    const claimed = await attachments.claim(id);
    return {
      parts: withText(text, withAutomatic(claimed.parts, this.automaticPart(automaticId))),
      unfinishedName: nameOf(attachments.unfinished(id, false)),
      settle: (isTaken) => {
        if (isTaken) claimed.taken();
        else claimed.refused();
        return Promise.resolve();
      },
    };
  }

  /** Handles user actions in the composer and on chips. */
  async handle(message: ComposingMessage): Promise<HostReply | undefined> {
    if (message.type === "text-offered") return { isAccepted: await this.attachText(message) };
    await this.run(message);
    return undefined;
  }

  private async run(message: Exclude<ComposingMessage, { type: "text-offered" }>): Promise<void> {
    const { attachments, context } = this.ports;
    switch (message.type) {
      case "editing-changed":
        return this.changeEditing(message);
      case "attachment-removed":
        return attachments.remove(message.conversationId, message.attachmentId);
      case "attachment-opened": {
        const attached = attachments.list(message.conversationId);
        return this.open(attached.find(({ id }) => id === message.attachmentId)?.part);
      }
      case "chip-opened":
        return this.open(
          chippedPartsOf(this.ports.live()?.message(message.messageId))[message.index],
        );
      case "automatic-switched":
        context.switchAutomatic(message.isOn);
        return;
      case "references-asked":
        return this.references.ask(message.query, message.text);
      case "references-left":
        this.cancelSearch();
        return;
      case "reference-picked":
        return this.attachReference(message.query, message.index);
      case "files-asked":
        return this.attach(message.conversationId, await context.pickFiles());
      case "files-dropped":
        return this.attach(message.conversationId, await context.readFiles(message.uris));
      default:
        return message satisfies never;
    }
  }

  /** Cancels searches: the page is gone. */
  cancelSearch(): void {
    this.references.cancel();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private automaticPart(id: string | undefined): Part | undefined {
    return id === undefined ? undefined : this.ports.context.automaticPart(id);
  }

  /** Attaches the parts of an earlier question while the user edits it. */
  private async changeEditing(
    changed: Extract<ComposingMessage, { type: "editing-changed" }>,
  ): Promise<void> {
    const { attachments } = this.ports;
    const { conversationId: id, messageId, text } = changed;
    const live = this.ports.live();
    const message = messageId === undefined ? undefined : live?.message(messageId);
    if (message?.role === "user" && live?.conversation.id === id) {
      await attachments.beginEditing(id, message.id, chippedParts(message.parts), changed);
    } else await attachments.endEditing(id, text);
    this.ports.draftReplaced(id);
  }

  private async open(part: Part | undefined): Promise<void> {
    if (part !== undefined) await this.ports.context.open(part);
  }

  private async attachReference(query: number, index: number): Promise<void> {
    const id = this.ports.live()?.conversation.id;
    if (id === undefined) return;
    const content = await this.references.gather(query, index);
    if (content !== undefined) await this.attach(id, content);
  }

  private async attach(id: string, { parts, pictures }: ReferenceContent): Promise<void> {
    if (parts.length > 0) await this.ports.attachments.add(id, parts);
    if (pictures.length > 0) await this.ports.attachPictures(id, pictures);
  }

  private async attachText(
    offered: Extract<ComposingMessage, { type: "text-offered" }>,
  ): Promise<boolean> {
    const part = await this.ports.context.partOfText(offered);
    if (part !== undefined) await this.ports.attachments.add(offered.conversationId, [part]);
    return part !== undefined;
  }
}

/**
 * Returns the parts with their text replaced; empty text is added only if there are no other parts.
 */
export function withText(text: string, parts: readonly Part[]): Part[] {
  const others = chippedParts(parts);
  return text.trim() === "" && others.length > 0 ? others : [{ kind: "text", text }, ...others];
}

function nameOf(attachment: Attachment | undefined): string | undefined {
  return attachment?.part.kind === "image" ? attachment.part.name : undefined;
}

/** Appends the automatic context unless an attachment already has it. */
function withAutomatic(parts: readonly Part[], automatic: Part | undefined): readonly Part[] {
  if (automatic === undefined || isCovered(automatic, parts)) return withoutRepeats(parts);
  return withoutRepeats([...parts, automatic]);
}

/** Returns the attached parts of a question; empty for a reply. */
function chippedPartsOf(message: Message | undefined): Part[] {
  return message?.role === "user" ? chippedParts(message.parts) : [];
}
