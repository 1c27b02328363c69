/**
 * A small button with a codicon for a face and words for a name.
 */

interface IconButtonProps {
  /** Name of a codicon: https://microsoft.github.io/vscode-codicons/dist/codicon.html */
  readonly icon: string;
  /** What it does, in the person's language; also the tooltip. */
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

/** A picture only: what it stands for is said beside it. */
export function Icon({ name }: { readonly name: string }) {
  return <span class={`codicon codicon-${name}`} aria-hidden="true" />;
}
