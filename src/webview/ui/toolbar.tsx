/**
 * Keys of toolbars: a toolbar is one stop of the Tab key, and the arrow keys move inside.
 * Source: https://www.w3.org/WAI/ARIA/apg/patterns/toolbar/
 */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface ToolbarProps {
  readonly class: string;
  readonly label: string;
  readonly children: ComponentChildren;
}

export function Toolbar({ class: name, label, children }: ToolbarProps) {
  const ref = useRef<HTMLDivElement>(null);
  // After each change, as the buttons can be other ones.
  useLayoutEffect(() => {
    if (ref.current?.contains(document.activeElement) === false) initializeToolbar(ref.current);
  });
  return (
    <div
      ref={ref}
      class={name}
      role="toolbar"
      aria-label={label}
      onKeyDown={handleToolbarKey}
      onFocusIn={followToolbarFocus}
      onFocusOut={followToolbarFocus}
    >
      {children}
    </div>
  );
}

/** Makes the first button that is not disabled the stop of the Tab key. */
export function initializeToolbar(toolbar: Element): void {
  setStop(
    toolbar,
    buttonsOf(toolbar).find(({ disabled }) => !disabled),
  );
}

/** Handles a key in a toolbar, once. */
export function handleToolbarKey(event: KeyboardEvent): void {
  const { key, target } = event;
  if (event.defaultPrevented || !(target instanceof HTMLElement)) return;
  const toolbar = target.closest("[role=toolbar]");
  if (toolbar === null) return;
  const buttons = buttonsOf(toolbar).filter((button) => !button.disabled);
  const at = buttons.findIndex((button) => button === target);
  const forward = getComputedStyle(toolbar).direction === "rtl" ? -1 : 1;
  const targets: Readonly<Record<string, number>> = {
    ArrowRight: at + forward,
    ArrowLeft: at - forward,
    Home: 0,
    End: -1,
  };
  const index = targets[key];
  if (index === undefined || buttons.length === 0) return;
  buttons.at(index % buttons.length)?.focus();
  event.preventDefault();
}

/** Moves the stop to the focused button, and back to the first button when the focus leaves. */
export function followToolbarFocus({ type, target, relatedTarget }: FocusEvent): void {
  if (!(target instanceof HTMLButtonElement)) return;
  const toolbar = target.closest("[role=toolbar]");
  if (toolbar === null) return;
  if (type === "focusin") setStop(toolbar, target);
  else if (!(relatedTarget instanceof Node && toolbar.contains(relatedTarget))) {
    initializeToolbar(toolbar);
  }
}

function setStop(toolbar: Element, stop: Element | undefined): void {
  for (const button of buttonsOf(toolbar)) button.tabIndex = button === stop ? 0 : -1;
}

/** Returns the buttons of the toolbar itself, without those of an open menu. */
function buttonsOf(toolbar: Element): HTMLButtonElement[] {
  const buttons = [...toolbar.querySelectorAll<HTMLButtonElement>("button")];
  return buttons.filter((button) => button.closest("[popover]") === null);
}
