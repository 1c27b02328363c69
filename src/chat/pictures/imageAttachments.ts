/** Everything about the pictures of a view, loaded with the first message about a picture. */
import type { Disposable } from "../../base/disposables";
import type { PictureToHost } from "../../protocol/pictureMessages";
import type { HostHandlers } from "../../protocol/toHost";
import type { PictureFile } from "../view/editorContext";
import { askAgain } from "./askAgain";
import { PictureAttacher } from "./pictureAttacher";
import { PictureContents } from "./pictureContents";
import { PictureMarker } from "./pictureMarker";
import { ShownPictures } from "./shownPictures";

export class ImageAttachments implements Disposable {
  readonly handlers: HostHandlers<PictureToHost["type"]>;
  private readonly pictures: ShownPictures;
  private readonly attacher: PictureAttacher;
  private readonly contents: PictureContents;

  constructor(...ports: ConstructorParameters<typeof ShownPictures>) {
    this.pictures = new ShownPictures(...ports);
    this.attacher = new PictureAttacher(this.pictures);
    this.contents = new PictureContents(this.pictures);
    this.handlers = {
      ...this.pictures.handlers,
      ...this.attacher.handlers,
      ...this.contents.handlers,
      ...new PictureMarker(this.pictures).handlers,
      "picture-retry-asked": (message) => askAgain(this.pictures, message),
    };
  }

  dispose(): void {
    this.attacher.dispose();
    this.contents.dispose();
  }

  /** Attaches files in their order; false unless each is attached. */
  attachFiles(conversationId: string, files: readonly PictureFile[]): Promise<boolean> {
    return this.attacher.attachFiles(conversationId, files);
  }

  /** Sends unfinished drawing jobs to a new page. */
  resend(): void {
    this.pictures.jobs.resend();
  }
}
