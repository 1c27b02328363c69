/**
 * Puts the tables of a finished reply into boxes that scroll sideways. A box whose table is cut off fades
 * at that edge, and is a named stop of the Tab key, so that the arrow keys scroll.
 */
import { t } from "@vscode/l10n";
import { keepSelection } from "../../renderer/keepSelection";
import { tableToolbar } from "./tableActions";

/** Names of columns in the name of a table. */
const MAX_COLUMNS = 4;

const resizes = new ResizeObserver((entries) => {
  for (const { target } of entries) if (target instanceof HTMLElement) update(target);
});

/** @param hasActions true to add the buttons of tableActions.ts below each table */
export function wrapTables(reply: HTMLElement, hasActions: boolean): void {
  for (const table of reply.querySelectorAll("table")) {
    const box = document.createElement("div");
    box.className = "table-box";
    const columns = [...table.querySelectorAll("th")].map(({ textContent }) => textContent.trim());
    const names = columns.filter((name) => name !== "").slice(0, MAX_COLUMNS);
    box.setAttribute("role", "group");
    const name = names.join(", ");
    box.setAttribute("aria-label", t("Table: {0}", name));
    keepSelection(table, () => {
      table.replaceWith(box);
      box.append(table);
    });
    // Chromium exposes a group of rows only by its role. Markdown has no headers of rows; the first cell
    // says which row is being read.
    table.tBodies[0]?.setAttribute("role", "rowgroup");
    for (const first of table.querySelectorAll("tbody td:first-child")) {
      first.setAttribute("role", "rowheader");
    }
    if (hasActions) box.after(tableToolbar(Number(table.dataset["table"]), name));
    box.addEventListener("scroll", () => update(box), { passive: true });
    // Observes without keeping the element alive.
    resizes.observe(box);
  }
}

function update(box: HTMLElement): void {
  const { scrollWidth, clientWidth, scrollLeft } = box;
  const isWide = scrollWidth > clientWidth + 1;
  if (isWide) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
  // Negative where the text runs from right to left.
  const left = scrollWidth - clientWidth - Math.abs(scrollLeft);
  box.classList.toggle("is-cut", isWide && left > 1);
}
