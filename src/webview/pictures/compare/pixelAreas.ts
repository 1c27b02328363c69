/** Areas of pixels: their bounds, and what is in them. */
import type { Area } from "../marks";

/** Pixels in rows, each a little-endian RGBA number. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint32Array;
}

/** Smallest area of the added pixels. */
export class Bounds {
  private left = Infinity;
  private top = Infinity;
  private right = -1;
  private bottom = -1;

  add(x: number, y: number): void {
    if (x < this.left) this.left = x;
    if (y < this.top) this.top = y;
    if (x > this.right) this.right = x;
    if (y > this.bottom) this.bottom = y;
  }

  addArea(area: Area | undefined): void {
    if (area === undefined) return;
    this.add(area.x, area.y);
    this.add(area.x + area.width - 1, area.y + area.height - 1);
  }

  get area(): Area | undefined {
    const { left: x, top: y, right, bottom } = this;
    return right < 0 ? undefined : { x, y, width: right - x + 1, height: bottom - y + 1 };
  }
}

export function grown({ x, y, width, height }: Area, by: number): Area {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

/** Returns the part of an area that is in a picture or pair. */
export function inside(area: Area, { width, height }: Pick<Area, "width" | "height">): Area {
  const x = Math.max(0, area.x);
  const y = Math.max(0, area.y);
  return {
    x,
    y,
    width: Math.min(width, area.x + area.width) - x,
    height: Math.min(height, area.y + area.height) - y,
  };
}

export function union(one: Area, other: Area): Area {
  const bounds = new Bounds();
  bounds.addArea(one);
  bounds.addArea(other);
  return bounds.area ?? one;
}

function contains({ x, y, width, height }: Area, px: number, py: number): boolean {
  return px >= x && py >= y && px < x + width && py < y + height;
}

export function isInside(area: Area, outer: Area): boolean {
  return (
    contains(outer, area.x, area.y) &&
    contains(outer, area.x + area.width - 1, area.y + area.height - 1)
  );
}

export function distance(one: Area, other: Area | undefined): number {
  return other ? Math.hypot(one.x - other.x, one.y - other.y) : Infinity;
}

export function colorAt(pixels: Pixels, x: number, y: number): number | undefined {
  return isOn(pixels, x, y) ? pixels.data[y * pixels.width + x] : undefined;
}

export function isUniform({ data, width: stride }: Pixels, area: Area, color: number): boolean {
  const { x, y, width, height } = area;
  for (let row = y; row < y + height; row++) {
    for (let at = row * stride + x; at < row * stride + x + width; at++) {
      if (data[at] !== color) return false;
    }
  }
  return true;
}

export function isEqual(a: Pixels, first: Area, b: Pixels, second: Area): boolean {
  if (first.width !== second.width || first.height !== second.height) return false;
  for (let y = 0; y < first.height; y++) {
    const rowA = (first.y + y) * a.width + first.x;
    const rowB = (second.y + y) * b.width + second.x;
    for (let x = 0; x < first.width; x++) {
      if (a.data[rowA + x] !== b.data[rowB + x]) return false;
    }
  }
  return true;
}

/** Returns the bounds of all pixels that do not have the color. */
export function contentOf(
  { data, width: stride }: Pixels,
  area: Area,
  color: number,
): Area | undefined {
  const bounds = new Bounds();
  for (let y = area.y; y < area.y + area.height; y++) {
    for (let x = area.x; x < area.x + area.width; x++) {
      if (data[y * stride + x] !== color) bounds.add(x, y);
    }
  }
  return bounds.area;
}

/** Returns an area without the lines at its edges that have the color of its corner. */
export function trimmed(pixels: Pixels, area: Area): Area | undefined {
  const color = colorAt(pixels, area.x, area.y);
  if (color === undefined || area.width <= 0 || area.height <= 0) return undefined;
  return contentOf(pixels, area, color);
}

/** Returns the contrast of a channel in the 3 × 3 pixels around a pixel, in both pictures together. */
export function contrastAround(
  a: Pixels,
  ax: number,
  ay: number,
  b: Pixels,
  bx: number,
  by: number,
  shift: number,
): number {
  let min = 255;
  let max = 0;
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      if (isOn(a, ax + dx, ay + dy)) {
        const level = ((a.data[(ay + dy) * a.width + ax + dx] ?? 0) >>> shift) & 255;
        if (level < min) min = level;
        if (level > max) max = level;
      }
      if (isOn(b, bx + dx, by + dy)) {
        const level = ((b.data[(by + dy) * b.width + bx + dx] ?? 0) >>> shift) & 255;
        if (level < min) min = level;
        if (level > max) max = level;
      }
    }
  }
  return max - min;
}

function isOn({ width, height }: Pixels, x: number, y: number): boolean {
  return x >= 0 && y >= 0 && x < width && y < height;
}
