/**
 * Scrolling through more rows than the page holds: space in place of the other rows, and a request for
 * the rows that come into sight.
 */
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import type { HistoryShown } from "../state/store";

/** Height of a row before the first measurement, in CSS pixels. */
const USUAL_ROW_PX = 41;

/**
 * Measures the rows and asks for the visible ones. Returns the space in place of rows that are not loaded.
 * @param listRef the list, whose parent scrolls
 * @param loadRows asks for the rows around a position
 */
export function useRowScroll(
  listRef: RefObject<HTMLElement | null>,
  { rows, firstRow = 0, foundCount }: HistoryShown,
  loadRows: (index: number) => void,
) {
  const [rowPx, setRowPx] = useState(USUAL_ROW_PX);
  const endRow = firstRow + rows.length;
  const after = Math.max(0, foundCount - endRow);
  const beforePx = firstRow * rowPx;
  const afterPx = after * rowPx;

  useLayoutEffect(() => {
    const list = listRef.current;
    const isPartial = firstRow > 0 || after > 0;
    if (!list || !isPartial || rows.length === 0) return;
    const measuredPx = (list.offsetHeight - beforePx - afterPx) / rows.length;
    if (Math.abs(measuredPx - rowPx) * rows.length > 1) setRowPx(measuredPx);
  }, [listRef, rows]);

  useLayoutEffect(() => {
    const list = listRef.current;
    const scroller = list?.parentElement;
    if (!list || !scroller) return undefined;
    const loadVisible = () => {
      const topPx = scroller.scrollTop;
      const bottomPx = topPx + scroller.clientHeight;
      const isMissingBefore = firstRow > 0 && topPx < beforePx;
      const isMissingAfter = after > 0 && bottomPx > list.offsetHeight - afterPx;
      if (isMissingBefore || isMissingAfter) loadRows(topPx / rowPx);
    };
    scroller.addEventListener("scroll", loadVisible, { passive: true });
    return () => scroller.removeEventListener("scroll", loadVisible);
  }, [listRef, firstRow, after, beforePx, afterPx, rowPx, loadRows]);

  return { beforePx, afterPx };
}
