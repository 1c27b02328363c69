/**
 * Creates a button of a code block or a table.
 * @param text visible text after the icon; the name has to contain this text
 */
export function actionButton(
  action: string,
  icon: string,
  text: string,
  name: string,
): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = text === "" ? "icon-button" : "icon-button has-text";
  button.dataset["codeAction"] = action;
  // Screen readers read a title that equals the `aria-label` a second time.
  if (text === "") button.title = name;
  else if (name !== text) button.setAttribute("aria-label", name);
  button.append(iconOf(icon));
  if (text !== "") {
    const label = document.createElement("span");
    label.className = "action-text";
    label.textContent = text;
    button.append(label);
  }
  return button;
}

export function iconOf(name: string): HTMLElement {
  const icon = document.createElement("span");
  icon.className = `codicon codicon-${name}`;
  icon.setAttribute("aria-hidden", "true");
  return icon;
}
