/** Time for which a button shows a tick after its action, in milliseconds. */
const DONE_MS = 1000;

const TICK = "codicon-check";

/** Shows a tick in place of a button's icon for a second. */
export function showDone(button: Element): void {
  const icon = button.querySelector(".codicon");
  const iconClass = [...(icon?.classList ?? [])].find((name) => name.startsWith("codicon-"));
  if (icon === null || iconClass === undefined || iconClass === TICK) return;
  icon.classList.replace(iconClass, TICK);
  setTimeout(() => icon.classList.replace(TICK, iconClass), DONE_MS);
}
