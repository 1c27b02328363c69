/**
 * The pictures of one request of VS Code's chat, in memory while it is asked. Judged as the panel
 * judges them; there is no page here to draw one anew.
 */
import { l10n } from "vscode";
import type { ReadImage } from "../../ask/wireMessages";
import { toBase64 } from "../../base/base64";
import { sha256 } from "../../base/sha256";
import { validateImage } from "../../context/validateImage";
import type { ImagePart } from "../../conversation/message";
import { pictureHost } from "../pictures/pictureHost";
import { panelMessages } from "../messages/panelMessages";

/** A picture that can go, or the sentence that says why not. */
export type TakenPicture =
  | { readonly ok: true; readonly part: ImagePart }
  | { readonly ok: false; readonly sentence: string };

/** One for each request. */
export class RequestPictures {
  private readonly bytes = new Map<string, Uint8Array>();

  /** Takes a picture in, without its metadata. */
  async take(name: string, bytes: Uint8Array): Promise<TakenPicture> {
    const judgement = validateImage(bytes, pictureHost.limits());
    if (judgement.kind === "refused") {
      return { ok: false, sentence: panelMessages.pictureRefused(name, judgement.problem).text };
    }
    if (judgement.kind === "to-draw" || judgement.isTooLarge) {
      const sentence = l10n.t(
        "{0} must be scaled or drawn anew first, which only Core Chat's own panel does. Attach it there.",
        name,
      );
      return { ok: false, sentence };
    }
    const { picture } = judgement;
    const { mediaType, widthPx, heightPx } = picture;
    const hash = await sha256(picture.bytes);
    this.bytes.set(hash, picture.bytes);
    const size = { widthPx, heightPx, bytes: picture.bytes.length };
    return { ok: true, part: { kind: "image", hash, mediaType, name, ...size } };
  }

  /** Gives one back as a `data:` URL. */
  readonly read: ReadImage = ({ hash, mediaType }) => {
    const bytes = this.bytes.get(hash);
    return Promise.resolve(
      bytes === undefined
        ? { loss: "missing" }
        : { url: `data:${mediaType};base64,${toBase64(bytes)}` },
    );
  };
}
