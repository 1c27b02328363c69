/** Everything about the pictures of a view, loaded with the first message about a picture. */
import type { PictureToHost } from "../../protocol/pictureMessages";
import type { HostHandlers } from "../../protocol/toHost";
import type { PictureFile } from "../view/editorContext";
import { askAgain } from "./askAgain";
import { PictureAttacher } from "./pictureAttacher";
import { PictureContents } from "./pictureContents";
import { PictureMarker } from "./pictureMarker";
import { ShownPictures } from "./shownPictures";

export type ImageAttachments = ReturnType<typeof imageAttachments>;

export function imageAttachments(...ports: ConstructorParameters<typeof ShownPictures>) {
  const pictures = new ShownPictures(...ports);
  const attacher = new PictureAttacher(pictures);
  const contents = new PictureContents(pictures);
  return {
    handlers: {
      ...pictures.handlers,
      ...attacher.handlers,
      ...contents.handlers,
      ...new PictureMarker(pictures).handlers,
      "picture-retry-asked": (message) => askAgain(pictures, message),
    } satisfies HostHandlers<PictureToHost["type"]>,
    /** Attaches files in their order; false unless each is attached. */
    attachFiles: (conversationId: string, files: readonly PictureFile[]) =>
      attacher.attachFiles(conversationId, files),
    /** Sends unfinished drawing jobs to a new page. */
    resend: () => pictures.jobs.resend(),
    dispose() {
      attacher.dispose();
      contents.dispose();
    },
  };
}
