/** Pictures of a comparison: the originals of the conversation, and the preview drawn as a picture. */
import type { PreviewState } from "../../protocol/previewMessages";
import type { ComparedSize } from "../pictures/comparedSize";
import type { Difference, PictureLoader } from "../pictures/pictureLoader";
import type { PictureTools } from "../pictures/pictureTools";
import type { PixelRegion } from "../pictures/compare/findRegions";
import { capturedHtml } from "./captureFrame";
import { captureScript } from "./captureScript";
import { drawPreview } from "./previewPicture";
import type { PreviewSize } from "./previewSizes";
import { previewHtml, safeDocument } from "./safeDocument";

const PREVIEW = "preview ";

export class PreviewPictures implements PictureLoader {
  private picture: Promise<Blob> | undefined;

  /** @param size size of the preview, with the pixels of the original */
  constructor(
    private readonly code: PreviewState["code"],
    private readonly runsScripts: boolean,
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
    this.picture ??= this.draw();
    return this.picture;
  }

  private async draw(): Promise<Blob> {
    const { code, size } = this;
    if (!this.runsScripts) return drawPreview(safeDocument(code, false), size);
    const markup = await capturedHtml(previewHtml(code, true, [captureScript()]), size);
    const made = { ...code, kind: "html" as const, markup, styles: [], scripts: [] };
    return drawPreview(safeDocument(made, false), size);
  }

  async regions(
    hash: string,
    otherHash: string,
    size: ComparedSize,
  ): Promise<readonly PixelRegion[]> {
    const [later, earlier] = await Promise.all([this.load(hash), this.load(otherHash)]);
    return this.tools.regions(later, earlier, size);
  }

  async difference(hash: string, otherHash: string, size: ComparedSize): Promise<Difference> {
    const [first, second] = await Promise.all([this.load(hash), this.load(otherHash)]);
    return this.tools.difference(first, second, size);
  }
}
