/**
 * Finds the regions in which two pictures differ and names the change of each if a rule proves the
 * change: the same pixels at an offset, one color in place of another, or content on one side only.
 * Lines of pixels are aligned first, so that what follows an insertion is moved and not changed.
 */
import type { Area } from "../marks";
import { bandsOf, hashLines } from "./alignLines";
import { CELL_PX, Cells } from "./cells";
import { isCovered, isPart, squared } from "./colorChange";
import {
  Bounds,
  colorAt,
  contentOf,
  contrastAround,
  distance,
  grown,
  inside,
  isEqual,
  isInside,
  isUniform,
  trimmed,
  type Pixels,
  union,
} from "./pixelAreas";

export type Change =
  | { readonly kind: "moved"; readonly dx: number; readonly dy: number }
  /** All of one color became another; antialiased edges changed in proportion. */
  | { readonly kind: "recolored"; readonly from: number; readonly to: number }
  /** The other side is plain background. */
  | { readonly kind: "appeared" }
  | { readonly kind: "gone" }
  | { readonly kind: "changed" };

/** A change with its area in each picture. */
export interface PixelRegion {
  readonly change: Change;
  /** Missing for what appeared. */
  readonly first?: Area;
  /** Missing for what is gone. */
  readonly second?: Area;
}

/** Blank lines that separate two parts; less than a word space of small text. */
const MIN_CUT_PX = 4;

/** Parts of a neighborhood that are listed, unless all of them are proven. */
const MAX_PARTS = 4;

/** Largest distance of regions with the same change that are shown as one, in pixels. */
const NEAR_PX = 16;

/** Pixels that prove that faint differences are not those of antialiased edges. */
const MIN_EVIDENCE = 8;

/** An area of each picture, both of the same size. */
interface Pair {
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the regions from top to bottom.
 * @param slack difference of a channel that does not count, for pictures with losses
 */
export function findRegions(first: Pixels, second: Pixels, slack = 0): PixelRegion[] {
  return new Comparison(first, second, slack).run();
}

class Comparison {
  private readonly found: PixelRegion[] = [];
  /** Areas whose differences are all named. */
  private readonly explained: Pair[] = [];

  constructor(
    private readonly a: Pixels,
    private readonly b: Pixels,
    private readonly slack: number,
  ) {}

  run(): PixelRegion[] {
    const areaA = { x: 0, y: 0, width: this.a.width, height: this.a.height };
    const areaB = { x: 0, y: 0, width: this.b.width, height: this.b.height };
    const isSameSize = this.a.width === this.b.width && this.a.height === this.b.height;
    if (isSameSize) this.comparePair(pairOf(areaA, areaB));
    else if (!this.alignAreas(areaA, areaB, this.a.width === this.b.width)) {
      this.compareCorner(areaA, areaB);
    }
    return this.finished();
  }

  /** Compares areas from their common corner; the rest of the larger one appeared or is gone. */
  private compareCorner(areaA: Area, areaB: Area): void {
    const width = Math.min(areaA.width, areaB.width);
    const height = Math.min(areaA.height, areaB.height);
    this.comparePair({ ax: areaA.x, ay: areaA.y, bx: areaB.x, by: areaB.y, width, height });
    for (const [area, pixels] of [[areaA, this.a] as const, [areaB, this.b] as const]) {
      const right = { ...area, x: area.x + width, width: area.width - width };
      const below = { ...area, y: area.y + height, width, height: area.height - height };
      for (const rest of [right, below]) {
        const content = trimmed(pixels, rest);
        if (content) this.add(pixels === this.a ? gone(content) : appeared(content));
      }
    }
  }

  /** Compares areas in strips of columns that have no difference between them. */
  private comparePair(pair: Pair): void {
    const cells = this.cellsOf(pair);
    const boxes: Area[] = [];
    for (const strip of cells.strips()) {
      const part = subPair(pair, strip);
      if (this.alignAreas(areaOfA(part), areaOfB(part), true)) boxes.push(strip);
      else {
        for (const box of cells.clusters(true, strip)) {
          boxes.push(box);
          this.resolveCluster(pair, box);
        }
      }
    }
    for (const box of cells.clusters(false)) {
      // Antialiasing, unless all pixels changed as a color does.
      const { color } = this.hullOf(pair, box);
      const isNew = !boxes.some((known) => isNear(known, box)) && !this.isExplained(pair, box);
      const region = isNew && this.recolored(pair, box, color, true);
      if (region) this.add(region);
    }
  }

  /** Resolves a box of differences; one with many changes that are not all proven is one change. */
  private resolveCluster(pair: Pair, box: Area): void {
    const before = this.found.length;
    this.resolve(pair, box);
    const parts = joinedNear(this.found.splice(before));
    const isUnclear =
      parts.length > MAX_PARTS && parts.some(({ change }) => change.kind === "changed");
    this.found.push(...(isUnclear ? [changedPair(this.wholeDifference(pair, box))] : parts));
  }

  /** Names the change of a box of differences in a pair of areas. */
  private resolve(pair: Pair, box: Area): void {
    if (this.isExplained(pair, box)) return;
    const hull = this.hullOf(pair, box);
    const moved = this.onBackground(pair, hull);
    if (moved) this.explained.push(subPair(pair, hull));
    const proven = moved ?? this.recolored(pair, box, hull.color);
    if (proven) {
      this.add(proven);
      return;
    }
    const part = subPair(pair, box);
    if (this.alignAreas(areaOfA(part), areaOfB(part), true)) return;
    if (this.alignAreas(areaOfA(part), areaOfB(part), false)) return;
    const parts = this.partsOf(pair, box, hull.color);
    if (parts.length > 1) for (const one of parts) this.resolve(pair, one);
    else this.add(changedPair(this.wholeDifference(pair, box)));
  }

  private add(region: PixelRegion): void {
    this.found.push(region);
  }

  /** True if what was proven on its background has a box too. */
  private isExplained(pair: Pair, box: Area): boolean {
    const { ax, ay, bx, by, width, height } = subPair(pair, box);
    return this.explained.some(
      (known) =>
        ax - bx === known.ax - known.bx &&
        ay - by === known.ay - known.by &&
        isInside({ x: ax, y: ay, width, height }, areaOfA(known)),
    );
  }

  /** True if a pixel differs by more than antialiasing does. */
  private isStrong(ax: number, ay: number, bx: number, by: number): boolean {
    const { a, b } = this;
    const one = a.data[ay * a.width + ax] ?? 0;
    const other = b.data[by * b.width + bx] ?? 0;
    for (let shift = 0; shift < 32; shift += 8) {
      const step = Math.abs(((one >>> shift) & 255) - ((other >>> shift) & 255));
      if (step <= this.slack) continue;
      // An edge that lies less than half a pixel elsewhere covers less than half a pixel more.
      if (step >= 128 || step * 2 > contrastAround(a, ax, ay, b, bx, by, shift)) return true;
    }
    return false;
  }

  private cellsOf({ ax, ay, bx, by, width, height }: Pair): Cells {
    const { a, b } = this;
    const cells = new Cells(width, height);
    for (let y = 0; y < height; y++) {
      const rowA = (ay + y) * a.width + ax;
      const rowB = (by + y) * b.width + bx;
      for (let x = 0; x < width; x++) {
        if (a.data[rowA + x] === b.data[rowB + x]) continue;
        const cell = cells.add(x, y);
        const isKnown = cells.strong[cell] === 1;
        if (!isKnown && this.isStrong(ax + x, ay + y, bx + x, by + y)) cells.strong[cell] = 1;
        if (!isKnown) continue;
        // Only the last difference of a row of a strong cell matters.
        let last = Math.min(width - 1, x | (CELL_PX - 1));
        while (last > x && a.data[rowA + last] === b.data[rowB + last]) last--;
        cells.add(last, y);
        x = x | (CELL_PX - 1);
      }
    }
    return cells;
  }

  /** Returns a box with the antialiased pixels at its edges, in both pictures. */
  private wholeDifference(pair: Pair, box: Area): Pair {
    const around = inside(grown(box, 2), pair);
    const bounds = new Bounds();
    const { ax, ay, bx, by, width, height } = subPair(pair, around);
    const { a, b } = this;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const one = a.data[(ay + y) * a.width + ax + x];
        if (one !== b.data[(by + y) * b.width + bx + x]) bounds.add(around.x + x, around.y + y);
      }
    }
    return subPair(pair, bounds.area ?? box);
  }

  /**
   * Grows a box until the pixels around it have one color in both pictures.
   * @returns the box, and the color unless the box has reached all edges
   */
  private hullOf(pair: Pair, box: Area): Area & { readonly color: number | undefined } {
    const color = this.commonColor(pair, box);
    if (color === undefined) return { ...box, color };
    let { x: left, y: top } = box;
    let right = left + box.width;
    let bottom = top + box.height;
    const isPlain = (x: number, y: number, width: number, height: number) =>
      isUniform(this.a, { x: pair.ax + x, y: pair.ay + y, width, height }, color) &&
      isUniform(this.b, { x: pair.bx + x, y: pair.by + y, width, height }, color);
    for (let before = -1; before !== right - left + bottom - top;) {
      before = right - left + bottom - top;
      while (left > 0 && !isPlain(left - 1, top, 1, bottom - top)) left--;
      while (right < pair.width && !isPlain(right, top, 1, bottom - top)) right++;
      while (top > 0 && !isPlain(left, top - 1, right - left, 1)) top--;
      while (bottom < pair.height && !isPlain(left, bottom, right - left, 1)) bottom++;
    }
    return { x: left, y: top, width: right - left, height: bottom - top, color };
  }

  /** Returns the commonest color around a box that both pictures have there. */
  private commonColor(pair: Pair, box: Area): number | undefined {
    const counts = new Map<number, number>();
    const add = (x: number, y: number) => {
      if (x < 0 || y < 0 || x >= pair.width || y >= pair.height) return;
      const one = this.a.data[(pair.ay + y) * this.a.width + pair.ax + x] ?? 0;
      const other = this.b.data[(pair.by + y) * this.b.width + pair.bx + x];
      if (one === other) counts.set(one, (counts.get(one) ?? 0) + 1);
    };
    for (let x = box.x - 1; x <= box.x + box.width; x++) {
      add(x, box.y - 1);
      add(x, box.y + box.height);
    }
    for (let y = box.y; y < box.y + box.height; y++) {
      add(box.x - 1, y);
      add(box.x + box.width, y);
    }
    let best: number | undefined;
    for (const [color, count] of counts) {
      if (best === undefined || count > (counts.get(best) ?? 0)) best = color;
    }
    return best;
  }

  private onBackground(
    pair: Pair,
    hull: Area & { readonly color: number | undefined },
  ): PixelRegion | undefined {
    if (hull.color === undefined) return undefined;
    const { ax, ay, bx, by, width, height } = subPair(pair, hull);
    const first = contentOf(this.a, { x: ax, y: ay, width, height }, hull.color);
    const second = contentOf(this.b, { x: bx, y: by, width, height }, hull.color);
    return this.oneSided(first, second);
  }

  /** Returns the change from one content to another if one is missing or both are equal. */
  private oneSided(first: Area | undefined, second: Area | undefined): PixelRegion | undefined {
    if (first === undefined) return second && appeared(second);
    if (second === undefined) return gone(first);
    return isEqual(this.a, first, this.b, second) ? moved(first, second) : undefined;
  }

  /**
   * Returns the change of a color: the difference of each pixel is a part of the difference of two
   * colors, and no pixel of the old color remains next to the changed ones.
   */
  private recolored(
    pair: Pair,
    box: Area,
    background: number | undefined,
    isFaint = false,
  ): PixelRegion | undefined {
    const whole = this.wholeDifference(pair, box);
    const { ax, ay, bx, by, width, height } = whole;
    const { a, b } = this;
    let from = 0;
    let to = 0;
    let largest = 0;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const one = a.data[(ay + y) * a.width + ax + x] ?? 0;
        const other = b.data[(by + y) * b.width + bx + x] ?? 0;
        const distance = one === other ? 0 : squared(one, other);
        if (distance > largest) [from, to, largest] = [one, other, distance];
      }
    }
    let pixels = 0;
    if (from === background || to === background || from >>> 24 !== to >>> 24) return undefined;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const at = (ay + y) * a.width + ax + x;
        const one = a.data[at] ?? 0;
        const other = b.data[(by + y) * b.width + bx + x] ?? 0;
        if (one !== other) {
          pixels++;
          const isMixed = !isFaint && isPart(one, other, from, to, largest);
          if (!isMixed && !isCovered(one, other, from, to, background)) return undefined;
        }
        const isOld = one === from && other === from;
        if (isOld && this.touches(ax + x, ay + y, bx + x, by + y, from, to)) return undefined;
      }
    }
    if (isFaint && pixels < MIN_EVIDENCE) return undefined;
    return {
      change: { kind: "recolored", from, to },
      first: areaOfA(whole),
      second: areaOfB(whole),
    };
  }

  /** True if one of the four neighbors changed from one color to the other. */
  private touches(ax: number, ay: number, bx: number, by: number, from: number, to: number) {
    return SIDES.some(
      ([dx, dy]) =>
        colorAt(this.a, ax + dx, ay + dy) === from && colorAt(this.b, bx + dx, by + dy) === to,
    );
  }

  /**
   * Aligns the rows or columns of two areas. False if the areas have the same size and nothing in them
   * is moved along this axis.
   */
  private alignAreas(areaA: Area, areaB: Area, isRows: boolean): boolean {
    const lengthA = isRows ? areaA.height : areaA.width;
    const lengthB = isRows ? areaB.height : areaB.width;
    if (isRows ? areaA.width !== areaB.width : areaA.height !== areaB.height) return false;
    const linesA = hashLines(this.a, areaA, isRows);
    const linesB = hashLines(this.b, areaB, isRows);
    const bands = bandsOf(linesA, linesB);
    if (bands.every(({ a, b }) => a === b)) return false;
    let a = 0;
    let b = 0;
    for (const band of [...bands, { a: lengthA, b: lengthB, length: 0 }]) {
      this.compareGap(part(areaA, isRows, a, band.a - a), part(areaB, isRows, b, band.b - b));
      this.compareBand(
        part(areaA, isRows, band.a, band.length),
        part(areaB, isRows, band.b, band.length),
      );
      a = band.a + band.length;
      b = band.b + band.length;
    }
    return true;
  }

  /** Adds what moved as a whole, and the differences in it. */
  private compareBand(areaA: Area, areaB: Area): void {
    if (areaA.width === 0 || areaA.height === 0) return;
    const pair = pairOf(areaA, areaB);
    if (pair.ax !== pair.bx || pair.ay !== pair.by) {
      const first = trimmed(this.a, areaA) ?? areaA;
      const dx = areaB.x - areaA.x;
      const dy = areaB.y - areaA.y;
      this.add(moved(first, { ...first, x: first.x + dx, y: first.y + dy }));
    }
    this.comparePair(pair);
  }

  /** Compares areas between two aligned ones. */
  private compareGap(areaA: Area, areaB: Area): void {
    if (areaA.width === areaB.width && areaA.height === areaB.height) {
      if (areaA.width > 0 && areaA.height > 0) this.comparePair(pairOf(areaA, areaB));
      return;
    }
    const first = trimmed(this.a, areaA);
    const second = trimmed(this.b, areaB);
    if (first === undefined && second === undefined) return;
    const proven = this.oneSided(first, second);
    this.add(
      proven ?? {
        change: { kind: "changed" },
        ...(first && { first }),
        ...(second && { second }),
      },
    );
  }

  /** Splits a box at lines that are plain background in both pictures: rows first, then columns. */
  private partsOf(pair: Pair, box: Area, color: number | undefined): Area[] {
    if (color === undefined) return [box];
    for (const isRows of [true, false]) {
      const parts: Area[] = [];
      let start = 0;
      let blank = 0;
      const length = isRows ? box.height : box.width;
      for (let at = 0; at <= length; at++) {
        const line = part(box, isRows, at, 1);
        const { ax, ay, bx, by, width, height } = subPair(pair, line);
        const isBlank =
          at < length &&
          isUniform(this.a, { x: ax, y: ay, width, height }, color) &&
          isUniform(this.b, { x: bx, y: by, width, height }, color);
        if (isBlank) blank++;
        if (at < length && (isBlank || blank < MIN_CUT_PX)) {
          if (!isBlank) blank = 0;
          continue;
        }
        const end = at - blank;
        const one =
          end > start && this.cellsOf(subPair(pair, part(box, isRows, start, end - start)));
        const bounds = one && one.whole;
        const from = part(box, isRows, start, 0);
        if (bounds) parts.push({ ...bounds, x: from.x + bounds.x, y: from.y + bounds.y });
        start = at;
        blank = 0;
      }
      if (parts.length > 1) return parts;
    }
    return [box];
  }

  private finished(): PixelRegion[] {
    const regions = joinedNear(this.paired());
    const top = ({ first, second }: PixelRegion) => second ?? first ?? { x: 0, y: 0 };
    return regions.sort((one, other) => top(one).y - top(other).y || top(one).x - top(other).x);
  }

  /** Replaces what is gone here and appeared there with the same pixels by what moved. */
  private paired(): PixelRegion[] {
    const rest = this.found.filter(({ change }) => change.kind !== "gone");
    for (const region of this.found) {
      const { first } = region;
      if (region.change.kind !== "gone" || first === undefined) continue;
      const [best] = rest
        .filter(
          ({ change, second }) =>
            change.kind === "appeared" && second && isEqual(this.a, first, this.b, second),
        )
        .sort((one, other) => distance(first, one.second) - distance(first, other.second));
      if (best?.second) rest[rest.indexOf(best)] = moved(first, best.second);
      else rest.push(region);
    }
    return rest;
  }
}

/** Joins neighboring regions with the same change. */
function joinedNear(regions: readonly PixelRegion[]): PixelRegion[] {
  const rest = [...regions];
  const joined: PixelRegion[] = [];
  for (let one = rest.shift(); one !== undefined; one = rest.shift()) {
    const current = one;
    const index = rest.findIndex(
      (other) =>
        isSameChange(current.change, other.change) &&
        isNear(current.first, other.first) &&
        isNear(current.second, other.second),
    );
    const [other] = index < 0 ? [] : rest.splice(index, 1);
    if (other === undefined) joined.push(one);
    else {
      const first = one.first && other.first && union(one.first, other.first);
      const second = one.second && other.second && union(one.second, other.second);
      rest.push({ change: one.change, ...(first && { first }), ...(second && { second }) });
    }
  }
  return joined;
}

function isSameChange(one: Change, other: Change): boolean {
  if (one.kind === "moved") {
    return other.kind === "moved" && one.dx === other.dx && one.dy === other.dy;
  }
  if (one.kind === "recolored") {
    return other.kind === "recolored" && one.from === other.from && one.to === other.to;
  }
  return one.kind === other.kind;
}

function isNear(one: Area | undefined, other: Area | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const wide = grown(one, NEAR_PX);
  return (
    wide.x < other.x + other.width &&
    other.x < wide.x + wide.width &&
    wide.y < other.y + other.height &&
    other.y < wide.y + wide.height
  );
}

const SIDES = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
] as const;

const appeared = (second: Area): PixelRegion => ({ change: { kind: "appeared" }, second });
const gone = (first: Area): PixelRegion => ({ change: { kind: "gone" }, first });
const moved = (first: Area, second: Area): PixelRegion => ({
  change: { kind: "moved", dx: second.x - first.x, dy: second.y - first.y },
  first,
  second,
});
const changedPair = (pair: Pair): PixelRegion => ({
  change: { kind: "changed" },
  first: areaOfA(pair),
  second: areaOfB(pair),
});

function pairOf({ x: ax, y: ay, width, height }: Area, { x: bx, y: by }: Area): Pair {
  return { ax, ay, bx, by, width, height };
}

/** Returns the part of a pair; the area is relative to the pair. */
function subPair({ ax, ay, bx, by }: Pair, { x, y, width, height }: Area): Pair {
  return { ax: ax + x, ay: ay + y, bx: bx + x, by: by + y, width, height };
}

const areaOfA = ({ ax: x, ay: y, width, height }: Pair): Area => ({ x, y, width, height });
const areaOfB = ({ bx: x, by: y, width, height }: Pair): Area => ({ x, y, width, height });

function part(area: Area, isRows: boolean, start: number, length: number): Area {
  return isRows
    ? { ...area, y: area.y + start, height: length }
    : { ...area, x: area.x + start, width: length };
}
