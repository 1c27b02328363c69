import { showDone } from "./doneMark";
import { prepareMenu, type MenuItem } from "./menu";

interface IconButtonProps {
  /** Name of a codicon: https://microsoft.github.io/vscode-codicons/dist/codicon.html */
  readonly icon: string;
  /** Tooltip and accessible name: an equal `aria-label` would make the title a description. */
  readonly label: string;
  readonly onClick: (button: HTMLButtonElement) => void;
  readonly isDisabled?: boolean;
  /** True shows a tick for a second after a click. */
  readonly hasTick?: boolean;
  readonly hasMenu?: boolean;
  readonly class?: string;
}

export function IconButton(props: IconButtonProps) {
  const { icon, label, onClick, isDisabled = false, hasTick = false, hasMenu = false } = props;
  return (
    <button
      type="button"
      class={`icon-button ${props.class ?? ""}`}
      title={label}
      disabled={isDisabled}
      {...(hasMenu && { "aria-haspopup": "menu" })}
      onClick={({ currentTarget }) => {
        if (hasTick) showDone(currentTarget);
        onClick(currentTarget);
      }}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Opens VS Code's menu of the element around the button, as a right click does. */
export function MenuButton({ label }: { readonly label: string }) {
  function openMenu(button: HTMLElement): void {
    // A menu that is drawn by the window around the page takes the focus from this document.
    const takeFocus = () => document.activeElement === document.body && button.focus();
    addEventListener("focus", takeFocus, { once: true });
    const { left: clientX, bottom: clientY } = button.getBoundingClientRect();
    const place = { bubbles: true, cancelable: true, clientX, clientY };
    button.dispatchEvent(new MouseEvent("contextmenu", place));
  }
  return <IconButton icon="ellipsis" label={label} hasMenu onClick={openMenu} />;
}

interface ItemsButtonProps extends Pick<IconButtonProps, "icon" | "label"> {
  readonly items: readonly MenuItem[];
}

/** Button with a menu of the page, which is added after the button. */
export function ItemsButton({ icon, label, items }: ItemsButtonProps) {
  return (
    <span>
      <IconButton {...{ icon, label }} hasMenu onClick={(button) => prepareMenu(button, items)} />
    </span>
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
