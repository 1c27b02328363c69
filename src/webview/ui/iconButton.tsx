interface IconButtonProps {
  /** Name of a codicon: https://microsoft.github.io/vscode-codicons/dist/codicon.html */
  readonly icon: string;
  /** Accessible name and tooltip. */
  readonly label: string;
  readonly onClick: () => void;
  readonly isDisabled?: boolean;
}

export function IconButton({ icon, label, onClick, isDisabled = false }: IconButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      disabled={isDisabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Decorative icon, hidden from screen readers. */
export function Icon({ name }: { readonly name: string }) {
  return <span class={`codicon codicon-${name}`} aria-hidden="true" />;
}
