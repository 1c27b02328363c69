/** Crops and marks attached pictures, and chooses how those beyond the limits are sent. */
import { idTimeMs } from "../../base/id";
import type { PicturePlan } from "../../conversation/draft";
import { validateImage } from "../../pictures/validateImage";
import type { MessageOf } from "../../protocol/handlers";
import type { HostHandlers, ToHost } from "../../protocol/toHost";
import type { HostReply } from "../../protocol/toView";
import { isInMessage } from "./findPicture";
import { areaOf } from "./pictureStore";
import type { ShownPictures } from "./shownPictures";

export class PictureMarker {
  readonly handlers = {
    "picture-fit-chosen": (choice) => this.chooseFit(choice),
    "picture-marked": (message) => this.mark(message),
    "picture-region-attached": (message) => this.attachRegion(message),
    "picture-editor-asked": ({ conversationId: id, attachmentId }) => {
      const name = this.pictures.attached(id, attachmentId)?.name ?? "";
      this.pictures.host.openEditor(id, attachmentId, name);
    },
  } satisfies Partial<HostHandlers>;

  constructor(private readonly pictures: ShownPictures) {}

  /** Sends a picture without marks: whole, or as chosen if it is beyond the limits. */
  private async chooseFit({
    conversationId,
    attachmentId,
    fit,
  }: MessageOf<ToHost, "picture-fit-chosen">): Promise<void> {
    const { pictures } = this;
    const part = pictures.attached(conversationId, attachmentId);
    if (part === undefined) return;
    const draft = pictures.draft(conversationId);
    const before = draft.picturePlan(attachmentId);
    const bytes = await pictures.readOrReport(part);
    if (bytes === undefined) return;
    const validation = validateImage(bytes, pictures.host.limits());
    if (validation.kind !== "ready" || !validation.isTooLarge) {
      await draft.planPicture(attachmentId, undefined, before);
      return;
    }
    const chosen = fit === "whole" ? pictures.host.fit() : fit;
    await pictures.drawFitted(conversationId, part, bytes, chosen, (plan) =>
      draft.planPicture(attachmentId, plan, before),
    );
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
    fit = this.pictures.host.fit(),
    x,
    y,
    widthPx,
    heightPx,
  }: Omit<MessageOf<ToHost, "picture-marked">, "type">): Promise<HostReply> {
    const { pictures } = this;
    const { texts, jobs, conversations, view } = pictures;
    const area = { x, y, widthPx, heightPx };
    const draft = pictures.draft(conversationId);
    const part = pictures.attached(conversationId, attachmentId);
    if (part === undefined) {
      return { isAccepted: false, notice: texts.pictureRefused("", "outdated") };
    }
    const { name, mediaType } = part;
    const drawnBefore = draft.picturePlan(attachmentId)?.sent;
    const unfinished: PicturePlan = { fit, sent: [], marks, change, area };
    await draft.planPicture(attachmentId, unfinished, "any");
    const bytes = await pictures.read(part);
    if (!(bytes instanceof Uint8Array)) return { isAccepted: false, notice: bytes };
    const job = { name, fit, mediaType, bytes, marks };
    const isDrawn = await jobs.draw(job, pictures.host.limits(), undefined, async (pieces) => {
      const isShown = change === "crop" && isInMessage(view.live, part.hash);
      const drawn = isShown ? areaOf(part, area) : undefined;
      const sent = await pictures.storeOf(conversationId).storeDrawn(job, pieces, drawn);
      if (sent === undefined) return false;
      const [piece] = sent;
      const isWhole =
        sent.length === 1 && piece?.widthPx === widthPx && piece.heightPx === heightPx;
      const plan: PicturePlan = { ...unfinished, fit: isWhole ? change : fit, sent };
      await draft.planPicture(attachmentId, plan, unfinished);
      const storedBeforeMs = idTimeMs(attachmentId) ?? 0;
      const replaced = drawnBefore?.map(({ hash }) => ({ hash, storedBeforeMs })) ?? [];
      void conversations.historyOf(conversationId).removePictures(replaced);
      return true;
    });
    if (isDrawn) return { isAccepted: true };
    return { isAccepted: false, notice: texts.pictureRefused(name, "not-marked") };
  }

  /** Attaches an area of a shown picture, as if the user had attached and cropped the picture. */
  private async attachRegion({
    conversationId,
    hash,
    marks,
    ...area
  }: MessageOf<ToHost, "picture-region-attached">): Promise<HostReply> {
    const { pictures } = this;
    const shown = pictures.find(hash);
    if (shown === undefined) return { isAccepted: false };
    const bytes = await pictures.read(shown);
    if (!(bytes instanceof Uint8Array)) return { isAccepted: false, notice: bytes };
    const part = { ...shown, bytes: bytes.length };
    const plan: PicturePlan = { fit: pictures.host.fit(), sent: [], marks, change: "crop" };
    const draft = pictures.draft(conversationId);
    const attachmentId = await draft.attachPicture(part, plan, undefined);
    if (attachmentId === undefined) return { isAccepted: false };
    return this.mark({ conversationId, attachmentId, change: "crop", marks, ...area });
  }
}
