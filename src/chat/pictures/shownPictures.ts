/** Reads, stores and draws the pictures of a view, for the classes next to it and for the page. */
import type { Clock } from "../../base/clock";
import type { PicturePlan } from "../../conversation/draft";
import type { ImagePart } from "../../conversation/message";
import { lossOf } from "../../history/pictures";
import type { PictureLimits } from "../../pictures/validateImage";
import type {
  ClientPlatform,
  CopiedContent,
  PictureContentView,
} from "../../protocol/pictureMessages";
import type { HostHandlers } from "../../protocol/toHost";
import type { HostReply } from "../../protocol/toView";
import type { NoticeView } from "../../protocol/views";
import type { ConversationDraft } from "../conversation/conversationDraft";
import type { Conversations } from "../conversation/conversations";
import type { PictureFile } from "../view/editorContext";
import type { Messages, PictureRefusal } from "../view/messages";
import type { ViewUpdater } from "../view/viewUpdater";
import { findPicture } from "./findPicture";
import { PictureJobs, plainBytes } from "./pictureJobs";
import { PictureStore, wholeOf } from "./pictureStore";

/** Settings of pictures, and the dialog that saves one. */
export interface PictureHost {
  limits(): PictureLimits;
  /**
   * Setting for pictures beyond the limits. A choice for a single picture does not change the
   * setting.
   */
  fit(): "tiles" | "scaled";
  save(name: string, mediaType: string, bytes: Uint8Array): Promise<void>;
  /**
   * Opens the system's tool for a screenshot of a region. Returns the picture, the reason why there is
   * none, or undefined if the user canceled or the tool puts the picture on the clipboard.
   */
  takeScreenshot(
    platform: ClientPlatform,
    signal: AbortSignal,
  ): Promise<PictureFile | NoticeView | undefined>;
  /**
   * Reads the content of a picture out of a reply and copies the content. Returns what the page shows;
   * undefined if the user declined.
   */
  copyContent(
    content: CopiedContent,
    reply: string,
  ): Promise<Omit<PictureContentView, "conversationId"> | undefined>;
  openEditor(conversationId: string, attachmentId: string, name: string): void;
}

export class ShownPictures {
  readonly jobs: PictureJobs;

  readonly handlers = {
    "picture-drawn": async (piece) => {
      await this.jobs.acceptPiece(piece);
      return { isAccepted: true };
    },
    "picture-not-drawn": ({ jobId }) => this.jobs.fail(jobId),
    "picture-asked": ({ hash }) => this.sendPicture(hash),
    "picture-save-asked": ({ hash, name }) => this.savePicture(hash, name),
  } satisfies Partial<HostHandlers>;

  constructor(
    readonly conversations: Conversations,
    readonly host: PictureHost,
    readonly texts: Messages,
    readonly view: ViewUpdater,
    clock: Clock,
  ) {
    this.jobs = new PictureJobs(
      clock,
      (job) => view.post(job),
      (name, problem) => this.refuse(name, problem),
    );
  }

  find(hash: string): ImagePart | undefined {
    return findPicture(this.view.live, hash);
  }

  /** Returns the bytes of a picture, or the notice that it cannot be read. */
  async read({ hash, name }: Pick<ImagePart, "hash" | "name">): Promise<Uint8Array | NoticeView> {
    const stored = await this.conversations.unsaved.pictures.read(hash);
    return stored.kind === "found" ? stored.bytes : this.texts.pictureLost(name, lossOf(stored));
  }

  /** Returns the bytes of a picture; undefined after a reported failure. */
  async readOrReport(part: Pick<ImagePart, "hash" | "name">): Promise<Uint8Array | undefined> {
    const bytes = await this.read(part);
    if (bytes instanceof Uint8Array) return bytes;
    this.report(bytes);
    return undefined;
  }

  storeOf(conversationId: string): PictureStore {
    const pictures = this.conversations.unsaved.picturesOf(conversationId);
    return new PictureStore(pictures, this.jobs, () => this.host.limits());
  }

  /** Draws a picture beyond the limits and passes its plan to `use`; false after a reported failure. */
  drawFitted(
    conversationId: string,
    part: ImagePart,
    bytes: Uint8Array,
    fit: "tiles" | "scaled",
    use: (plan: PicturePlan) => Promise<unknown>,
  ): Promise<boolean> {
    const { name, mediaType } = part;
    const job = { name, fit, mediaType, bytes };
    return this.jobs.draw(job, this.host.limits(), "not-drawn", async (pieces) => {
      const sent = await this.storeOf(conversationId).storeDrawn(job, pieces, wholeOf(part));
      if (sent === undefined) return this.refuse(name, "too-many-pixels");
      await use({ fit, sent });
      return true;
    });
  }

  draft(conversationId: string): ConversationDraft {
    return this.conversations.draft(conversationId);
  }

  attached(conversationId: string, attachmentId: string): ImagePart | undefined {
    const attachments = this.draft(conversationId).attachments;
    const part = attachments.find(({ id }) => id === attachmentId)?.part;
    return part?.kind === "image" ? part : undefined;
  }

  report(notice: NoticeView): void {
    this.view.post({ type: "notice-shown", notice });
  }

  refuse(name: string, problem: PictureRefusal): false {
    this.report(this.texts.pictureRefused(name, problem));
    return false;
  }

  private async sendPicture(hash: string): Promise<HostReply> {
    const part = this.find(hash);
    if (part === undefined) return { isAccepted: false };
    const bytes = await this.read(part);
    if (!(bytes instanceof Uint8Array)) return { isAccepted: false, notice: bytes };
    const { mediaType } = part;
    return { isAccepted: true, picture: { mediaType, bytes: plainBytes(bytes) } };
  }

  private async savePicture(hash: string, name: string): Promise<void> {
    const part = this.find(hash);
    if (part === undefined) this.report(this.texts.pictureLost(name, "missing"));
    const bytes = part && (await this.readOrReport({ hash, name }));
    if (part && bytes) await this.host.save(name, part.mediaType, bytes);
  }
}
