/**
 * Buttons under the tables of finished replies. The host reads the table from the stored reply; the
 * page sends its number.
 */
import { t } from "@vscode/l10n";
import { tableActionSchema, type TableAction } from "../../protocol/actions";
import type { Host } from "../state/host";
import { writeClipboard } from "../ui/clipboard";
import { showDone } from "../ui/doneMark";
import { initializeToolbar } from "./toolbar";

/** Returns the toolbar of the table with this 0-based number. */
export function tableToolbar(table: number, name: string): HTMLElement {
  const toolbar = document.createElement("div");
  toolbar.className = "table-actions";
  toolbar.dataset["table"] = String(table);
  toolbar.setAttribute("role", "toolbar");
  toolbar.setAttribute("aria-label", t("Actions for the table: {0}", name));
  toolbar.append(
    tableButton("copy-markdown", "markdown", t("Copy as Markdown")),
    tableButton("copy-cells", "table", t("Copy for spreadsheets")),
    tableButton("save-csv", "save", t("Save as CSV")),
  );
  initializeToolbar(toolbar);
  return toolbar;
}

/** Handles a click inside the transcript; true if the target is a button of a table. */
export function handleTableClick(target: Element, host: Host, failed: () => void): boolean {
  const button = target.closest<HTMLButtonElement>("[data-table-action]");
  const action = tableActionSchema.safeParse(button?.dataset["tableAction"]);
  const messageId = button?.closest<HTMLElement>("article")?.dataset["messageId"];
  if (!button || !action.success || messageId === undefined) return false;
  const table = Number(button.closest<HTMLElement>(".table-actions")?.dataset["table"]);
  host.request({ type: "table-asked", action: action.data, messageId, table }).then((reply) => {
    if (reply.table !== undefined && !writeClipboard(reply.table.text, reply.table.html)) failed();
    else if (action.data !== "save-csv") showDone(button);
  }, failed);
  return true;
}

function tableButton(action: TableAction, icon: string, name: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "icon-button";
  button.dataset["tableAction"] = action;
  button.title = name;
  const sign = document.createElement("span");
  sign.className = `codicon codicon-${icon}`;
  sign.setAttribute("aria-hidden", "true");
  button.append(sign);
  return button;
}
