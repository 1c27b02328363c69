/** Menu of the code actions that are seldom used: a popover of the button "More actions". */

/**
 * Gives the button its menu at the first click, before the browser opens the popover.
 * @param makeItems called each time the menu opens
 */
export function prepareCodeMenu(
  button: HTMLButtonElement,
  makeItems: () => readonly HTMLButtonElement[],
): void {
  if (button.popoverTargetElement !== null) return;
  const menu = document.createElement("div");
  menu.className = "code-menu";
  menu.popover = "auto";
  menu.setAttribute("role", "group");
  menu.setAttribute("aria-label", button.title);
  menu.addEventListener("keydown", (event) => handleKey(event, menu));
  menu.addEventListener("beforetoggle", ({ newState }) => {
    if (newState !== "open") return;
    const items = makeItems();
    // The browser focuses this item with the opening, before the next key.
    if (items[0]) items[0].autofocus = true;
    menu.replaceChildren(...items);
  });
  menu.addEventListener("toggle", ({ newState }) => {
    button.setAttribute("aria-expanded", String(newState === "open"));
  });
  button.after(menu);
  button.popoverTargetElement = menu;
}

/** Closes the menu that the button is in, if any, and focuses the button that opened it. */
export function closeCodeMenu(button: Element): void {
  const menu = button.closest<HTMLElement>(".code-menu");
  if (menu?.previousElementSibling instanceof HTMLElement) menu.previousElementSibling.focus();
  menu?.hidePopover();
}

function handleKey(event: KeyboardEvent, menu: HTMLElement): void {
  const items = [...menu.querySelectorAll("button")];
  const at = items.findIndex((item) => item === event.target);
  const targets: Readonly<Record<string, HTMLElement | undefined>> = {
    ArrowDown: items[(at + 1) % items.length],
    ArrowUp: items.at(at - 1),
    Home: items[0],
    End: items.at(-1),
  };
  if (event.key === "Escape" || event.key === "Tab") closeCodeMenu(menu);
  else if (Object.hasOwn(targets, event.key)) targets[event.key]?.focus();
  else return;
  event.preventDefault();
  event.stopPropagation(); // Escape must not stop a running reply.
}
