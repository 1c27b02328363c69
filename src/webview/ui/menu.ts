/**
 * Menus of the page: popovers of the buttons that open them.
 * Source: https://www.w3.org/WAI/ARIA/apg/patterns/menu-button/
 */
import { iconOf } from "./actionButton";

export interface MenuItem {
  /** Name of a codicon. */
  readonly icon: string;
  readonly label: string;
  /** Present for an item that is on or off. */
  readonly isChecked?: boolean;
  readonly choose: () => void;
}

/** Fills the menu of a button that was clicked, before the browser opens or closes the popover. */
export function prepareMenu(button: HTMLButtonElement, items: readonly MenuItem[]): void {
  const menu = button.popoverTargetElement ?? addMenu(button);
  if (menu.matches(":popover-open")) return;
  menu.replaceChildren(
    ...items.map(({ icon, label, isChecked, choose }, index) => {
      const item = document.createElement("button");
      item.type = "button";
      item.className = "menu-item";
      item.tabIndex = -1;
      // The browser focuses this item with the opening, before the next key.
      item.autofocus = index === 0;
      item.setAttribute("role", isChecked === undefined ? "menuitem" : "menuitemcheckbox");
      if (isChecked !== undefined) item.setAttribute("aria-checked", String(isChecked));
      item.append(iconOf(isChecked === true ? "check" : icon), label);
      item.addEventListener("click", () => {
        closeMenu(button);
        choose();
      });
      return item;
    }),
  );
}

function addMenu(button: HTMLButtonElement): HTMLElement {
  const menu = document.createElement("div");
  menu.className = "menu";
  menu.popover = "auto";
  menu.setAttribute("role", "menu");
  menu.setAttribute("aria-label", button.title);
  menu.addEventListener("keydown", (event) => handleKey(event, menu, button));
  button.after(menu);
  button.popoverTargetElement = menu;
  return menu;
}

function closeMenu(button: HTMLButtonElement): void {
  button.focus();
  if (button.popoverTargetElement instanceof HTMLElement) button.popoverTargetElement.hidePopover();
}

function handleKey(event: KeyboardEvent, menu: HTMLElement, button: HTMLButtonElement): void {
  const items = [...menu.querySelectorAll("button")];
  const at = items.findIndex((item) => item === event.target);
  const targets: Readonly<Record<string, HTMLElement | undefined>> = {
    ArrowDown: items[(at + 1) % items.length],
    ArrowUp: items.at(at - 1),
    Home: items[0],
    End: items.at(-1),
  };
  if (event.key === "Escape" || event.key === "Tab") closeMenu(button);
  else if (Object.hasOwn(targets, event.key)) targets[event.key]?.focus();
  else return;
  event.preventDefault();
  event.stopPropagation(); // Escape must not stop a running reply.
}
