/**
 * Notes of the user at positions of a picture. A model gets each with its position in the picture or tile
 * that is sent, in the model's own convention: the inverse of placePointing.ts.
 */
import {
  doOverlap,
  numbersOf,
  readingsOf,
  type CoordinateScale,
  type Reading,
  type Region,
  type Size,
} from "./coordinates";
import { ASKED_SCALE, unitSentence } from "./instruction";
import type { PictureNote } from "./pictureNote";

/** A sent picture and the area of the attached picture that it shows, in pixels of the latter. */
export interface SentArea extends Size {
  readonly area: Region;
  /** 1-based number of a tile. */
  readonly tile?: number | undefined;
}

/**
 * Returns the text that goes with a picture, in English; undefined if no note is in the sent pictures.
 * @param pictures the whole picture, or its tiles with or without an overview
 * @param scale scale of the model's coordinates, if known
 */
export function notesText(
  name: string,
  notes: readonly PictureNote[],
  pictures: readonly SentArea[],
  scale: CoordinateScale = ASKED_SCALE,
): string | undefined {
  const lines = notes
    .filter(({ leftOut }) => leftOut === undefined)
    .flatMap((note) => {
      const positions = notePositions(note, pictures, scale);
      const text = note.text.trim().replaceAll("\n", " ");
      return positions.length === 0
        ? []
        : [`${note.number}. ${positions.join(" ")}${text === "" ? "" : `: ${text}`}`];
    });
  if (lines.length === 0) return undefined;
  const refers = pictures.some(({ tile }) => tile !== undefined)
    ? ' A "tile" is the number of a tile, to which the coordinates then refer.'
    : "";
  return [
    `The user marked these numbered positions in the picture above, ${JSON.stringify(name)}. ${unitSentence(scale)}${refers}`.trim(),
    ...lines,
  ].join("\n");
}

/** Returns the JSON of a note's position; several where the frame reaches over tiles. */
function notePositions(
  note: PictureNote,
  pictures: readonly SentArea[],
  scale: CoordinateScale,
): string[] {
  return sharpest(note, pictures).flatMap((picture) => {
    const [reading] = readingsOf(scale, picture);
    const region = reading && regionIn(note, picture);
    if (!region) return [];
    const isPoint = note.width === 0 && note.height === 0;
    const key = reading.isYFirst
      ? isPoint
        ? "point"
        : "box_2d"
      : isPoint
        ? "point_2d"
        : "bbox_2d";
    const numbers = numbersOf(region, reading, picture);
    const tile = picture.tile === undefined ? "" : `, "tile": ${picture.tile}`;
    return [`{"${key}": [${rounded(numbers, reading, picture).join(", ")}]${tile}}`];
  });
}

/** Returns the tile in which a note is farthest from the edge, else the overview, else all its tiles. */
function sharpest(note: PictureNote, pictures: readonly SentArea[]): readonly SentArea[] {
  const inside = pictures
    .filter(({ area }) => distanceInside(note, area) >= 0)
    .sort(
      (one, other) =>
        Number(one.tile === undefined) - Number(other.tile === undefined) ||
        distanceInside(note, other.area) - distanceInside(note, one.area),
    );
  const [best] = inside;
  return best ? [best] : pictures.filter(({ area }) => doOverlap(note, area));
}

/** Returns the least distance of a region from the edges of an area; negative if it reaches out. */
function distanceInside(region: Region, area: Region): number {
  return Math.min(
    region.x - area.x,
    region.y - area.y,
    area.x + area.width - region.x - region.width,
    area.y + area.height - region.y - region.height,
  );
}

/** Returns the part of a region that a picture shows, in pixels of that picture. */
function regionIn(region: Region, { area, widthPx, heightPx }: SentArea): Region {
  const left = Math.max(region.x, area.x);
  const top = Math.max(region.y, area.y);
  const right = Math.min(region.x + region.width, area.x + area.width);
  const bottom = Math.min(region.y + region.height, area.y + area.height);
  const across = widthPx / area.width;
  const down = heightPx / area.height;
  return {
    x: (left - area.x) * across,
    y: (top - area.y) * down,
    width: (right - left) * across,
    height: (bottom - top) * down,
  };
}

/** Largest error of a sent number, in pixels of the attached picture, together with that of the drawing. */
const MAX_ERROR_PX = 0.5;

/** Rounds numbers to as few digits as give the pixel: whole numbers unless a unit has several pixels. */
function rounded(
  numbers: readonly number[],
  { unit, isYFirst }: Reading,
  { area }: SentArea,
): number[] {
  return numbers.map((number, index) => {
    const isX = (index % 2 === 0) !== isYFirst;
    const pxPerUnit = isX ? area.width / unit.widthPx : area.height / unit.heightPx;
    const digits = Math.max(0, Math.ceil(Math.log10(pxPerUnit / (2 * MAX_ERROR_PX)) - 1e-9));
    return Number(number.toFixed(digits));
  });
}
