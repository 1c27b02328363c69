/**
 * Finds the regions in which two pictures differ and names the change of each if a rule proves the
 * change: the same pixels at an offset, one color in place of another, or content on one side only.
 * Lines of pixels are aligned first, so that what follows an insertion is moved and not changed.
 */
import type { Area } from "./marks";

/** Pixels in rows, each a little-endian RGBA number. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint32Array;
}

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

/** Side of the cells in which differences are collected, in pixels. */
const CELL_PX = 8;

/** Equal lines that prove an alignment; the lower-case letters of small text are this high. */
const MIN_LINES = 8;

/** Blank lines that separate two parts; less than a word space of small text. */
const MIN_CUT_PX = 4;

/** Parts of a neighborhood that are listed, unless all of them are proven. */
const MAX_PARTS = 4;

/** Largest distance of regions with the same change that are shown as one, in pixels. */
const NEAR_PX = 16;

/** Largest error of a mixed color by rounding, in levels of a channel. */
const ROUNDING = 3;

/** Pixels that prove that faint differences are not those of antialiased edges. */
const MIN_EVIDENCE = 8;

/** Largest difference of the share of a color in an edge: at half a pixel, and by rounding alone. */
const MAX_BOLDER = 0.25;
const MIN_BOLDER = 0.04;

/** An area of each picture, both of the same size. */
interface Pair {
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
  readonly width: number;
  readonly height: number;
}

/** A part of one axis in each picture, from the start of the aligned areas. */
interface Band {
  readonly a: number;
  readonly b: number;
  readonly length: number;
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

/** Cells of a pair of areas that have a difference, with its bounds. */
class Cells {
  private readonly columns: number;
  private readonly rows: number;
  /** Left, top, right and bottom of the differences in each cell. */
  private readonly bounds: Int32Array;
  /** 1 for cells whose differences are more than those of antialiasing. */
  readonly strong: Uint8Array;

  constructor(width: number, height: number) {
    this.columns = Math.ceil(width / CELL_PX);
    this.rows = Math.ceil(height / CELL_PX);
    this.bounds = new Int32Array(this.columns * this.rows * 4).fill(-1);
    this.strong = new Uint8Array(this.columns * this.rows);
  }

  /** Adds a difference, in the order of rows; returns the number of its cell. */
  add(x: number, y: number): number {
    const cell = Math.floor(y / CELL_PX) * this.columns + Math.floor(x / CELL_PX);
    const at = cell * 4;
    const { bounds } = this;
    if ((bounds[at] ?? 0) < 0) {
      bounds[at] = x;
      bounds[at + 1] = y;
    } else if (x < (bounds[at] ?? 0)) bounds[at] = x;
    if (x > (bounds[at + 2] ?? 0)) bounds[at + 2] = x;
    bounds[at + 3] = y;
    return cell;
  }

  private areaOf(cell: number): Area | undefined {
    const [x = -1, y = 0, right = 0, bottom = 0] = this.bounds.subarray(cell * 4, cell * 4 + 4);
    return x < 0 ? undefined : { x, y, width: right - x + 1, height: bottom - y + 1 };
  }

  /** Returns the bounds of all strong differences. */
  get whole(): Area | undefined {
    const all = new Bounds();
    for (const strip of this.strips()) all.addArea(strip);
    return all.area;
  }

  /** Returns bounds of differences that no empty column of cells separates. */
  strips(): Area[] {
    const strips: Area[] = [];
    let strip = new Bounds();
    let empty = 0;
    for (let column = 0; column < this.columns; column++) {
      const before = strip.area;
      empty++;
      for (let row = 0; row < this.rows; row++) {
        const cell = row * this.columns + column;
        const area = this.strong[cell] === 1 && this.areaOf(cell);
        if (!area) continue;
        if (empty > 2 && before) {
          strips.push(before);
          strip = new Bounds();
        }
        empty = 0;
        strip.addArea(area);
      }
    }
    return strip.area ? [...strips, strip.area] : strips;
  }

  /** Returns bounds of neighboring differences, with at most one empty cell between them. */
  clusters(isStrong: boolean, within?: Area): Area[] {
    const seen = new Uint8Array(this.columns * this.rows);
    const clusters: Area[] = [];
    for (let start = 0; start < seen.length; start++) {
      const isWanted = seen[start] === 0 && (this.strong[start] === 1) === isStrong;
      const area = isWanted && this.areaOf(start);
      if (!area || (within && !isInside(area, within))) continue;
      const bounds = new Bounds();
      const waiting = [start];
      seen[start] = 1;
      for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
        bounds.addArea(this.areaOf(cell));
        const column = cell % this.columns;
        const row = (cell - column) / this.columns;
        for (let y = Math.max(0, row - 2); y <= Math.min(this.rows - 1, row + 2); y++) {
          for (let x = Math.max(0, column - 2); x <= Math.min(this.columns - 1, column + 2); x++) {
            const next = y * this.columns + x;
            const isOther = (this.strong[next] === 1) !== isStrong;
            if (isOther || seen[next] === 1 || (this.bounds[next * 4] ?? -1) < 0) continue;
            seen[next] = 1;
            waiting.push(next);
          }
        }
      }
      if (bounds.area) clusters.push(bounds.area);
    }
    return clusters;
  }
}

/** Smallest area of the added pixels. */
class Bounds {
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

/** Hashes of lines; undefined for a line of one color, which proves nothing. */
type Lines = readonly (number | undefined)[];

/** Numbers of an equal line in the first and in the second picture. */
type LinePair = readonly [a: number, b: number];

function hashLines({ data, width: stride }: Pixels, area: Area, isRows: boolean): Lines {
  const { x: left, y: top, width, height } = area;
  const length = isRows ? height : width;
  const hashes = new Int32Array(length);
  const firsts = new Uint32Array(length);
  const isMixed = new Uint8Array(length);
  for (let y = 0; y < height; y++) {
    const row = (top + y) * stride + left;
    for (let x = 0; x < width; x++) {
      const color = data[row + x] ?? 0;
      const line = isRows ? y : x;
      if ((isRows ? x : y) === 0) firsts[line] = color;
      else if (color !== firsts[line]) isMixed[line] = 1;
      const mixed = Math.imul((hashes[line] ?? 0) ^ color, 0x9e3779b1);
      hashes[line] = mixed ^ (mixed >>> 15);
    }
  }
  return Array.from(hashes, (hash, line) => (isMixed[line] === 1 ? hash : undefined));
}

/**
 * Returns the longest run of lines in common order that are unique in both, as bands of one offset.
 * Method: patience diff.
 */
function bandsOf(linesA: Lines, linesB: Lines): Band[] {
  const inB = uniqueLines(linesB);
  const pairs: LinePair[] = [];
  for (const [hash, a] of uniqueLines(linesA)) {
    const b = inB.get(hash);
    if (a !== undefined && b !== undefined) pairs.push([a, b]);
  }
  pairs.sort(([one], [other]) => one - other);
  const strong = grouped(longestRising(pairs)).filter(({ length }) => length >= MIN_LINES);
  return extended(grouped(strong.flat()), linesA, linesB);
}

/** Groups neighboring pairs of one offset. */
function grouped(pairs: readonly LinePair[]): LinePair[][] {
  const groups: LinePair[][] = [];
  let offset: number | undefined;
  for (const pair of pairs) {
    const [a, b] = pair;
    if (b - a === offset) groups.at(-1)?.push(pair);
    else groups.push([pair]);
    offset = b - a;
  }
  return groups;
}

/** Extends bands by the equal lines next to them, such as blank ones. */
function extended(groups: readonly LinePair[][], linesA: Lines, linesB: Lines): Band[] {
  const bands: Band[] = [];
  const isEqual = (a: number, b: number) => linesA[a] !== undefined && linesA[a] === linesB[b];
  for (const [index, group] of groups.entries()) {
    const last = bands.at(-1);
    const [minA, minB] = last ? [last.a + last.length, last.b + last.length] : [0, 0];
    const [maxA, maxB] = groups[index + 1]?.[0] ?? [linesA.length, linesB.length];
    let [a, b] = group[0] ?? [0, 0];
    let end = (group.at(-1)?.[0] ?? a) + 1;
    const offset = b - a;
    while (a > minA && b > minB && isEqual(a - 1, b - 1)) {
      a--;
      b--;
    }
    while (end < maxA && end + offset < maxB && isEqual(end, end + offset)) end++;
    bands.push({ a, b, length: end - a });
  }
  return bands;
}

function uniqueLines(lines: Lines): Map<number, number | undefined> {
  const unique = new Map<number, number | undefined>();
  for (const [index, hash] of lines.entries()) {
    if (hash !== undefined) unique.set(hash, unique.has(hash) ? undefined : index);
  }
  return unique;
}

/** Returns the longest subsequence whose second numbers rise; the first numbers rise already. */
function longestRising(pairs: readonly LinePair[]): LinePair[] {
  const tails: number[] = [];
  const before = new Int32Array(pairs.length);
  for (const [index, [, b]] of pairs.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < b) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? (tails[low - 1] ?? -1) : -1;
    tails[low] = index;
  }
  const result: LinePair[] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair) result.push(pair);
  }
  return result.reverse();
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

function grown({ x, y, width, height }: Area, by: number): Area {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

/** Returns the part of an area that is in a pair. */
function inside(area: Area, { width, height }: Pick<Pair, "width" | "height">): Area {
  const x = Math.max(0, area.x);
  const y = Math.max(0, area.y);
  return {
    x,
    y,
    width: Math.min(width, area.x + area.width) - x,
    height: Math.min(height, area.y + area.height) - y,
  };
}

function union(one: Area, other: Area): Area {
  const bounds = new Bounds();
  bounds.addArea(one);
  bounds.addArea(other);
  return bounds.area ?? one;
}

function contains({ x, y, width, height }: Area, px: number, py: number): boolean {
  return px >= x && py >= y && px < x + width && py < y + height;
}

function isInside(area: Area, outer: Area): boolean {
  return (
    contains(outer, area.x, area.y) &&
    contains(outer, area.x + area.width - 1, area.y + area.height - 1)
  );
}

function distance(one: Area, other: Area | undefined): number {
  return other ? Math.hypot(one.x - other.x, one.y - other.y) : Infinity;
}

function colorAt(pixels: Pixels, x: number, y: number): number | undefined {
  return isOn(pixels, x, y) ? pixels.data[y * pixels.width + x] : undefined;
}

function isUniform({ data, width: stride }: Pixels, area: Area, color: number): boolean {
  const { x, y, width, height } = area;
  for (let row = y; row < y + height; row++) {
    for (let at = row * stride + x; at < row * stride + x + width; at++) {
      if (data[at] !== color) return false;
    }
  }
  return true;
}

function isEqual(a: Pixels, first: Area, b: Pixels, second: Area): boolean {
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
function contentOf({ data, width: stride }: Pixels, area: Area, color: number): Area | undefined {
  const bounds = new Bounds();
  for (let y = area.y; y < area.y + area.height; y++) {
    for (let x = area.x; x < area.x + area.width; x++) {
      if (data[y * stride + x] !== color) bounds.add(x, y);
    }
  }
  return bounds.area;
}

/** Returns an area without the lines at its edges that have the color of its corner. */
function trimmed(pixels: Pixels, area: Area): Area | undefined {
  const color = colorAt(pixels, area.x, area.y);
  if (color === undefined || area.width <= 0 || area.height <= 0) return undefined;
  return contentOf(pixels, area, color);
}

/** Returns the contrast of a channel in the 3 × 3 pixels around a pixel, in both pictures together. */
function contrastAround(
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

function squared(one: number, other: number): number {
  let sum = 0;
  for (let shift = 0; shift < 24; shift += 8) {
    sum += (((one >>> shift) & 255) - ((other >>> shift) & 255)) ** 2;
  }
  return sum;
}

/** True if the step from one color to another is a part of the step between two colors. */
function isPart(one: number, other: number, from: number, to: number, length: number): boolean {
  const step = (shift: number, a: number, b: number) =>
    ((b >>> shift) & 255) - ((a >>> shift) & 255);
  let share = 0;
  for (let shift = 0; shift < 24; shift += 8) {
    share += (step(shift, one, other) * step(shift, from, to)) / length;
  }
  if (share < 0 || one >>> 24 !== other >>> 24) return false;
  for (let shift = 0; shift < 24; shift += 8) {
    const error = step(shift, one, other) - share * step(shift, from, to);
    if (Math.abs(error) > ROUNDING) return false;
  }
  return true;
}

/** True for colors that a mask mixes with the background: text is drawn a little bolder in some colors. */
function isCovered(
  one: number,
  other: number,
  from: number,
  to: number,
  background: number | undefined,
): boolean {
  if (background === undefined) return false;
  const first = shareOf(one, background, from);
  const second = shareOf(other, background, to);
  if (first === undefined || second === undefined) return false;
  const mean = (first + second) / 2;
  const mayDiffer = MIN_BOLDER + MAX_BOLDER * 4 * Math.max(0, mean * (1 - mean));
  return Math.abs(first - second) <= mayDiffer;
}

/** Returns the share of a color in its mixture with the background; undefined for other colors. */
function shareOf(mixed: number, background: number, color: number): number | undefined {
  const length = squared(background, color);
  if (!isPart(background, mixed, background, color, length)) return undefined;
  return Math.sqrt(squared(background, mixed) / length);
}
