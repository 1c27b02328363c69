/** Differences of two areas, collected in cells. */
import type { Area } from "../marks";
import { Bounds, isInside } from "./pixelAreas";

/** Side of the cells in which differences are collected, in pixels. */
export const CELL_PX = 8;

/** Cells of a pair of areas that have a difference, with its bounds. */
export class Cells {
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
