import { showDone } from "./doneMark";

interface IconButtonProps {
  /** Name of a codicon: https://microsoft.github.io/vscode-codicons/dist/codicon.html */
  readonly icon: string;
  /** Tooltip and accessible name: an equal `aria-label` would make the title a description. */
  readonly label: string;
  readonly onClick: () => void;
  readonly isDisabled?: boolean;
  /** True shows a tick for a second after a click. */
  readonly hasTick?: boolean;
}

export function IconButton(props: IconButtonProps) {
  const { icon, label, onClick, isDisabled = false, hasTick = false } = props;
  return (
    <button
      type="button"
      class="icon-button"
      title={label}
      disabled={isDisabled}
      onClick={(event) => {
        if (hasTick) showDone(event.currentTarget);
        onClick();
      }}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Opens VS Code's menu of the element around the button, as a right click does. */
export function MenuButton({ label }: { readonly label: string }) {
  function openMenu(button: Element): void {
    const { left: clientX, bottom: clientY } = button.getBoundingClientRect();
    const place = { bubbles: true, cancelable: true, clientX, clientY };
    button.dispatchEvent(new MouseEvent("contextmenu", place));
  }
  return (
    <button
      type="button"
      class="icon-button"
      title={label}
      onClick={({ currentTarget }) => openMenu(currentTarget)}
    >
      <Icon name="ellipsis" />
    </button>
  );
}

interface TextButtonProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly look?: "primary-button" | "secondary-button" | "link-button";
  readonly isDisabled?: boolean;
}

export function TextButton(props: TextButtonProps) {
  const { label, onClick, look = "secondary-button", isDisabled = false } = props;
  return (
    <button type="button" class={look} disabled={isDisabled} onClick={() => onClick()}>
      {label}
    </button>
  );
}

/** Decorative icon, hidden from screen readers. */
export function Icon({ name }: { readonly name: string }) {
  return <span class={`codicon codicon-${name}`} aria-hidden="true" />;
}
