/**
 * Buttons under the tables of finished replies. The host reads the table from the stored reply; the
 * page sends its number.
 */
import { t } from "@vscode/l10n";
import { tableActionSchema } from "../../protocol/actions";
import type { Host } from "../state/host";
import { actionButton } from "../ui/actionButton";
import { showDone } from "../ui/doneMark";
import { initializeToolbar } from "../ui/toolbar";

/** Returns the toolbar of the table with this 0-based number. */
export function tableToolbar(table: number, name: string): HTMLElement {
  const toolbar = document.createElement("div");
  toolbar.className = "table-actions";
  toolbar.dataset["table"] = String(table);
  toolbar.setAttribute("role", "toolbar");
  toolbar.setAttribute("aria-label", t("Actions for the table: {0}", name));
  toolbar.append(
    actionButton("copy-markdown", "markdown", "", t("Copy as Markdown")),
    actionButton("copy-cells", "table", "", t("Copy for spreadsheets")),
    actionButton("save-csv", "save", "", t("Save as CSV")),
  );
  initializeToolbar(toolbar);
  return toolbar;
}

/** Handles a click inside the transcript; true if the target is a button of a table. */
export function handleTableClick(target: Element, host: Host, failed: () => void): boolean {
  const button = target.closest<HTMLButtonElement>(".table-actions [data-code-action]");
  const action = tableActionSchema.safeParse(button?.dataset["codeAction"]);
  const messageId = button?.closest<HTMLElement>("article")?.dataset["messageId"];
  if (!button || !action.success || messageId === undefined) return false;
  const table = Number(button.closest<HTMLElement>(".table-actions")?.dataset["table"]);
  host.request({ type: "table-asked", action: action.data, messageId, table }).then((reply) => {
    if (reply.table !== undefined && !writeClipboard(reply.table.text, reply.table.html)) failed();
    else if (action.data !== "save-csv") showDone(button);
  }, failed);
  return true;
}

/**
 * Writes text and HTML to the clipboard; false if the browser refuses. `navigator.clipboard` would
 * remove the style that keeps line breaks within a cell.
 */
function writeClipboard(text: string, html?: string): boolean {
  const write = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    if (html !== undefined) event.clipboardData?.setData("text/html", html);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("copy", write, { capture: true });
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- no other API keeps the HTML as it is
  const isDone = document.execCommand("copy");
  document.removeEventListener("copy", write, { capture: true });
  return isDone;
}
