/** Validates pictures and stores them: as they are, or the pieces that the page drew of them. */
import { validateImage, type PictureLimits, type ReadyPicture } from "../../pictures/validateImage";
import type { ImagePart } from "../../conversation/message";
import type { Pictures } from "../../history/pictures";
import type { PictureRefusal } from "../view/messages";
import type { DrawingJob, DrawnPiece, PictureJobs } from "./pictureJobs";

/** Least number of tiles before which an overview of the whole picture is sent, and its longest side. */
const MIN_TILES_WITH_OVERVIEW = 3;
const OVERVIEW_SIDE_PX = 1_280;

export type OriginalArea = NonNullable<ImagePart["original"]>;

export class PictureStore {
  constructor(
    private readonly pictures: Pick<Pictures, "store">,
    private readonly jobs: PictureJobs,
    private readonly limits: () => PictureLimits,
  ) {}

  async store(name: string, picture: ReadyPicture): Promise<ImagePart> {
    const { bytes, mediaType, widthPx, heightPx } = picture;
    const { hash } = await this.pictures.store(bytes);
    return { kind: "image", hash, mediaType, widthPx, heightPx, bytes: bytes.length, name };
  }

  /** Stores the pieces of a job, many tiles after an overview; undefined if a piece is too large. */
  async storeDrawn(
    job: DrawingJob,
    pieces: readonly DrawnPiece[],
    drawn: OriginalArea | undefined,
  ): Promise<ImagePart[] | undefined> {
    const stored = await this.storePieces(job.name, pieces, drawn);
    if (stored === undefined || stored.length < MIN_TILES_WITH_OVERVIEW) return stored;
    const overview = await this.storeScaled(job, OVERVIEW_SIDE_PX, undefined, drawn);
    // Without an overview the tiles still hold the whole picture.
    if (overview === undefined) return stored;
    return [{ ...overview, overviewOfTiles: stored.length }, ...stored];
  }

  /**
   * Draws and stores a picture in a smaller size; undefined after a failure.
   * @param problem reason to report then, if any
   */
  async storeScaled(
    job: Omit<DrawingJob, "fit">,
    maxSidePx: number,
    problem: PictureRefusal | undefined,
    drawn: OriginalArea | undefined,
  ): Promise<ImagePart | undefined> {
    let scaled: ImagePart | undefined;
    const limits = { maxSidePx, maxBytes: this.limits().maxBytes };
    await this.jobs.draw({ ...job, fit: "scaled" }, limits, problem, async (pieces) => {
      scaled = (await this.storePieces(job.name, pieces, drawn))?.[0];
      return scaled !== undefined;
    });
    return scaled;
  }

  /**
   * Stores the drawn pieces; undefined if a piece is still too large.
   * @param drawn area of a stored picture that the pieces show; undefined if they show marks too
   */
  private async storePieces(
    name: string,
    pieces: readonly DrawnPiece[],
    drawn: OriginalArea | undefined,
  ): Promise<ImagePart[] | undefined> {
    const stored: ImagePart[] = [];
    for (const [index, { bytes }] of pieces.entries()) {
      const validation = validateImage(bytes, this.limits());
      if (validation.kind !== "ready" || validation.isTooLarge) return undefined;
      const numbered = pieces.length === 1 ? name : `${name} (${index + 1}/${pieces.length})`;
      stored.push(await this.store(numbered, validation.picture));
    }
    if (pieces.length > 1) {
      return withTilePositions(stored, pieces).map((tile) => withOriginalOfTile(tile, drawn));
    }
    if (drawn === undefined) return stored;
    return stored.map((one) => (one.hash === drawn.hash ? one : { ...one, original: drawn }));
  }
}

export function wholeOf(part: ImagePart): OriginalArea {
  const { widthPx, heightPx } = part;
  return areaOf(part, { x: 0, y: 0, widthPx, heightPx });
}

export function areaOf(
  { hash, mediaType, widthPx: ofWidthPx, heightPx: ofHeightPx }: ImagePart,
  area: Pick<OriginalArea, "x" | "y" | "widthPx" | "heightPx">,
): OriginalArea {
  return { hash, mediaType, ...area, ofWidthPx, ofHeightPx };
}

function withOriginalOfTile(part: ImagePart, drawn: OriginalArea | undefined): ImagePart {
  const { tile, widthPx, heightPx } = part;
  if (tile === undefined || drawn === undefined) return part;
  const { x, y } = drawn;
  return { ...part, original: { ...drawn, x: x + tile.x, y: y + tile.y, widthPx, heightPx } };
}

/** Adds to each tile its position in the picture, where the page sent a position. */
function withTilePositions(
  tiles: readonly ImagePart[],
  pieces: readonly DrawnPiece[],
): ImagePart[] {
  const placed = tiles.map((tile, index) => ({ tile, ...pieces[index] }));
  const ofWidthPx = Math.max(...placed.map(({ tile, x = 0 }) => x + tile.widthPx));
  const ofHeightPx = Math.max(...placed.map(({ tile, y = 0 }) => y + tile.heightPx));
  const count = tiles.length;
  return placed.map(({ tile, x, y }, index) =>
    x === undefined || y === undefined
      ? tile
      : { ...tile, tile: { index, count, x, y, ofWidthPx, ofHeightPx } },
  );
}
