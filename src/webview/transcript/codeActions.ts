/**
 * The buttons of a code block. The blocks are the Markdown driver's own elements, so the buttons
 * are plain elements too, and one listener on the transcript serves them all. What is done is
 * done by the host, by the number of the block: the page hands over no code.
 */
import { t } from "@vscode/l10n";
import { codeActionSchema, type CodeAction } from "../../bridge/messages";
import type { Host } from "../bridgeClient";

const WRAP = "wrap";

/** Fills the driver's `.code-actions`; once for each block. */
export function fillCodeActions(element: HTMLElement): void {
  const actions = element.querySelector(".code-actions");
  if (actions === null || actions.childElementCount > 0) return;
  const wrap = actionButton(WRAP, "word-wrap", t("Wrap lines"));
  wrap.setAttribute("aria-pressed", "false");
  actions.append(
    wrap,
    actionButton("copy", "copy", t("Copy code")),
    actionButton("insert-at-cursor", "insert", t("Insert at cursor")),
    actionButton("new-file", "new-file", t("New file")),
  );
}

/** Handles a click inside the transcript; true when it was on a code block's button. */
export function handleCodeClick(target: Element, host: Host): boolean {
  const button = target.closest<HTMLElement>("[data-code-action]");
  const block = button?.closest<HTMLElement>(".code-block");
  if (!button || !block) return false;
  const name = button.dataset["codeAction"];
  if (name === WRAP) {
    const isWrapped = block.classList.toggle("is-wrapped");
    button.setAttribute("aria-pressed", String(isWrapped));
    return true;
  }
  const action = codeActionSchema.safeParse(name);
  const messageId = block.closest<HTMLElement>("article")?.dataset["messageId"];
  const number = Number(block.dataset["block"] ?? NaN);
  if (action.success && messageId !== undefined && Number.isInteger(number)) {
    host.send({ type: "code-asked", action: action.data, messageId, block: number });
  }
  return true;
}

function actionButton(action: CodeAction | typeof WRAP, icon: string, label: string): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "icon-button";
  button.dataset["codeAction"] = action;
  button.title = label;
  button.setAttribute("aria-label", label);
  const picture = document.createElement("span");
  picture.className = `codicon codicon-${icon}`;
  picture.setAttribute("aria-hidden", "true");
  button.append(picture);
  return button;
}
