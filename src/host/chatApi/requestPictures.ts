/**
 * Holds the pictures of a request of VS Code's chat in memory. Validates pictures as the panel
 * does, but cannot scale or convert them, because there is no page.
 */
import { l10n } from "vscode";
import type { ReadImage } from "../../ask/wireMessages";
import { toBase64 } from "../../base/base64";
import { sha256 } from "../../base/sha256";
import { validateImage } from "../../pictures/validateImage";
import type { ImagePart } from "../../conversation/message";
import { pictureHost } from "../pictures/pictureHost";
import { panelMessages } from "../messages/panelMessages";

/** A picture that can be sent, or the reason why not. */
export type AddedPicture =
  | { readonly ok: true; readonly part: ImagePart }
  | { readonly ok: false; readonly sentence: string };

export class RequestPictures {
  private readonly bytes = new Map<string, Uint8Array>();

  /** Adds a picture without its metadata. */
  async addPicture(name: string, bytes: Uint8Array): Promise<AddedPicture> {
    const validation = await validateImage(bytes, pictureHost.limits());
    if (validation.kind === "refused") {
      return { ok: false, sentence: panelMessages.pictureRefused(name, validation.problem).text };
    }
    if (validation.kind === "to-draw" || validation.isTooLarge) {
      const sentence = l10n.t(
        "{0} has to be resized first. Attach it in the Core Chat panel.",
        name,
      );
      return { ok: false, sentence };
    }
    const { picture } = validation;
    const { mediaType, widthPx, heightPx } = picture;
    const hash = await sha256(picture.bytes);
    this.bytes.set(hash, picture.bytes);
    const size = { widthPx, heightPx, bytes: picture.bytes.length };
    return { ok: true, part: { kind: "image", hash, mediaType, name, ...size } };
  }

  /** Returns a picture as a `data:` URL. */
  readonly read: ReadImage = ({ hash, mediaType }) => {
    const bytes = this.bytes.get(hash);
    return Promise.resolve(
      bytes === undefined
        ? { loss: "missing" }
        : { url: `data:${mediaType};base64,${toBase64(bytes)}` },
    );
  };
}
