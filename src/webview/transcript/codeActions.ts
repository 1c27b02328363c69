/**
 * Buttons of code blocks. The renderer creates the blocks, so the buttons are plain DOM elements
 * with a single listener on the transcript. The host performs the action; the page sends a block
 * number, no code.
 */
import { t } from "@vscode/l10n";
import { codeActionSchema } from "../../protocol/messages";
import type { Host } from "../state/host";

/** Names of the buttons that change only how a block is shown. */
const WRAP = "wrap";
const SOURCE = "source";

/** CSS class of the block for each of those buttons. */
const TOGGLED_CLASSES: Readonly<Record<string, string>> = {
  [WRAP]: "is-wrapped",
  [SOURCE]: "shows-source",
};

/** Adds the buttons to the `.code-actions` of a block, once. */
export function fillCodeActions(element: HTMLElement, { language }: { language: string }): void {
  const actions = element.querySelector(".code-actions");
  if (actions === null || actions.childElementCount > 0) return;
  if (language === "mermaid") actions.append(toggle(SOURCE, "code", t("Show source")));
  actions.append(
    toggle(WRAP, "word-wrap", t("Wrap lines")),
    actionButton("copy", "copy", t("Copy code")),
    actionButton("insert-at-cursor", "insert", t("Insert at cursor")),
    actionButton("replace-selection", "replace", t("Replace selection")),
    actionButton("apply-in-editor", "git-pull-request-go-to-changes", t("Apply in editor")),
    actionButton("new-file", "new-file", t("New file")),
  );
}

/** Handles a click inside the transcript; true if the target is a button of a code block. */
export function handleCodeClick(target: Element, host: Host): boolean {
  const button = target.closest<HTMLElement>("[data-code-action]");
  const block = button?.closest<HTMLElement>(".code-block");
  if (!button || !block) return false;
  const name = button.dataset["codeAction"] ?? "";
  const toggledClass = TOGGLED_CLASSES[name];
  if (toggledClass !== undefined) {
    button.setAttribute("aria-pressed", String(block.classList.toggle(toggledClass)));
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

function toggle(name: string, icon: string, label: string): HTMLElement {
  const button = actionButton(name, icon, label);
  button.setAttribute("aria-pressed", "false");
  return button;
}

function actionButton(action: string, icon: string, label: string): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "icon-button";
  button.dataset["codeAction"] = action;
  button.title = label;
  button.setAttribute("aria-label", label);
  const iconElement = document.createElement("span");
  iconElement.className = `codicon codicon-${icon}`;
  iconElement.setAttribute("aria-hidden", "true");
  button.append(iconElement);
  return button;
}
