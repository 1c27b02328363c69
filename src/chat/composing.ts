/**
 * What goes with the question that is being written in one view: what is attached, what the editor
 * adds by itself, what "#" finds; and where each of these is from.
 */
import { Disposables, type Disposable } from "../base/disposables";
import type { Log } from "../base/log";
import type { ToHost, ToView } from "../protocol/messages";
import { isCovered, withoutRepeats } from "../context/overlap";
import type { Message, Part } from "../conversation/message";
import type { Attachment } from "../history/draft";
import type { Attachments } from "./attachments";
import type { EditorContext } from "./editorContext";
import type { LiveConversation } from "./liveConversation";
import type { PictureFile } from "./imageAttachments";
import { References } from "./references";
import { chippedParts } from "./toView";

/** What the person did that concerns this. */
export type ComposingMessage = Extract<
  ToHost,
  {
    type:
      | "editing-changed"
      | "attachment-removed"
      | "attachment-opened"
      | "chip-opened"
      | "automatic-opened"
      | "automatic-switched"
      | "references-asked"
      | "references-left"
      | "reference-picked";
  }
>;

const COMPOSING: Readonly<Record<ComposingMessage["type"], true>> = {
  "editing-changed": true,
  "attachment-removed": true,
  "attachment-opened": true,
  "chip-opened": true,
  "automatic-opened": true,
  "automatic-switched": true,
  "references-asked": true,
  "references-left": true,
  "reference-picked": true,
};

/** True for what is handled here. */
export function isComposing(message: ToHost): message is ComposingMessage {
  return message.type in COMPOSING;
}

/** What it needs of the view's session. */
export interface ComposingOptions {
  readonly attachments: Attachments;
  readonly context: EditorContext;
  readonly log: Log;
  /** The conversation shown now. */
  live(): LiveConversation | undefined;
  post(found: Omit<Extract<ToView, { type: "references-found" }>, "seq">): void;
  /** The text being written in a conversation, as far as it is in memory. */
  draftText(conversationId: string): string;
  /** The page replaced the whole draft: other views of the conversation are to show it. */
  draftReplaced(conversationId: string): void;
  /** Attaches files that hold pictures; what is not taken is said there. */
  attachPictures(conversationId: string, files: readonly PictureFile[]): Promise<void>;
}

/** A question with everything that goes along. */
export interface ComposedQuestion {
  readonly parts: readonly Part[];
  /** Name of a picture whose marks are not drawn: the question must not be asked with it. */
  readonly unfinishedName: string | undefined;
  /** Tells whether it was taken: then what was attached is its own. */
  settle(isTaken: boolean): Promise<void>;
}

/** One for each session. */
export class Composing implements Disposable {
  private readonly owned = new Disposables();
  private readonly references: References;

  constructor(private readonly ports: ComposingOptions) {
    const { context, log } = ports;
    this.references = this.owned.add(new References(context, log, (found) => ports.post(found)));
  }

  /** Puts a question together: an earlier one with its own parts, a new one with what is attached. */
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

  /** Takes what the person did in the composer or with a chip. */
  async handle(message: ComposingMessage): Promise<void> {
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
      case "automatic-opened":
        return this.open(this.automaticPart(message.automaticId));
      case "automatic-switched":
        context.switchAutomatic(message.isOn);
        return;
      case "references-asked":
        return this.references.ask(message.query, message.text);
      case "references-left":
        this.leave();
        return;
      case "reference-picked":
        return this.attachReference(message.query, message.index);
      default:
        return message satisfies never;
    }
  }

  /** The page is gone: nothing is looked for any more. */
  leave(): void {
    this.references.leave();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private automaticPart(id: string | undefined): Part | undefined {
    return id === undefined ? undefined : this.ports.context.automaticPart(id);
  }

  /** While an earlier question is edited, what went with it is attached instead. */
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
    const { parts = [], pictures = [] } = (await this.references.gather(query, index)) ?? {};
    if (parts.length > 0) await this.ports.attachments.add(id, parts);
    if (pictures.length > 0) await this.ports.attachPictures(id, pictures);
  }
}

/** A question's parts with these words instead of those in it; no words leave the rest alone. */
export function withText(text: string, parts: readonly Part[]): Part[] {
  const others = chippedParts(parts);
  return text.trim() === "" && others.length > 0 ? others : [{ kind: "text", text }, ...others];
}

function nameOf(attachment: Attachment | undefined): string | undefined {
  return attachment?.part.kind === "image" ? attachment.part.name : undefined;
}

/** What goes along by itself comes last, unless what is attached holds it already. */
function withAutomatic(parts: readonly Part[], automatic: Part | undefined): readonly Part[] {
  if (automatic === undefined || isCovered(automatic, parts)) return withoutRepeats(parts);
  return withoutRepeats([...parts, automatic]);
}

/** What went with a question; nothing for any other message. */
function chippedPartsOf(message: Message | undefined): Part[] {
  return message?.role === "user" ? chippedParts(message.parts) : [];
}
