/** Places the numbers of boxes so that each can be read: none covers another or is cut at the edge. */
import { doOverlap, type Region } from "../../pointing/coordinates";

interface Extent {
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the place of each number; undefined for numbers without room, whose boxes are named elsewhere.
 * The first numbers are nearest to their boxes.
 * @param boxes boxes and points inside the area, in its unit
 * @param sizes size of each number
 */
export function placeBadges(
  boxes: readonly Region[],
  sizes: readonly Extent[],
  area: Extent,
): (Region | undefined)[] {
  const placed: Region[] = [];
  const isFree = (badge: Region) => !placed.some((other) => doOverlap(badge, other));
  let cells = cellsOf(sizes, area);
  return boxes.map((box, index) => {
    const { width, height } = sizes[index] ?? { width: 0, height: 0 };
    const inside = anchorsOf(box, { width, height })
      .map((at) => ({ ...at, width, height }))
      .filter((at) => {
        return at.x >= 0 && at.y >= 0 && at.x + width <= area.width && at.y + height <= area.height;
      });
    const cell = inside.find(isFree) ?? nearest(box, cells);
    const badge = cell && { ...cell, width, height };
    if (badge) {
      placed.push(badge);
      cells = cells.filter((cell) => !doOverlap(cell, badge));
    }
    return badge;
  });
}

/** Returns the best places: at a side of a box, else inside its corner; in the middle of a point. */
function anchorsOf(box: Region, { width, height }: Extent) {
  const { x, y } = box;
  if (box.width === 0 && box.height === 0) return [{ x: x - width / 2, y: y - height / 2 }];
  return [
    { x: x - width, y },
    { x, y: y - height },
    { x: x + box.width, y },
    { x, y: y + box.height },
    { x, y },
  ];
}

/** Returns the cells of a grid over the area; each has room for every number. */
function cellsOf(sizes: readonly Extent[], area: Extent): Region[] {
  const width = Math.max(...sizes.map((size) => size.width));
  const height = Math.max(...sizes.map((size) => size.height));
  const columns = Math.floor(area.width / width);
  const rows = Math.floor(area.height / height);
  return Array.from({ length: columns * rows }, (_, index) => ({
    x: (index % columns) * width,
    y: Math.floor(index / columns) * height,
    width,
    height,
  }));
}

function nearest({ x, y }: Region, cells: readonly Region[]): Region | undefined {
  let nearestCell: Region | undefined;
  let least = Infinity;
  for (const cell of cells) {
    const distance = (cell.x - x) ** 2 + (cell.y - y) ** 2;
    if (distance >= least) continue;
    nearestCell = cell;
    least = distance;
  }
  return nearestCell;
}
