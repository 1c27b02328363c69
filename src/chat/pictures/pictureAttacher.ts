/**
 * Attaches pictures: files, screenshots, pasted pictures and those of the conversation. A refused
 * picture is reported and never replaced.
 */
import type { Disposable } from "../../base/disposables";
import { MAX_REQUEST_PICTURE_BYTES } from "../../context/budget";
import { sentParts, type PictureOrigin } from "../../conversation/draft";
import type { ImagePart } from "../../conversation/message";
import { validateImage } from "../../pictures/validateImage";
import type { ClientPlatform } from "../../protocol/pictureMessages";
import type { HostHandlers } from "../../protocol/toHost";
import type { PictureFile } from "../view/editorContext";
import type { ShownPictures } from "./shownPictures";

interface OfferedPicture {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** False if the browser cannot decode the bytes. */
  readonly isReadable?: boolean | undefined;
}

export class PictureAttacher implements Disposable {
  /** The tool for a screenshot that is open. */
  private screenshot: AbortController | undefined;
  /** The view can end while this code is still loading, and a message of it arrives afterwards. */
  private isDisposed = false;

  readonly handlers = {
    "picture-offered": async (picture) => ({
      isAccepted: await this.attach(picture.conversationId, picture),
    }),
    "picture-address-attached": ({ conversationId, url }) =>
      this.pictures.draft(conversationId).attach([{ kind: "image-address", url }]),
    "picture-put-back": ({ conversationId, hash }) => this.putBack(conversationId, hash),
    "screenshot-asked": ({ conversationId, platform }) =>
      this.attachScreenshot(conversationId, platform),
  } satisfies Partial<HostHandlers>;

  constructor(private readonly pictures: ShownPictures) {}

  dispose(): void {
    this.isDisposed = true;
    this.screenshot?.abort(new Error("the view ends"));
  }

  /** Attaches files in their order; false unless each is attached. */
  async attachFiles(conversationId: string, files: readonly PictureFile[]): Promise<boolean> {
    let areAttached = true;
    for (const file of files) {
      if (!(await this.attachFile(conversationId, file))) areAttached = false;
    }
    return areAttached;
  }

  private async attachFile(conversationId: string, { name, bytes }: PictureFile): Promise<boolean> {
    if (typeof bytes === "string") return this.pictures.refuse(name, bytes);
    return (await this.isDecodable(name, bytes)) && this.attach(conversationId, { name, bytes });
  }

  /** Attaches a screenshot; a tool that is still open from an earlier request is closed. */
  private async attachScreenshot(conversationId: string, platform: ClientPlatform): Promise<void> {
    if (this.isDisposed) return;
    this.screenshot?.abort(new Error("another screenshot"));
    const controller = new AbortController();
    this.screenshot = controller;
    const { host, view } = this.pictures;
    const screenshot = await host.takeScreenshot(platform, controller.signal);
    if (controller.signal.aborted || screenshot === undefined) return;
    if ("tone" in screenshot) this.pictures.report(screenshot);
    else {
      view.post({ type: "focus-asked" });
      await this.attachFiles(conversationId, [screenshot]);
    }
  }

  /** Attaches a picture; reports a refusal and returns false. */
  private async attach(
    conversationId: string,
    { name, bytes, isReadable = true }: OfferedPicture,
    origin?: PictureOrigin,
  ): Promise<boolean> {
    const { pictures } = this;
    const limits = pictures.host.limits();
    const validation = validateImage(bytes, limits);
    if (validation.kind === "refused") return pictures.refuse(name, validation.problem);
    if (validation.kind === "to-draw") {
      const { mediaType, isRotated, frames } = validation;
      const job = { name, fit: "draw" as const, mediaType, bytes: validation.bytes };
      return pictures.jobs.draw(job, limits, "not-drawn", async ([drawn]) => {
        const validated = drawn && validateImage(drawn.bytes, limits);
        if (validated?.kind !== "ready") return pictures.refuse(name, "damaged");
        return this.attach(
          conversationId,
          { name, bytes: validated.picture.bytes },
          {
            ...(validated.picture.mediaType !== mediaType && { mediaType }),
            ...(isRotated && { isTurned: true }),
            ...(frames > 1 && { frames }),
          },
        );
      });
    }
    if (!isReadable) return pictures.refuse(name, "not-drawn");
    const { picture, isTooLarge, frames } = validation;
    const attached = pictures.draft(conversationId).attachments.flatMap(sentParts);
    const attachedBytes = attached.reduce(
      (sum, part) => sum + (part.kind === "image" ? part.bytes : 0),
      0,
    );
    if (attachedBytes + picture.bytes.length > MAX_REQUEST_PICTURE_BYTES) {
      return pictures.refuse(name, "too-many-together");
    }
    const part = await pictures.storeOf(conversationId).store(name, picture);
    const from = frames > 1 ? { ...origin, frames } : origin;
    if (isTooLarge) return this.fitNew(conversationId, part, picture.bytes, from);
    await pictures.draft(conversationId).attachPicture(part, undefined, from);
    return true;
  }

  /** Checks that the browser can decode a PNG or JPEG file; reports a failure and returns false. */
  private async isDecodable(name: string, bytes: Uint8Array): Promise<boolean> {
    const { host, jobs } = this.pictures;
    const limits = host.limits();
    const validation = validateImage(bytes, limits);
    if (validation.kind !== "ready") return true; // `attach` refuses or draws the file.
    const { mediaType, bytes: cleaned } = validation.picture;
    const job = { name, fit: "check" as const, mediaType, bytes: cleaned };
    return jobs.draw(job, limits, "not-drawn", () => Promise.resolve(true));
  }

  /** Attaches a picture beyond the limits as tiles or scaled, by the setting. */
  private fitNew(
    conversationId: string,
    original: ImagePart,
    bytes: Uint8Array,
    origin: PictureOrigin | undefined,
  ): Promise<boolean> {
    const fit = this.pictures.host.fit();
    return this.pictures.drawFitted(conversationId, original, bytes, fit, (plan) =>
      this.pictures.draft(conversationId).attachPicture(original, plan, origin),
    );
  }

  /** Attaches a picture of the conversation again; an original is fitted to the limits again. */
  private async putBack(conversationId: string, hash: string): Promise<void> {
    const part = this.pictures.find(hash);
    if (part === undefined) return;
    if (part.bytes > 0) {
      await this.pictures.draft(conversationId).attach([part]);
      return;
    }
    const bytes = await this.pictures.readOrReport(part);
    if (bytes) await this.attach(conversationId, { name: part.name, bytes });
  }
}
