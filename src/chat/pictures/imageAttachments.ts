/**
 * Attaches the pictures of a view, crops and marks them, and reads them for the page. A refused picture
 * is reported and never replaced.
 */
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";
import { idTimeMs } from "../../base/id";
import type { MessageOf } from "../../protocol/handlers";
import type { HostHandlers, ToHost } from "../../protocol/toHost";
import type { HostReply } from "../../protocol/toView";
import type {
  ClientPlatform,
  CopiedContent,
  PictureContentView,
  PictureToHost,
} from "../../protocol/pictureMessages";
import type { NoticeView, PictureFit } from "../../protocol/views";
import {
  validateImage,
  type ImageValidation,
  type PictureLimits,
} from "../../pictures/validateImage";
import { MAX_REQUEST_PICTURE_BYTES } from "../../context/budget";
import type { ImagePart, Part } from "../../conversation/message";
import { sentParts, type PictureOrigin, type PicturePlan } from "../../conversation/draft";
import { lossOf, type ReadPicture } from "../../history/pictures";
import type { Conversations } from "../conversation/conversations";
import type { UnsavedConversations } from "../conversation/unsavedConversations";
import type { PictureFile } from "../view/editorContext";
import { askAgain } from "./askAgain";
import { askForContent } from "./pictureContents";
import { findPicture, isInMessage } from "./findPicture";
import { PictureJobs, plainBytes } from "./pictureJobs";
import { areaOf, PictureStore, wholeOf } from "./pictureStore";
import type { Messages, PictureRefusal } from "../view/messages";
import type { ViewUpdater } from "../view/viewUpdater";

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
  /** Opens a conversation in an editor tab, with the editor of an attached picture. */
  openEditor(conversationId: string, attachmentId: string): void;
}

/** A picture from the webview or from a file. */
interface OfferedPicture {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** False if the browser cannot decode the bytes. */
  readonly isReadable?: boolean | undefined;
}

/** Attaches and serves the pictures of a view. */
export class ImageAttachments implements Disposable {
  private readonly jobs: PictureJobs;
  /** The tool for a screenshot that is open. */
  private screenshot: AbortController | undefined;
  /** The request for the content of a picture that is running. */
  private reading: AbortController | undefined;
  /** The request for areas to redact that is running. */
  /** The view can end while this code is still loading, and a message of it arrives afterwards. */
  private isDisposed = false;

  readonly handlers: HostHandlers<PictureToHost["type"]> = {
    "picture-offered": async (picture) => ({
      isAccepted: await this.attach(picture.conversationId, picture),
    }),
    "picture-drawn": async (piece) => {
      await this.jobs.acceptPiece(piece);
      return { isAccepted: true };
    },
    "picture-not-drawn": ({ jobId }) => this.jobs.fail(jobId),
    "picture-asked": ({ hash }) => this.readPicture(hash),
    "picture-fit-chosen": ({ conversationId, attachmentId, fit }) =>
      this.chooseFit(conversationId, attachmentId, fit),
    "picture-marked": (message) => this.mark(message),
    "picture-editor-asked": ({ conversationId, attachmentId }) =>
      this.host.openEditor(conversationId, attachmentId),
    "picture-address-attached": ({ conversationId, url }) =>
      this.conversations.draft(conversationId).attach([{ kind: "image-address", url }]),
    "picture-put-back": ({ conversationId, hash }) => this.putBack(conversationId, hash),
    "picture-retry-asked": async (message) => {
      const id = this.view.live?.conversation.id ?? "";
      const smaller = (part: Part) => this.smaller(id, part);
      const notice = await askAgain(this.view.live, message, smaller, this.texts);
      if (notice) this.view.post({ type: "notice-shown", notice });
    },
    "picture-region-attached": (message) => this.attachRegion(message),
    "picture-save-asked": ({ hash, name }) => this.savePicture(hash, name),
    "picture-content-asked": (message) => this.copyContent(message),
    "picture-content-stopped": () => this.reading?.abort(),
    "screenshot-asked": ({ conversationId, platform }) =>
      this.attachScreenshot(conversationId, platform),
  };

  constructor(
    private readonly conversations: Conversations,
    private readonly host: PictureHost,
    private readonly texts: Messages,
    private readonly view: ViewUpdater,
    clock: Clock,
  ) {
    this.jobs = new PictureJobs(
      clock,
      (job) => view.post(job),
      (name, problem) => this.refuse(name, problem),
    );
  }

  private get pictures(): UnsavedConversations["pictures"] {
    return this.conversations.unsaved.pictures;
  }

  /** Returns what stores the pictures of a conversation. */
  private storeOf(conversationId: string): PictureStore {
    const pictures = this.conversations.unsaved.picturesOf(conversationId);
    return new PictureStore(pictures, this.jobs, () => this.host.limits());
  }

  private validate(bytes: Uint8Array): ImageValidation {
    return validateImage(bytes, this.host.limits());
  }

  /** Attaches files in their order; false unless each is attached. The pages of a PDF are chosen first. */
  async attachFiles(conversationId: string, files: readonly PictureFile[]): Promise<boolean> {
    let areAttached = true;
    for (const file of files) {
      if (!(await this.attachFile(conversationId, file))) areAttached = false;
    }
    return areAttached;
  }

  private async attachFile(conversationId: string, { name, bytes }: PictureFile): Promise<boolean> {
    if (typeof bytes === "string") return this.refuse(name, bytes);
    if (isPdf(bytes)) {
      this.view.post({ type: "document-opened", name, bytes: plainBytes(bytes) });
      return false;
    }
    return (await this.isDecodable(name, bytes)) && this.attach(conversationId, { name, bytes });
  }

  dispose(): void {
    this.isDisposed = true;
    this.screenshot?.abort(new Error("the view ends"));
    this.reading?.abort();
  }

  /** Attaches a screenshot; a tool that is still open from an earlier request is closed. */
  private async attachScreenshot(conversationId: string, platform: ClientPlatform): Promise<void> {
    if (this.isDisposed) return;
    this.screenshot?.abort(new Error("another screenshot"));
    const controller = new AbortController();
    this.screenshot = controller;
    const screenshot = await this.host.takeScreenshot(platform, controller.signal);
    if (controller.signal.aborted || screenshot === undefined) return;
    if ("tone" in screenshot) this.view.post({ type: "notice-shown", notice: screenshot });
    else {
      this.view.post({ type: "focus-asked" });
      await this.attachFiles(conversationId, [screenshot]);
    }
  }

  /** Sends unfinished drawing jobs to a new page. */
  resend(): void {
    this.jobs.resend();
  }

  /** Attaches a picture; reports a refusal and returns false. */
  private async attach(
    conversationId: string,
    { name, bytes, isReadable = true }: OfferedPicture,
    origin?: PictureOrigin,
  ): Promise<boolean> {
    const validation = this.validate(bytes);
    if (validation.kind === "refused") return this.refuse(name, validation.problem);
    if (validation.kind === "to-draw") {
      const { mediaType, isRotated, frames } = validation;
      const job = { name, fit: "draw" as const, mediaType, bytes: validation.bytes };
      return this.jobs.draw(job, this.host.limits(), "not-drawn", async ([drawn]) => {
        const validated = drawn && this.validate(drawn.bytes);
        if (drawn === undefined || validated?.kind !== "ready") return this.refuse(name, "damaged");
        return this.attach(
          conversationId,
          { name, bytes: drawn.bytes },
          {
            ...(validated.picture.mediaType !== mediaType && { mediaType }),
            ...(isRotated && { isTurned: true }),
            ...(frames > 1 && { frames }),
          },
        );
      });
    }
    if (!isReadable) return this.refuse(name, "not-drawn");
    const { picture, isTooLarge, frames } = validation;
    const attached = this.conversations.draft(conversationId).attachments.flatMap(sentParts);
    const attachedBytes = attached.reduce(
      (sum, part) => sum + (part.kind === "image" ? part.bytes : 0),
      0,
    );
    if (attachedBytes + picture.bytes.length > MAX_REQUEST_PICTURE_BYTES) {
      return this.refuse(name, "too-many-together");
    }
    const part = await this.storeOf(conversationId).store(name, picture);
    const from = frames > 1 ? { ...origin, frames } : origin;
    if (isTooLarge) return this.fitNew(conversationId, part, picture.bytes, from);
    await this.conversations.draft(conversationId).attachPicture(part, undefined, from);
    return true;
  }

  /** Checks that the browser can decode a PNG or JPEG file; reports a failure and returns false. */
  private async isDecodable(name: string, bytes: Uint8Array): Promise<boolean> {
    const validation = this.validate(bytes);
    if (validation.kind !== "ready") return true; // `attach` refuses or draws the file.
    const { mediaType, bytes: cleaned } = validation.picture;
    const job = { name, fit: "check" as const, mediaType, bytes: cleaned };
    return this.jobs.draw(job, this.host.limits(), "not-drawn", () => Promise.resolve(true));
  }

  /** Attaches a picture beyond the limits as tiles or scaled, by the setting. */
  private fitNew(
    conversationId: string,
    original: ImagePart,
    bytes: Uint8Array,
    origin: PictureOrigin | undefined,
  ): Promise<boolean> {
    const { name, mediaType } = original;
    const fit = this.host.fit();
    const job = { name, fit, mediaType, bytes };
    return this.jobs.draw(job, this.host.limits(), "not-drawn", async (pieces) => {
      const sent = await this.storeOf(conversationId).storeDrawn(job, pieces, wholeOf(original));
      if (sent === undefined) return this.refuse(name, "too-many-pixels");
      await this.conversations.draft(conversationId).attachPicture(original, { fit, sent }, origin);
      return true;
    });
  }

  /** Returns a picture at half its size; undefined after a reported failure. */
  private async smaller(conversationId: string, part: Part): Promise<Part | undefined> {
    if (part.kind !== "image") return part;
    const { name, mediaType, widthPx, heightPx } = part;
    const stored = await this.pictures.read(part.hash);
    if (stored.kind !== "found") {
      this.reportLost(name, stored);
      return undefined;
    }
    const store = this.storeOf(conversationId);
    let made: Part | undefined;
    const maxSidePx = Math.max(1, Math.ceil(Math.max(widthPx, heightPx) / 2));
    await this.jobs.draw(
      { name, fit: "scaled", mediaType, bytes: stored.bytes },
      { maxSidePx, maxBytes: this.host.limits().maxBytes },
      "not-drawn",
      async (pieces) => {
        made = (await store.storePieces(name, pieces, part.original ?? wholeOf(part)))?.[0];
        return made !== undefined;
      },
    );
    return made;
  }

  private async chooseFit(
    conversationId: string,
    attachmentId: string,
    fit: Exclude<PictureFit, "crop" | "marked">,
  ): Promise<void> {
    const part = this.conversations
      .draft(conversationId)
      .attachments.find(({ id }) => id === attachmentId)?.part;
    if (part?.kind !== "image") return;
    const before = this.conversations.draft(conversationId).picturePlan(attachmentId);
    const stored = await this.pictures.read(part.hash);
    if (stored.kind !== "found") {
      this.reportLost(part.name, stored);
      return;
    }
    const validation = this.validate(stored.bytes);
    const isTooLarge = validation.kind === "ready" && validation.isTooLarge;
    if (!isTooLarge) {
      await this.conversations.draft(conversationId).planPicture(attachmentId, undefined, before);
      return;
    }
    const { name, mediaType } = part;
    const chosen = fit === "whole" ? this.host.fit() : fit;
    const job = { name, fit: chosen, mediaType, bytes: stored.bytes };
    await this.jobs.draw(job, this.host.limits(), "not-drawn", async (pieces) => {
      const sent = await this.storeOf(conversationId).storeDrawn(job, pieces, wholeOf(part));
      if (sent === undefined) return this.refuse(name, "too-many-pixels");
      const plan: PicturePlan = { fit: chosen, sent };
      await this.conversations.draft(conversationId).planPicture(attachmentId, plan, before);
      return true;
    });
  }

  /**
   * Draws marks on an attached picture. The draft first gets a plan without pictures, so that the
   * unmarked picture is never sent when the drawing fails or the page or window closes.
   */
  private async mark({
    conversationId,
    attachmentId,
    change,
    marks,
    fit = this.host.fit(),
    x,
    y,
    widthPx,
    heightPx,
  }: MessageOf<ToHost, "picture-marked">): Promise<HostReply> {
    const area = { x, y, widthPx, heightPx };
    const part = this.conversations
      .draft(conversationId)
      .attachments.find(({ id }) => id === attachmentId)?.part;
    if (part?.kind !== "image") {
      return { isAccepted: false, notice: this.texts.pictureRefused("", "outdated") };
    }
    const { name, mediaType } = part;
    const drawnBefore = this.conversations.draft(conversationId).picturePlan(attachmentId)?.sent;
    const unfinished: PicturePlan = { fit, sent: [], marks, change, area };
    await this.conversations.draft(conversationId).planPicture(attachmentId, unfinished, "any");
    const stored = await this.pictures.read(part.hash);
    if (stored.kind !== "found") {
      return { isAccepted: false, notice: this.texts.pictureLost(name, lossOf(stored)) };
    }
    const job = { name, fit, mediaType, bytes: stored.bytes, marks };
    const isDrawn = await this.jobs.draw(job, this.host.limits(), undefined, async (pieces) => {
      const isShown = change === "crop" && isInMessage(this.view.live, part.hash);
      const drawn = isShown ? areaOf(part, area) : undefined;
      const sent = await this.storeOf(conversationId).storeDrawn(job, pieces, drawn);
      if (sent === undefined) return false;
      const [piece] = sent;
      const isWhole =
        sent.length === 1 && piece?.widthPx === widthPx && piece.heightPx === heightPx;
      const plan: PicturePlan = { ...unfinished, fit: isWhole ? change : fit, sent };
      await this.conversations.draft(conversationId).planPicture(attachmentId, plan, unfinished);
      const storedBeforeMs = idTimeMs(attachmentId) ?? 0;
      const replaced = drawnBefore?.map(({ hash }) => ({ hash, storedBeforeMs })) ?? [];
      void this.conversations.historyOf(conversationId).removePictures(replaced);
      return true;
    });
    if (isDrawn) return { isAccepted: true };
    return { isAccepted: false, notice: this.texts.pictureRefused(name, "not-marked") };
  }

  /** Attaches a picture of the conversation again; an original is fitted to the limits again. */
  private async putBack(conversationId: string, hash: string): Promise<void> {
    const part = findPicture(this.view.live, hash);
    if (part === undefined) return;
    if (part.bytes > 0) {
      await this.conversations.draft(conversationId).attach([part]);
      return;
    }
    const stored = await this.pictures.read(hash);
    if (stored.kind !== "found") this.reportLost(part.name, stored);
    else await this.attach(conversationId, { name: part.name, bytes: stored.bytes });
  }

  /** Attaches an area of a shown picture, as if the user had attached and cropped the picture. */
  private async attachRegion({
    conversationId,
    hash,
    marks,
    name,
    ...area
  }: MessageOf<ToHost, "picture-region-attached">): Promise<HostReply> {
    const sought = findPicture(this.view.live, hash);
    if (sought === undefined) return { isAccepted: false };
    const stored = await this.pictures.read(hash);
    if (stored.kind !== "found") {
      return { isAccepted: false, notice: this.texts.pictureLost(sought.name, lossOf(stored)) };
    }
    const part = { ...sought, bytes: stored.bytes.length, ...(name !== undefined && { name }) };
    const fit = this.host.fit();
    const plan: PicturePlan = { fit, sent: [], marks, change: "crop" };
    const draft = this.conversations.draft(conversationId);
    const attachmentId = await draft.attachPicture(part, plan, undefined);
    if (attachmentId === undefined) return { isAccepted: false };
    const { x, y, widthPx, heightPx } = area;
    return this.mark({
      type: "picture-marked",
      conversationId,
      attachmentId,
      change: "crop",
      marks,
      x,
      y,
      widthPx,
      heightPx,
    });
  }

  /** Asks for the content of an area of a shown picture, drawn with its marks, and copies the content. */
  private async copyContent({
    hash,
    content,
    marks,
  }: MessageOf<ToHost, "picture-content-asked">): Promise<HostReply> {
    this.reading?.abort();
    const controller = new AbortController();
    this.reading = controller;
    const { live } = this.view;
    const picture = await this.readFound(hash);
    if (!("found" in picture)) return picture;
    const { found, bytes } = picture;
    const { name, mediaType } = found;
    // Nothing of an unsaved conversation is written.
    const isUnsaved = live !== undefined && this.conversations.isUnsaved(live.conversation.id);
    const exchange = isUnsaved
      ? await this.conversations.createUnsaved()
      : this.conversations.create();
    const store = this.storeOf(exchange.conversation.id);
    let pictures: readonly ImagePart[] | undefined;
    const job = { name, fit: this.host.fit(), mediaType, bytes, marks };
    await this.jobs.draw(job, this.host.limits(), undefined, async (pieces) => {
      pictures = await store.storeDrawn(job, pieces, undefined);
      return pictures !== undefined;
    });
    if (controller.signal.aborted) return { isAccepted: false };
    if (pictures === undefined) {
      return { isAccepted: false, notice: this.texts.pictureRefused(name, "not-marked") };
    }
    const text = this.texts.contentQuestion(content);
    const question = { text, pictures, profile: live?.conversation.profile };
    const reply = await askForContent(exchange, question, this.texts, controller.signal);
    if (reply.live === undefined || reply.text === undefined) {
      return { isAccepted: false, ...(reply.notice && { notice: reply.notice }) };
    }
    const copied = await this.host.copyContent(content, reply.text);
    if (copied === undefined) return { isAccepted: false };
    const conversationId = reply.live.conversation.id;
    return { isAccepted: true, content: { conversationId, ...copied } };
  }

  /** Reads a picture of the shown conversation; returns the reply to the page if there is none. */
  private async readFound(
    hash: string,
  ): Promise<HostReply | { readonly found: ImagePart; readonly bytes: Uint8Array }> {
    const found = findPicture(this.view.live, hash);
    if (found === undefined) return { isAccepted: false };
    const read = await this.pictures.read(hash);
    if (read.kind === "found") return { found, bytes: read.bytes };
    return { isAccepted: false, notice: this.texts.pictureLost(found.name, lossOf(read)) };
  }

  private async readPicture(hash: string): Promise<HostReply> {
    const part = findPicture(this.view.live, hash);
    if (part === undefined) return { isAccepted: false };
    const stored = await this.pictures.read(hash);
    if (stored.kind !== "found") {
      return { isAccepted: false, notice: this.texts.pictureLost(part.name, lossOf(stored)) };
    }
    return {
      isAccepted: true,
      picture: { mediaType: part.mediaType, bytes: plainBytes(stored.bytes) },
    };
  }

  private async savePicture(hash: string, name: string): Promise<void> {
    const part = findPicture(this.view.live, hash);
    const stored = part && (await this.pictures.read(hash));
    if (stored?.kind !== "found") this.reportLost(name, stored);
    else await this.host.save(name, part?.mediaType ?? "", stored.bytes);
  }

  /** Reports a stored picture that cannot be read. */
  private reportLost(name: string, read?: Exclude<ReadPicture, { kind: "found" }>): void {
    const notice = this.texts.pictureLost(name, read ? lossOf(read) : "missing");
    this.view.post({ type: "notice-shown", notice });
  }

  private refuse(name: string, problem: PictureRefusal): false {
    this.view.post({ type: "notice-shown", notice: this.texts.pictureRefused(name, problem) });
    return false;
  }
}

/** True for a PDF, whose pages the user chooses in the page. */
function isPdf(bytes: Uint8Array): boolean {
  return bytes.length > 4 && String.fromCharCode(...bytes.subarray(0, 5)) === "%PDF-";
}
