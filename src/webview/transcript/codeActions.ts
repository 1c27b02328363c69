/**
 * The buttons of a code block. The blocks are the Markdown driver's own elements, so the buttons
 * are plain elements too, and one listener on the transcript serves them all. What is done is
 * done by the host, by the number of the block: the page hands over no code.
 */
import { t } from "@vscode/l10n";
import { codeActionSchema } from "../../protocol/messages";
import type { Host } from "../boot/hostClient";

/** What the page does by itself: how a block is seen. */
const WRAP = "wrap";
const SOURCE = "source";

/** Classes of a block by which the style sheet shows it another way. */
const SEEN_AS: Readonly<Record<string, string>> = {
  [WRAP]: "is-wrapped",
  [SOURCE]: "shows-source",
};

/** Fills the driver's `.code-actions`; once for each block. */
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

/** Handles a click inside the transcript; true when it was on a code block's button. */
export function handleCodeClick(target: Element, host: Host): boolean {
  const button = target.closest<HTMLElement>("[data-code-action]");
  const block = button?.closest<HTMLElement>(".code-block");
  if (!button || !block) return false;
  const name = button.dataset["codeAction"] ?? "";
  const seenAs = SEEN_AS[name];
  if (seenAs !== undefined) {
    button.setAttribute("aria-pressed", String(block.classList.toggle(seenAs)));
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
  const picture = document.createElement("span");
  picture.className = `codicon codicon-${icon}`;
  picture.setAttribute("aria-hidden", "true");
  button.append(picture);
  return button;
}
