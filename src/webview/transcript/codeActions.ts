/**
 * Buttons of code blocks: Copy, Apply and a menu with the others. The renderer creates the blocks, so
 * the buttons are plain DOM elements with a single listener on the transcript. The host performs the
 * action; the page sends a block number, no code.
 */
import { t } from "@vscode/l10n";
import { codeActionSchema, type CodeAction } from "../../protocol/actions";
import { previewRole } from "../../markdown/previewCode";
import type { Host } from "../state/host";
import { cutText } from "../state/questionWords";
import { actionButton, iconOf } from "../ui/actionButton";
import { showDone } from "../ui/doneMark";
import { prepareMenu, type MenuItem } from "../ui/menu";
import { initializeToolbar } from "../ui/toolbar";

const MENU = "menu";

const PREVIEW = "preview";

/** Adds the buttons to the `.code-actions` of a block, once. */
export function fillCodeActions(
  element: HTMLElement,
  { language }: { readonly language: string },
): void {
  const actions = element.querySelector(".code-actions");
  if (actions === null || actions.childElementCount > 0) return;
  element.querySelector(".code-label")?.before(iconOf("file-code"));
  const code = element.querySelector("pre");
  const title = element.querySelector(".code-label")?.textContent ?? "";
  const words = title || (code?.textContent ?? "").trimStart().split("\n", 1).join();
  const name = [language, cutText(words, 60)].filter((text) => text !== "").join(", ");
  actions.setAttribute("role", "toolbar");
  actions.setAttribute("aria-label", t("Actions for the code: {0}", name));
  actions.append(
    actionButton("copy", "copy", t("Copy"), t("Copy code")),
    actionButton(
      "apply-in-editor",
      "git-pull-request-go-to-changes",
      t("Apply"),
      t("Apply in editor"),
    ),
  );
  code?.setAttribute("role", "group");
  code?.setAttribute("aria-label", t("Code: {0}", name));
  const role = previewRole(language, code?.textContent ?? "");
  if (role === "html" || role === "svg") {
    actions.append(actionButton(PREVIEW, "open-preview", t("Preview"), t("Preview")));
  }
  const more = actionButton(MENU, "ellipsis", "", t("More actions"));
  more.setAttribute("aria-haspopup", "menu");
  actions.append(more);
  initializeToolbar(actions);
}

/** Handles a click inside the transcript; true if the target is a button of a code block. */
export function handleCodeClick(target: Element, host: Host): boolean {
  const button = target.closest<HTMLButtonElement>("[data-code-action]");
  const block = button?.closest<HTMLElement>(".code-block");
  if (!button || !block) return false;
  const name = button.dataset["codeAction"] ?? "";
  const action = codeActionSchema.safeParse(name);
  if (name === MENU) prepareMenu(button, menuItems(block, host));
  else if (action.success) {
    send(action.data, block, host);
    if (action.data === "copy") showDone(button);
  }
  return true;
}

function send(action: CodeAction, block: HTMLElement, host: Host): void {
  const messageId = block.closest<HTMLElement>("article")?.dataset["messageId"];
  const number = Number(block.dataset["block"] ?? NaN);
  if (messageId === undefined || !Number.isInteger(number)) return;
  host.send({ type: "code-asked", action, messageId, block: number });
}

function menuItems(block: HTMLElement, host: Host): readonly MenuItem[] {
  const item = (action: CodeAction, icon: string, label: string): MenuItem => ({
    icon,
    label,
    choose: () => send(action, block, host),
  });
  const toggle = (name: string, icon: string, label: string): MenuItem => ({
    icon,
    label,
    isChecked: block.classList.contains(name),
    choose: () => block.classList.toggle(name),
  });
  const isDiagram = block.matches(".has-diagram:not(.shows-source)");
  const language = block.querySelector(".code-language")?.textContent ?? "";
  const role = previewRole(language, "");
  // The first block with the button has the markup of which this block is a part.
  const isPart =
    (role === "style" || role === "script") &&
    block.closest("article")?.querySelector(`[data-code-action="${PREVIEW}"]`);
  return [
    ...(isPart ? [item(PREVIEW, "open-preview", t("Preview"))] : []),
    item("insert-at-cursor", "insert", t("Insert at cursor")),
    item("replace-selection", "replace", t("Replace selection")),
    item("new-file", "new-file", t("New file")),
    ...(isDiagram ? [] : [toggle("is-wrapped", "word-wrap", t("Wrap lines"))]),
    ...(block.matches(".has-diagram") ? [toggle("shows-source", "code", t("Show source"))] : []),
  ];
}
