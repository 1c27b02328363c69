/** Pictures of a comparison: the originals of the conversation, and the preview drawn as a picture. */
import type { Size } from "../../pointing/coordinates";
import type { Difference, PictureTools } from "../pictures/pictureTools";
import { drawPreview } from "./previewPicture";
import type { PreviewSize } from "./previewSizes";

const PREVIEW = "preview ";

export class PreviewPictures {
  private picture: Promise<Blob> | undefined;

  /** @param size size of the preview, with the pixels of the original */
  constructor(
    private readonly document: Document,
    private readonly size: PreviewSize,
    private readonly tools: PictureTools,
    private readonly loadOriginal: (hash: string) => Promise<Blob>,
  ) {}

  /** Returns the name in place of a hash for the preview in the size of an original. */
  static hashFor(originalHash: string): string {
    return PREVIEW + originalHash;
  }

  load(hash: string): Promise<Blob> {
    return hash.startsWith(PREVIEW) ? this.drawn() : this.loadOriginal(hash);
  }

  /** Returns the picture of the preview; rejects if the browser cannot draw the page. */
  drawn(): Promise<Blob> {
    this.picture ??= drawPreview(this.document, this.size);
    return this.picture;
  }

  async difference(hash: string, otherHash: string, size: Size): Promise<Difference> {
    const [first, second] = await Promise.all([this.load(hash), this.load(otherHash)]);
    return this.tools.difference(first, second, size);
  }
}
