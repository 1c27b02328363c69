/**
 * Buttons of code blocks: Copy, Apply and a menu with the others. The renderer creates the blocks, so
 * the buttons are plain DOM elements with a single listener on the transcript. The host performs the
 * action; the page sends a block number, no code.
 */
import { t } from "@vscode/l10n";
import { codeActionSchema } from "../../protocol/actions";
import { previewRole } from "../../markdown/previewCode";
import type { Host } from "../state/host";
import { cutText } from "../state/questionWords";
import { actionButton, iconOf } from "../ui/actionButton";
import { showDone } from "../ui/doneMark";
import { closeCodeMenu, prepareCodeMenu } from "./codeMenu";
import { initializeToolbar } from "./toolbar";

/** Names of the buttons that change only how a block is shown. */
const WRAP = "wrap";
const SOURCE = "source";
const MENU = "menu";

/** Length of the words that name a block for screen readers, in UTF-16 units. */
const MAX_NAME_LENGTH = 60;

const PREVIEW = "preview";

/** CSS class of the block for each of the toggles. */
const TOGGLED_CLASSES: Readonly<Record<string, string>> = {
  [WRAP]: "is-wrapped",
  [SOURCE]: "shows-source",
};

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
  const name = [language, cutText(words, MAX_NAME_LENGTH)].filter((text) => text !== "").join(", ");
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
  if (language === "mermaid") {
    const source = actionButton(SOURCE, "code", "", t("Show source"));
    source.setAttribute("aria-pressed", "false");
    actions.append(source);
  }
  const more = actionButton(MENU, "ellipsis", "", t("More actions"));
  more.setAttribute("aria-expanded", "false");
  actions.append(more);
  initializeToolbar(actions);
}

/** Handles a click inside the transcript; true if the target is a button of a code block. */
export function handleCodeClick(target: Element, host: Host): boolean {
  const button = target.closest<HTMLButtonElement>("[data-code-action]");
  const block = button?.closest<HTMLElement>(".code-block");
  if (!button || !block) return false;
  const name = button.dataset["codeAction"] ?? "";
  if (name === MENU) {
    prepareCodeMenu(button, () => menuItems(block));
    return true;
  }
  closeCodeMenu(button);
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
    if (action.data === "copy") showDone(button);
  }
  return true;
}

function menuItems(block: HTMLElement): readonly HTMLButtonElement[] {
  const item = (action: string, icon: string, label: string) => {
    const button = actionButton(action, icon, label, label);
    button.className = "menu-item";
    return button;
  };
  const isWrapped = block.classList.contains("is-wrapped");
  const wrap = item(WRAP, isWrapped ? "check" : "word-wrap", t("Wrap lines"));
  wrap.setAttribute("aria-pressed", String(isWrapped));
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
    ...(isDiagram ? [] : [wrap]),
  ];
}
